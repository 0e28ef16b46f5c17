import { canonicalScope, type Observation } from '../../src/domain/index.ts';

/** One value that an independent reader took from a recorded reply. A value that begins with `ABSENT` means that nothing may be observed. */
export interface Check {
  readonly quantity: string;
  readonly value: unknown;
  readonly unit?: string;
  readonly scope: string;
  /** The book that was recorded ends before 2 %. */
  readonly lower_bound?: boolean;
}

/** What the adapter says instead. */
export interface Wrong {
  readonly file: string;
  readonly quantity: string;
  readonly scope: string;
  readonly want: unknown;
  /** The observed values of this quantity and scope; an outcome such as `malformed` when the reply gave no observation at all. */
  readonly got: unknown;
}

/** Relative difference up to which two numbers are the same reading. */
const SAME = 1e-9;

/** The difference between a check and what the adapter observed; null when they agree. Scopes of markets are compared by their canonical names. */
export function difference(
  file: string,
  check: Check,
  outcome: string,
  observations: readonly Observation[],
): Wrong | null {
  const scope = canonicalScope(check.scope);
  const found = observations.filter((row) => row.quantity === check.quantity && canonicalScope(row.scope) === scope);
  const values = found.map((row) => row.value);
  const absent = typeof check.value === 'string' && check.value.startsWith('ABSENT');
  const right = absent
    ? found.length === 0
    : values.length > 0 && values.every((value) => same(check.value, value)) && units(check, found);
  if (right) return null;
  const got = values.length === 0 ? (outcome === 'ok' ? null : outcome) : values.length === 1 ? values[0] : values;
  return { file, quantity: check.quantity, scope: check.scope, want: check.value, got };
}

function units(check: Check, found: readonly Observation[]): boolean {
  return check.unit === undefined || found.every((row) => row.unit === check.unit);
}

/** Whether two readings are the same value. */
export function same(want: unknown, got: unknown): boolean {
  if (typeof want === 'number' && typeof got === 'number')
    return want === got || Math.abs(want - got) <= SAME * Math.max(Math.abs(want), Math.abs(got));
  if (Array.isArray(want) && Array.isArray(got))
    return want.length === got.length && want.every((value, index) => same(value, got[index]));
  if (typeof want === 'object' && typeof got === 'object' && want !== null && got !== null) {
    const [left, right] = [Object.entries(want), got as Readonly<Record<string, unknown>>];
    return left.length === Object.keys(right).length && left.every(([name, value]) => same(value, right[name]));
  }
  return want === got;
}
