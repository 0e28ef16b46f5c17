import type { HoldersSnapshot, MarketSnapshot, PoolsSnapshot, ScoreRecord } from '../contract/index.ts';
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

/** One column of an export: the same value in every form. */
export interface Column<Row> {
  /** snake_case, unit in the name. */
  readonly name: string;
  readonly type: 'text' | 'number' | 'integer' | 'time' | 'boolean' | 'list';
  /** What it means, for the documents. */
  readonly meaning: string;
  /** `text` and `time` (RFC 3339) give strings, `list` texts, the others numbers or booleans; null: not known. */
  readonly value: (row: Row) => ExportValue;
}

/** Lists are joined by `;` in CSV, and lists in the other forms. */
export type ExportValue = string | number | boolean | readonly string[] | null;

/** A column whose value is null where it is not known. NaN and infinities are not known. */
function column<Row>(
  name: string,
  type: Column<Row>['type'],
  meaning: string,
  value: (row: Row) => ExportValue | undefined,
): Column<Row> {
  return {
    name,
    type,
    meaning,
    value(row) {
      const found = value(row) ?? null;
      return typeof found === 'number' && !Number.isFinite(found) ? null : found;
    },
  };
}

/** What a closed day holds of one asset. */
export interface ChainRow {
  readonly date: string;
  readonly asset: Asset;
  readonly market: MarketSnapshot | null;
  readonly holders: HoldersSnapshot | null;
  readonly pools: PoolsSnapshot | null;
}

