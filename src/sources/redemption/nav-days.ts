import Type from 'typebox';
import { nameAt } from '../../chains/index.ts';
import { median } from '../../domain/index.ts';
import { dated, observed } from '../observations.ts';
import { lostDays } from '../peg-days.ts';
import { Loose, LooseOptional, num, positive } from '../read.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { agreedRate, LEAST_CONFIDENCE } from './terms.ts';

const DAYS = 30;
/** Maximum time in seconds between two compared prices, because prices can move a percent in an hour. */
const APART_SECONDS = 600;
/** Minimum number of comparable days for the largest discount of a month. */
const LEAST_DAYS = 20;

const Point = Type.Object({ timestamp: Type.Number(), price: Loose });
const CHART = Type.Object({
  coins: Type.Record(
    Type.String(),
    Type.Object({ confidence: LooseOptional, prices: Type.Array(Point, { maxItems: 1_000 }) }),
  ),
});

/**
 * Lower bound of the rate on every day of the month, in units of the underlying: the rate may have risen to `rate` only yesterday, before the price
 * follows. Listed tokens started at a rate of one, and the median price did not exceed the rate at that time.
 */
function leastRate(paid: readonly number[], rate: number): number {
  return Math.min(rate, Math.max(1, median(paid) ?? 1));
}

/**
 * Params `{token, coin, rate}`: the largest discount of a token's price to its redemption value in the last 30 days, and the number of days far below it.
 * The discount uses the current rate as read at two nodes; if the rate rose during the month, the discount is overstated by the rise, never understated.
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
