import type { Hop, Limit } from './types.ts';

export interface Walk<Start> {
  /** Steps at most. */
  readonly depth: number;
  readonly mostWallets: number;
  /** Never followed: pools, exchanges, programs. */
  readonly isService: (address: string) => boolean;
  /** Why a wallet is not followed, or null; asked for those that there is room for. */
  readonly refusal?: (start: Start) => Promise<string | null>;
  /** What left a wallet after it was paid, and whom to follow next, the largest amounts first. */
  readonly leaving: (
    start: Start,
    depth: number,
  ) => Promise<{ readonly hops: readonly Hop[]; readonly limits: readonly Limit[]; readonly next: readonly Start[] }>;
}

/** Walks from the wallets that got the money, step by step, each wallet once; whatever is left out is said in `limits`. */
export async function followMoney<Start extends { readonly wallet: string }>(
  starts: readonly Start[],
  { depth: deepest, mostWallets, isService, refusal, leaving }: Walk<Start>,
): Promise<{ readonly hops: readonly Hop[]; readonly limits: readonly Limit[] }> {
  const hops: Hop[] = [];
  const limits: Limit[] = [];
  const seen = new Set<string>();
  let frontier = starts;
  for (let depth = 1; depth <= deepest; depth += 1) {
    const next: Start[] = [];
    for (const start of frontier) {
      if (seen.has(start.wallet) || isService(start.wallet)) continue;
      const why = seen.size >= mostWallets ? `only ${mostWallets} wallets are` : ((await refusal?.(start)) ?? null);
      if (why !== null) {
        limits.push({ code: 'not_followed', detail: `${start.wallet} was not followed: ${why}` });
        continue;
      }
      seen.add(start.wallet);
      const left = await leaving(start, depth);
      hops.push(...left.hops);
      limits.push(...left.limits);
      next.push(...left.next);
    }
    frontier = next;
  }
  return { hops, limits };
}
