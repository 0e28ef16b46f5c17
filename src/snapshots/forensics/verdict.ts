import { DAY_MS } from '../../domain/index.ts';
import type { Drain, Funding, Hop, PoolFinding } from './types.ts';

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

/** The gravest verdict that the pools support. Pure. */
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

/** Why a wallet that took part in a drain belongs to the creator, as far as the chain shows. */
export interface CreatorLink {
  readonly wallet: string;
  readonly role: 'actor' | 'liquidity_owner' | 'recipient' | 'hop';
  readonly how: 'is_creator' | 'funded_by_creator' | 'funded_creator' | 'common_funder' | 'paid_creator';
  readonly transaction: string | null;
  /** 0-1. */
  readonly confidence: number;
}

const CONFIDENCE: Readonly<Record<CreatorLink['how'], number>> = {
  is_creator: 0.98,
  funded_by_creator: 0.85,
  funded_creator: 0.8,
  paid_creator: 0.75,
  common_funder: 0.6,
};

/** Links of all participants to the creator; a funder in `services` links no wallets. Pure. */
export function creatorLinks(
  creator: string | null,
  drains: readonly Drain[],
  hops: readonly Hop[],
  fundings: ReadonlyMap<string, Funding>,
  services: ReadonlySet<string>,
): readonly CreatorLink[] {
  if (creator === null) return [];
  const links: CreatorLink[] = [];
  for (const [wallet, role] of rolesOf(drains, hops)) {
    const add = (how: CreatorLink['how'], transaction: string | null) =>
      links.push({ wallet, role, how, transaction, confidence: CONFIDENCE[how] });
    if (wallet === creator) {
      add('is_creator', null);
      continue;
    }
    const own: Funding | undefined = fundings.get(wallet);
    const creators: Funding | undefined = fundings.get(creator);
    if (own?.funder === creator) add('funded_by_creator', own.transaction);
    if (creators?.funder === wallet && !services.has(wallet)) add('funded_creator', creators.transaction);
    if (own && creators && own.funder === creators.funder && !services.has(own.funder) && own.funder !== wallet)
      add('common_funder', own.transaction);
    const paid = hops.find((hop) => hop.from === wallet && hop.to === creator);
    if (paid) add('paid_creator', paid.transaction);
  }
  return links.sort((a, b) => b.confidence - a.confidence || (a.wallet < b.wallet ? -1 : 1));
}

/** Each wallet once, by the first role it has. */
function rolesOf(drains: readonly Drain[], hops: readonly Hop[]): ReadonlyMap<string, CreatorLink['role']> {
  const roles = new Map<string, CreatorLink['role']>();
  const give = (wallet: string | null, role: CreatorLink['role']) => {
    if (wallet !== null && !roles.has(wallet)) roles.set(wallet, role);
  };
  for (const drain of drains) give(drain.actor, 'actor');
  for (const drain of drains) give(drain.liquidityOwner, 'liquidity_owner');
  for (const { recipients } of drains) for (const { address } of recipients) give(address, 'recipient');
  for (const hop of hops) give(hop.to, 'hop');
  return roles;
}
