/** How many members had each distinct score, by what became of them; lowest score first. Counts may be bootstrap weights. */
export interface Tally {
  readonly scores: readonly number[];
  readonly failed: Float64Array;
  readonly survived: Float64Array;
}

export interface Discrimination {
  /** Chance that a failed member scored below a surviving one; ties count half. 0-1. */
  readonly auc: number;
  /** 2 AUC - 1: Gini of the cumulative accuracy profile. */
  readonly accuracyRatio: number;
  /** Largest distance of the two cumulative distributions, 0-1. */
  readonly ks: number;
  /** Average precision with failure as the positive class, worst scores first; a random score has the base rate. */
  readonly prAuc: number;
}

/** One row a member, in any order. `code[i]` is the place of member i's score in `tally.scores`. */
export function tallyOf(
  scores: readonly number[],
  failed: readonly boolean[],
): { readonly tally: Tally; readonly code: Int32Array } {
  const distinct = Float64Array.from(new Set(scores)).sort();
  const place = new Map([...distinct].map((score, index) => [score, index]));
  const code = Int32Array.from(scores, (score) => place.get(score) ?? 0);
  const tally = {
    scores: [...distinct],
    failed: new Float64Array(distinct.length),
    survived: new Float64Array(distinct.length),
  };
  for (const [index, at] of code.entries()) {
    const side = failed[index] ? tally.failed : tally.survived;
    side[at] = (side[at] ?? 0) + 1;
  }
  return { tally, code };
}

/** All four measures in one pass over the distinct scores. Null when one side is empty. */
export function discriminationOf({ failed, survived }: Pick<Tally, 'failed' | 'survived'>): Discrimination | null {
  const failures = sum(failed);
  const survivors = sum(survived);
  if (failures === 0 || survivors === 0) return null;
  let [below, survivorsBelow, pairs, ks, precision] = [0, 0, 0, 0, 0];
  for (let at = 0; at < failed.length; at += 1) {
    const bad = failed[at] ?? 0;
    const good = survived[at] ?? 0;
    pairs += good * (below + bad / 2);
    below += bad;
    survivorsBelow += good;
    if (below + survivorsBelow > 0) precision += (bad / failures) * (below / (below + survivorsBelow));
    ks = Math.max(ks, Math.abs(below / failures - survivorsBelow / survivors));
  }
  const auc = pairs / (failures * survivors);
  return { auc, accuracyRatio: 2 * auc - 1, ks, prAuc: precision };
}

/** AUC of a score straight from its rows; null when one side is empty. */
export function aucOf(scores: readonly number[], failed: readonly boolean[]): number | null {
  return discriminationOf(tallyOf(scores, failed).tally)?.auc ?? null;
}

/** Cumulative accuracy profile: of the worst `share` of all members, the share of all failures. From (0, 0) to (1, 1). */
export function capPoints(
  { failed, survived }: Pick<Tally, 'failed' | 'survived'>,
  most = 200,
): readonly (readonly [share: number, failures: number])[] {
  const failures = sum(failed);
  const all = failures + sum(survived);
  let [bad, members] = [0, 0];
  const points: (readonly [number, number])[] = [[0, 0]];
  for (let at = 0; at < failed.length; at += 1) {
    bad += failed[at] ?? 0;
    members += (failed[at] ?? 0) + (survived[at] ?? 0);
    points.push([members / all, bad / failures]);
  }
  if (points.length <= most) return points;
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => points[Math.round(index * step)] ?? [1, 1]);
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
