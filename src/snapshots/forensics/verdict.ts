import { DAY_MS } from '../../domain/index.ts';
import type { CreatorLink } from './links.ts';
import type { Drain, PoolFinding } from './types.ts';

/** How fast and by whom a pool was emptied; shares of what it held before, 0-1. */
export interface PoolVerdict {
  /** Of the most that it was seen to hold, gone now. */
  readonly gone: number;
  /** Most that removals took within 24 hours. */
  readonly removedWithinDay: number;
  /** The same, by wallets linked to the creator only. */
  readonly removedByLinkedWithinDay: number;
}

export type Verdict = 'drained_by_linked_wallets' | 'drained' | 'large_removals' | 'no_drain_seen' | 'not_seen';

/** Methodology, flag 2: at least 90 % of the liquidity removed within 24 hours by linked wallets. */
const RUG = 0.9;

/** What happened to one pool. Drains without a time count for no day. Pure. */
export function judgePool({ peak, now, drains }: PoolFinding, links: readonly CreatorLink[]): PoolVerdict {
  const removals = drains.filter((drain) => drain.kind === 'removal');
  const linked = new Set(links.filter((link) => link.role !== 'hop').map((link) => link.wallet));
  const isLinked = (drain: Drain) =>
    [drain.actor, drain.liquidityOwner, ...drain.recipients.map((one) => one.address)].some(
      (wallet) => wallet !== null && linked.has(wallet),
    );
  return {
    gone: peak > now && peak > 0n ? shareOf(peak - now, peak) : 0,
    removedWithinDay: mostWithinDay(removals, peak),
    removedByLinkedWithinDay: mostWithinDay(removals.filter(isLinked), peak),
  };
}

/** The gravest word that the pools deserve. Pure. */
export function judge(pools: readonly PoolFinding[], verdicts: readonly PoolVerdict[]): Verdict {
  if (pools.every((pool) => pool.listed === 0)) return 'not_seen';
  if (verdicts.some((one) => one.removedByLinkedWithinDay >= RUG)) return 'drained_by_linked_wallets';
  if (verdicts.some((one) => one.gone >= RUG)) return 'drained';
  return pools.some((pool) => pool.drains.length > 0) ? 'large_removals' : 'no_drain_seen';
}

/** What is left in a pool that was emptied before is no liquidity whose removal would mean anything. */
const REMNANT = 10n;

function mostWithinDay(drains: readonly Drain[], peak: bigint): number {
  const dated = drains
    .flatMap((drain) => (drain.at === null ? [] : [{ drain, at: Date.parse(drain.at) }]))
    .sort((a, b) => a.at - b.at || a.drain.height - b.drain.height);
  let most = 0;
  for (const [place, first] of dated.entries()) {
    const within = dated.slice(place).filter((row) => row.at - first.at <= DAY_MS);
    const taken = within.reduce((sum, row) => sum + row.drain.quoteAmount, 0n);
    let held = 1n;
    for (const { drain } of within) if (drain.quoteBefore > held) held = drain.quoteBefore;
    if (held * REMNANT < peak) continue;
    most = Math.max(most, Math.min(1, shareOf(taken, held)));
  }
  return most;
}

function shareOf(part: bigint, whole: bigint): number {
  return Number((part * 1_000_000n) / whole) / 1_000_000;
}
