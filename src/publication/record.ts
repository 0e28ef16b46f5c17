import {
  ALL_FACTOR_CODES,
  type Band,
  type Category,
  type ConsensusSet,
  type Driver,
  type Factor,
  type PublicationState,
  type PublishedRating,
  type Rating,
} from '../domain/index.ts';
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

const MOST_CONFLICTS = 20;

/** Values on which sources stand against each other, with who said how much of a difference. */
export function conflictsOf(consensus: ConsensusSet): PublishedRating['conflicts'] {
  return Object.values(consensus)
    .filter((row) => row.scope === 'asset' && (row.status === 'disputed' || row.voices.some(isOutvoted)))
    .map((row) => ({
      quantity: row.quantity,
      detail:
        row.status === 'disputed'
          ? `no agreement among ${names(row.voices)}`
          : `outvoted: ${names(row.voices.filter(isOutvoted))}`,
    }))
    .sort((a, b) => (a.quantity < b.quantity ? -1 : 1))
    .slice(0, MOST_CONFLICTS);
}

function isOutvoted(voice: ConsensusSet[string]['voices'][number]): boolean {
  return voice.reason === 'outlier' || voice.reason === 'unit_mismatch';
}

function names(voices: ConsensusSet[string]['voices']): string {
  return [...new Set(voices.map((voice) => voice.source))].sort().join(', ');
}

/** The rating with an issuer's powers counted as anybody's. */
export interface TechnicalView {
  readonly score: number | null;
  readonly band: Band;
}

const KINDS: Partial<Record<Category, NonNullable<PublishedRating['issuerControl']>['kind']>> = {
  stablecoin: 'stablecoin',
  lst_wrapped: 'wrapped',
  rwa: 'tokenised_asset',
};

/** Assets whose issuer may mint, freeze or take back by design: marked so, with the technical view beside; null for others. */
export function issuerControlOf(rating: Rating, technical: TechnicalView | null): PublishedRating['issuerControl'] {
  const kind = KINDS[rating.category];
  if (kind === undefined || technical === null) return null;
  return { kind, technicalScore: technical.score, technicalBand: technical.band };
}
