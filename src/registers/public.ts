import { parse } from 'csv-parse/sync';

/** A finding of a check. An `error` makes the check fail. */
export interface Finding {
  readonly level: 'error' | 'warning' | 'note';
  readonly register: string;
  /** Null: about the whole file. */
  readonly id: string | null;
  readonly text: string;
}

/** A public file at its last read. */
export interface PublicCopy {
  readonly rows: number;
  readonly sha256: string;
  readonly seen: string;
}

export type CsvRow = Readonly<Record<string, string>>;

/**
 * Rows of a CSV (RFC 4180, with or without a byte order mark) by the names of its first line; null when it has no
 * header, a row has too many cells or the last row is cut off.
 */
export function readCsv(text: string): readonly CsvRow[] | null {
  let lines: readonly (readonly string[])[];
  try {
    lines = parse(text, { bom: true, relaxColumnCount: true, trim: true });
  } catch {
    return null;
  }
  const [names = [], ...rows] = lines.filter((cells) => cells.some((cell) => cell !== ''));
  const last = rows.at(-1)?.length ?? 0;
  if (names.length < 2 || rows.some(({ length }) => length > names.length || length > last)) return null;
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

/**
 * Why a public file is refused: a column is missing, or it lost more of its rows than `limit` since the last read; null
 * when it is accepted.
 */
export function complaintOf(
  rows: readonly CsvRow[] | null,
  columns: readonly string[],
  before: PublicCopy | undefined,
  limit: number,
): string | null {
  if (rows === null) return 'it is no CSV file';
  const missing = columns.filter((column) => rows.some((row) => row[column] === undefined));
  if (rows.length === 0 || missing.length > 0) return `it has ${rows.length} rows, and no column ${missing.join(', ')}`;
  return before !== undefined && rows.length < before.rows * (1 - limit)
    ? `it has ${rows.length} rows, and had ${before.rows} on ${before.seen}: a file that shrinks by more than ${limit * 100} % is refused`
    : null;
}

/**
 * The date (YYYY-MM-DD) of a public file: the date of change that its server states, else the newest date of change in
 * its rows; never after `today`. A file that is no longer maintained, or a copy of last year, proves nothing of this
 * year.
 */
export function dayOf(rows: readonly CsvRow[], lastModified: string | undefined, today: string): string {
  const served = Date.parse(lastModified ?? '');
  const days = rows.flatMap(({ wp_lastupdate: text = '' }) => {
    const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
    return year === undefined ? [] : [`${year}-${month}-${day}`];
  });
  const known = Number.isNaN(served) ? days : [new Date(served).toISOString().slice(0, 10)];
  return (
    known
      .filter((day) => day <= today)
      .sort()
      .at(-1) ?? today
  );
}

/** Columns read from ESMA's registers. */
export const EMT_COLUMNS = ['ae_lei', 'ac_authorisationEndDate', 'ae_authorisation_other_emt', 'wp_url', 'wp_comments'];
export const NONCOMPLIANT_COLUMNS = ['ae_lei', 'ae_commercial_name'];

/**
 * A row that makes its issuer supervised: a credit or e-money institution whose authorisation has not ended, with a
 * white paper, offered to the public.
 */
export function isAuthorised(row: CsvRow): boolean {
  return (
    row.ac_authorisationEndDate === '' &&
    /money|credit/i.test(row.ae_authorisation_other_emt ?? '') &&
    !['', 'EMT_NO_WP'].includes(row.wp_url ?? '') &&
    !/limited network/i.test(row.wp_comments ?? '')
  );
}

/** Error in a LEI by GLEIF's record; null if there is none. */
export function leiComplaint(lei: string, record: unknown): string | null {
  const status = (record as { data?: { attributes?: { registration?: { status?: unknown } } } } | null)?.data
    ?.attributes?.registration?.status;
  if (typeof status !== 'string') return `GLEIF's record of ${lei} could not be read`;
  return status === 'ISSUED' ? null : `GLEIF calls the registration of ${lei} ${status.slice(0, 40)}`;
}
