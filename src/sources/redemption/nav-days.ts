import Type from 'typebox';
import { nameAt } from '../../chains/index.ts';
import { median } from '../../domain/index.ts';
import { dated, observed } from '../observations.ts';
import { lostDays } from '../peg-days.ts';
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
 * What one token stood for at least on every day of the month, in units of its underlying: a rate may have grown to `rate` yesterday, and the price follows
 * later. Listed tokens began at one, and what most days paid was not above the rate of then.
 */
function leastRate(paid: readonly number[], rate: number): number {
  return Math.min(rate, Math.max(1, median(paid) ?? 1));
}

/**
 * Params `{token, coin, rate}`: the largest discount of a token's price to what it stands for, of the last 30 days, and how many days it has lain far
 * below. The discount is that at the rate that two nodes read now: one that has grown in that month makes it look larger by its growth, never smaller.
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
    const units = own.prices.slice(-DAYS).flatMap(({ timestamp, price }) => {
      const near = other.prices.find((row) => Math.abs(row.timestamp - timestamp) <= APART_SECONDS);
      const [paid, worth] = [positive(price), positive(near?.price)];
      return paid === null || worth === null ? [] : [[timestamp * 1_000, paid / worth] as const];
    });
    const discounts = units.map(([, paid]) => Math.max(0, 1 - paid / rate));
    const least = leastRate(
      units.map(([, paid]) => paid),
      rate,
    );
    return [
      ...observed('nav_discount_30d_max', discounts.length < LEAST_DAYS ? null : Math.max(...discounts), {
        family: 'coingecko',
        meaning: `largest of ${discounts.length} daily prices, below the rate read on chain times the price of ${String(coin)}`,
        ...dated(own.prices.at(-1)?.timestamp),
      }),
      ...lostDays(units.map(([at, paid]) => [at, paid / least] as const)).map((draft) => ({
        ...draft,
        family: 'coingecko',
      })),
    ];
  },
});
