/** Scores of all members under one variant, laid out so that the AUC of any part of them is one pass. */
export interface Candidate {
  readonly name: string;
  /** Place of each member's published score among the distinct ones, lowest first. */
  readonly published: Places;
  /** The same with equal published scores ordered by the score before caps. */
  readonly ranked: Places;
}

export interface Places {
  readonly of: Int32Array;
  readonly count: number;
}

/** Places of scores among their distinct values. */
export function placesOf(scores: readonly number[]): Places {
  const distinct = Float64Array.from(new Set(scores)).sort();
  const place = new Map([...distinct].map((score, at) => [score, at]));
  return { of: Int32Array.from(scores, (score) => place.get(score) ?? 0), count: distinct.length };
}

/** AUC of some members: the chance that a failed one scored below a surviving one, ties half. Null when one side is empty. */
export function aucOfPart(places: Places, rows: ArrayLike<number>, failed: ArrayLike<boolean>): number | null {
  const bad = new Float64Array(places.count);
  const good = new Float64Array(places.count);
  let failures = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    const place = places.of[row] ?? 0;
    if (failed[row]) {
      bad[place] = (bad[place] ?? 0) + 1;
      failures += 1;
    } else good[place] = (good[place] ?? 0) + 1;
  }
  const survivors = rows.length - failures;
  if (failures === 0 || survivors === 0) return null;
  let [below, pairs] = [0, 0];
  for (let place = 0; place < places.count; place += 1) {
    pairs += (good[place] ?? 0) * (below + (bad[place] ?? 0) / 2);
    below += bad[place] ?? 0;
  }
  return pairs / (failures * survivors);
}

/** The candidate with the best mean AUC over the inner folds; the first of equals. An inner fold with one outcome only says nothing. */
export function choose(
  candidates: readonly Candidate[],
  innerFolds: readonly ArrayLike<number>[],
  failed: ArrayLike<boolean>,
): { readonly at: number; readonly auc: number } {
  let best = { at: 0, auc: Number.NEGATIVE_INFINITY };
  for (const [at, { published }] of candidates.entries()) {
    const auc = meanOf(innerFolds.map((rows) => aucOfPart(published, rows, failed)));
    if (auc !== null && auc > best.auc + TIE) best = { at, auc };
  }
  return best.auc === Number.NEGATIVE_INFINITY ? { at: 0, auc: 0.5 } : best;
}

/** Differences of rounding are no reason to leave the first. */
const TIE = 1e-12;

/** Mean of those that are known; null when none is. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
