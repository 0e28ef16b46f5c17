/** One column of an export: the same value in every form. */
export interface Column<Row> {
  /** snake_case, unit in the name. */
  readonly name: string;
  readonly type: 'text' | 'number' | 'integer' | 'time' | 'boolean' | 'list';
  /** What it means, for the documents. */
  readonly meaning: string;
  /** `text` and `time` (RFC 3339) give strings, `list` texts, the others numbers or booleans; null: not known. */
  readonly value: (row: Row) => ExportValue;
}

/** Lists are joined by `;` in CSV, and lists in the other forms. */
export type ExportValue = string | number | boolean | readonly string[] | null;

/** A number that may stand in a file: NaN and infinities are not known. */
export function finite(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
