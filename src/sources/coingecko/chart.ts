import Type, { type Static } from 'typebox';
import type { ObservationDraft } from '../../domain/index.ts';
import { DAY_MS, dailyVolatility } from '../../domain/index.ts';
import { date } from '../read.ts';

const Series = Type.Array(Type.Tuple([Type.Number(), Type.Union([Type.Number(), Type.Null()])]));
export const Chart = Type.Object({ prices: Series });

/** Volatility and distance from a dollar, from closes by day. */
export function observeChart(reply: Static<typeof Chart>): readonly ObservationDraft[] {
  const daily = new Map<number, number>();
  for (const [at, price] of reply.prices) if (price !== null && price > 0) daily.set(Math.floor(at / DAY_MS), price);
  const closes = [...daily].sort(([a], [b]) => a - b).map(([, price]) => price);
  const last = reply.prices.at(-1)?.[0];
  const observedAt = date(last) ?? undefined;
  const drafts: ObservationDraft[] = [];
  const volatility = dailyVolatility(closes.slice(-31));
  if (volatility !== null)
    drafts.push({
      quantity: 'volatility_30d',
      value: volatility,
      meaning: 'daily closes of the last 30 days',
      ...(observedAt ? { observedAt } : {}),
    });
  // Only what has stayed near a dollar can have left it.
  if (closes.length >= 30 && closes.every((price) => price > 0.5 && price < 1.5)) {
    drafts.push({
      quantity: 'peg_deviation_90d_max',
      value: Math.max(...closes.slice(-90).map((price) => Math.abs(price - 1))),
      meaning: 'largest distance of a daily close from one dollar',
      ...(observedAt ? { observedAt } : {}),
    });
    const day = reply.prices
      .filter(([at]) => last !== undefined && last - at <= DAY_MS)
      .map(([, price]) => price)
      .filter((price) => price !== null);
    if (day.length > 0)
      drafts.push({
        quantity: 'peg_deviation_24h_held',
        value: Math.min(...day.map((price) => Math.abs(price - 1))),
        meaning: 'distance from one dollar held through 24 h',
        ...(observedAt ? { observedAt } : {}),
      });
  }
  return drafts;
}
