/** How many members had each score, by what became of them; scores in steps of 0.1, so a million members take two rows of bins. */
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
 * Accuracy ratio (Gini of the cumulative accuracy profile), -1 to 1: twice the share of pairs in which the failed one had the
 * lower score (ties count half), less one. Null when one side is empty.
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
