import type { HoldersSnapshot, SnapshotHead } from '../../contract/index.ts';
import type { Asset, HolderLabel, HolderMethod, LabelKind } from '../../domain/index.ts';
import {
  concentrationOf,
  decidingKind,
  type HolderRules,
  type LabelBook,
  type ListedTops,
  NO_CONCENTRATION,
  percentOf,
  type SortedBalances,
  type Treatment,
  treatmentOf,
  without,
} from '../../metrics/index.ts';
import { type BalanceTable, balanceOf, sortBalances, type TopHolder, topHolders } from './balance-table.ts';
import { histogramOf, tiersBySupply, tiersByUsd } from './distribution.ts';

/** Holders as listed by the chain's own method. */
export interface HolderList {
  readonly method: HolderMethod;
  /** Every owner for `full_scan`; else the listed ones. */
  readonly table: BalanceTable;
  /** Number of owners, when the table does not contain all of them; null when not known. */
  readonly holderCount: number | null;
  /** Base units that exist. */
  readonly supply: bigint;
  readonly decimals: number;
  /** Names of the largest owners. */
  readonly labels: LabelBook;
  /** Addresses that may have a label without being among the largest (lockers, burn addresses). */
  readonly alsoLook: readonly string[];
  readonly scan: HoldersSnapshot['scan'];
  readonly sources: readonly string[];
  /** Base units of the supply that are transfer fees not yet withdrawn, and no owner's balance. Absent: none. */
  readonly withheld?: bigint;
  /** True when the token contradicts the list, which is then incomplete whatever it adds up to. */
  readonly doubtful?: boolean;
  readonly warnings: readonly string[];
}

/** `scan` of a list for which nothing was counted. */
export const NOT_COUNTED: HoldersSnapshot['scan'] = { accounts: null, height: null, bytes: null, milliseconds: null };

export interface HoldersInput extends HolderList {
  readonly asset: Asset;
  readonly asOf: string;
  readonly priceUsd: number | null;
  /** Which owners are excluded from the adjusted view, and how. */
  readonly rules: HolderRules;
  /** Consensus of the holder lists of all sources, when these are not a full scan; null: only the table is known. */
  readonly listed?: ListedViews | null;
  readonly previous: HoldersSnapshot | null;
  readonly attributions: SnapshotHead['attributions'];
}

/** Number of the largest owners that are looked up in the label book. */
const LABELLED_TOP = 1_000;
const LISTED_TOP = 100;
/** Share of the supply by which the sum of balances may differ before the list counts as incomplete (methodology 8). */
const COVERAGE_TOLERANCE = 0.001;
/**
 * Largest share of the supply that withheld transfer fees may have in a complete list. Who may withdraw them holds them in effect,
 * and is not among the holders for them.
 */
const MOST_WITHHELD = 0.02;

/** Shares of the largest by the lists of all sources, percent; used if the table is one list of several. */
export interface ListedViews {
  readonly raw: ListedTops;
  readonly adjusted: ListedTops;
}

interface SetAside {
  readonly address: string;
  readonly balance: bigint;
  readonly kind: LabelKind;
  readonly treatment: Treatment;
}

