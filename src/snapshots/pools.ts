import type { ArchivedPool, ChainFault } from '../chains/index.ts';
import type { Asset, PoolsSnapshot, Result } from '../domain/index.ts';
import { tellersOf } from '../domain/index.ts';
import { quotePrices, statedPools } from '../metrics/index.ts';
import type { Gathered } from './gather.ts';
import { addressesOf, agreedPools, indexedPools } from './indexed-pools.ts';
import { buildPoolsSnapshot } from './pools/pools-snapshot.ts';
import type { QuotePrices } from './quote-prices.ts';

/** Who lists pools. */
export const POOL_SOURCES: ReadonlySet<string> = new Set(tellersOf('pools'));

/** Pools as a chain itself shows them. */
export interface PoolsRead {
  readonly readings: readonly ArchivedPool[];
  readonly failures: readonly { readonly address: string; readonly detail: string }[];
}

export type ReadPools = (
  asset: Asset,
  addresses: readonly string[],
  signal: AbortSignal,
) => Promise<Result<PoolsRead, ChainFault>>;

/** Pools read from the chain at most; smaller ones are told by indexers only. */
const MOST_READ = 40;

/** The pools snapshot: found through indexers, read from the chain, each checked against the other. */
export async function poolsOf(
  asset: Asset,
  gathered: Gathered,
  read: ReadPools | null,
  quotes: QuotePrices,
  signal: AbortSignal,
): Promise<PoolsSnapshot> {
  const address = asset.address ?? '';
  const wanted = addressesOf(indexedPools(gathered.consensus, address), MOST_READ);
  const found = read === null || wanted.length === 0 ? null : await read(asset, wanted, signal);
  const readings = found?.ok ? found.value.readings : [];
  const others = new Set(readings.flatMap((reading) => reading.tokens.map((token) => token.address)));
  others.delete(address);
  return poolsOfReadings(asset, gathered, found, await quotes.pricesOf(asset.chain ?? '', [...others], signal));
}

/** The pools snapshot of the observations alone: what indexers told, and the states of pools that nodes told beside them. */
export function poolsOfEvidence(asset: Asset, gathered: Gathered): PoolsSnapshot {
  const stated = statedPools(gathered.consensus, asset);
  const readings = stated.map(({ pool }) => pool);
  const found = readings.length === 0 ? null : { ok: true as const, value: { readings, failures: [] } };
  return poolsOfReadings(asset, gathered, found, quotePrices(gathered.consensus, asset, stated));
}

/** The pools snapshot of what indexers told and, where it was read, the chain; `quotes` prices the counter tokens in dollars. */
function poolsOfReadings(
  asset: Asset,
  gathered: Gathered,
  found: Result<PoolsRead, ChainFault> | null,
  quotes: ReadonlyMap<string, number>,
): PoolsSnapshot {
  const address = asset.address ?? '';
  const usd = new Map(quotes);
  const price = gathered.consensus.price_usd;
  if (typeof price?.value === 'number' && price.status !== 'missing') usd.set(address, price.value);
  const symbols = new Map(asset.symbol === null ? [] : [[address, asset.symbol]]);
  const snapshot = buildPoolsSnapshot({
    head: {
      asset,
      as_of: gathered.asOf,
      sources: [],
      attributions: gathered.attributions,
      warnings: [...gathered.warnings, ...readWarnings(found)],
    },
    readings: found?.ok ? found.value.readings : [],
    rows: indexedPools(gathered.consensus, address),
    agreed: agreedPools(gathered.consensus),
    prices: { asset: address, usd, symbols },
  });
  return withoutForeignValues(snapshot, gathered.notRedistributable);
}

function readWarnings(found: Result<PoolsRead, ChainFault> | null): readonly string[] {
  if (found === null) return [];
  if (!found.ok) return [`the pools could not be read from the chain: ${found.detail}`];
  return found.value.failures.map(
    (failure) => `pool ${failure.address} was not read from the chain: ${failure.detail}`,
  );
}

/** What an indexer's terms keep from being passed on leaves only inside middle values. */
function withoutForeignValues(snapshot: PoolsSnapshot, foreign: ReadonlySet<string>): PoolsSnapshot {
  if (foreign.size === 0) return snapshot;
  return {
    ...snapshot,
    pools: snapshot.pools.map((pool) => ({
      ...pool,
      conflicts: pool.conflicts.filter((conflict) => !foreign.has(conflict.source)),
    })),
  };
}
