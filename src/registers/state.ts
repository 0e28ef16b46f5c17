import { DAY_MS, type Json } from '../domain/index.ts';
import type { RegisterTerms } from './terms.ts';

/**
 * A row of a register: its cells, `unconfirmed` (cells that no source proves), `expires` and `seen` (RFC 3339 dates).
 */
export type RegisterRow = Readonly<Record<string, Json>>;

/** Number of people who review a row before it counts as reviewed. */
export const REVIEWERS = 2;

/**
 * `proven`: a source that was read states it; `unconfirmed`: no source that was read does; `expired`: it is past its
 * review date.
 */
export type CellState = 'proven' | 'unconfirmed' | 'expired';
/** `confirmed`: every cell is proven and two people reviewed the row. */
export type RowState = 'confirmed' | 'unconfirmed' | 'expired';

const timeOf = (value: Json | undefined) => (typeof value === 'string' ? Date.parse(value) : Number.NaN);
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

export const isUnconfirmed = (row: RegisterRow, cell: string): boolean => listOf(row.unconfirmed).includes(cell);
/** True when the row is past its review date. `at`: RFC 3339. */
export const isExpired = (row: RegisterRow, at: string): boolean => timeOf(row.expires) < Date.parse(at);
export const isReviewed = (row: RegisterRow): boolean => new Set(listOf(row.reviewed_by)).size >= REVIEWERS;

/** Cells that a public register of licences proves. */
export const LICENCE_CELLS: readonly string[] = ['tier', 'regulators'];

/** True when the licence of a row was ever read in a register, or two people reviewed it. */
export function isLicenceProven(row: RegisterRow): boolean {
  return isReviewed(row) || listOf(row.regulators).some((one) => (one as RegisterRow | null)?.seen !== undefined);
}

/**
 * Day (YYYY-MM-DD) until which a row proves its licence; null: it does not. A licence is proven for `licence_days` from
 * the date of the public file that it was read in, whenever the row was reviewed, or by two reviewers for as long as
 * the row is kept.
 */
export function licenceUntil(row: RegisterRow, terms: RegisterTerms): string | null {
  if (LICENCE_CELLS.some((cell) => isUnconfirmed(row, cell))) return null;
  const read = listOf(row.regulators).flatMap((regulator) => {
    const seen = timeOf((regulator as RegisterRow | null)?.seen);
    return Number.isNaN(seen) ? [] : [seen + terms.licence_days * DAY_MS];
  });
  const reviewed = isReviewed(row) && !Number.isNaN(timeOf(row.expires)) ? [timeOf(row.expires)] : [];
  const until = Math.max(...read, ...reviewed);
  return Number.isFinite(until) ? new Date(until).toISOString().slice(0, 10) : null;
}

/**
 * Confidence of a cell of a row at the time `at` (RFC 3339), and its next review date; null for rows without review
 * dates.
 */
export function stateOfCell(
  row: RegisterRow,
  cell: string,
  at: string,
  terms: RegisterTerms,
): { readonly state: CellState; readonly expires: string | null } {
  const kept = typeof row.expires === 'string' ? row.expires : null;
  const isLicence = LICENCE_CELLS.includes(cell) && row.tier === 'supervised';
  const licence = isLicence ? licenceUntil(row, terms) : null;
  const expires = licence !== null && (kept === null || licence < kept) ? licence : kept;
  if (expires !== null && Date.parse(expires) < Date.parse(at)) return { state: 'expired', expires };
  const isProven = !isUnconfirmed(row, cell) && (!isLicence || licence !== null);
  return { state: isProven ? 'proven' : 'unconfirmed', expires };
}

/** Confidence of a row as a whole at the time `at` (RFC 3339). */
export function stateOfRow(row: RegisterRow, at: string): RowState {
  if (isExpired(row, at)) return 'expired';
  return isReviewed(row) && listOf(row.unconfirmed).length === 0 ? 'confirmed' : 'unconfirmed';
}