/** Holder metrics at one time in both views, raw and adjusted (methodology 8). Pure. */
export function buildHoldersSnapshot(input: HoldersInput): HoldersSnapshot {
  const sorted = sortBalances(input.table);
  const full = input.method === 'full_scan';
  const supply = input.supply;
  const largest = topHolders(input.table, LABELLED_TOP);
  const aside = setAsideOf(input, largest);
  const part = (kinds: readonly LabelKind[]) =>
    aside.filter((row) => kinds.includes(row.kind)).reduce((sum, row) => sum + row.balance, 0n);
  const burned = part(['burn']);
  const excluded = aside.filter((row) => row.treatment === 'excluded').reduce((sum, row) => sum + row.balance, 0n);
  const adjustedSupply = clampToZero(supply - excluded);
  const unitsPerUsd = unitsOf(input.priceUsd, input.decimals);
  const rest = without(
    sorted,
    aside.map((row) => row.balance),
  );
  const view = (balances: SortedBalances, denominator: bigint, listed: ListedTops | null) => {
    const found = concentrationOf({ sorted: balances, denominator, unitsPerUsd });
    return full ? found : onlyTops(found, input.holderCount, balances.count, listed);
  };
  const top = largest.slice(0, LISTED_TOP);
  const adjusted = view(rest, adjustedSupply, input.listed?.adjusted ?? null);
  const raw = view(sorted, supply, input.listed?.raw ?? null);
  return {
    kind: 'holders',
    asset: input.asset,
    as_of: input.asOf,
    method: input.method,
    status: statusOf(input, sorted.total),
    holder_count: full ? sorted.count : input.holderCount,
    decimals: input.decimals,
    supply: {
      total_raw: supply.toString(),
      burned_raw: burned.toString(),
      locked_raw: (excluded - burned).toString(),
      adjusted_raw: adjustedSupply.toString(),
      coverage: supply > 0n ? Number(sorted.total) / Number(supply) : null,
    },
    raw,
    adjusted,
    tiers_usd: full && unitsPerUsd !== null && supply > 0n ? tiersByUsd(sorted, supply, unitsPerUsd) : null,
    tiers_supply: full && supply > 0n ? tiersBySupply(sorted, supply) : null,
    top_holders: top.map((holder, index) => {
      const labels = input.labels.labelsOf(holder.address);
      return {
        rank: index + 1,
        address: holder.address,
        amount_raw: holder.balance.toString(),
        amount: wholeTokens(holder.balance, input.decimals),
        share_pct: percentOf(holder.balance, supply),
        labels,
        set_aside: asideOf(labels, input.rules)?.kind ?? null,
      };
    }),
    unlabelled_top20_share_pct:
      supply > 0n && top.length > 0
        ? percentOf(
            top
              .slice(0, 20)
              .filter((holder) => input.labels.labelsOf(holder.address).length === 0)
              .reduce((sum, holder) => sum + holder.balance, 0n),
            supply,
          )
        : null,
    set_aside: summaryOf(aside, supply),
    change: changeOf(input.previous, input.method, full ? sorted.count : input.holderCount, raw, adjusted),
    scan: input.scan,
    histogram: full ? histogramOf(input.table) : null,
    sources: [...new Set(input.sources)].sort(),
    attributions: input.attributions,
    warnings: warningsOf(input, sorted.total),
  };
}

/** Tops of a partial list, as far as it goes; metrics that need every holder are null. */
function onlyTops(
  found: HoldersSnapshot['raw'],
  holderCount: number | null,
  rows: number,
  listed: ListedTops | null,
): HoldersSnapshot['raw'] {
  const isWhole = holderCount !== null && rows >= holderCount;
  const known = (top: keyof ListedTops, ofTable: number | null) =>
    listed?.[top] ?? (isWhole || (listed === null && rows >= top) ? ofTable : null);
  return {
    ...NO_CONCENTRATION,
    holder_count: holderCount,
    top_1_pct: known(1, found.top_1_pct),
    top_5_pct: known(5, found.top_5_pct),
    top_10_pct: known(10, found.top_10_pct),
    top_20_pct: known(20, found.top_20_pct),
    top_50_pct: known(50, found.top_50_pct),
    top_100_pct: known(100, found.top_100_pct),
    notes: ['partial_list'],
  };
}

/** Why an owner is excluded from the adjusted view; null when it is a holder. */
function asideOf(labels: readonly HolderLabel[], rules: HolderRules) {
  const kind = decidingKind(labels);
  const treatment = treatmentOf(kind, rules);
  return kind === null || treatment === 'holder' ? null : { kind, treatment };
}

