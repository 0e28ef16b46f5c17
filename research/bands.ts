import { BANDS, type Band } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { jeffreysInterval } from '../src/publication/index.ts';

export interface BandRow {
  readonly band: Band;
  readonly members: number;
  readonly failures: number;
  /** Observed failure rate, 0-1; null without members. */
  readonly rate: number | null;
  /** Jeffreys interval of the rate. */
  readonly interval: readonly [low: number, high: number] | null;
  /** What the ladder aims at over twelve months. */
  readonly target: number | null;
}

/** A worse band that failed less often than a better one. */
export interface Inversion {
  readonly better: Band;
  readonly worse: Band;
  /** One-sided p-value of "the worse band fails at least as often": pooled two-proportion z. */
  readonly pValue: number;
  /** The difference is larger than its own standard error. */
  readonly beyondOneError: boolean;
}

export interface BandTable {
  readonly rows: readonly BandRow[];
  readonly inversions: readonly Inversion[];
  /** `monotone`: each worse band fails more. `within_error`: inversions, none beyond one standard error. */
  readonly verdict: 'monotone' | 'within_error' | 'not_monotone' | 'one_band';
  /** Neighbouring bands whose rates cannot be told apart (two-sided p > .1). */
  readonly indistinct: readonly (readonly [Band, Band])[];
}

/** Failure rates by band, best first, and whether worse bands fail more often (methodology 7.2). */
export function bandTable(
  bands: readonly Band[],
  failed: readonly boolean[],
  methodology: Methodology,
  confidence = 0.95,
): BandTable {
  const rows = BANDS.filter((band) => band !== 'NR').map((band): BandRow => {
    let [members, failures] = [0, 0];
    for (const [index, own] of bands.entries())
      if (own === band) {
        members += 1;
        if (failed[index]) failures += 1;
      }
    return {
      band,
      members,
      failures,
      rate: members === 0 ? null : failures / members,
      interval: jeffreysInterval(failures, members, confidence),
      target: methodology.bands.find((row) => row.band === band)?.failureTarget ?? null,
    };
  });
  const held = rows.filter((row) => row.members > 0);
  const neighbours = held.slice(1).map((worse, index) => [held[index] ?? worse, worse] as const);
  const inversions = neighbours
    .filter(([better, worse]) => (better.rate ?? 0) > (worse.rate ?? 0))
    .map(([better, worse]): Inversion => {
      const z = difference(better, worse);
      return { better: better.band, worse: worse.band, pValue: 1 - normalBelow(z), beyondOneError: z > 1 };
    });
  return {
    rows,
    inversions,
    verdict:
      held.length < 2
        ? 'one_band'
        : inversions.length === 0
          ? 'monotone'
          : inversions.some((row) => row.beyondOneError)
            ? 'not_monotone'
            : 'within_error',
    indistinct: neighbours
      .filter(([better, worse]) => 2 * (1 - normalBelow(Math.abs(difference(better, worse)))) > 0.1)
      .map(([better, worse]) => [better.band, worse.band] as const),
  };
}

/** How many standard errors the better band's rate lies above the worse one's. */
function difference(better: BandRow, worse: BandRow): number {
  const pooled = (better.failures + worse.failures) / (better.members + worse.members);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / better.members + 1 / worse.members));
  return error === 0 ? 0 : ((better.rate ?? 0) - (worse.rate ?? 0)) / error;
}

/** Standard normal distribution function, to 1e-7 (Abramowitz and Stegun 7.1.26). */
export function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const tail =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
    Math.exp(-x * x);
  return z >= 0 ? 1 - tail / 2 : tail / 2;
}
