/** Solves A x = b for a symmetric positive definite A (Cholesky); every entry a finite number. */
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