function setAsideOf(input: HoldersInput, largest: readonly TopHolder[]): readonly SetAside[] {
  const found = new Map<string, SetAside>();
  const look = (address: string, balance: bigint) => {
    const treated = asideOf(input.labels.labelsOf(address), input.rules);
    if (treated && balance > 0n && !found.has(address)) found.set(address, { address, balance, ...treated });
  };
  for (const { address, balance } of largest) look(address, balance);
  for (const address of input.alsoLook) {
    const key = input.table.form.keyOf(address);
    if (key !== null && !found.has(address)) look(address, balanceOf(input.table, key));
  }
  return [...found.values()];
}

function summaryOf(aside: readonly SetAside[], supply: bigint): HoldersSnapshot['set_aside'] {
  const kinds = [...new Set(aside.map((row) => row.kind))].sort();
  return kinds.map((kind) => {
    const rows = aside.filter((row) => row.kind === kind);
    return {
      kind,
      holders: rows.length,
      share_pct: percentOf(
        rows.reduce((sum, row) => sum + row.balance, 0n),
        supply,
      ),
    };
  });
}

function statusOf(input: HoldersInput, seen: bigint): HoldersSnapshot['status'] {
  if (input.supply === 0n) return 'zero_supply';
  if (input.method === 'top20_only') return 'top20_only';
  const isWhole = isCovered(seen + withheldIn(input), input.supply) && !isMuchWithheld(input);
  return isWhole && input.doubtful !== true ? 'complete' : 'incomplete_enumeration';
}

/** Only a scan sees every balance; what an indexer's list lacks may be anything. */
function withheldIn({ method, withheld = 0n }: HoldersInput): bigint {
  return method === 'full_scan' ? withheld : 0n;
}

function isMuchWithheld(input: HoldersInput): boolean {
  return Number(withheldIn(input)) > MOST_WITHHELD * Number(input.supply);
}

function isCovered(seen: bigint, supply: bigint): boolean {
  return Math.abs(Number(seen - supply)) <= COVERAGE_TOLERANCE * Number(supply);
}

function warningsOf(input: HoldersInput, seen: bigint): readonly string[] {
  const warnings = [...input.warnings];
  const withheld = withheldIn(input);
  const isAll = isCovered(seen + withheld, input.supply);
  if (withheld > 0n && input.supply > 0n && (isMuchWithheld(input) || !isCovered(seen, input.supply)))
    warnings.push(
      `${percentOf(withheld, input.supply).toFixed(2)} % of the supply are withheld transfer fees: no holder has them, and whoever may withdraw them is not among the largest for them`,
    );
  if (input.method === 'full_scan' && input.supply > 0n && !isAll)
    warnings.push(
      seen + withheld > input.supply
        ? 'the balances add up to more than the supply: the list cannot be right'
        : 'the balances add up to less than the supply: some holders are missing',
    );
  return warnings;
}

function changeOf(
  previous: HoldersSnapshot | null,
  method: HolderMethod,
  holderCount: number | null,
  raw: HoldersSnapshot['raw'],
  adjusted: HoldersSnapshot['adjusted'],
): HoldersSnapshot['change'] {
  if (previous === null || previous.method !== method) return null;
  const minus = (now: number | null, before: number | null) => (now === null || before === null ? null : now - before);
  return {
    since: previous.as_of,
    holder_count: minus(holderCount, previous.holder_count),
    top_10_pct: minus(raw.top_10_pct, previous.raw.top_10_pct),
    adjusted_top_10_pct: minus(adjusted.top_10_pct, previous.adjusted.top_10_pct),
  };
}

/** Base units worth one dollar; null without a price, or beyond the range of doubles (decimals up to 255). */
function unitsOf(priceUsd: number | null, decimals: number): number | null {
  if (priceUsd === null || !(priceUsd > 0)) return null;
  const units = 10 ** decimals / priceUsd;
  return Number.isFinite(units) && units > 0 ? units : null;
}

function wholeTokens(balance: bigint, decimals: number): number {
  return Number(balance) / 10 ** decimals;
}

function clampToZero(value: bigint): bigint {
  return value < 0n ? 0n : value;
}
