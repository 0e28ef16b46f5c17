import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { counted, type Json } from '../domain/index.ts';
import type { Finding, PublicCopy } from './public.ts';
import { complaintsOf, REGISTER_NAMES, type RegisterName } from './schema.ts';
import { licenceUntil, REVIEWERS } from './state.ts';
import type { RegisterTerms } from './terms.ts';

const DAY_MS = 86_400_000;

type Row = Readonly<Record<string, Json>>;

/** Checks the files of a folder: schema and sources, expiry, reviewers. `today`: YYYY-MM-DD. */
export function checkFolder(folder: string, today: string, terms: RegisterTerms): readonly Finding[] {
  const there = REGISTER_NAMES.filter((name) => existsSync(join(folder, `${name}.json`)));
  if (there.length === 0)
    return [{ level: 'error', register: '-', id: null, text: `there is no register in ${folder}` }];
  return there.flatMap((register) => {
    const content = contentOf(join(folder, `${register}.json`));
    const complaints = content === null ? ['it is no JSON'] : complaintsOf(register, content);
    if (complaints.length > 0) return complaints.map((text): Finding => ({ level: 'error', register, id: null, text }));
    return checkRows(register, (content as { readonly rows: readonly Row[] }).rows, today, terms);
  });
}

/** JSON of a file; null if it is malformed. */
export function contentOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** Stored copies of public files as last read, by name; empty if there are none. */
export function publicCopies(folder: string): Readonly<Record<string, PublicCopy>> {
  return (contentOf(join(folder, 'public.json')) ?? {}) as Readonly<Record<string, PublicCopy>>;
}

function checkRows(
  register: RegisterName,
  rows: readonly Row[],
  today: string,
  terms: RegisterTerms,
): readonly Finding[] {
  // Labels are reviewed once and have no cells of their own.
  if (register === 'labels') return [];
  const findings = rows.flatMap((row): readonly Finding[] => {
    const id = String(row.id);
    const days = (Date.parse(String(row.expires)) - Date.parse(today)) / DAY_MS;
    const reviewers = Array.isArray(row.reviewed_by) ? row.reviewed_by : [];
    const say = (level: Finding['level'], text: string): Finding => ({ level, register, id, text });
    const licence = row.tier === 'supervised' ? licenceUntil(row, terms) : null;
    return [
      ...datesOf(row).flatMap(([cell, day]) => (day > today ? [say('error', `${cell} is ${day}, after today`)] : [])),
      ...(days < 0 ? [say('error', `it expired on ${String(row.expires)}`)] : []),
      ...(days >= 0 && days < terms.expiry_warning_days
        ? [say('warning', `it expires on ${String(row.expires)}`)]
        : []),
      ...(new Set(reviewers).size < reviewers.length ? [say('error', 'one person reviewed it twice')] : []),
      ...(reviewers.length > 0 && reviewers.length < REVIEWERS
        ? [say('warning', 'a second person has to review it')]
        : []),
      ...(licence !== null && licence < today
        ? [say('warning', `its licence was proven until ${licence} and counts as disclosed: check --online --write`)]
        : []),
    ];
  });
  const unreviewed = rows.filter((row) => Array.isArray(row.reviewed_by) && row.reviewed_by.length < REVIEWERS).length;
  const cells = rows.reduce((sum, row) => sum + (Array.isArray(row.unconfirmed) ? row.unconfirmed.length : 0), 0);
  const text = `${counted(rows.length, 'row')}, ${unreviewed} without two reviewers, ${counted(cells, 'cell')} unconfirmed`;
  return [...findings, { level: 'note', register, id: null, text }];
}

/** Days on which something of a row was read or published, each with its cell; the terms count from them. */
function datesOf(row: Row): readonly (readonly [cell: string, day: string])[] {
  const { reports, regulators } = row;
  const newest = Array.isArray(reports) ? null : (reports as Row | null | undefined)?.newest_date;
  const read = (Array.isArray(regulators) ? regulators : []).map((one) => (one as Row | null)?.seen);
  return [
    ['seen', row.seen] as const,
    ['reports.newest_date', newest] as const,
    ...read.map((day) => ['regulators.seen', day] as const),
  ].flatMap(([cell, day]) => (typeof day === 'string' ? [[cell, day] as const] : []));
}

/** A row that differs between two files. */
export interface Difference {
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Cells that differ; none for a row of one side only. */
  readonly cells: readonly string[];
}

/** Differences between two sets of rows, by id: rows of one side only, and cells with another value. */
export function differences(ours: readonly Row[], theirs: readonly Row[]): readonly Difference[] {
  const [left, right] = [byId(ours), byId(theirs)];
  return [...new Set([...left.keys(), ...right.keys()])].sort().flatMap((id): readonly Difference[] => {
    const [a, b] = [left.get(id), right.get(id)];
    if (a === undefined) return [{ id, change: 'added', cells: [] }];
    if (b === undefined) return [{ id, change: 'removed', cells: [] }];
    const cells = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
    const changed = cells.filter((cell) => JSON.stringify(a[cell]) !== JSON.stringify(b[cell]));
    return changed.length === 0 ? [] : [{ id, change: 'changed', cells: changed }];
  });
}

/** Rows by their id; labels by chain and address. */
function byId(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [String(row.id ?? `${String(row.chain)}/${String(row.address)}`), row]));
}

/** The file with rows of another merged in: a row of the same id is replaced; its sources are added. */
export function merged(file: unknown, added: unknown, today: string): unknown {
  const [before, more] = [file, added] as readonly ({
    readonly rows: readonly Row[];
    readonly sources: Row;
    readonly world?: string;
  } | null)[];
  const rows = new Map([...byId(before?.rows ?? []), ...byId(more?.rows ?? [])]);
  // A file with rows of the sandbox stays marked as such.
  const world = before?.world ?? more?.world;
  return {
    ...(world === undefined ? {} : { world }),
    updated: today,
    sources: { ...before?.sources, ...more?.sources },
    rows: [...rows.values()],
  };
}
