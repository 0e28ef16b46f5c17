import Type from 'typebox';
import { PoolsReply, PoolsResult } from '../../contract/index.ts';
import { outside, plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { ageOut, assetOut } from '../views.ts';
import { chainInput, requestOfChain } from './chain-input.ts';

const Pools = Type.Pick(PoolsReply, [
  'asset',
  'totals',
  'depth',
  'slippage',
  'pools',
  'as_of',
  'age_seconds',
  'data_mode',
]);
const MOST_POOLS = 10;

export const getPools = defineTool({
  name: 'get_pools',
  title: 'Read liquidity pools',
  description:
    'Where a token trades on its chain: the largest pools, their liquidity and locks, and how far a trade moves the price (depth, slippage).',
  readsOnly: true,
  input: Type.Object(chainInput, { additionalProperties: false }),
  output: PoolsResult,
  async run(given, tools) {
    const result = await requestOfChain(
      given,
      ({ chain, asset }) => `/v1/${chain}/${asset}/liquidity/pools?scope=top`,
      Pools,
      tools,
    );
    if (!result.ok) return result;
    const reply = result.value;
    const { pools, verified_pools, tvl_usd, volume_24h_usd } = reply.totals;
    return {
      ok: true,
      value: {
        asset: assetOut(reply.asset),
        totals: { pools, verified_pools, tvl_usd, volume_24h_usd },
        trust: {
          score: pools === 0 ? null : Math.round((verified_pools / pools) * 1000) / 10,
          basis: `${verified_pools} of ${pools} pools were read from the chain itself`,
        },
        depth: reply.depth.map(({ move_pct, down_usd, up_usd }) => ({ move_pct, down_usd, up_usd })),
        slippage: reply.slippage.map(({ size_usd, buy_pct, sell_pct }) => ({ size_usd, buy_pct, sell_pct })),
        pools: reply.pools.slice(0, MOST_POOLS).map((pool) => ({
          dex: plainWord(pool.dex),
          address: plainWord(pool.address),
          kind: plainWord(pool.kind),
          tokens: pool.tokens.slice(0, 8).map(({ symbol }) => outside(symbol, 32)),
          tvl_usd: pool.tvl_usd,
          volume_24h_usd: pool.volume_24h_usd,
          fee_rate_pct: pool.fee_rate_pct,
          verified: pool.verified,
          burned_pct: pool.lp?.burned_pct ?? null,
          locked_pct: pool.lp?.locked_pct ?? null,
        })),
        ...ageOut(reply),
      },
    };
  },
});
