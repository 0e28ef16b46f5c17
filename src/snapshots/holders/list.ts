import { CHAINS, type ChainFault, EVM_BURNS, OWNER_PROGRAMS, SOLANA_BURNS } from '../../chains/index.ts';
import type { HoldersSnapshot } from '../../contract/index.ts';
import {
  type Asset,
  type ConsensusSet,
  consensusKey,
  type HolderLabel,
  type Json,
  type Result,
  sourcesFor,
} from '../../domain/index.ts';
import {
  bookOf,
  decidingKind,
  type HolderRow,
  type HolderRules,
  kindOf,
  type LabelBook,
  listedTops,
  mergeBooks,
  percentOf,
  readHolder,
} from '../../metrics/index.ts';
import type { Gathered } from '../gather.ts';
import { indexedPools } from '../pools/indexed.ts';
import { type BalanceTable, EVM_KEYS, type KeyForm, tableFromEntries, topHolders } from './balance-table.ts';
import { buildHoldersSnapshot, type HolderList } from './snapshot.ts';

/** One holder as an indexer lists it. */
export interface ListedHolder {
  readonly owner: string;
  /** 0-100 of total supply. */
  readonly sharePct: number;
}

/** Confidence of one indexer's label; the book keeps every label, so that two equal ones count as two. */
const INDEXER_CONFIDENCE = 0.75;
/** Confidence of a public tag, which anybody can request: it is shown, and excludes no holder from the shares. */
const TAG_CONFIDENCE = 0.65;
const ASKED_FOR: ReadonlySet<string> = new Set(['exchange', 'bridge']);
const MOST_LABELS = 2_000;

/** Names that indexers give to addresses. */
export function indexerLabels(consensus: ConsensusSet): LabelBook {
  const rows: (readonly [string, HolderLabel])[] = [];
  for (const voice of consensus.holder_labels?.voices ?? []) {
    if (!Array.isArray(voice.value)) continue;
    for (const entry of voice.value.slice(0, MOST_LABELS)) {
      const [address, kind, label] = [field(entry, 'address'), field(entry, 'kind'), field(entry, 'label')];
      const known = kindOf(kind);
      if (address === null || known === null) continue;
      const name = (label ?? known).slice(0, 80);
      rows.push([address, { kind: known, name, source: voice.source, confidence: INDEXER_CONFIDENCE }]);
    }
  }
  const named = new Set(rows.map(([address]) => address));
  // Some lists carry a kind for an owner; an entry of the label list takes precedence.
  for (const voice of consensus.top_holders?.voices ?? []) {
    if (!voice.accepted || !Array.isArray(voice.value)) continue;
    for (const entry of voice.value.slice(0, MOST_LABELS)) {
      const holder = readHolder(entry);
      const known = holder === null ? null : kindOf(holder.kind);
      if (holder === null || known === null || (named.has(holder.owner) && !ASKED_FOR.has(known))) continue;
      rows.push([holder.owner, { kind: known, name: known, source: voice.source, confidence: INDEXER_CONFIDENCE }]);
    }
  }
  // An exchange or a bridge needs two sources that label it as one.
  const sources = new Map<string, Set<string>>();
  for (const [address, { kind, source }] of rows)
    sources.set(`${kind} ${address}`, (sources.get(`${kind} ${address}`) ?? new Set()).add(source));
  return bookOf(
    rows.map(([address, label]) => {
      const isAlone = ASKED_FOR.has(label.kind) && (sources.get(`${label.kind} ${address}`)?.size ?? 0) < 2;
      return [address, isAlone ? { ...label, confidence: TAG_CONFIDENCE } : label];
    }),
  );
}

/** The longest list of largest holders from an accepted source, added up by owner; null without one. */
export function listedHolders(
  consensus: ConsensusSet,
): { readonly source: string; readonly holders: readonly ListedHolder[] } | null {
  let best: { readonly source: string; readonly holders: readonly ListedHolder[] } | null = null;
  for (const voice of consensus.top_holders?.voices ?? []) {
    if (!voice.accepted || !Array.isArray(voice.value)) continue;
    const shares = new Map<string, number>();
    for (const entry of voice.value) {
      const owner = field(entry, 'owner');
      const share = (entry as { readonly sharePct?: Json } | null)?.sharePct;
      if (owner !== null && typeof share === 'number' && share >= 0 && share <= 100)
        shares.set(owner, (shares.get(owner) ?? 0) + share);
    }
    const holders = [...shares].map(([owner, sharePct]) => ({ owner, sharePct }));
    if (best === null || holders.length > best.holders.length) best = { source: voice.source, holders };
  }
  return best;
}

