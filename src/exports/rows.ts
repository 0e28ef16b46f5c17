import type { TObject } from 'typebox';
import {
  ChainExportRow,
  type HoldersSnapshot,
  type MarketSnapshot,
  type PoolsSnapshot,
  RatingExportRow,
  type Reply,
  type ScoreRecord,
} from '../contract/index.ts';
import { type Asset, DAY_MS } from '../domain/index.ts';
import { loadMethodology } from '../methodology/index.ts';
import {
  boundsOf,
  type Database,
  type DayBounds,
  type DayRow,
  type RatedDayStored,
  ratedDayRows,
} from '../store/index.ts';

/** One column of an export, with the same values in every format. */
export interface Column<Row> {
  /** snake_case, unit in the name. */
  readonly name: string;
  readonly type: 'text' | 'number' | 'integer' | 'time' | 'boolean' | 'list';
  /**
   * `text` and `time` (RFC 3339) return strings, `list` an array of strings, the others numbers or booleans; null:
   * unknown.
   */
  readonly value: (row: Row) => ExportValue;
}

/** Lists are joined by `;` in CSV, and arrays in the other formats. */
export type ExportValue = string | number | boolean | readonly string[] | null;

/** A value may be undefined if its field may be null. */
type Known<Value> = null extends Value ? Value | undefined : Value;

/**
 * Creates a column for each field of a row's schema, in its order. A missing value or one of another type does not
 * compile.
 */
export function columnsOf<Schema extends TObject, Row>(
  { properties }: Schema,
  values: { readonly [Name in keyof Schema['properties']]: (row: Row) => Known<Reply<Schema['properties'][Name]>> },
): readonly Column<Row>[] {
  return Object.entries(properties).map(([name, schema]) => {
    const value = values[name] as (row: Row) => ExportValue | undefined;
    return {
      name,
      type: typeOf(schema),
      /** NaN and infinities become null. */
      value(row) {
        const found = value(row) ?? null;
        return typeof found === 'number' && !Number.isFinite(found) ? null : found;
      },
    };
  });
}

interface Field {
  readonly type?: string;
  readonly format?: string;
  readonly anyOf?: readonly Field[];
  readonly allOf?: readonly Field[];
}

/** Of several alternatives the first determines the type; the others are null, or strings of the same list. */
function typeOf({ type, format, anyOf, allOf }: Field): Column<unknown>['type'] {
  const [inner] = anyOf ?? allOf ?? [];
  if (inner) return typeOf(inner);
  if (type === 'string') return format === 'date-time' ? 'time' : 'text';
  if (type === 'array') return 'list';
  if (type === 'number' || type === 'integer' || type === 'boolean') return type;
  throw new Error(`no column holds values of the type ${type}`);
}

/** Snapshots of one asset at the end of a closed day. */
export interface ChainRow {
  readonly date: string;
  readonly asset: Asset;
  readonly market: MarketSnapshot | null;
  readonly holders: HoldersSnapshot | null;
  readonly pools: PoolsSnapshot | null;
}

/** Rows of a day from stored snapshots; an asset without any of the three is omitted. */
export async function* chainRows(date: string, rows: AsyncIterable<DayRow>): AsyncGenerator<ChainRow> {
  const decoder = new TextDecoder();
  const parse = <Kind>(bytes: Uint8Array | null) =>
    bytes === null ? null : (JSON.parse(decoder.decode(bytes)) as Kind);
  for await (const row of rows) {
    const market = parse<MarketSnapshot>(row.market);
    const holders = parse<HoldersSnapshot>(row.holders);
    const pools = parse<PoolsSnapshot>(row.pools);
    const asset = (market ?? holders ?? pools)?.asset;
    if (asset) yield { date, asset, market, holders, pools };
  }
}

const depthAt = (row: ChainRow, move: number, side: 'up_usd' | 'down_usd') =>
  row.pools?.depth.find((depth) => depth.move_pct === move)?.[side];
const slippageAt = (row: ChainRow, size: number, side: 'buy_pct' | 'sell_pct') =>
  row.pools?.slippage.find((slippage) => slippage.size_usd === size)?.[side];

