import type { UsageRow } from '../../store/index.ts';

/** Requests added up. */
export interface Sums {
  readonly requests: number;
  /** Of them, those that cost quota. */
  readonly billable: number;
  /** Answered 429. */
  readonly refused: number;
  /** Answered 5xx. */
  readonly errors: number;
  /** Of reply bodies as sent. */
  readonly bytes: number;
}

const NAMES = ['requests', 'billable', 'refused', 'errors', 'bytes'] as const;

/** All rows together. */
export function sumsOf(rows: readonly UsageRow[]): Sums {
  const sums = { requests: 0, billable: 0, refused: 0, errors: 0, bytes: 0 };
  for (const row of rows) for (const name of NAMES) sums[name] += row[name];
  return sums;
}

/** Rows together that share a value of `by`, in the order of these values. */
export function sumsBy(
  rows: readonly UsageRow[],
  by: 'day' | 'keyId' | 'group' | 'plan',
): readonly (Sums & { readonly value: string })[] {
  const values = [...new Set(rows.map((row) => row[by]))].sort();
  return values.map((value) => ({ value, ...sumsOf(rows.filter((row) => row[by] === value)) }));
}
