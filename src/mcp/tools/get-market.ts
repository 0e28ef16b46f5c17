import Type from 'typebox';
import { plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { ApiAsset, AssetOut, ageFields, ageOut, apiAgeFields, assetOut, numberOrNull } from '../views.ts';
import { askOfChain, chainInput } from './chain-input.ts';

const numbers = {
  price_usd: numberOrNull,
  change_1h_pct: numberOrNull,
  change_24h_pct: numberOrNull,
  change_7d_pct: numberOrNull,
  change_30d_pct: numberOrNull,
  volume_24h_usd: numberOrNull,
  market_cap_usd: numberOrNull,
  fully_diluted_value_usd: numberOrNull,
  circulating_supply: numberOrNull,
  liquidity_usd: numberOrNull,
  volatility_30d_pct: numberOrNull,
  drawdown_pct: numberOrNull,
};
const Reply = Type.Object({
  ...apiAgeFields,
  ...numbers,
  asset: ApiAsset,
  sources: Type.Array(Type.String()),
  provenance: Type.Object({
    price_usd: Type.Optional(
      Type.Object({
        sources: Type.Array(Type.String()),
        outvoted: Type.Array(Type.Object({ source: Type.String(), value: Type.Number() })),
        confidence: Type.Number(),
      }),
    ),
  }),
});

export const getMarket = defineTool({
  name: 'get_market',
  title: 'Read market data',
  description:
    'Price, changes, volume, capitalisation and liquidity of a token, agreed on by several sources; those that were outvoted on the price are named.',
  readsOnly: true,
  input: Type.Object(chainInput, { additionalProperties: false }),
  output: Type.Object({
    ...ageFields,
    ...numbers,
    asset: AssetOut,
    sources: Type.Array(Type.String()),
    outvoted: Type.Array(Type.Object({ source: Type.String(), price_usd: Type.Number() })),
  }),
  async run(given, tools) {
    const asked = await askOfChain(given, ({ chain, asset }) => `/v1/${chain}/market/${asset}/snapshot`, Reply, tools);
    if (!asked.ok) return asked;
    const reply = asked.value;
    const price = reply.provenance.price_usd;
    const words = (names: readonly string[]) => names.map(plainWord).filter((name) => name !== null);
    const { price_usd, change_1h_pct, change_24h_pct, change_7d_pct, change_30d_pct, volume_24h_usd } = reply;
    const { market_cap_usd, fully_diluted_value_usd, circulating_supply, liquidity_usd } = reply;
    return {
      ok: true,
      value: {
        asset: assetOut(reply.asset),
        price_usd,
        change_1h_pct,
        change_24h_pct,
        change_7d_pct,
        change_30d_pct,
        volume_24h_usd,
        market_cap_usd,
        fully_diluted_value_usd,
        circulating_supply,
        liquidity_usd,
        volatility_30d_pct: reply.volatility_30d_pct,
        drawdown_pct: reply.drawdown_pct,
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
