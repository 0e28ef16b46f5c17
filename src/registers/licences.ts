import { DAY_MS, type Json } from '../domain/index.ts';
import { type CsvRow, type Finding, isAuthorised } from './public.ts';
import type { RegisterFile } from './schema.ts';
import { LICENCE_CELLS, type RegisterRow } from './state.ts';
import type { RegisterTerms } from './terms.ts';

/** Name in the register of issuers of ESMA's register of e-money tokens, as the source of a licence. */
const ESMA = 'esma-emt';

/** Entry of an issuer in ESMA's register of e-money tokens. */
export interface ListedIssuer {
  readonly lei: string;
  /** Date of the register, YYYY-MM-DD. */
  readonly day: string;
  /** Addresses of the issuer's white papers under an authorisation in force; empty: it has no authorisation. */
  readonly papers: readonly string[];
}

/** White papers of an issuer under an authorisation in force, each once, sorted. */
export function papersOf(emt: readonly CsvRow[], lei: string | undefined): readonly string[] {
  const found = emt.filter((entry) => lei !== undefined && entry.ae_lei === lei && isAuthorised(entry));
  return [...new Set(found.map(({ wp_url }) => wp_url ?? ''))].sort();
}

/** A licence of a row by ESMA's register: the legal entity, the white paper and the register's date, YYYY-MM-DD. */
export interface CitedLicence {
  readonly lei: string;
  readonly paper: string;
  readonly seen: string | null;
}

/**
 * The licence of ESMA's register that a row cites by its white paper; null: it cites none. Documents of other
 * authorities are not white papers.
 */
export function citedLicence(row: RegisterRow | null | undefined): CitedLicence | null {
  const regulators = Array.isArray(row?.regulators) ? (row.regulators as readonly RegisterRow[]) : [];
  const cited = regulators.find((one) => one !== null && isWhitePaper(one));
  if (cited === undefined || typeof row?.lei !== 'string') return null;
  return { lei: row.lei, paper: String(cited.document), seen: typeof cited.seen === 'string' ? cited.seen : null };
}

const isWhitePaper = ({ source, document }: { readonly source?: unknown; readonly document?: unknown }) =>
  source === ESMA && typeof document === 'string';

interface Licensed {
  readonly regulators: readonly { readonly source?: string; readonly document?: string; readonly seen?: string }[];
  readonly unconfirmed: readonly string[];
}

/** The row with its cited licence read in the register of `day` (YYYY-MM-DD). */
export function confirmed<Row extends Licensed>(row: Row, day: string): Row {
  return { ...dated(row, day), unconfirmed: row.unconfirmed.filter((cell) => !LICENCE_CELLS.includes(cell)) };
}

/** The row with a licence that no register proves. */
export function withdrawn<Row extends Licensed>(row: Row): Row {
  return { ...row, unconfirmed: [...new Set([...row.unconfirmed, ...LICENCE_CELLS])] };
}

function dated<Row extends Licensed>(row: Row, day: string): Row {
  const cited = row.regulators.find(isWhitePaper);
  return { ...row, regulators: row.regulators.map((one) => (one === cited ? { ...one, seen: day } : one)) };
}

/**
 * Updates the row of an issuer from the newest register of licences. If the row's white paper is in the register, the
 * row is confirmed. If the issuer has other papers there (the address changes with each edition), a licence that was
 * confirmed before is renewed. An issuer that is not in the register has no licence, whatever the row's own date. A
 * register that is older than the one in which the row was read, or that does not concern the row, changes nothing.
 */
export function asListed(row: RegisterRow, listed: readonly ListedIssuer[]): RegisterRow {
  const cited = citedLicence(row);
  const found = listed.find(({ lei }) => lei === cited?.lei);
  if (cited === null || found === undefined || (cited.seen !== null && found.day < cited.seen)) return row;
  const licensed = { unconfirmed: [], ...row } as unknown as Licensed;
  const held = found.papers.includes(cited.paper)
    ? confirmed(licensed, found.day)
    : found.papers.length > 0
      ? dated(licensed, found.day)
      : withdrawn(licensed);
  return held as unknown as Readonly<Record<string, Json>>;
}

type Issuers = RegisterFile<'issuers'>;
type IssuerRow = Issuers['rows'][number];

/**
 * Compares the register of issuers with ESMA's registers of e-money tokens and of firms that do not comply. `day`: the
 * register's date (YYYY-MM-DD), from which licences count. A row whose white paper is in the register, of an issuer
 * with an authorisation in force, is confirmed and kept for another `licence_days`; a row that is no longer found
 * becomes unconfirmed. The result is the file with these changes.
 */
export function againstEsma(
  file: Issuers,
  emt: readonly CsvRow[],
  noncompliant: readonly CsvRow[],
  { day, today }: { readonly day: string; readonly today: string },
  terms: RegisterTerms,
): { readonly file: Issuers; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const expires = new Date(Date.parse(day) + terms.licence_days * DAY_MS).toISOString().slice(0, 10);
  const listed = new Set(noncompliant.flatMap(({ ae_lei }) => (ae_lei ? [ae_lei] : [])));
  const rows = file.rows.map((row): IssuerRow => {
    const say = (level: Finding['level'], text: string) =>
      findings.push({ level, register: 'issuers', id: row.id, text });
    if (row.lei !== undefined && listed.has(row.lei)) say('error', `ESMA lists the issuer ${row.lei} as not complying`);
    const cited = row.regulators.find(isWhitePaper);
    if (cited === undefined) return row;
    const papers = papersOf(emt, row.lei);
    if (papers.includes(cited.document ?? '')) {
      say('note', `confirmed by ESMA's register of ${day}`);
      return {
        ...confirmed(row, day),
        // The other cells may have been reviewed since.
        ...(day > row.seen ? { seen: day } : {}),
        ...(expires > row.expires ? { expires } : {}),
      };
    }
    say(
      'error',
      papers.length > 0
        ? `the issuer is in ESMA's register, and the white paper ${cited.document} is not`
        : `no authorised issuer ${row.lei ?? 'without LEI'} with a white paper is in ESMA's register`,
    );
    return withdrawn(row);
  });
  const source = file.sources[ESMA];
  const sources =
    source === undefined
      ? file.sources
      : { ...file.sources, [ESMA]: { ...source, url: terms.public.esma_emt, seen: day } };
  return { file: { ...file, updated: today, sources, rows }, findings };
}
