import { DAY_MS } from '../../domain/index.ts';
import type { ChainTransaction, Drain, Funding, Hop, Limit, PoolFinding, Recipient, WatchedPool } from './types.ts';

export interface PoolEffect {
  readonly kind: 'removal' | 'sale' | 'purchase' | 'addition' | 'none';
  /** Out of the pool is positive. Base units. */
  readonly baseOut: bigint;
  readonly quoteOut: bigint;
}

/** Recipients of less than the outflow divided by this are ignored: rents, tips, fees. */
const DUST = 100n;

/**
 * Classifies a transaction by the changes of a pool's reserves: liquidity was removed when both fall, or when one falls
 * and the other does not change; the asset was sold when the quote falls while the asset rises. Fees change neither
 * sign. Pure.
 */
export function poolEffect(transaction: ChainTransaction, pool: WatchedPool): PoolEffect {
  const out = (asset: string) =>
    transaction.changes
      .filter((change) => change.asset === asset && pool.accounts.has(change.account))
      .reduce((sum, change) => sum - change.amount, 0n);
  const [baseOut, quoteOut] = [out(pool.base), out(pool.quote)];
  return { kind: kindOf(baseOut, quoteOut), baseOut, quoteOut };
}

/**
 * The transaction as a drain of the pool; null when it took no quote tokens from it. `quoteBefore`: the pool's balance
 * just before. `money`: ids of the quote token (a wrapped coin is the coin itself once unwrapped).
 */
export function drainOf(
  transaction: ChainTransaction,
  pool: WatchedPool,
  quoteBefore: bigint,
  money: ReadonlySet<string>,
): Drain | null {
  const effect = poolEffect(transaction, pool);
  if (effect.quoteOut <= 0n || (effect.kind !== 'removal' && effect.kind !== 'sale')) return null;
  const held = quoteBefore > effect.quoteOut ? quoteBefore : effect.quoteOut;
  return {
    pool: pool.address,
    dex: pool.dex,
    kind: effect.kind,
    basis: 'balances',
    transaction: transaction.id,
    height: transaction.height,
    at: transaction.at,
    actor: transaction.signers[0] ?? null,
    liquidityOwner: effect.kind === 'removal' ? liquidityOwnerOf(transaction, pool, money) : null,
    base: pool.base,
    quote: pool.quote,
    baseAmount: effect.baseOut,
    quoteAmount: effect.quoteOut,
    quoteBefore: held,
    shareTaken: Number((effect.quoteOut * 1_000_000n) / held) / 1_000_000,
    recipients: gainers(transaction, money, pool.owners).filter((one) => one.amount * DUST >= effect.quoteOut),
  };
}

/** Owners whose balance of the money the transaction increased, the largest gain first. Pure. */
export function gainers(
  transaction: ChainTransaction,
  money: ReadonlySet<string>,
  except: ReadonlySet<string>,
): readonly Recipient[] {
  return [...netOf(transaction, money)]
    .filter(([owner, { amount }]) => amount > 0n && !except.has(owner))
    .map(([address, { asset, amount }]) => ({ address, asset, amount, presumed: false }))
    .sort((a, b) => (a.amount === b.amount ? (a.address < b.address ? -1 : 1) : a.amount > b.amount ? -1 : 1));
}

/** Change of an owner's balance of the money, in base units; negative for a loss. */
export function netChange(transaction: ChainTransaction, owner: string, money: ReadonlySet<string>): bigint {
  return netOf(transaction, money).get(owner)?.amount ?? 0n;
}

function netOf(
  { changes }: ChainTransaction,
  money: ReadonlySet<string>,
): ReadonlyMap<string, { readonly asset: string; readonly amount: bigint }> {
  const sums = new Map<string, { asset: string; amount: bigint; largest: bigint }>();
  for (const { owner, asset, amount } of changes) {
    if (!money.has(asset)) continue;
    const sum = sums.get(owner) ?? { asset, amount: 0n, largest: 0n };
    sums.set(owner, {
      asset: amount > sum.largest ? asset : sum.asset,
      amount: sum.amount + amount,
      largest: amount > sum.largest ? amount : sum.largest,
    });
  }
  return sums;
}

