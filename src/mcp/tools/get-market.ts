import Type from 'typebox';
import { MarketReply } from '../../contract/index.ts';
import { plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { AssetOut, ageFields, ageOut, assetOut, numberOrNull } from '../views.ts';
import { askOfChain, chainInput } from './chain-input.ts';

const NUMBERS = [
  'price_usd',
  'change_1h_pct',
  'change_24h_pct',
  'change_7d_pct',
  'change_30d_pct',
  'volume_24h_usd',
  'market_cap_usd',
  'fully_diluted_value_usd',
  'circulating_supply',
  'liquidity_usd',
  'volatility_30d_pct',
  'drawdown_pct',
] as const;
type Numbers<Value> = Record<(typeof NUMBERS)[number], Value>;
const numbersOf = <Value>(value: (name: (typeof NUMBERS)[number]) => Value) =>
  Object.fromEntries(NUMBERS.map((name) => [name, value(name)])) as Numbers<Value>;
const Market = Type.Pick(MarketReply, [
  ...NUMBERS,
  'asset',
  'sources',
  'provenance',
  'as_of',
  'age_seconds',
  'data_mode',
]);

export const getMarket = defineTool({
  name: 'get_market',
  title: 'Read market data',
  description:
    'Price, changes, volume, capitalisation and liquidity of a token, agreed on by several sources; those that were outvoted on the price are named.',
  readsOnly: true,
  input: Type.Object(chainInput, { additionalProperties: false }),
  output: Type.Object({
    ...ageFields,
    ...numbersOf(() => numberOrNull),
    asset: AssetOut,
    sources: Type.Array(Type.String()),
    outvoted: Type.Array(Type.Object({ source: Type.String(), price_usd: numberOrNull })),
  }),
  async run(given, tools) {
    const asked = await askOfChain(given, ({ chain, asset }) => `/v1/${chain}/market/${asset}/snapshot`, Market, tools);
    if (!asked.ok) return asked;
    const reply = asked.value;
    const price = reply.provenance.price_usd;
    const words = (names: readonly string[]) => names.map(plainWord).filter((name) => name !== null);
    return {
      ok: true,
      value: {
        asset: assetOut(reply.asset),
        ...numbersOf((name) => reply[name]),
        trust: price
          ? {
              score: Math.round(price.confidence * 1000) / 10,
              basis: `confidence of the price: ${price.sources.length} sources agree, ${price.outvoted.length} outvoted`,
            }
          : { score: null, basis: 'no source gave a price' },
        sources: words(reply.sources),
        outvoted: (price?.outvoted ?? []).slice(0, 5).map(({ source, value }) => ({
          source: plainWord(source) ?? 'unnamed',
          price_usd: value,
        })),
        ...ageOut(reply),
      },
    };
  },
});