/** Rows of a day out of stored snapshots; an asset with none of the three is left out. */
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
export const CHAIN_COLUMNS: readonly Column<ChainRow>[] = [
  column('date', 'text', 'the day, YYYY-MM-DD in UTC', (row) => row.date),
  column('asset_id', 'text', 'CAIP-19', ({ asset }) => asset.id),
  column('chain', 'text', 'short chain name', ({ asset }) => asset.chain),
  column('address', 'text', 'mint or contract', ({ asset }) => asset.address),
  column('symbol', 'text', 'as on chain; outside text', ({ asset }) => asset.symbol),
  column('name', 'text', 'as on chain; outside text', ({ asset }) => asset.name),
  column('category', 'text', 'category, when known', ({ asset }) => asset.category),
  column('market_as_of', 'time', 'when the market numbers were true', ({ market }) => market?.as_of),
  column('price_usd', 'number', 'consensus price', ({ market }) => market?.price_usd),
  column('price_confidence', 'number', 'of the price, 0-1', ({ market }) => market?.provenance.price_usd?.confidence),
  column('change_1h_pct', 'number', 'rolling', ({ market }) => market?.change_1h_pct),
  column('change_24h_pct', 'number', 'rolling', ({ market }) => market?.change_24h_pct),
  column('change_7d_pct', 'number', 'rolling', ({ market }) => market?.change_7d_pct),
  column('change_30d_pct', 'number', 'rolling', ({ market }) => market?.change_30d_pct),
  column('volume_24h_usd', 'number', 'rolling 24 h', ({ market }) => market?.volume_24h_usd),
  column('market_cap_usd', 'number', 'price times circulating supply', ({ market }) => market?.market_cap_usd),
  column(
    'fully_diluted_value_usd',
    'number',
    'price times maximum, else total supply',
    ({ market }) => market?.fully_diluted_value_usd,
  ),
  column('circulating_supply', 'number', 'whole tokens', ({ market }) => market?.circulating_supply),
  column('total_supply', 'number', 'whole tokens', ({ market }) => market?.total_supply),
  column('max_supply', 'number', 'whole tokens; empty when unlimited or unknown', ({ market }) => market?.max_supply),
  column('liquidity_usd', 'number', 'both sides of all pools', ({ market }) => market?.liquidity_usd),
  column('turnover_pct', 'number', 'volume over market capitalisation', ({ market }) => market?.turnover_pct),
  column('volume_to_liquidity', 'number', 'ratio', ({ market }) => market?.volume_to_liquidity),
  column(
    'volatility_30d_pct',
    'number',
    'standard deviation of daily log returns, per day',
    ({ market }) => market?.volatility_30d_pct,
  ),
  column('ath_usd', 'number', 'all-time high', ({ market }) => market?.ath_usd),
  column('drawdown_pct', 'number', 'below the all-time high', ({ market }) => market?.drawdown_pct),
  column('venues', 'integer', 'markets seen', ({ market }) => market?.venues.length),
  column(
    'price_dispersion_pct',
    'number',
    '1.4826 MAD of log prices over venues',
    ({ market }) => market?.price_dispersion_pct,
  ),
  column('holders_as_of', 'time', 'when the holder numbers were true', ({ holders }) => holders?.as_of),
  column('holders_method', 'text', 'full_scan, indexer or top20_only', ({ holders }) => holders?.method),
  column('holder_count', 'integer', 'owners with a balance', ({ holders }) => holders?.holder_count),
  column('top_1_pct', 'number', 'raw view', ({ holders }) => holders?.raw.top_1_pct),
  column('top_10_pct', 'number', 'raw view', ({ holders }) => holders?.raw.top_10_pct),
  column('top_20_pct', 'number', 'raw view', ({ holders }) => holders?.raw.top_20_pct),
  column('top_50_pct', 'number', 'raw view', ({ holders }) => holders?.raw.top_50_pct),
  column('top_100_pct', 'number', 'raw view', ({ holders }) => holders?.raw.top_100_pct),
  column(
    'adjusted_top_1_pct',
    'number',
    'pools, burn, lockers, bridges, exchanges set aside',
    ({ holders }) => holders?.adjusted.top_1_pct,
  ),
  column('adjusted_top_10_pct', 'number', 'adjusted view', ({ holders }) => holders?.adjusted.top_10_pct),
  column('adjusted_top_100_pct', 'number', 'adjusted view', ({ holders }) => holders?.adjusted.top_100_pct),
  column('hhi', 'number', 'adjusted view, 0-10,000', ({ holders }) => holders?.adjusted.hhi),
  column('gini', 'number', 'adjusted view, 0-1', ({ holders }) => holders?.adjusted.gini),
  column('entropy', 'number', 'adjusted view, natural logarithm', ({ holders }) => holders?.adjusted.entropy),
  column('effective_holders', 'number', 'adjusted view', ({ holders }) => holders?.adjusted.effective_holders),
  column('nakamoto_50', 'integer', 'adjusted view', ({ holders }) => holders?.adjusted.nakamoto_50),
  column('nakamoto_33', 'integer', 'adjusted view', ({ holders }) => holders?.adjusted.nakamoto_33),
  column(
    'unlabelled_top20_share_pct',
    'number',
    'share of the twenty largest that nobody names',
    ({ holders }) => holders?.unlabelled_top20_share_pct,
  ),
  column('holders_coverage', 'number', 'sum of balances seen over supply', ({ holders }) => holders?.supply.coverage),
  column('pools_as_of', 'time', 'when the pool numbers were true', ({ pools }) => pools?.as_of),
  column('pools', 'integer', 'pools known', ({ pools }) => pools?.totals.pools),
  column('verified_pools', 'integer', 'pools read from the chain itself', ({ pools }) => pools?.totals.verified_pools),
  column('tvl_usd', 'number', 'over all pools', ({ pools }) => pools?.totals.tvl_usd),
  column('pools_volume_24h_usd', 'number', 'over all pools', ({ pools }) => pools?.totals.volume_24h_usd),
  column('pools_fees_24h_usd', 'number', 'over all pools', ({ pools }) => pools?.totals.fees_24h_usd),
  column('depth_2pct_up_usd', 'number', 'buys before the price is 2 % higher', (row) => depthAt(row, 2, 'up_usd')),
  column('depth_2pct_down_usd', 'number', 'sales before the price is 2 % lower', (row) => depthAt(row, 2, 'down_usd')),
  column('slippage_1k_buy_pct', 'number', 'average, fee included', (row) => slippageAt(row, 1_000, 'buy_pct')),
  column('slippage_10k_buy_pct', 'number', 'average, fee included', (row) => slippageAt(row, 10_000, 'buy_pct')),
  column('slippage_100k_buy_pct', 'number', 'average, fee included', (row) => slippageAt(row, 100_000, 'buy_pct')),
  column('slippage_10k_sell_pct', 'number', 'average, fee included', (row) => slippageAt(row, 10_000, 'sell_pct')),
  column('depth_method', 'text', 'exact, mixed or tvl_proxy', ({ pools }) => pools?.depth_method),
  column('sources', 'text', 'all sources, joined by ;', ({ market, holders, pools }) =>
    [...new Set([market, holders, pools].flatMap((snapshot) => snapshot?.sources ?? []))].sort().join(';'),
  ),
];

/** The rating of one asset as it was known at the end of a day. */
export interface RatedDayRow {
  readonly date: string;
  readonly record: ScoreRecord;
  readonly standing: 'rated' | 'lapsed' | 'not_rated' | 'withdrawn' | 'defaulted';
}

const KEY_SEVERITIES = ['critical', 'high', 'medium'];

