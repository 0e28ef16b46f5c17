import Type from 'typebox';
import { said } from '../draft.ts';
import { date, Loose, LooseOptional, num, positive } from '../read.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { agreedRate } from './learned.ts';

const PRICES = Type.Object({
  coins: Type.Record(Type.String(), Type.Object({ price: Loose, timestamp: LooseOptional, confidence: LooseOptional })),
});
const LEAST_CONFIDENCE = 0.9;

/**
 * Params `{coin, rate}`: the redemption value at the price that markets give the underlying, as a witness beside the
 * oracle on chain. The rate is the one that two nodes read there.
 */
export const redemptionAtMarketPrice: Endpoint = endpoint({
  name: 'redemption',
  doc: '/prices/current/coingecko:{coin} on coins.llama.fi: the price of what a staked or wrapped token stands for, times the rate read on chain',
  plan: ({ learned }) => {
    const agreed = agreedRate(learned);
    return agreed === null ? [] : [{ coin: agreed.coin, rate: agreed.rate }];
  },
  request: (params) => ({
    base: 'coins',
    path: `/prices/current/${encodeURIComponent(`coingecko:${String(params.coin)}`)}`,
  }),
  reply: PRICES,
  classify: (reply) => ({ outcome: Object.keys(reply.coins).length === 0 ? 'empty' : 'ok' }),
  observe: (reply, params) => {
    const row = reply.coins[`coingecko:${String(params.coin)}`];
    const price = positive(row?.price);
    if (price === null || (num(row?.confidence) ?? 0) < LEAST_CONFIDENCE || typeof params.rate !== 'number') return [];
    const at = date(num(row?.timestamp));
    return said('redemption_value_usd', price * params.rate, {
      family: 'coingecko',
      meaning: `the rate read on chain, at CoinGecko's price of ${String(params.coin)}`,
      ...(at === null ? {} : { observedAt: at }),
    });
  },
});