/** Columns of the daily chain export: all aggregates of market, holders and pools, one row per asset. */
export const CHAIN_COLUMNS: readonly Column<ChainRow>[] = columnsOf(ChainExportRow, {
  date: (row) => row.date,
  asset_id: ({ asset }) => asset.id,
  chain: ({ asset }) => asset.chain,
  address: ({ asset }) => asset.address,
  symbol: ({ asset }) => asset.symbol,
  name: ({ asset }) => asset.name,
  category: ({ asset }) => asset.category,
  market_as_of: ({ market }) => market?.as_of,
  price_usd: ({ market }) => market?.price_usd,
  price_confidence: ({ market }) => market?.provenance.price_usd?.confidence,
  change_1h_pct: ({ market }) => market?.change_1h_pct,
  change_24h_pct: ({ market }) => market?.change_24h_pct,
  change_7d_pct: ({ market }) => market?.change_7d_pct,
  change_30d_pct: ({ market }) => market?.change_30d_pct,
  volume_24h_usd: ({ market }) => market?.volume_24h_usd,
  market_cap_usd: ({ market }) => market?.market_cap_usd,
  fully_diluted_value_usd: ({ market }) => market?.fully_diluted_value_usd,
  circulating_supply: ({ market }) => market?.circulating_supply,
  total_supply: ({ market }) => market?.total_supply,
  max_supply: ({ market }) => market?.max_supply,
  liquidity_usd: ({ market }) => market?.liquidity_usd,
  turnover_pct: ({ market }) => market?.turnover_pct,
  volume_to_liquidity: ({ market }) => market?.volume_to_liquidity,
  volatility_30d_pct: ({ market }) => market?.volatility_30d_pct,
  ath_usd: ({ market }) => market?.ath_usd,
  drawdown_pct: ({ market }) => market?.drawdown_pct,
  venues: ({ market }) => market?.venues.length,
  price_dispersion_pct: ({ market }) => market?.price_dispersion_pct,
  holders_as_of: ({ holders }) => holders?.as_of,
  holders_method: ({ holders }) => holders?.method,
  holder_count: ({ holders }) => holders?.holder_count,
  top_1_pct: ({ holders }) => holders?.raw.top_1_pct,
  top_10_pct: ({ holders }) => holders?.raw.top_10_pct,
  top_20_pct: ({ holders }) => holders?.raw.top_20_pct,
  top_50_pct: ({ holders }) => holders?.raw.top_50_pct,
  top_100_pct: ({ holders }) => holders?.raw.top_100_pct,
  adjusted_top_1_pct: ({ holders }) => holders?.adjusted.top_1_pct,
  adjusted_top_10_pct: ({ holders }) => holders?.adjusted.top_10_pct,
  adjusted_top_100_pct: ({ holders }) => holders?.adjusted.top_100_pct,
  hhi: ({ holders }) => holders?.adjusted.hhi,
  gini: ({ holders }) => holders?.adjusted.gini,
  entropy: ({ holders }) => holders?.adjusted.entropy,
  effective_holders: ({ holders }) => holders?.adjusted.effective_holders,
  nakamoto_50: ({ holders }) => holders?.adjusted.nakamoto_50,
  nakamoto_33: ({ holders }) => holders?.adjusted.nakamoto_33,
  unlabelled_top20_share_pct: ({ holders }) => holders?.unlabelled_top20_share_pct,
  holders_coverage: ({ holders }) => holders?.supply.coverage,
  pools_as_of: ({ pools }) => pools?.as_of,
  pools: ({ pools }) => pools?.totals.pools,
  verified_pools: ({ pools }) => pools?.totals.verified_pools,
  tvl_usd: ({ pools }) => pools?.totals.tvl_usd,
  pools_volume_24h_usd: ({ pools }) => pools?.totals.volume_24h_usd,
  pools_fees_24h_usd: ({ pools }) => pools?.totals.fees_24h_usd,
  depth_2pct_up_usd: (row) => depthAt(row, 2, 'up_usd'),
  depth_2pct_down_usd: (row) => depthAt(row, 2, 'down_usd'),
  slippage_1k_buy_pct: (row) => slippageAt(row, 1_000, 'buy_pct'),
  slippage_10k_buy_pct: (row) => slippageAt(row, 10_000, 'buy_pct'),
  slippage_100k_buy_pct: (row) => slippageAt(row, 100_000, 'buy_pct'),
  slippage_10k_sell_pct: (row) => slippageAt(row, 10_000, 'sell_pct'),
  depth_method: ({ pools }) => pools?.depth_method,
  sources: ({ market, holders, pools }) =>
    [...new Set([market, holders, pools].flatMap((snapshot) => snapshot?.sources ?? []))].sort().join(';'),
});