/** Rows of a day out of stored ratings. A rating older than `lapsesDays` at the day's end stands no longer, and says so. */
export async function* ratedRows(
  date: string,
  rows: AsyncIterable<Pick<RatedDayStored, 'record' | 'withdrawn'>>,
  lapsesDays: number,
): AsyncGenerator<RatedDayRow> {
  const decoder = new TextDecoder();
  const fresh = Date.parse(`${date}T00:00:00Z`) + DAY_MS - lapsesDays * DAY_MS;
  for await (const row of rows) {
    const record = JSON.parse(decoder.decode(row.record)) as ScoreRecord;
    yield { date, record, standing: standingOf(record, row.withdrawn, fresh) };
  }
}

function standingOf({ band, as_of }: ScoreRecord, withdrawn: boolean, fresh: number): RatedDayRow['standing'] {
  if (band === 'D') return 'defaulted';
  if (band === 'NR') return withdrawn ? 'withdrawn' : 'not_rated';
  return Date.parse(as_of) < fresh ? 'lapsed' : 'rated';
}

/** Codes of the flags that count, the worst first and each once. */
function keyFlags({ risk_flags: flags }: ScoreRecord): readonly string[] {
  return [
    ...new Set(
      KEY_SEVERITIES.flatMap((severity) => flags.filter((flag) => flag.severity === severity).map((flag) => flag.code)),
    ),
  ];
}

/** Columns of the daily export of ratings, one row per asset that was ever rated. */
export const RATING_COLUMNS: readonly Column<RatedDayRow>[] = [
  column('date', 'text', 'the day, YYYY-MM-DD in UTC', (row) => row.date),
  column(
    'asset_id',
    'text',
    'CAIP-19, or project: and its domain before there is a token',
    (row) => row.record.asset.id,
  ),
  column('chain', 'text', 'short chain name', (row) => row.record.asset.chain),
  column('address', 'text', 'mint or contract', (row) => row.record.asset.address),
  column('symbol', 'text', 'outside text', (row) => row.record.asset.symbol),
  column('name', 'text', 'outside text', (row) => row.record.asset.name),
  column('category', 'text', 'category it is rated as', (row) => row.record.asset.category),
  column('stage', 'text', 'post_tge or pre_tge', (row) => row.record.stage),
  column('score', 'number', '0-100 in steps of 0.1; empty when not rated', (row) => row.record.score),
  column('band', 'text', 'AAA to C, D (defaulted) or NR (not rated)', (row) => row.record.band),
  column('trust_score', 'number', 'trust in the evidence, 0-100', (row) => row.record.trust_score),
  column('score_low', 'number', 'lower end of the interval of the score', (row) => row.record.score_interval?.[0]),
  column('score_high', 'number', 'upper end of the interval of the score', (row) => row.record.score_interval?.[1]),
  column('outlook', 'text', 'positive, stable, negative or developing', (row) => row.record.outlook),
  column(
    'vfr',
    'number',
    'price over fair value; empty when no fair value can be computed',
    (row) => row.record.vfr.value,
  ),
  column('vfr_zone', 'text', 'DEEP_DISCOUNT to EXTREME_PREMIUM, or INDETERMINATE', (row) => row.record.vfr.zone),
  column('key_flags', 'list', 'risk flags of severity medium and up, the worst first', (row) => keyFlags(row.record)),
  column('flags', 'integer', 'risk flags of any severity', (row) => row.record.risk_flags.length),
  column('rating_action', 'text', 'new, affirm, upgrade, downgrade or withdraw', (row) => row.record.rating_action),
  column(
    'standing',
    'text',
    'rated, lapsed (older than a rating may be), not_rated, withdrawn or defaulted',
    (row) => row.standing,
  ),
  column('methodology_version', 'text', 'of the methodology it was rated by', (row) => row.record.methodology_version),
  column('job_id', 'text', 'the rating’s receipt: GET /v1/jobs/{job_id}/evidence', (row) => row.record.job_id),
  column('as_of', 'time', 'when the rating was true', (row) => row.record.as_of),
  // Columns that came later stand at the end: readers of CSV may go by position.
  column(
    'class',
    'text',
    'class it is rated as; empty in ratings from before classes',
    (row) => row.record.asset.class,
  ),
  column('category_reason', 'text', 'how the class was decided', (row) => row.record.asset.category_reason),
];

/** Rows of a revision of a day of ratings. Throws when there is no such revision. */
export async function rowsOfRatingDay(
  db: Database,
  date: string,
  revision: number,
): Promise<AsyncGenerator<RatedDayRow>> {
  const bounds = await boundsOf(db, date, revision);
  if (bounds === null) throw new Error(`revision ${revision} of the ratings of ${date} is not closed`);
  return rowsWithin(db, date, bounds);
}

/** Rows of a day of ratings as far as `bounds` go. */
export function rowsWithin(db: Database, date: string, bounds: DayBounds): AsyncGenerator<RatedDayRow> {
  const { existingDays } = loadMethodology().publication.hysteresis;
  return ratedRows(date, ratedDayRows(db, date, bounds), existingDays);
}
