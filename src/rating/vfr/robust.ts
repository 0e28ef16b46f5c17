import { median, robustSd } from '../../domain/index.ts';

/** For each value, in order, the median of the other values. */
export function mediansWithout(values: readonly number[]): readonly number[] {
  const sorted = ascending(values);
  const below = Math.floor((sorted.length - 1) / 2);
  const at = (place: number) => sorted[place] ?? 0;
  // Removing a value moves all values above it down by one index.
  const left = (place: number, taken: number) => (taken <= at(place) ? at(place + 1) : at(place));
  return values.map((taken) =>
    sorted.length % 2 === 0 ? left(below, taken) : (left(below - 1, taken) + left(below, taken)) / 2,
  );
}

/**
 * Standard deviation whose interval (`intervalZ` to either side) contains the required share of the errors plus one
 * larger error. The extra one corrects for errors that are slightly too small because the peers also produced the
 * estimate. 0 without errors.
 */
export function spanOf(
  errors: readonly number[],
  rules: { readonly intervalShare: number; readonly intervalZ: number },
): number {
  const sizes = ascending(errors.map(Math.abs));
  const place = Math.min(sizes.length, Math.ceil(rules.intervalShare * (sizes.length + 1)));
  return (sizes[place - 1] ?? 0) / rules.intervalZ;
}

/** Limits at `deviations` robust standard deviations on both sides of the median. */
export function boundsOf(values: readonly number[], deviations: number): readonly [number, number] {
  const centre = median(values) ?? 0;
  const most = deviations * (robustSd(values, centre) ?? 0);
  // More than half of the values are equal, so there is no scale for the others.
  return most === 0 ? [-Infinity, Infinity] : [centre - most, centre + most];
}

/** Clamps the value to the bounds. */
export function within(value: number, [low, high]: readonly [number, number]): number {
  return Math.min(high, Math.max(low, value));
}

/** Moves values farther than `deviations` robust standard deviations from their median to that distance. */
export function winsorised(values: readonly number[], deviations: number): readonly number[] {
  const bounds = boundsOf(values, deviations);
  return values.map((value) => within(value, bounds));
}

/** Shrinks the median of a group towards a wider one by a pseudo-count: small groups carry little information. */
export function shrunk(group: number, size: number, wider: number, pseudoCount: number): number {
  return (size * group + pseudoCount * wider) / (size + pseudoCount);
}

function ascending(values: readonly number[]): Float64Array {
  return new Float64Array(values).sort();
}

export interface RidgeFit {
  /**
   * Value on the line. A coordinate outside the range of the rows is clamped to it, because the line is unknown there.
   */
  readonly predict: (row: readonly number[]) => number;
  /** Elasticities, in the order of the columns. */
  readonly slopes: readonly number[];
  /** Distance of each row from the line fitted without it. */
  readonly leftOut: readonly number[];
  /** Root mean square of `leftOut`, winsorised: the prediction error including the uncertainty of the line. */
  readonly sd: number;
  /** Share of the variance explained on left-out rows; at most 1, negative when worse than their mean. */
  readonly r2: number;
}

/**
 * Reweighting passes: the largest measured effect of a single row on a prediction is the same after 6 and 25 passes, to
 * four digits.
 */
const PASSES = 6;

/**
 * Ridge regression of `values` on `rows` (logs) with a free intercept, robust against single rows. Columns are
 * winsorised, and so are the residuals, by Huber's modified residuals (Huber 1981, 7.8). Residuals are taken from the
 * line fitted without the row, because a distant row pulls its own line close. Leave-one-out residuals come from the
 * hat matrix and are exact for a given right side. Needs two rows or more.
 */
export function ridge(
  rows: readonly (readonly number[])[],
  values: readonly number[],
  rules: { readonly lambda: number; readonly deviations: number },
): RidgeFit {
  const bounds = (rows[0] ?? []).map((_, column) =>
    boundsOf(
      rows.map((row) => row[column] ?? 0),
      rules.deviations,
    ),
  );
  const clamp = (row: readonly number[]) => bounds.map((limits, column) => within(row[column] ?? 0, limits));
  const clamped = rows.map(clamp);
  const means = bounds.map((_, column) => mean(clamped.map((row) => row[column] ?? 0)));
  const centred = clamped.map((row) => row.map((value, column) => value - (means[column] ?? 0)));
  const gram = means.map((_, i) =>
    means.map((__, j) => centred.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), i === j ? rules.lambda : 0)),
  );
  const leverage = centred.map((row) => 1 / rows.length + dot(row, solve(gram, row)));
  const fit = (right: readonly number[]) => {
    const middle = mean(right);
    const moments = means.map((_, column) =>
      centred.reduce((sum, row, index) => sum + (row[column] ?? 0) * ((right[index] ?? 0) - middle), 0),
    );
    const slopes = solve(gram, moments);
    return { middle, slopes, right, fitted: centred.map((row) => middle + dot(row, slopes)) };
  };
  const bounded = winsorised(values, rules.deviations);
  let line = fit(bounded);
  for (let pass = 0; pass < PASSES; pass++) {
    const without = line.right.map((value, row) => value - leftOutOf(value, line.fitted[row] ?? 0, leverage[row] ?? 0));
    const errors = winsorised(
      bounded.map((value, row) => value - (without[row] ?? 0)),
      rules.deviations,
    );
    line = fit(errors.map((error, row) => (without[row] ?? 0) + error));
  }
  const { right, fitted, middle, slopes } = line;
  const inner = right.map((value, row) => leftOutOf(value, fitted[row] ?? 0, leverage[row] ?? 0));
  const squares = winsorised(inner, rules.deviations).reduce((sum, residual) => sum + residual ** 2, 0);
  const widening = rows.length / (rows.length - 1);
  const total = right.reduce((sum, value) => sum + (widening * (value - middle)) ** 2, 0);
  return {
    predict: (row) =>
      middle +
      dot(
        clamp(row).map((value, column) => value - (means[column] ?? 0)),
        slopes,
      ),
    slopes,
    // Adds what winsorising removed from a row to its residual.
    leftOut: inner.map((residual, row) => residual + (values[row] ?? 0) - (right[row] ?? 0)),
    sd: Math.sqrt(squares / rows.length),
    r2: total > 0 ? 1 - squares / total : 0,
  };
}

/** Residual of a row on the line fitted without it. */
function leftOutOf(value: number, fitted: number, leverage: number): number {
  return (value - fitted) / (1 - leverage);
}

/** Solves A x = b for a symmetric positive definite A (Cholesky) with finite entries. */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const size = right.length;
  const lower = matrix.map((row) => row.map(() => 0));
  const at = (row: number, column: number) => lower[row]?.[column] ?? 0;
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row]?.[column] ?? 0;
      for (let k = 0; k < column; k++) sum -= at(row, k) * at(column, k);
      const line = lower[row];
      if (line) line[column] = row === column ? Math.sqrt(sum) : sum / at(column, column);
    }
  const middle: number[] = [];
  for (let row = 0; row < size; row++) {
    let sum = right[row] ?? 0;
    for (let k = 0; k < row; k++) sum -= at(row, k) * (middle[k] ?? 0);
    middle.push(sum / at(row, row));
  }
  const found = middle.map(() => 0);
  for (let row = size - 1; row >= 0; row--) {
    let sum = middle[row] ?? 0;
    for (let k = row + 1; k < size; k++) sum -= at(k, row) * (found[k] ?? 0);
    found[row] = sum / at(row, row);
  }
  return found;
}

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
