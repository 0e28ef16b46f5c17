import Type from 'typebox';
import { nameAt } from '../../chains/index.ts';
import { dated, observed } from '../observations.ts';
import { Loose, LooseOptional, num, positive } from '../read.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { agreedRate, LEAST_CONFIDENCE } from './terms.ts';

const DAYS = 30;
/** Prices of two coins are compared where they were taken within so many seconds: coins move a percent in an hour. */
const APART_SECONDS = 600;
/** Days that must be comparable before the largest discount of a month is known. */
const LEAST_DAYS = 20;

const Point = Type.Object({ timestamp: Type.Number(), price: Loose });
const CHART = Type.Object({
  coins: Type.Record(
    Type.String(),
    Type.Object({ confidence: LooseOptional, prices: Type.Array(Point, { maxItems: 1_000 }) }),
  ),
});

/**
 * Params `{token, coin, rate}`: the largest discount of a token's price to what it stands for, of the last 30 days, at the rate that two nodes
 * read now. A rate that has grown in that month makes a discount look larger by its growth, never smaller.
 */
export const navDays: Endpoint = endpoint({
  name: 'nav_days',
  doc: '/chart/{token},coingecko:{coin}?span=30&period=1d on coins.llama.fi: daily prices of a token and of what it stands for',
  plan: ({ learned, chain, address }) => {
    const agreed = agreedRate(learned);
    const name = chain === null ? null : nameAt('defillama', chain);
    return agreed === null || name === null || address === null
      ? []
      : [{ token: `${name}:${address}`, coin: agreed.coin, rate: agreed.rate }];
  },
  request: ({ token, coin }) => ({
    base: 'coins',
    path: `/chart/${encodeURIComponent(`${String(token)},coingecko:${String(coin)}`)}`,
    query: { span: String(DAYS), period: '1d' },
  }),
  reply: CHART,
  classify: (reply) => ({ outcome: Object.keys(reply.coins).length < 2 ? 'empty' : 'ok' }),
  observe: (reply, { token, coin, rate }) => {
    const [own, other] = [reply.coins[String(token)], reply.coins[`coingecko:${String(coin)}`]];
    if (typeof rate !== 'number' || own === undefined || other === undefined) return [];
    if ((num(own.confidence) ?? 0) < LEAST_CONFIDENCE || (num(other.confidence) ?? 0) < LEAST_CONFIDENCE) return [];
    const discounts = own.prices.slice(-DAYS).flatMap(({ timestamp, price }) => {
      const near = other.prices.find((row) => Math.abs(row.timestamp - timestamp) <= APART_SECONDS);
      const [paid, worth] = [positive(price), positive(near?.price)];
      return paid === null || worth === null ? [] : [Math.max(0, 1 - paid / (worth * rate))];
    });
    return observed('nav_discount_30d_max', discounts.length < LEAST_DAYS ? null : Math.max(...discounts), {
      family: 'coingecko',
      meaning: `largest of ${discounts.length} daily prices, below the rate read on chain times the price of ${String(coin)}`,
      ...dated(own.prices.at(-1)?.timestamp),
    });
  },
});
