import { medianHigh, type TrustScore } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { spearman } from '../discrimination.ts';
import { seededRandom } from '../random.ts';
import { type Claim, ERROR_KINDS, type Injection, type Reliability, reliabilityOf } from './reliability.ts';
import { replayWithErrors, type ScoreReplay, type ValueClaim, type Witnessed } from './replay.ts';

export interface CalibrationSettings {
  readonly seed: number;
  /** Probabilities of an error, 0-1; every kind of error is replayed with each. */
  readonly amounts: readonly number[];
  /** Replays per asset, kind and amount. */
  readonly repeats: number;
  readonly folds: number;
}

/** Reliability of stated probabilities, and of those restated by a curve fitted on other assets. */
export interface Calibrated {
  readonly stated: Reliability;
  readonly restated: Reliability;
  readonly curve: IsotonicCurve;
  /** Curves fitted without one kind of error and tested on that kind, which shows how well they generalise. */
  readonly leftOut: readonly { readonly name: string; readonly ece: number; readonly eceStated: number }[];
}

export interface CalibrationRow {
  readonly name: string;
  readonly claims: number;
  readonly meanStated: number;
  readonly rightShare: number;
  readonly ece: number;
  readonly eceRestated: number;
}

export interface TrustCalibration {
  readonly assets: number;
  readonly replays: number;
  readonly values: Calibrated & {
    readonly byKind: readonly CalibrationRow[];
    readonly byAmount: readonly CalibrationRow[];
    readonly byClass: readonly CalibrationRow[];
    readonly byStatus: readonly CalibrationRow[];
    /** Restated by the methodology's curve, as readers of `/v1/methodology` do. */
    readonly published: Reliability;
    /** For values of pools and venues, which the curve was not fitted on. */
    readonly parts: CalibrationRow;
  };
  /** T / 100 of issued ratings, compared with whether every critical value was right. */
  readonly trust: Calibrated;
  readonly score: ScoreCalibration;
}

export interface ScoreCalibration {
  readonly rated: number;
  readonly notRated: number;
  /** Rank correlation of trust with the size of the error; negative if errors decrease with trust. */
  readonly rankCorrelation: number | null;
  /** The same within assets: change of trust against change of the score. */
  readonly rankCorrelationWithinAsset: number | null;
  readonly tiers: readonly TierRow[];
  /** Share of the 80 % intervals that contain the score from the unmodified evidence. */
  readonly coverage: readonly { readonly name: string; readonly rated: number; readonly covered: number }[];
}

export interface TierRow {
  readonly tier: TrustScore['tier'];
  readonly replays: number;
  readonly rated: number;
  readonly medianError: number | null;
  readonly ninetiethError: number | null;
  readonly criticalRight: number;
}

/**
 * Replays every asset with every kind and amount of error, and measures the accuracy of confidence, trust and
 * intervals.
 */
export function calibrateTrust(
  assets: readonly Witnessed[],
  settings: CalibrationSettings,
  methodology: Methodology,
): TrustCalibration {
  const random = seededRandom(settings.seed);
  const injections: readonly Injection[] = Array.from({ length: settings.repeats }, () =>
    settings.amounts.flatMap((amount) => ERROR_KINDS.map((kind) => ({ kind, amount }))),
  ).flat();
  const runs = assets.map((asset) => replayWithErrors(asset, injections, methodology, random));
  const all = runs.flatMap((run) => run.values);
  const scores = runs.flatMap((run) => run.scores);
  const values = all.filter((claim) => !claim.isPart);
  const restated = restateHeldOut(values, settings.folds);
  const by = (nameOf: (claim: ValueClaim) => string) => rowsOf(restated, nameOf);
  const calibrated = calibrate(values, settings.folds);
  const parts = all
    .filter((claim) => claim.isPart)
    .map((claim) => ({ ...claim, stated: readCurve(calibrated.curve, claim.stated), before: claim.stated }));
  return {
    assets: assets.length,
    replays: scores.length,
    values: {
      ...calibrated,
      byKind: by((claim) => claim.kind),
      byAmount: by((claim) => String(claim.amount)),
      byClass: by((claim) => claim.className),
      byStatus: by((claim) => claim.status),
      published: reliabilityOf(
        values.map((claim) => ({ ...claim, stated: readCurve(publishedCurve(methodology), claim.stated) })),
      ),
      parts: rowOf('pools and venues', parts),
    },
    trust: calibrate(
      scores.filter((row) => row.isRated).map((row) => ({ ...row, stated: row.trust / 100 })),
      settings.folds,
    ),
    score: scoreCalibration(scores),
  };
}

function publishedCurve({ consensus }: Methodology): IsotonicCurve {
  return consensus.calibration.steps.map(([stated, right]) => ({ stated, right }));
}

function calibrate(claims: readonly (Claim & Injection)[], folds: number): Calibrated {
  return {
    stated: reliabilityOf(claims),
    restated: reliabilityOf(restateHeldOut(claims, folds)),
    curve: fitIsotonic(claims),
    leftOut: ERROR_KINDS.map((kind) => {
      const curve = fitIsotonic(claims.filter((claim) => claim.kind !== kind));
      const own = claims.filter((claim) => claim.kind === kind);
      const moved = own.map((claim) => ({ ...claim, stated: readCurve(curve, claim.stated) }));
      return { name: kind, ece: reliabilityOf(moved).ece, eceStated: reliabilityOf(own).ece };
    }),
  };
}

type Restated<Kind extends Claim> = Kind & { readonly before: number };

