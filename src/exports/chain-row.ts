import type { HoldersSnapshot, MarketSnapshot, PoolsSnapshot } from '../contract/index.ts';
import type { Asset } from '../domain/index.ts';
import { type Column, finite } from './column.ts';

/** What a closed day holds of one asset. */
export interface ChainRow {
  readonly date: string;
  readonly asset: Asset;
  readonly market: MarketSnapshot | null;
  readonly holders: HoldersSnapshot | null;
  readonly pools: PoolsSnapshot | null;
}

/** Bytes of the day's snapshots, as the store gives them. */
export interface StoredDayRow {
  readonly assetId: string;
  readonly market: Uint8Array | null;
  readonly holders: Uint8Array | null;
  readonly pools: Uint8Array | null;
}

/** Rows of a day out of stored snapshots; an asset with none of the three is left out. */
export async function* chainRows(date: string, rows: AsyncIterable<StoredDayRow>): AsyncGenerator<ChainRow> {
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

type Value = string | number | boolean | null | undefined;

function column(
  name: string,
  type: Column<ChainRow>['type'],
  meaning: string,
  value: (row: ChainRow) => Value,
): Column<ChainRow> {
  return {
    name,
    type,
    meaning,
    value(row) {
      const found = value(row);
      return typeof found === 'number' ? finite(found) : (found ?? null);
    },
  };
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
