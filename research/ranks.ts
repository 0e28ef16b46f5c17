/** Ranks from 1, lowest first; equal values share the mean of their ranks. */
export function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from({ length: values.length }, (_, index) => index).sort(
    (a, b) => (values[a] ?? 0) - (values[b] ?? 0),
  );
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) end += 1;
    for (let at = start; at < end; at += 1) ranks[order[at] ?? 0] = (start + end + 1) / 2;
    start = end;
  }
  return ranks;
}

/** Spearman's rank correlation with ties; null when one side has only one value, or with fewer than two pairs. */
export function spearman(left: ArrayLike<number>, right: ArrayLike<number>): number | null {
  const [a, b] = [ranksOf(left), ranksOf(right)];
  const mean = (a.length + 1) / 2;
  let [both, first, second] = [0, 0, 0];
  for (let index = 0; index < a.length; index += 1) {
    const x = (a[index] ?? 0) - mean;
    const y = (b[index] ?? 0) - mean;
    both += x * y;
    first += x * x;
    second += y * y;
  }
  return first === 0 || second === 0 ? null : both / Math.sqrt(first * second);
}
