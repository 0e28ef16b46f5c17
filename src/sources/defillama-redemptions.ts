import Type, { type Static } from 'typebox';
import { DAY_MS } from '../domain/index.ts';
import { dated, observed } from './observations.ts';
import { Loose, Maybe, num, positive } from './read.ts';
import { type Endpoint, endpoint } from './source.ts';

/** Days of the redemption window, and of the chart that is read. */
const WEEK_DAYS = 7;
const CHART_DAYS = 365;
/** At a larger deviation from one dollar, units were not redeemed at par. */
const AT_PAR = 0.01;
/** At a larger deviation of the price from one dollar, a fall of the supply may have other causes. */
const STEADY = 0.1;
/** Minimum number of days for an observation. */
const LEAST_DAYS = 30;

const Amounts = Maybe(Type.Record(Type.String(), Loose));
const Row = Type.Object({ date: Loose, totalCirculating: Amounts, totalCirculatingUSD: Amounts });

/** Units of a coin on all chains at one moment (unix ms), and the price of a unit in US dollars. */
interface Supply {
  readonly at: number;
  readonly units: number;
  readonly price: number;
}

/**
 * Params `{stablecoin}`, the id in DefiLlama's list: daily units of a coin pegged to the dollar, on all its chains. Units burned on one chain may be
 * reissued on another, and redemptions that are offset by new purchases cause no net fall, so the fall over all chains is a lower bound of redemptions.
 */
export const redemptions: Endpoint = endpoint({
  name: 'redemptions',
  doc: '/stablecoincharts/all?stablecoin= on stablecoins.llama.fi: units of a stablecoin on all its chains, and their value, by days',
  maxBytes: 4 * 1024 * 1024,
  plan: ({ learned }) => {
    const stablecoin = learned['defillama.stablecoin'];
    return typeof stablecoin === 'string' ? [{ stablecoin }] : [];
  },
  request: ({ stablecoin }) => ({
    base: 'stablecoins',
    path: '/stablecoincharts/all',
    query: { stablecoin: String(stablecoin) },
  }),
  reply: Type.Array(Row, { maxItems: 10_000 }),
  classify: (rows) => ({ outcome: rows.length === 0 ? 'empty' : 'ok' }),
  observe: (rows) => {
    const days = rows.flatMap(supplyOf).sort((a, b) => a.at - b.at);
    const last = days.at(-1)?.at ?? 0;
    const kept = days.filter(({ at }) => last - at <= CHART_DAYS * DAY_MS);
    const isSteady = kept.every(({ price }) => Math.abs(price - 1) <= STEADY);
    return observed('redeemed_7d_max', kept.length < LEAST_DAYS || !isSteady ? null : largestWeek(kept), {
      meaning: `largest net fall within ${WEEK_DAYS} days at par, without the largest step, on all chains, of ${kept.length} days`,
      ...dated(last),
    });
  },
});

function supplyOf({ date, totalCirculating, totalCirculatingUSD }: Static<typeof Row>): readonly Supply[] {
  const [seconds, units, value] = [
    num(date),
    positive(totalCirculating?.peggedUSD),
    positive(totalCirculatingUSD?.peggedUSD),
  ];
  return seconds === null || units === null || value === null
    ? []
    : [{ at: seconds * 1_000, units, price: value / units }];
}

/** Largest share of the units redeemed within a week at par. The largest step of each week is excluded, because a recount of the supply is a single step. */
function largestWeek(days: readonly Supply[]): number {
  let most = 0;
  for (const [first, from] of days.entries()) {
    let [before, largest] = [from, 0];
    for (const to of days.slice(first)) {
      if (Math.abs(to.price - 1) > AT_PAR || to.at - from.at > WEEK_DAYS * DAY_MS) break;
      largest = Math.max(largest, before.units - to.units);
      most = Math.max(most, (from.units - to.units - largest) / from.units);
      before = to;
    }
  }
  return most;
}