/**
 * Balances of listed holders in base units of `supply`, as exact as their shares; text that is not an address of this
 * form is left out.
 */
export function tableOfListed(form: KeyForm, supply: bigint, holders: readonly ListedHolder[]): BalanceTable {
  return tableFromEntries(
    form,
    holders
      .filter((holder) => form.keyOf(holder.owner) !== null)
      .map((holder) => [
        form === EVM_KEYS ? holder.owner.toLowerCase() : holder.owner,
        (supply * BigInt(Math.round(holder.sharePct * 1e7))) / 1_000_000_000n,
      ]),
  );
}

function field(entry: Json, name: string): string | null {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null;
  const value = (entry as Readonly<Record<string, Json>>)[name];
  return typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : null;
}

/** The built-in labels of a chain. */
export function knownAddresses(chainName: string): LabelBook {
  const chain = CHAINS.find((row) => row.name === chainName);
  if (chain === undefined) return bookOf([]);
  const burns = (chain.kind === 'solana' ? SOLANA_BURNS : EVM_BURNS).map((row) => ({ ...row, kind: 'burn' as const }));
  return bookOf(
    [...burns, ...chain.serviceAddresses].map(
      ({ address, kind, name, source }) => [address, { kind, name, source, confidence: 1 }] as const,
    ),
  );
}

/** Labels of owners that are accounts of known programs; `programs`: the program of each owner that has an account. */
export function byProgram(programs: ReadonlyMap<string, string>): LabelBook {
  return {
    labelsOf(address): readonly HolderLabel[] {
      const program = programs.get(address);
      const label = OWNER_PROGRAMS.find((row) => row.address === program)?.label;
      return label ? [{ ...label, source: 'program_owner', confidence: 0.95 }] : [];
    },
  };
}

/** Labels of the asset's pools, and of other addresses that hold their reserves (authorities, vaults). */
export function poolAddresses(pools: Iterable<readonly [address: string, dex: string]>): LabelBook {
  return bookOf(
    [...pools].map(([address, dex]) => [
      address,
      { kind: 'pool', name: `${dex} pool`, source: 'pools_snapshot', confidence: 0.9 } as const,
    ]),
  );
}

/** Sources of holders, of their labels, or of the price of their balances. */
export const HOLDER_SOURCES: ReadonlySet<string> = new Set(sourcesFor('holdings'));

/** Number of holders that a snapshot lists. */
const LISTED = 100;

/** Lists the holders of a token on its chain, by the best method that works now. */
export type ListHolders = (
  asset: Asset,
  gathered: Gathered | null,
  signal: AbortSignal,
) => Promise<Result<HolderList, ChainFault>>;

/** The holders snapshot of a list, with labels and the price from the sources. */
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
    ...list,
    asset,
    asOf,
    holderCount: list.holderCount ?? reportedCount(gathered),
    priceUsd,
    labels,
    rules,
    listed:
      list.method === 'full_scan'
        ? null
        : listedTops(gathered?.consensus ?? {}, rules, list.method === 'top20_only' ? readRows(list, labels) : []),
    previous,
    sources: [...list.sources, ...namingSources(gathered)],
    attributions: gathered?.attributions ?? [],
  });
}

/** The largest accounts as read from the chain: one list beside those of the sources. */
function readRows({ table, supply }: HolderList, labels: LabelBook): readonly HolderRow[] {
  return topHolders(table, LISTED).map(({ address, balance }) => ({
    owner: address,
    sharePct: percentOf(balance, supply),
    kind: decidingKind(labels.labelsOf(address)),
  }));
}

/** The holder count that indexers agree on; null when none states it. */
export function reportedCount(gathered: Gathered | null): number | null {
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
