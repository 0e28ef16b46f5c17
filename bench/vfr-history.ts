import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { QuantityId } from '../src/domain/quantities.ts';
import type { Category, PeerRow } from '../src/domain/rating.ts';
import type { Methodology } from '../src/methodology/schema.ts';
import { mediansOf, smoothed } from '../src/rating/vfr/drivers.ts';
import { byRegression, type Regression } from '../src/rating/vfr/estimators.ts';
import { againstPeers } from '../src/rating/vfr/vfr.ts';

/** One asset's daily history. */
export interface History {
  readonly name: string;
  readonly category: Category;
  readonly days: readonly Day[];
}

interface Day {
  readonly day: string;
  readonly marketValueUsd: number;
  readonly readings: Readonly<Partial<Record<QuantityId, number>>>;
}

/** Fixed inputs of a measurement. */
export interface Specification {
  readonly quantities: readonly QuantityId[];
  /** All assets as one category, as in the design's measurement. */
  readonly isPooled: boolean;
  readonly isSmoothed: boolean;
}

/** An asset valued on a day by all others. */
export interface LeftOut {
  readonly name: string;
  readonly day: string;
  readonly category: Category;
  readonly ln: number;
  readonly sd: number;
  readonly zone: string;
}

/** Categories as in registries; an asset that is not listed has the default one. */
const CATEGORIES: Readonly<Partial<Record<Category, string>>> = {
  l1_l2:
    'ada algo atom bch bsv btc btg dash dcr dgb doge dot elf eos eos_eth etc eth grin ltc neo omg pivx trx_eth waves wtc xem xlm xmr xrp xtz xvg zec',
  defi_protocol: '1inch aave alpha bal bnt comp crv gno knc link lrc mkr ren snx srm sushi uma uni wnxm yfi zrx',
  exchange_token: 'bnb cro ftt ht kcs leo_eth okb',
};
/** Pegged, wrapped, backed by metal, or the second record of an asset that is there already. */
const LEFT_OUT = /usd|^(dai|sai|pax|hbtc|renbtc|wbtc|weth|dgx|paxg|xaut|trx|bnb_eth|leo_eos)$/;
/** Columns with the meaning of the quantity; transfer value is used for traded value, the nearest quantity available. */
const COLUMNS: Readonly<Partial<Record<QuantityId, string>>> = {
  active_addresses_24h: 'AdrActCnt',
  holder_count: 'AdrBalCnt',
  volume_24h_usd: 'TxTfrValAdjUSD',
};
export const COUNTS: readonly QuantityId[] = ['active_addresses_24h', 'holder_count'];
export const ALL: readonly QuantityId[] = [...COUNTS, 'volume_24h_usd'];

/** Reads the daily files of `history/coinmetrics_2021`, those of comparable assets. */
export function readHistory(folder: string): readonly History[] {
  return readdirSync(folder)
    .map((file) => file.replace('.csv.gz', ''))
    .filter((name) => !LEFT_OUT.test(name))
    .sort()
    .map((name) => ({ name, category: categoryOf(name), days: daysOf(join(folder, `${name}.csv.gz`)) }));
}

function categoryOf(name: string): Category {
  const categories = Object.keys(CATEGORIES) as Category[];
  return categories.find((category) => CATEGORIES[category]?.split(' ').includes(name)) ?? 'default';
}

function daysOf(path: string): readonly Day[] {
  return (parse(gunzipSync(readFileSync(path)), { columns: true }) as Record<string, string>[]).map((row) => ({
    day: (row.time ?? '').slice(0, 10),
    marketValueUsd: Number(row.CapMrktCurUSD ?? 0),
    readings: Object.fromEntries(ALL.map((quantity) => [quantity, Number(row[COLUMNS[quantity] ?? ''] ?? 0)])),
  }));
}

/** Every asset of a day valued by the others; the reasons for missing values; the regressions of whole categories. */
export function valuesOf(
  history: readonly History[],
  day: string,
  wanted: Specification,
  given: Methodology['vfr'],
): {
  readonly values: readonly LeftOut[];
  readonly reasons: readonly string[];
  readonly regressions: readonly Regression[];
} {
  const rules = { ...given, drivers: sameDrivers(given, wanted.quantities) };
  const panel = history.flatMap((asset) => peerAt(asset, day, wanted, rules) ?? []);
  const values: LeftOut[] = [];
  const reasons: string[] = [];
  for (const peer of panel) {
    const marketValue = peer.marketValueUsd ?? 0;
    const drivers = wanted.quantities.flatMap((quantity) => known(quantity, peer.drivers[quantity]));
    const marketValues = { circulating: marketValue, diluted: marketValue, full: null };
    const { assetId, category } = peer;
    const found = againstPeers(
      { assetId, aliases: [], ...kindOf(category), marketValue: marketValues, drivers },
      panel,
      rules,
    );
    if (found.value === null || found.sd === null) reasons.push((found.reason ?? '').replaceAll(/-?[0-9.]+/g, '#'));
    else values.push({ name: assetId, day, category, ln: Math.log(found.value), sd: found.sd, zone: found.zone });
  }
  const all = wanted.quantities.flatMap((quantity) => known(quantity, 1));
  const regressions = [...new Set(panel.map((peer) => peer.category))]
    .map((category) => byRegression(all, kindOf(category), panel, rules))
    .filter((fit) => fit !== null && fit.used.length === all.length);
  return { values, reasons, regressions: regressions as readonly Regression[] };
}

/** The history has categories alone, and all classes have the same drivers in it. */
const kindOf = (category: Category) => ({ class: 'default' as const, category });

function peerAt(asset: History, day: string, wanted: Specification, rules: Methodology['vfr']): PeerRow | null {
  const place = asset.days.findIndex((row) => row.day === day);
  const today = asset.days[place];
  if (!today || !(today.marketValueUsd > 0)) return null;
  const readings = wanted.quantities.flatMap((quantity) => known(quantity, today.readings[quantity]));
  const before = wanted.isSmoothed ? asset.days.slice(Math.max(0, place - rules.smoothing.days + 1), place) : [];
  return {
    assetId: asset.name,
    category: wanted.isPooled ? 'default' : asset.category,
    asOf: `${day}T00:00:00.000Z`,
    marketValueUsd: today.marketValueUsd,
    drivers: mediansOf(smoothed(readings, before, day, rules)),
  };
}

function known(quantity: QuantityId, value: number | undefined) {
  return value && value > 0 ? [{ quantity, value, confidence: 1, days: 30, isWeak: false }] : [];
}

function sameDrivers(rules: Methodology['vfr'], quantities: readonly QuantityId[]): Methodology['vfr']['drivers'] {
  const categories = Object.keys(rules.drivers).map((category) => [category, quantities]);
  return Object.fromEntries(categories) as Methodology['vfr']['drivers'];
}

/** First days of the months from one to the other, `YYYY-MM-DD`. */
export function monthsFrom(first: string, last: string): readonly string[] {
  const found: string[] = [];
  for (let at = new Date(first); at <= new Date(last); at.setUTCMonth(at.getUTCMonth() + 1))
    found.push(at.toISOString().slice(0, 10));
  return found;
}

/** Percent of the values whose 80 % interval contains the market's own value. */
export function coveragePct(values: readonly LeftOut[], intervalZ: number): number {
  return sharePct(values, ({ ln, sd }) => Math.abs(ln) <= intervalZ * sd);
}

export function sharePct<Row>(rows: readonly Row[], holds: (row: Row) => boolean): number {
  return Math.round((1_000 * rows.filter(holds).length) / Math.max(1, rows.length)) / 10;
}
