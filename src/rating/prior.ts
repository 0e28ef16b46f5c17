import type { FactorCode, Feature } from '../domain/rating.ts';
import type { Context } from './context.ts';

const DAY_MS = 86_400_000;

/** The prior of a factor: the model's; or the last published factor decaying to it where it was our source that failed. */
export function priorOf(features: readonly Feature[], context: Context, prior: number): (code: FactorCode) => number {
  const { priorHalfLifeDays } = context.methodology.aggregation;
  const { previous } = context.input;
  return (code) => {
    const last = previous?.factors[code];
    const mine = features.filter(
      (feature) => feature.factor === code && feature.weight > 0 && feature.status !== 'not_applicable',
    );
    const lost = mine.some((feature) => feature.ourSourceFailed);
    if (previous === null || last === undefined || !lost) return prior;
    const age = Math.max(0, (context.now - Date.parse(previous.asOf)) / DAY_MS);
    return prior + (last - prior) * 2 ** (-age / priorHalfLifeDays);
  };
}
