import type { ChainFault } from '../../chains/index.ts';
import type { ConsensusSet, ForensicSubject, HolderLabel, LabelKind, Result } from '../../domain/index.ts';
import { type LabelBook, mergeBooks } from '../../metrics/index.ts';
import { indexerLabels, knownAddresses, poolAddresses } from '../holders/list.ts';
import { addressesOf, indexedPools } from '../pools/indexed.ts';
import type { Purchases } from './purchases.ts';
import type { Drain, Findings, Funding, Hop, Limit, PoolFinding, Question, WatchedPool } from './types.ts';

/** Labels of addresses that handle the money of many people: they link no wallets. */
const SERVICES: ReadonlySet<LabelKind> = new Set([
  'exchange',
  'bridge',
  'pool',
  'program',
  'lending',
  'staking',
  'locker',
  'vesting',
  'burn',
]);
const LEAST_CONFIDENCE = 0.7;
const MOST_POOLS = 10;

/** Labels of addresses around an asset: built in, and from its sources. */
export function labelsOf({ asset, consensus }: ForensicSubject): LabelBook {
  const pools = indexedPools(consensus, asset.address ?? '');
  return mergeBooks([
    knownAddresses(asset.chain ?? ''),
    poolAddresses(pools.map((pool) => [pool.address, pool.dex])),
    indexerLabels(consensus),
  ]);
}

export function isServiceLabel({ kind, confidence }: HolderLabel): boolean {
  return SERVICES.has(kind) && confidence >= LEAST_CONFIDENCE;
}

/** Subjects of a search, from the evidence: pools (the largest first), the creator, and known services. */
export function questionOf(subject: ForensicSubject, labels: LabelBook): Question {
  const base = subject.asset.address ?? '';
  const rows = indexedPools(subject.consensus, base);
  const pools = addressesOf(rows, MOST_POOLS).map((address) => {
    const own = rows.filter((row) => row.address === address);
    const dex = own.find((row) => row.dex !== 'unknown')?.dex ?? 'unknown';
    return { address, dex, createdAt: earliest(own.flatMap((row) => (row.createdAt === null ? [] : [row.createdAt]))) };
  });
  return {
    base,
    creator: creatorOf(subject.consensus)?.address ?? null,
    pools: oldestSecond(pools),
    isService: (address) => labels.labelsOf(address).some(isServiceLabel),
  };
}

/**
 * Moves the oldest pool, which held the token's first liquidity, to the second position: a drained pool is small now.
 * Pure.
 */
export function oldestSecond<Pool extends { readonly createdAt: string | null }>(
  pools: readonly Pool[],
): readonly Pool[] {
  const [largest, ...others] = pools;
  if (largest === undefined) return [];
  const [oldest] = pools
    .filter((pool) => pool.createdAt !== null)
    .sort((a, b) => ((a.createdAt ?? '') < (b.createdAt ?? '') ? -1 : 1));
  if (oldest === undefined || oldest === largest) return pools;
  return [largest, oldest, ...others.filter((pool) => pool !== oldest)];
}

function earliest(times: readonly string[]): string | null {
  const known = times.map((time) => Date.parse(time)).filter(Number.isFinite);
  return known.length === 0 ? null : new Date(Math.min(...known)).toISOString();
}

/** The wallet that created the token, and the sources that name it. */
export function creatorOf(
  consensus: ConsensusSet,
): { readonly address: string; readonly sources: readonly string[] } | null {
  const found = consensus.creator_address;
  if (found === undefined || found.status === 'missing' || typeof found.value !== 'string') return null;
  const sources = found.voices.filter((voice) => voice.accepted).map((voice) => voice.source);
  return { address: found.value, sources: [...new Set(sources)].sort() };
}

/** The reads of one chain for an investigation. */
export interface ChainSearch {
  readonly findDrains: (
    pool: Question['pools'][number],
    base: string,
  ) => Promise<Result<{ readonly finding: PoolFinding; readonly limits: readonly Limit[] }, ChainFault>>;
  /** Follows the money of a pool from the wallets that received it. */
  readonly follow: (
    pool: WatchedPool,
    starts: readonly PaidWallet[],
    isService: (address: string) => boolean,
  ) => Promise<{ readonly hops: readonly Hop[]; readonly limits: readonly Limit[] }>;
  /** The first payment to a wallet; null when none is visible. */
  readonly firstFunding: (wallet: string) => Promise<Result<Funding | null, FundingFault>>;
  /** True for a contract, and for a wallet with more transactions than a person sends. */
  readonly isCrowded: (wallet: string) => Promise<Result<boolean, ChainFault>>;
  /** The first purchases out of a pool or curve, or of the asset's own account where no pool is given. */
  readonly readLaunch: (
    pool: Question['pools'][number],
    base: string,
  ) => Promise<Result<{ readonly purchases: Purchases | null; readonly limits: readonly Limit[] }, ChainFault>>;
}

/** Why a first payment is not known; `isFinal`: those of other wallets will not be known either. */
interface FundingFault {
  readonly limit: Limit;
  readonly isFinal: boolean;
}

