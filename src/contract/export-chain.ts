import Type from 'typebox';
import { integerField, orNull, rowHead, timeField } from './export.ts';
import { HoldersReply } from './holders.ts';
import { MarketReply } from './market.ts';
import { PoolsReply } from './pools.ts';
import { nullableNumber, nullableText, percent } from './vocabulary.ts';

const { properties: market } = MarketReply;
const { properties: holders } = HoldersReply;

/** A row of the daily export of a chain. */
export const ChainExportRow = Type.Object(
  {
    ...rowHead,
    category: nullableText('Categories as the sources name them; null when not known.'),
    market_as_of: timeField('When the market numbers were true.'),
    price_usd: market.price_usd,
    price_confidence: nullableNumber('Confidence of the price, 0-1: a weight, not the chance of being right.'),
    change_1h_pct: market.change_1h_pct,
    change_24h_pct: market.change_24h_pct,
    change_7d_pct: market.change_7d_pct,
    change_30d_pct: market.change_30d_pct,
    volume_24h_usd: market.volume_24h_usd,
    market_cap_usd: market.market_cap_usd,
    fully_diluted_value_usd: market.fully_diluted_value_usd,
    circulating_supply: market.circulating_supply,
    total_supply: market.total_supply,
    max_supply: market.max_supply,
    liquidity_usd: market.liquidity_usd,
    turnover_pct: market.turnover_pct,
    volume_to_liquidity: market.volume_to_liquidity,
    volatility_30d_pct: market.volatility_30d_pct,
    ath_usd: market.ath_usd,
    drawdown_pct: market.drawdown_pct,
    venues: integerField('Markets seen.'),
    price_dispersion_pct: market.price_dispersion_pct,
    holders_as_of: timeField('When the holder numbers were true.'),
    holders_method: orNull(holders.method, 'How good the list of holders is: `full_scan`, `indexer` or `top20_only`.'),
    holder_count: integerField('Owners with more than nothing.'),
    top_1_pct: percent('Share of the largest holder, of all addresses.'),
    top_10_pct: percent('Share of the ten largest, of all addresses.'),
    top_20_pct: percent('Share of the twenty largest, of all addresses.'),
    top_50_pct: percent('Share of the fifty largest, of all addresses.'),
    top_100_pct: percent('Share of the hundred largest, of all addresses.'),
    adjusted_top_1_pct: percent('Share of the largest holder without pools, burn, lockers, bridges and exchanges.'),
    adjusted_top_10_pct: percent('Share of the ten largest in that adjusted view.'),
    adjusted_top_100_pct: percent('Share of the hundred largest in the adjusted view.'),
    hhi: nullableNumber('Herfindahl-Hirschman index of the adjusted view, 0-10,000.'),
    gini: nullableNumber('Gini coefficient of the adjusted view, 0-1.'),
    entropy: nullableNumber('Shannon entropy of the adjusted view, natural logarithm.'),
    effective_holders: nullableNumber('One over the sum of squared shares of the adjusted view.'),
    nakamoto_50: integerField('Fewest holders of the adjusted view with more than half.'),
    nakamoto_33: integerField('Fewest holders of the adjusted view with more than a third.'),
    unlabelled_top20_share_pct: holders.unlabelled_top20_share_pct,
    holders_coverage: nullableNumber('Balances seen over the total supply; 1 when all were seen.'),
    pools_as_of: timeField('When the pool numbers were true.'),
    pools: integerField('Pools known.'),
    verified_pools: integerField('Of them, read from the chain itself.'),
    tvl_usd: nullableNumber('Both sides of all pools whose value is known, US dollars.'),
    pools_volume_24h_usd: nullableNumber('Traded in 24 hours in all pools, US dollars.'),
    pools_fees_24h_usd: nullableNumber('Fees of 24 hours of all pools, US dollars.'),
    depth_2pct_up_usd: nullableNumber('US dollars that buyers put in before the price is 2 % up.'),
    depth_2pct_down_usd: nullableNumber('US dollars that sellers take out before the price is 2 % down.'),
    slippage_1k_buy_pct: nullableNumber('Average cost of buying for 1,000 US dollars, fee included, percent.'),
    slippage_10k_buy_pct: nullableNumber('Average cost of buying for 10,000 US dollars, fee included, percent.'),
    slippage_100k_buy_pct: nullableNumber('Average cost of buying for 100,000 US dollars, fee included, percent.'),
    slippage_10k_sell_pct: nullableNumber('Average cost of selling for 10,000 US dollars, fee included, percent.'),
    depth_method: PoolsReply.properties.depth_method,
    sources: Type.String({ description: 'Names of all sources of the row, joined by `;`.' }),
  },
  {
    title: 'ChainExportRow',
    description: 'All aggregates of market, holders and pools of one asset at the end of a day.',
  },
);
