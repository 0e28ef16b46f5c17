/**
 * Number of members by score and outcome. Scores are in steps of 0.1, so that even a million members need only two rows
 * of bins.
 */
export interface ScoreBins {
  readonly failed: number[];
  readonly survived: number[];
}

const BINS = 1_001;

export function emptyBins(): ScoreBins {
  return { failed: new Array<number>(BINS).fill(0), survived: new Array<number>(BINS).fill(0) };
}

export function countScore(bins: ScoreBins, score: number, failed: boolean): void {
  const bin = Math.min(BINS - 1, Math.max(0, Math.round(score * 10)));
  const row = failed ? bins.failed : bins.survived;
  row[bin] = (row[bin] ?? 0) + 1;
}

/**
 * Accuracy ratio (Gini coefficient of the cumulative accuracy profile), -1 to 1: twice the share of pairs in which the
 * failed member had the lower score (ties count half), minus one. Null when no member failed or none survived.
 */
export function accuracyRatio({ failed, survived }: ScoreBins): number | null {
  const failures = failed.reduce((sum, count) => sum + count, 0);
  const survivors = survived.reduce((sum, count) => sum + count, 0);
  if (failures === 0 || survivors === 0) return null;
  let [pairs, failedBelow] = [0, 0];
  for (let bin = 0; bin < BINS; bin += 1) {
    pairs += (survived[bin] ?? 0) * (failedBelow + (failed[bin] ?? 0) / 2);
    failedBelow += failed[bin] ?? 0;
  }
  return (2 * pairs) / (failures * survivors) - 1;
}

/**
 * Jeffreys interval of a rate: the central part of Beta(x + 1/2, n - x + 1/2), with 0 or 1 as an end when none or all
 * failed (Brown, Cai and DasGupta 2001). Null without trials; `failures` may be a fraction.
 */
export function jeffreysInterval(
  failures: number,
  trials: number,
  confidence: number,
): readonly [low: number, high: number] | null {
  if (trials <= 0) return null;
  const [a, b] = [failures + 0.5, trials - failures + 0.5];
  const tail = (1 - confidence) / 2;
  return [failures <= 0 ? 0 : betaQuantile(tail, a, b), failures >= trials ? 1 : betaQuantile(1 - tail, a, b)];
}

const HALVINGS = 60;

function betaQuantile(probability: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2;
    if (betaBelow(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Regularised incomplete beta function. The continued fraction converges fast only on one side of the mean, so the
 * symmetric form is used on the other.
 */
function betaBelow(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - (logGamma(a) + logGamma(b) - logGamma(a + b)));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** Continued fraction of the incomplete beta function, by the modified Lentz method (DLMF 8.17.22). */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return result;
}

/**
 * Logarithm of the gamma function by Stirling's series. The argument is shifted to a range in which the terms used are
 * exact to the last digits.
 */
function logGamma(value: number): number {
  let [z, shift] = [value, 0];
  for (; z < 15; z += 1) shift += Math.log(z);
  const square = 1 / (z * z);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / z;
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - shift;
}
