/** One column of an export: the same value in every form. */
export interface Column<Row> {
  /** snake_case, unit in the name. */
  readonly name: string;
  readonly type: 'text' | 'number' | 'integer' | 'time' | 'boolean';
  /** What it means, for the documents. */
  readonly meaning: string;
  /** `text` and `time` (RFC 3339) give strings, the others numbers or booleans; null: not known. */
  readonly value: (row: Row) => string | number | boolean | null;
}

/** A number that may stand in a file: NaN and infinities are not known. */
export function finite(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
