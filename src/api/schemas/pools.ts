import Type from 'typebox';
import { head, nullable, nullableNumber, nullableText, percent, words } from './chain.ts';

const Depth = Type.Object({
  move_pct: Type.Number({ description: 'Size of the price move, percent.' }),
  down_usd: nullableNumber('Sold before the price is so far down.'),
  up_usd: nullableNumber('Bought before the price is so far up.'),
});
const Slippage = Type.Object({
  size_usd: Type.Number({ description: 'Size of the trade, US dollars.' }),
  buy_pct: nullableNumber('Average price paid against the price before, fee included; null when it cannot be filled.'),
  sell_pct: nullableNumber('The same for selling.'),
});
const Pool = Type.Object(
  {
    dex: Type.String({ examples: ['raydium'] }),
    address: Type.String(),
    kind: nullable(words('constant_product', 'concentrated', 'bins', 'stableswap', 'bonding_curve')),
    protocol: Type.String({ examples: ['raydium_amm_v4'] }),
    tokens: Type.Array(
      Type.Object({
        address: Type.String(),
        symbol: nullableText('Ticker, text of strangers.'),
        decimals: nullableNumber('Decimals.'),
        reserve_raw: nullableText('Reserve in base units.'),
        reserve: nullableNumber('Reserve in whole tokens.'),
      }),
    ),
    price_quote: nullableNumber('Price of the asset in the other token.'),
    price_usd: nullableNumber('Price of the asset, US dollars.'),
    tvl_usd: nullableNumber('Both sides, US dollars.'),
    volume_24h_usd: nullableNumber('Traded in 24 hours.'),
    fees_24h_usd: nullableNumber('Fees of 24 hours.'),
    fee_rate_pct: nullableNumber('Fee of a trade, percent.'),
    created_at: nullableText('When the pool was made.'),
    lp: nullable(
      Type.Object({
        burned_pct: percent('Liquidity that can never be withdrawn.'),
        locked_pct: percent('Liquidity under a lock.'),
        locker: nullableText('Who holds the lock.'),
        unlocks_at: nullableText('When it ends.'),
        source: Type.String(),
      }),
    ),
    verified: Type.Boolean({ description: 'Read from the chain itself, not told by an indexer.' }),
    depth: Type.Array(Depth),
    slippage: Type.Array(Slippage),
    depth_method: nullable(words('exact', 'tvl_proxy')),
    sources: Type.Array(Type.String()),
    conflicts: Type.Array(
      Type.Object({ what: Type.String(), source: Type.String(), value: Type.Number(), chain: Type.Number() }),
    ),
    notes: Type.Array(Type.String()),
  },
  { title: 'Pool' },
);

/** Reply of GET /v1/{chain}/{asset}/liquidity/pools. */
export const PoolsReply = Type.Object(
  {
    ...head,
    kind: Type.Literal('pools'),
    pools: Type.Array(Pool),
    totals: Type.Object(
      {
        pools: Type.Integer(),
        verified_pools: Type.Integer(),
        tvl_usd: nullableNumber('Sum of the known ones.'),
        volume_24h_usd: nullableNumber('Sum of the known ones.'),
        fees_24h_usd: nullableNumber('Sum of the known ones.'),
      },
      { description: 'Of the pools listed.' },
    ),
    depth: Type.Array(Depth, { description: 'Of all pools together, whatever the scope.' }),
    slippage: Type.Array(Slippage, { description: 'Of all pools together, whatever the scope.' }),
    depth_method: nullable(words('exact', 'mixed', 'tvl_proxy')),
    height: nullableNumber('Slot or block the pools were read at.'),
    scope: Type.Optional(
      Type.Object(
        {
          name: words('all', 'verified', 'top'),
          min_tvl_usd: Type.Number(),
          pools_left_out: Type.Integer(),
        },
        { description: 'Present when only some of the pools were asked for.' },
      ),
    ),
  },
  { title: 'PoolsSnapshot' },
);
