import type { ConsensusSet, ForensicSubject, HolderLabel, LabelKind } from '../../domain/index.ts';
import { type LabelBook, mergeBooks } from '../../metrics/index.ts';
import { indexerLabels, knownAddresses, poolAddresses } from '../holders/indexed.ts';
import { addressesOf, indexedPools } from '../pools/indexed.ts';
import type { Question } from './types.ts';

/** The money of many people goes through these: they link no wallets. */
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

/** Names of addresses around an asset: built in, and from its sources. */
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

/** What there is to find out, from the evidence: its pools (the largest first), its creator, and who is known to be a service. */
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

/** A drained pool is small now: the oldest one, where a token's liquidity was at first, comes right after the largest. Pure. */
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

/** The wallet that made the token, and the sources that name it. */
export function creatorOf(
  consensus: ConsensusSet,
): { readonly address: string; readonly sources: readonly string[] } | null {
  const found = consensus.creator_address;
  if (found === undefined || found.status === 'missing' || typeof found.value !== 'string') return null;
  const sources = found.voices.filter((voice) => voice.accepted).map((voice) => voice.source);
  return { address: found.value, sources: [...new Set(sources)].sort() };
}
