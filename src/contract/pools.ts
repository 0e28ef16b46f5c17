import Type from 'typebox';
import { head, type Stored } from './snapshot.ts';
import {
  count,
  list,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  percent,
  type Reply,
  sources,
  words,
} from './vocabulary.ts';

const Depth = Type.Object(
  {
    move_pct: Type.Number({ description: 'Size of the price move, percent.' }),
    down_usd: nullableNumber('US dollars that sellers take out before the price is so far down; null: not known.'),
    up_usd: nullableNumber('US dollars that buyers put in before the price is so far up; null: not known.'),
  },
  { title: 'Depth', description: 'What it takes to move the price so far.' },
);
const Slippage = Type.Object(
  {
    size_usd: Type.Number({ description: 'Size of the trade, US dollars.' }),
    buy_pct: nullableNumber(
      'Average price paid against the price before, fee included, percent; null when it cannot be filled.',
    ),
    sell_pct: nullableNumber('The same for selling.'),
  },
  { title: 'Slippage', description: 'What a trade of a size costs.' },
);
const depthMethod = <const Names extends readonly string[]>(names: Names, description: string) =>
  Type.Union([words(...names), Type.Null()], { description });
const Pool = Type.Object(
  {
    dex: Type.String({ description: 'The exchange it belongs to.', examples: ['raydium'] }),
    address: Type.String({ description: 'Address of the pool on the chain.' }),
    kind: Type.Union([words('constant_product', 'concentrated', 'bins', 'stableswap', 'bonding_curve'), Type.Null()], {
      description: 'Mathematics it trades by; null when not known.',
    }),
    protocol: Type.String({ description: 'Program or version of the protocol.', examples: ['raydium_amm_v4'] }),
    tokens: Type.Array(
      Type.Object({
        address: Type.String({ description: 'Mint or contract.' }),
        symbol: nullableText('Ticker, untrusted text.'),
        decimals: nullableNumber('Base units are 10^-decimals of a whole token; null when not known.'),
        reserve_raw: nullableText('What the pool holds of it, base units, a decimal string; null when not known.'),
        reserve: nullableNumber('The same in whole tokens.'),
      }),
      { description: 'What the pool trades.' },
    ),
    price_quote: nullableNumber('Price of the asset in the other token.'),
    price_usd: nullableNumber('Price of the asset, US dollars.'),
    tvl_usd: nullableNumber('Both sides, US dollars.'),
    volume_24h_usd: nullableNumber('Traded in 24 hours, US dollars.'),
    fees_24h_usd: nullableNumber('Fees of 24 hours, US dollars.'),
    fee_rate_pct: nullableNumber('Fee of a trade, percent.'),
    created_at: nullableTime('When the pool was made; null when not known.'),
    lp: Type.Union(
      [
        Type.Object({
          burned_pct: percent('Liquidity that can never be withdrawn.'),
          locked_pct: percent('Liquidity under a lock.'),
          locker: nullableText('Who holds the lock; null when none does or it is not known.'),
          unlocks_at: nullableTime('When the lock ends; null when it is not known.'),
          source: Type.String({ description: 'Source that states it.' }),
        }),
        Type.Null(),
      ],
      { description: 'Who could take the liquidity out; null when not known.' },
    ),
    verified: Type.Boolean({ description: 'Read from the chain itself, not reported by an indexer.' }),
    depth: Type.Array(Depth, { description: 'By this pool alone; empty when it cannot be computed.' }),
    slippage: Type.Array(Slippage, { description: 'By this pool alone; empty when it cannot be computed.' }),
    depth_method: depthMethod(
      ['exact', 'tvl_proxy'],
      '`exact`: by the pool’s own mathematics; `tvl_proxy`: estimated from the value locked; null without depth.',
    ),
    sources,
    conflicts: Type.Array(
      Type.Object({
        what: Type.String({ description: 'The quantity, such as `tvl_usd`.' }),
        source: Type.String({ description: 'Source that contradicts the chain.' }),
        value: Type.Number({ description: 'Value that the source states.' }),
        chain: Type.Number({ description: 'What the chain shows.' }),
      }),
      { description: 'Where an indexer contradicts the chain.' },
    ),
    notes: list('Why something is missing or doubtful, as text.'),
  },
  { title: 'Pool', description: 'One liquidity pool of an asset.' },
);

/** Reply of GET /v1/{chain}/{asset}/liquidity/pools. */
export const PoolsReply = Type.Object(
  {
    ...head,
    kind: Type.Literal('pools', { description: 'Which kind of snapshot this is.' }),
    pools: Type.Array(Pool, { description: 'The requested pools.' }),
    totals: Type.Object(
      {
        pools: count('Pools listed.'),
        verified_pools: count('Of them, read from the chain itself.'),
        tvl_usd: nullableNumber('Sum of the known ones, US dollars.'),
        volume_24h_usd: nullableNumber('Sum of the known ones, US dollars.'),
        fees_24h_usd: nullableNumber('Sum of the known ones, US dollars.'),
      },
      { description: 'Of the pools listed.' },
    ),
    depth: Type.Array(Depth, { description: 'Of all pools together, whatever the scope.' }),
    slippage: Type.Array(Slippage, { description: 'Of all pools together, whatever the scope.' }),
    depth_method: depthMethod(
      ['exact', 'mixed', 'tvl_proxy'],
      'How the depth of all pools together was found; `mixed`: of some `exact`, of others a `tvl_proxy`; null without depth.',
    ),
    height: nullableNumber('Slot or block the pools were read at; null when none was read from the chain.'),
    scope: Type.Optional(
      Type.Object(
        {
          name: oneOf('`scope` as requested.', ['all', 'verified', 'top']),
          min_tvl_usd: Type.Number({ description: '`min_tvl_usd` as requested; 0: no bound.' }),
          pools_left_out: count('Pools that are known and not listed.'),
        },
        { description: 'Present when only some of the pools were requested.' },
      ),
    ),
  },
  { title: 'PoolsSnapshot', description: 'The liquidity pools of an asset at one moment.' },
);
/** `scope` is added when only some of the pools were requested. */
export type PoolsSnapshot = Omit<Stored<typeof PoolsReply>, 'scope'>;
export type PoolRecord = Reply<typeof Pool>;