/** The rating of one asset as it was known at the end of a day. */
export interface RatedDayRow {
  readonly date: string;
  readonly record: ScoreRecord;
  readonly standing: Reply<typeof RatingExportRow>['standing'];
}

const KEY_SEVERITIES = ['critical', 'high', 'medium'];

/** Rows of a day from stored ratings. A rating older than `lapsesDays` at the end of the day is marked as lapsed. */
export async function* ratedRows(
  date: string,
  rows: AsyncIterable<Pick<RatedDayStored, 'record' | 'withdrawn'>>,
  lapsesDays: number,
): AsyncGenerator<RatedDayRow> {
  const fresh = Date.parse(`${date}T00:00:00Z`) + DAY_MS - lapsesDays * DAY_MS;
  for await (const row of rows) yield ratedRow(date, row, fresh);
}

/** A row from a stored rating; a rating from before `fresh` (milliseconds) is marked as lapsed. */
export function ratedRow(
  date: string,
  { record: bytes, withdrawn }: Pick<RatedDayStored, 'record' | 'withdrawn'>,
  fresh: number,
): RatedDayRow {
  const record = JSON.parse(new TextDecoder().decode(bytes)) as ScoreRecord;
  return { date, record, standing: standingOf(record, withdrawn, fresh) };
}

function standingOf({ band, as_of }: ScoreRecord, withdrawn: boolean, fresh: number): RatedDayRow['standing'] {
  if (band === 'D') return 'defaulted';
  if (band === 'NR') return withdrawn ? 'withdrawn' : 'not_rated';
  return Date.parse(as_of) < fresh ? 'lapsed' : 'rated';
}

/** Codes of the decisive flags, worst first, without duplicates. */
function keyFlags({ risk_flags: flags }: ScoreRecord): readonly string[] {
  return [
    ...new Set(
      KEY_SEVERITIES.flatMap((severity) => flags.filter((flag) => flag.severity === severity).map((flag) => flag.code)),
    ),
  ];
}

/** Columns of the daily export of ratings, one row per asset that was ever rated. */
export const RATING_COLUMNS: readonly Column<RatedDayRow>[] = columnsOf(RatingExportRow, {
  date: (row) => row.date,
  asset_id: (row) => row.record.asset.id,
  chain: (row) => row.record.asset.chain,
  address: (row) => row.record.asset.address,
  symbol: (row) => row.record.asset.symbol,
  name: (row) => row.record.asset.name,
  category: (row) => row.record.asset.category,
  stage: (row) => row.record.stage,
  score: (row) => row.record.score,
  band: (row) => row.record.band,
  trust_score: (row) => row.record.trust_score,
  score_low: (row) => row.record.score_interval?.[0],
  score_high: (row) => row.record.score_interval?.[1],
  outlook: (row) => row.record.outlook,
  vfr: (row) => row.record.vfr.value,
  vfr_zone: (row) => row.record.vfr.zone,
  key_flags: (row) => keyFlags(row.record),
  flags: (row) => row.record.risk_flags.length,
  rating_action: (row) => row.record.rating_action,
  standing: (row) => row.standing,
  methodology_version: (row) => row.record.methodology_version,
  job_id: (row) => row.record.job_id,
  as_of: (row) => row.record.as_of,
  class: (row) => row.record.asset.class,
  category_reason: (row) => row.record.asset.category_reason,
});

/** Rows of a revision of a day of ratings. Throws if there is no such revision. */
export async function rowsOfRatingDay(
  db: Database,
  date: string,
  revision: number,
): Promise<AsyncGenerator<RatedDayRow>> {
  const bounds = await boundsOf(db, date, revision);
  if (bounds === null) throw new Error(`revision ${revision} of the ratings of ${date} is not closed`);
  return rowsWithin(db, date, bounds);
}

/** Rows of a day of ratings within `bounds`. */
export function rowsWithin(db: Database, date: string, bounds: DayBounds): AsyncGenerator<RatedDayRow> {
  const { existingDays } = loadMethodology().publication.hysteresis;
  return ratedRows(date, ratedDayRows(db, date, bounds), existingDays);
}