function kindOf(baseOut: bigint, quoteOut: bigint): PoolEffect['kind'] {
  if (baseOut === 0n && quoteOut === 0n) return 'none';
  if (baseOut >= 0n && quoteOut >= 0n) return 'removal';
  if (baseOut <= 0n && quoteOut <= 0n) return 'addition';
  return quoteOut > 0n ? 'sale' : 'purchase';
}

/** Owner of the returned liquidity token: an asset that is neither of the two tokens nor money. */
function liquidityOwnerOf({ changes }: ChainTransaction, pool: WatchedPool, money: ReadonlySet<string>): string | null {
  const given = changes.filter(
    ({ asset, amount, owner }) =>
      amount < 0n && asset !== pool.base && asset !== 'native' && !money.has(asset) && !pool.owners.has(owner),
  );
  const largest = given.reduce<(typeof given)[number] | null>(
    (most, change) => (most === null || change.amount < most.amount ? change : most),
    null,
  );
  return largest?.owner ?? null;
}

export interface Walk<Start> {
  /** Largest number of steps. */
  readonly depth: number;
  readonly mostWallets: number;
  /** Never followed: pools, exchanges, programs. */
  readonly isService: (address: string) => boolean;
  /** Reason not to follow a wallet, or null; called while there is room for more wallets. */
  readonly refusal?: (start: Start) => Promise<string | null>;
  /** Outflows of a wallet after it was paid, and the recipients to follow next, the largest amounts first. */
  readonly leaving: (
    start: Start,
    depth: number,
  ) => Promise<{ readonly hops: readonly Hop[]; readonly limits: readonly Limit[]; readonly next: readonly Start[] }>;
}

/**
 * Follows money from the wallets that received it, step by step, each wallet once; `limits` states what was left out.
 */
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

/** Speed and actors of a pool's emptying; shares of its earlier holdings, 0-1. */
export interface PoolVerdict {
  /** Share of the observed maximum that the pool has lost by now. */
  readonly gone: number;
  /** Largest share that removals took within 24 hours. */
  readonly removedWithinDay: number;
  /** The same, by wallets linked to the creator only. */
  readonly removedByLinkedWithinDay: number;
}

export type Verdict = 'drained_by_linked_wallets' | 'drained' | 'large_removals' | 'no_drain_seen' | 'not_seen';

/** Methodology, flag 2: at least 90 % of the liquidity removed within 24 hours by linked wallets. */
const RUG = 0.9;

/** Judges one pool. Drains without a time do not count as removed within a day. Pure. */
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

/** The most severe verdict that the pools support. Pure. */
export function judge(pools: readonly PoolFinding[], verdicts: readonly PoolVerdict[]): Verdict {
  if (pools.every((pool) => pool.listed === 0)) return 'not_seen';
  if (verdicts.some((one) => one.removedByLinkedWithinDay >= RUG)) return 'drained_by_linked_wallets';
  if (verdicts.some((one) => one.gone >= RUG)) return 'drained';
  return pools.some((pool) => pool.drains.length > 0) ? 'large_removals' : 'no_drain_seen';
}

/** A pool that holds less than its peak divided by this has been emptied: the rest does not count as liquidity. */
const REMNANT = 10n;

/**
 * Largest share that drains took within a day: of what the pool held before, what it no longer held after the last of them, and no more
 * than they took. Liquidity that is placed anew (a position that is moved) and removed again counts once.
 */
function mostWithinDay(drains: readonly Drain[], peak: bigint): number {
  const dated = drains
    .flatMap((drain) => (drain.at === null ? [] : [{ drain, at: Date.parse(drain.at) }]))
    .sort((a, b) => a.at - b.at || a.drain.height - b.drain.height);
  let most = 0;
  for (const [place, first] of dated.entries()) {
    let [held, taken] = [1n, 0n];
    for (const { drain } of dated.slice(place).filter((row) => row.at - first.at <= DAY_MS)) {
      if (drain.quoteBefore > held) held = drain.quoteBefore;
      taken += drain.quoteAmount;
      const lost = held - drain.quoteBefore + drain.quoteAmount;
      if (held * REMNANT >= peak) most = Math.max(most, Math.min(1, shareOf(lost < taken ? lost : taken, held)));
    }
  }
  return most;
}

function shareOf(part: bigint, whole: bigint): number {
  return Number((part * 1_000_000n) / whole) / 1_000_000;
}

/** Why a wallet that took part in a drain is linked to the creator, as far as the chain shows it. */
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

/** Each wallet once, with its first role. */
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