function rowsOf<Kind extends Claim>(
  claims: readonly Restated<Kind>[],
  nameOf: (claim: Kind) => string,
): readonly CalibrationRow[] {
  const groups = new Map<string, Restated<Kind>[]>();
  for (const claim of claims) {
    const group = groups.get(nameOf(claim));
    if (group) group.push(claim);
    else groups.set(nameOf(claim), [claim]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, group]) => rowOf(name, group));
}

function rowOf(name: string, claims: readonly Restated<Claim>[]): CalibrationRow {
  const before = reliabilityOf(claims.map((claim) => ({ ...claim, stated: claim.before })));
  return {
    name,
    claims: claims.length,
    meanStated: before.meanStated,
    rightShare: before.rightShare,
    ece: before.ece,
    eceRestated: reliabilityOf(claims).ece,
  };
}

const TIERS: readonly TrustScore['tier'][] = ['high', 'adequate', 'limited', 'weak', 'insufficient'];

function scoreCalibration(scores: readonly ScoreReplay[]): ScoreCalibration {
  const rated = scores.flatMap((row) => (row.error === null ? [] : [{ ...row, error: row.error }]));
  const means = new Map<string, { trust: number; count: number }>();
  for (const row of rated) {
    const sum = means.get(row.asset) ?? { trust: 0, count: 0 };
    means.set(row.asset, { trust: sum.trust + row.trust, count: sum.count + 1 });
  }
  const ownMean = (asset: string) => (means.get(asset)?.trust ?? 0) / (means.get(asset)?.count ?? 1);
  const errors = rated.map((row) => row.error);
  return {
    rated: rated.length,
    notRated: scores.length - rated.length,
    rankCorrelation: spearman(
      rated.map((row) => row.trust),
      errors,
    ),
    rankCorrelationWithinAsset: spearman(
      rated.map((row) => row.trust - ownMean(row.asset)),
      errors,
    ),
    tiers: TIERS.map((tier) => tierRow(tier, scores)).filter((row) => row.replays > 0),
    coverage: [
      coverageOf('all', rated),
      ...ERROR_KINDS.map((kind) =>
        coverageOf(
          kind,
          rated.filter((row) => row.kind === kind),
        ),
      ),
      ...[...new Set(rated.map((row) => row.amount))].map((amount) =>
        coverageOf(
          `amount ${amount}`,
          rated.filter((row) => row.amount === amount),
        ),
      ),
    ],
  };
}

function coverageOf(name: string, rows: readonly ScoreReplay[]) {
  return {
    name,
    rated: rows.length,
    covered: rows.length === 0 ? 0 : rows.filter((row) => row.covered).length / rows.length,
  };
}

function tierRow(tier: TrustScore['tier'], scores: readonly ScoreReplay[]): TierRow {
  const own = scores.filter((row) => row.tier === tier);
  const errors = own.flatMap((row) => (row.error === null ? [] : [row.error])).sort((a, b) => a - b);
  return {
    tier,
    replays: own.length,
    rated: errors.length,
    medianError: medianHigh(errors),
    ninetiethError: errors[Math.floor(errors.length * 0.9)] ?? null,
    criticalRight: own.length === 0 ? 0 : own.filter((row) => row.right).length / own.length,
  };
}

/** Steps of a non-decreasing curve: from `stated` on, the observed share is `right`. */
export type IsotonicCurve = readonly { readonly stated: number; readonly right: number }[];

/** Bins per unit of stated values. A curve of few steps can be published and does not fit single assets. */
const GRID = 20;

/** Pool-adjacent-violators (Ayer et al. 1955): the non-decreasing step function with the least squares. */
export function fitIsotonic(claims: readonly Claim[]): IsotonicCurve {
  const cells = Array.from({ length: GRID + 1 }, (_, index) => ({ stated: index / GRID, right: 0, count: 0 }));
  for (const claim of claims) {
    const cell = cells[cellOf(claim.stated)];
    if (!cell) continue;
    cell.right += Number(claim.right);
    cell.count += 1;
  }
  const pooled: { stated: number; right: number; count: number }[] = [];
  for (const cell of cells.filter(({ count }) => count > 0)) {
    let next = { ...cell };
    for (let last = pooled.at(-1); last && last.right * next.count >= next.right * last.count; last = pooled.at(-1)) {
      pooled.pop();
      next = { stated: last.stated, right: last.right + next.right, count: last.count + next.count };
    }
    pooled.push(next);
  }
  return pooled.map(({ stated, right, count }) => ({ stated, right: right / count }));
}

/** The bin of a stated value in [0, 1]. */
function cellOf(stated: number): number {
  return Math.max(0, Math.min(GRID, Math.floor(stated * GRID + 1e-9)));
}

/**
 * The curve's value for a stated value; below the first step, that of the first step. Without a curve, the stated
 * value.
 */
export function readCurve(curve: IsotonicCurve, stated: number): number {
  const at = cellOf(stated) / GRID;
  return (curve.findLast((step) => step.stated <= at) ?? curve[0])?.right ?? stated;
}

/**
 * The claims restated by curves fitted on other assets; `before` keeps the stated value. Assets are assigned to `folds`
 * in the order of their names.
 */
export function restateHeldOut<Kind extends Claim>(
  claims: readonly Kind[],
  folds: number,
): readonly (Kind & { readonly before: number })[] {
  const assets = [...new Set(claims.map((claim) => claim.asset))].sort();
  const foldOf = new Map(assets.map((asset, index) => [asset, index % folds]));
  return Array.from({ length: folds }, (_, fold) => {
    const curve = fitIsotonic(claims.filter((claim) => foldOf.get(claim.asset) !== fold));
    return claims
      .filter((claim) => foldOf.get(claim.asset) === fold)
      .map((claim) => ({ ...claim, stated: readCurve(curve, claim.stated), before: claim.stated }));
  }).flat();
}
