import type { Driver, PublicationState } from '../domain/index.ts';
import { ALL_FACTOR_CODES, type Factor } from '../domain/index.ts';
import { toScore } from '../methodology/index.ts';

/**
 * What moved the score, in points that add up to its change to the last digit: factors by their points from the prior, then
 * caps, then default; `STAGE` when the prior itself is another.
 */
export function driversOf(
  last: PublicationState['last'],
  now: {
    readonly score: number | null;
    readonly uncapped: number | null;
    readonly capped: number | null;
    readonly factors: readonly Factor[];
  },
): readonly Driver[] {
  const { score, uncapped, capped } = now;
  if (score === null || last.score === null) return [];
  if (uncapped === null || capped === null || last.uncappedScore === null || last.capped === null)
    return defaulted(toScore(score - last.score));
  const drivers: Driver[] = [];
  let explained = 0;
  for (const code of ALL_FACTOR_CODES) {
    const factor = now.factors.find((one) => one.code === code);
    const [before, after] = [last.points[code] ?? 0, factor?.points ?? 0];
    const points = toScore(after - before);
    explained = toScore(explained + points);
    if (points !== 0)
      drivers.push({
        code,
        name: factor?.name ?? code,
        points,
        detail: `${shown(last.factors[code])} to ${shown(factor?.score)} of 100`,
      });
  }
  const rest = toScore(uncapped - last.uncappedScore - explained);
  if (rest !== 0) drivers.push({ code: 'STAGE', name: 'model', points: rest, detail: 'another model or prior' });
  const caps = toScore(capped - uncapped - (last.capped - last.uncappedScore));
  if (caps !== 0)
    drivers.push({
      code: 'CAP',
      name: 'caps',
      points: caps,
      detail: caps < 0 ? 'a cap binds more' : 'a cap binds less',
    });
  const others = toScore(score - capped - (last.score - last.capped));
  if (others !== 0)
    drivers.push({
      code: 'DEFAULT',
      name: 'default and caps that fade',
      points: others,
      detail: others < 0 ? 'held down' : 'released',
    });
  return drivers;
}

/** One of the two moments was in default without a score of its own. */
function defaulted(points: number): readonly Driver[] {
  if (points === 0) return [];
  return [{ code: 'DEFAULT', name: 'default', points, detail: points < 0 ? 'it defaulted' : 'it is rated again' }];
}

function shown(score: number | undefined): string {
  return score === undefined ? 'not known' : String(toScore(score));
}
