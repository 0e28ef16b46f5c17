import Type from 'typebox';
import { MARKET_FIGURES, MarketReply, MarketResult, marketFigures } from '../../contract/index.ts';
import { plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { ageOut, assetOut } from '../views.ts';
import { chainInput, requestOfChain } from './chain-input.ts';

const Market = Type.Pick(MarketReply, [
  ...MARKET_FIGURES,
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
    'Price, changes, volume, capitalisation and liquidity of a token, agreed on by several sources; rejected price sources are named.',
  readsOnly: true,
  input: Type.Object(chainInput, { additionalProperties: false }),
  output: MarketResult,
  async run(given, tools) {
    const result = await requestOfChain(
      given,
      ({ chain, asset }) => `/v1/${chain}/market/${asset}/snapshot`,
      Market,
      tools,
    );
    if (!result.ok) return result;
    const reply = result.value;
    const price = reply.provenance.price_usd;
    const words = (names: readonly string[]) => names.map(plainWord).filter((name) => name !== null);
    return {
      ok: true,
      value: {
        asset: assetOut(reply.asset),
        ...marketFigures((name) => reply[name]),
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
