/**
 * A number in [0, 1). All random numbers of a validation come from one of these, so that the same seed gives the same
 * report.
 */
export type Random = () => number;

/** xoshiro128** (Blackman and Vigna 2018), seeded by splitmix32: 32 bits per draw, period 2^128 - 1. */
export function seededRandom(seed: number): Random {
  let mixer = seed >>> 0;
  const mix = () => {
    mixer = (mixer + 0x9e3779b9) >>> 0;
    let word = mixer;
    word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return (word ^ (word >>> 15)) >>> 0;
  };
  let [a, b, c, d] = [mix(), mix(), mix(), mix()];
  return () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result / 4_294_967_296;
  };
}

/** A whole number from 0 to `below` - 1. */
export function pickBelow(below: number, random: Random): number {
  return Math.floor(random() * below);
}

/** `count` of the given rows, without replacement, in their own order. All of them when there are no more. */
export function sampleOf<Row>(rows: readonly Row[], count: number, random: Random): readonly Row[] {
  if (rows.length <= count) return rows;
  const chosen: Row[] = [];
  // Selection sampling (Knuth, algorithm S): each row is taken with its remaining probability.
  for (const [index, row] of rows.entries())
    if (random() * (rows.length - index) < count - chosen.length) chosen.push(row);
  return chosen;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

export interface SobolIndices {
  readonly first: readonly number[];
  readonly total: readonly number[];
  /** Mean and variance of the output over all base draws. */
  readonly mean: number;
  readonly variance: number;
  readonly evaluations: number;
}

/**
 * Variance-based sensitivity of `model` to `inputs` independent uniform numbers in [0, 1). Saltelli's design (2010):
 * two base matrices A and B and, for each input, A with that column of B; first-order indices by Saltelli et al.
 * (2010), total ones by Jansen (1999). Each matrix has `base` rows, drawn as a Latin hypercube, which makes `base`
 * (inputs + 2) evaluations. Indices of a constant output are 0. Estimates may be slightly below 0. `model` gets the place
 * of each evaluation: row of A, `base` + row of B, then (2 + input) `base` + row for A with a column of B. They come row
 * by row: B, A, and A with each column of B.
 */
export function sobolIndices(
  model: (input: Float64Array, place: number) => number,
  inputs: number,
  base: number,
  random: Random,
  onProgress: (done: number) => void = () => undefined,
): SobolIndices {
  const a = latinHypercube(base, inputs, random);
  const b = latinHypercube(base, inputs, random);
  const outputs = new Float64Array(base * (inputs + 2));
  for (const [row, fromA] of a.entries()) {
    const fromB = b[row] ?? fromA;
    const evaluate = (input: Float64Array, place: number) => {
      outputs[place] = model(input, place);
    };
    evaluate(fromB, base + row);
    evaluate(fromA, row);
    for (let input = 0; input < inputs; input += 1) {
      const mixed = Float64Array.from(fromA);
      mixed[input] = fromB[input] ?? 0;
      evaluate(mixed, (2 + input) * base + row);
    }
    onProgress((row + 1) / base);
  }
  const both = outputs.subarray(0, 2 * base);
  const mean = both.reduce((sum, value) => sum + value, 0) / both.length;
  const variance = both.reduce((sum, value) => sum + (value - mean) ** 2, 0) / both.length;
  const first: number[] = [];
  const total: number[] = [];
  for (let input = 0; input < inputs; input += 1) {
    let [own, rest] = [0, 0];
    for (let row = 0; row < base; row += 1) {
      const value = outputs[(2 + input) * base + row] ?? 0;
      const fromA = outputs[row] ?? 0;
      // Centred outputs, because the product estimator is far more stable when the mean is large compared with the
      // spread.
      own += ((outputs[base + row] ?? 0) - mean) * (value - fromA);
      rest += (fromA - value) ** 2;
    }
    first.push(variance === 0 ? 0 : own / base / variance);
    total.push(variance === 0 ? 0 : rest / (2 * base) / variance);
  }
  return { first, total, mean, variance, evaluations: base * (inputs + 2) };
}

/** Rows of numbers in [0, 1): each column has one number in each of `rows` equal parts, in random order. */
export function latinHypercube(rows: number, columns: number, random: Random): readonly Float64Array[] {
  const matrix = Array.from({ length: rows }, () => new Float64Array(columns));
  for (let column = 0; column < columns; column += 1) {
    const order = Uint32Array.from({ length: rows }, (_, index) => index);
    for (let at = rows - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
    }
    for (const [row, part] of order.entries()) {
      const line = matrix[row];
      if (line) line[column] = (part + random()) / rows;
    }
  }
  return matrix;
}