/** A wallet that drains paid: the total amount, and the first of the drains. */
export interface PaidWallet {
  readonly wallet: string;
  readonly amount: bigint;
  readonly first: Drain;
}

export interface Fundings {
  readonly fundings: ReadonlyMap<string, Funding>;
  /** Payers that are services and not persons. */
  readonly services: ReadonlySet<string>;
  readonly limits: readonly Limit[];
}

const POOLS = 3;
const FUNDED_WALLETS = 6;
const MOST_ENDS = 8;

/** Finds who emptied an asset's pools, where the money went, and who first paid the wallets that took part. */
export async function investigate(question: Question, chain: ChainSearch): Promise<Findings> {
  const limits: Limit[] = [];
  const pools: PoolFinding[] = [];
  const hops: Hop[] = [];
  for (const asked of question.pools.slice(0, POOLS)) {
    const found = await chain.findDrains(asked, question.base);
    if (!found.ok) {
      limits.push(notRead(asked.address, found));
      continue;
    }
    pools.push(found.value.finding);
    limits.push(...found.value.limits);
  }
  const owners = new Set(pools.flatMap((row) => [...row.pool.owners]));
  for (const { pool, drains } of pools) {
    const isService = (address: string) => owners.has(address) || question.isService(address);
    const followed = await chain.follow(pool, startsOf(drains), isService);
    hops.push(...followed.hops);
    limits.push(...followed.limits);
  }
  const wallets = walletsOf(
    question,
    pools.flatMap((row) => row.drains),
  );
  const paid = await fundingsOf(wallets, question, chain);
  const services = new Set([...paid.services, ...(await crowdedEnds(hops, question, chain))]);
  return { pools, hops, fundings: paid.fundings, services, limits: [...limits, ...paid.limits] };
}

/**
 * The first payments to the wallets, and which of the payers are services: by label, or by how many transactions they
 * send.
 */
export async function fundingsOf(
  wallets: readonly string[],
  { isService }: Pick<Question, 'isService'>,
  { firstFunding, isCrowded }: Pick<ChainSearch, 'firstFunding' | 'isCrowded'>,
): Promise<Fundings> {
  const fundings = new Map<string, Funding>();
  const services = new Set<string>();
  const limits: Limit[] = [];
  for (const wallet of wallets) {
    if (isService(wallet)) continue;
    const found = await firstFunding(wallet);
    if (found.ok && found.value !== null) fundings.set(wallet, found.value);
    if (found.ok) continue;
    limits.push(found.limit);
    if (found.isFinal) return { fundings, services, limits };
  }
  const counts = Map.groupBy(fundings.values(), (funding) => funding.funder);
  for (const [funder, { length: times }] of counts) {
    if (isService(funder)) services.add(funder);
    else if (times > 1 || wallets.length <= FUNDED_WALLETS || wallets.includes(funder)) {
      const crowded = await isCrowded(funder);
      if (crowded.ok && crowded.value) services.add(funder);
      if (!crowded.ok)
        limits.push({ code: 'node_failed', detail: `whether ${funder} is a service is not known: ${crowded.detail}` });
    }
  }
  return { fundings, services, limits };
}

/**
 * Why a pool was not read: because of its kind (`pool_not_read`, permanent), or because a node failed (it may work
 * later).
 */
function notRead(pool: string, { reason, detail }: ChainFault): Limit {
  const isForGood = reason === 'refused' || reason === 'not_found';
  return { code: isForGood ? 'pool_not_read' : 'node_failed', detail: `pool ${pool}: ${detail}` };
}

/** Each recipient once, with its total; the largest amount first. */
function startsOf(drains: readonly Drain[]): readonly PaidWallet[] {
  const starts = new Map<string, PaidWallet>();
  for (const drain of drains.toSorted((a, b) => a.height - b.height)) {
    for (const { address, amount } of drain.recipients) {
      const known = starts.get(address);
      starts.set(address, {
        wallet: address,
        first: known?.first ?? drain,
        amount: (known?.amount ?? 0n) + amount,
      });
    }
  }
  return [...starts.values()].sort((a, b) => (a.amount > b.amount ? -1 : 1));
}

function walletsOf({ creator }: Question, drains: readonly Drain[]): readonly string[] {
  if (drains.length === 0) return [];
  const wallets = drains.flatMap((drain) => [
    drain.actor,
    drain.liquidityOwner,
    ...drain.recipients.map((one) => one.address),
  ]);
  return [...new Set([creator, ...wallets])].filter((one) => one !== null).slice(0, FUNDED_WALLETS);
}

/** Wallets at which the followed payments end and that are services by how many transactions they send. */
async function crowdedEnds(
  hops: readonly Hop[],
  { isService }: Question,
  { isCrowded }: ChainSearch,
): Promise<readonly string[]> {
  const followed = new Set(hops.map((hop) => hop.from));
  const ends = [...new Set(hops.flatMap(({ to }) => (to === null || followed.has(to) || isService(to) ? [] : [to])))];
  const crowded: string[] = [];
  for (const end of ends.slice(0, MOST_ENDS)) {
    const found = await isCrowded(end);
    if (found.ok && found.value) crowded.push(end);
  }
  return crowded;
}
