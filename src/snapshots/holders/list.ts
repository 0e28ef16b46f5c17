import type { ChainFault } from '../../chains/index.ts';
import type { HoldersSnapshot } from '../../contract/index.ts';
import type { Asset, HolderMethod, Result } from '../../domain/index.ts';
import { consensusKey, tellersOf } from '../../domain/index.ts';
import {
  decidingKind,
  type HolderRow,
  type HolderRules,
  type LabelBook,
  listedTops,
  mergeBooks,
  percentOf,
} from '../../metrics/index.ts';
import type { Gathered } from '../gather.ts';
import { indexedPools } from '../pools/indexed.ts';
import type { BalanceTable } from './balance-table.ts';
import { topHolders } from './balance-table.ts';
import { indexerLabels, knownAddresses, poolAddresses } from './indexed.ts';
import { buildHoldersSnapshot } from './snapshot.ts';

/** Sources of holders, of their labels, or of the price of their balances. */
export const HOLDER_SOURCES: ReadonlySet<string> = new Set(tellersOf('holdings'));

/** As many as a snapshot lists. */
const LISTED = 100;

/** What a chain's own way of listing holders gives. */
export interface HolderList {
  readonly method: HolderMethod;
  readonly table: BalanceTable;
  /** Owners in all when the list is partial; null: not known. */
  readonly holderCount: number | null;
  readonly supply: bigint;
  readonly decimals: number;
  /** Names the chain itself gives to the largest owners (by program, by code). */
  readonly labels: LabelBook;
  readonly alsoLook: readonly string[];
  readonly scan: HoldersSnapshot['scan'];
  readonly sources: readonly string[];
  /** True when the token contradicts the list: it is not complete then, whatever it adds up to. */
  readonly doubtful?: boolean;
  readonly warnings: readonly string[];
}

/** Lists the holders of a token on its chain, by the best way that works now. */
export type ListHolders = (
  asset: Asset,
  gathered: Gathered | null,
  signal: AbortSignal,
) => Promise<Result<HolderList, ChainFault>>;

/** The holders snapshot of a list, with the names and the price that the sources give. */
export function holdersOf(
  asset: Asset,
  list: HolderList,
  gathered: Gathered | null,
  asOf: string,
  previous: HoldersSnapshot | null,
  rules: HolderRules,
  priceUsd: number | null = agreedPrice(gathered),
): HoldersSnapshot {
  const pools = gathered === null ? [] : indexedPools(gathered.consensus, asset.address ?? '');
  const books = [
    knownAddresses(asset.chain ?? ''),
    list.labels,
    poolAddresses(pools.map((pool) => [pool.address, pool.dex])),
    ...(gathered === null ? [] : [indexerLabels(gathered.consensus)]),
  ];
  const labels = mergeBooks(books);
  return buildHoldersSnapshot({
    asset,
    asOf,
    method: list.method,
    table: list.table,
    holderCount: list.holderCount ?? toldCount(gathered),
    supply: list.supply,
    decimals: list.decimals,
    priceUsd,
    labels,
    rules,
    listed:
      list.method === 'full_scan'
        ? null
        : listedTops(gathered?.consensus ?? {}, rules, list.method === 'top20_only' ? readRows(list, labels) : []),
    alsoLook: list.alsoLook,
    previous,
    scan: list.scan,
    sources: [...list.sources, ...namingSources(gathered)],
    attributions: gathered?.attributions ?? [],
    doubtful: list.doubtful ?? false,
    warnings: list.warnings,
  });
}

/** The largest accounts as they were read from the chain: one list beside those that sources give. */
function readRows({ table, supply }: HolderList, labels: LabelBook): readonly HolderRow[] {
  return topHolders(table, LISTED).map(({ address, balance }) => ({
    owner: address,
    sharePct: percentOf(balance, supply),
    kind: decidingKind(labels.labelsOf(address)),
  }));
}

/** The holder count that indexers agree on; null when none states it. */
export function toldCount(gathered: Gathered | null): number | null {
  const count = gathered?.consensus[consensusKey('holder_count')];
  return count && count.status !== 'missing' && typeof count.value === 'number' ? Math.round(count.value) : null;
}

function agreedPrice(gathered: Gathered | null): number | null {
  const price = gathered?.consensus.price_usd;
  return typeof price?.value === 'number' && price.status !== 'missing' ? price.value : null;
}

function namingSources(gathered: Gathered | null): readonly string[] {
  if (gathered === null) return [];
  const { price_usd, holder_labels } = gathered.consensus;
  return [price_usd, holder_labels].flatMap((row) =>
    (row?.voices ?? []).filter((voice) => voice.accepted).map((voice) => voice.source),
  );
}
