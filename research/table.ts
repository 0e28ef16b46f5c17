import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import { DAY_MS, ok, QUANTITIES, type QuantityId, type Result } from '../src/domain/index.ts';
import {
  BOOLEANS_READ,
  DATES_READ,
  type NumberForm,
  numberHint,
  plainNumber,
  separatorOf,
  statesOf,
} from './cell-forms.ts';
import {
  type ColumnRule,
  type ColumnUse,
  type Condition,
  type DataFile,
  type Refusal,
  refuse,
  type Table,
} from './mapping.ts';

/** A rated row takes 5 kB; more would exceed the default memory limit of Node. */
const MOST_ROWS = 500_000;
const MOST_COLUMNS = 1_000;
const LONGEST_RECORD = 1_000_000;

/**
 * Reads CSV files (RFC 4180, first record names the columns; `.gz` too) as a stream, and hashes the stored bytes. Files
 * with different columns are combined; a column that a file lacks is empty there.
 */
export async function readTable(paths: readonly string[]): Promise<Result<Table, { refusal: Refusal }>> {
  const files: DataFile[] = [];
  const rows: Table['rows'][number][] = [];
  const place = new Map<string, number>();
  for (const path of paths) {
    const read = await readOne(path, MOST_ROWS - rows.length);
    if (!read.ok) return read;
    const { header, records, file } = read.value;
    for (const column of header) if (!place.has(column)) place.set(column, place.size);
    const target = header.map((column) => place.get(column) ?? 0);
    const inOrder = target.every((at, index) => at === index);
    files.push(file);
    for (const [index, record] of records.entries()) {
      const cells = inOrder ? record : arranged(record, target, place.size);
      rows.push({ file: file.name, line: index + 2, cells });
    }
  }
  if (files.length === 0) return refuse('no_data', 'no file was given');
  if (rows.length === 0) return refuse('empty_file', `${files[0]?.name}: it has column names and no rows`);
  return ok({ files, columns: [...place.keys()], rows });
}

function arranged(record: readonly string[], target: readonly number[], width: number): readonly string[] {
  const cells = new Array<string>(width).fill('');
  for (const [index, cell] of record.entries()) cells[target[index] ?? 0] = cell;
  return cells;
}

async function readOne(
  path: string,
  room: number,
): Promise<
  Result<
    { readonly header: readonly string[]; readonly records: readonly string[][]; readonly file: DataFile },
    { refusal: Refusal }
  >
> {
  const name = basename(path);
  const hash = createHash('sha256');
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const delimiter = separatorOf(await firstLineOf(path));
  const parser = parse({ bom: true, delimiter, max_record_size: LONGEST_RECORD, skip_empty_lines: true });
  const stages = /\.gz$/i.test(path) ? [count, createGunzip(), parser] : [count, parser];
  // Errors of any stage reach the parser, which the loop below reads.
  pipeline([createReadStream(path), ...stages], () => undefined);
  let header: readonly string[] | null = null;
  const records: string[][] = [];
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (header === null) {
        header = record.map((cell) => cell.trim());
        const twice = header.filter((cell, index) => header?.indexOf(cell) !== index);
        if (twice.length > 0) return refuse('duplicate_columns', `${name}: column ${quoted(twice[0])} comes twice`);
        if (header.length > MOST_COLUMNS)
          return refuse('too_large', `${name}: ${header.length} columns; at most ${MOST_COLUMNS} are read`);
      } else {
        records.push(record);
        if (records.length > room)
          return refuse('too_large', `${name}: more than ${MOST_ROWS} rows in all; give a sample`);
      }
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'cannot be read';
    const read =
      delimiter === ',' ? '' : ` (read with ${JSON.stringify(delimiter)} between columns, as its first line)`;
    return refuse(error instanceof CsvError ? 'malformed_csv' : 'unreadable', `${name}: ${detail}${read}`);
  }
  if (header === null) return refuse('empty_file', `${name}: it is empty; expected column names and rows`);
  const separator = delimiter === ',' ? {} : { separator: delimiter };
  return ok({ header, records, file: { name, bytes, sha256: hash.digest('hex'), rows: records.length, ...separator } });
}

/** A header is read from this part of a file. */
const HEADER_BYTES = 65_536;

/** The first line of a file, as far as it can be read; empty if it cannot be read. */
async function firstLineOf(path: string): Promise<string> {
  const file = createReadStream(path, { end: HEADER_BYTES - 1 });
  const chunks: Buffer[] = [];
  const gunzip = createGunzip();
  // A truncated compressed file gives an error after its first line.
  const text = /\.gz$/i.test(path) ? pipeline([file, gunzip], () => undefined) : file;
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (chunk.includes('\n')) break;
    }
  } catch {
    // Data before the error is used; the error is reported when the whole file is read.
  }
  return Buffer.concat(chunks).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
}

/** The column names of a CSV file; none if it is not CSV. */
export async function headerOf(path: string): Promise<readonly string[]> {
  const file = createReadStream(path, { end: HEADER_BYTES - 1 });
  const delimiter = separatorOf(await firstLineOf(path));
  const parser = parse({ bom: true, delimiter, to: 1, max_record_size: LONGEST_RECORD });
  // A truncated compressed file gives an error after its first line.
  pipeline([file, ...(/\.gz$/i.test(path) ? [createGunzip()] : []), parser], () => undefined);
  try {
    for await (const record of parser as AsyncIterable<string[]>) return record.map((cell) => cell.trim());
  } catch {
    return [];
  }
  return [];
}

/** Text of a file for a message. */
export function quoted(cell: string | undefined): string {
  const shown = cell ?? '';
  return JSON.stringify(shown.length > 60 ? `${shown.slice(0, 60)}…` : shown);
}

const TRUE = new Set(['true', '1', 'yes', 'y', '1.0']);
const FALSE = new Set(['false', '0', 'no', 'n', '0.0']);

/** Result of a cell: a value, missing (`value` null), or an error that makes the file be refused. */
interface Cell {
  readonly value: number | string | boolean | null;
  readonly fault: 'not_a_number' | 'not_a_date' | null;
  readonly detail: string;
}

/** Reads the cells of one feature or quantity by its rule, and counts the results. */
export function readerOf(id: string, rule: ColumnRule, kind: 'features' | 'quantities', form: NumberForm = {}) {
  const definition = kind === 'quantities' ? QUANTITIES[id as QuantityId] : null;
  const tally = { known: 0, missing: 0, malformed: 0, clamped: 0 };
  const isBoolean = definition?.kind === 'boolean';
  const states = definition === null ? [] : statesOf(id as QuantityId);
  // A quantity that is a date needs no format.
  const transform = rule.transform ?? (definition?.kind === 'date' ? 'date' : undefined);
  const missing: Cell = { value: null, fault: null, detail: '' };
  const bad = (fault: 'not_a_number' | 'not_a_date', cell: string, hint = numberHint(cell)): Cell => {
    if (rule.malformed === 'missing') {
      tally.malformed += 1;
      return missing;
    }
    return {
      value: null,
      fault,
      detail: `is ${quoted(cell)}, ${fault === 'not_a_date' ? `not a date: ${DATES_READ}` : `not a number${hint}`}`,
    };
  };
  const known = (value: number | string | boolean): Cell => {
    tally.known += 1;
    return { value, fault: null, detail: '' };
  };
  /** `per`: the cell that the value is divided by; null where the rule has none. */
  const read = (cell: string, added: readonly string[], started: number | null, per: string | null = null): Cell => {
    if (rule.constant !== undefined) return known(rule.constant);
    if (cell === '') {
      tally.missing += 1;
      return { ...missing, value: rule.whenMissing ?? null };
    }
    if (rule.states !== undefined) {
      const state = Object.hasOwn(rule.states, cell) ? rule.states[cell] : undefined;
      if (state !== undefined) return known(state);
      tally.missing += 1;
      return missing;
    }
    if (isBoolean) {
      const word = cell.toLowerCase();
      return TRUE.has(word) || FALSE.has(word)
        ? known(TRUE.has(word))
        : bad('not_a_number', cell, `: ${BOOLEANS_READ}${numberHint(cell)}`);
    }
    if (states.length > 0) {
      if (states.includes(cell)) return known(cell);
      return bad(
        'not_a_number',
        cell,
        ` but a text: say what it means, "states": { ${quoted(cell)}: "${states[0]}" }; states are ${states.join(', ')}`,
      );
    }
    if (definition?.kind === 'text') return known(cell);
    if (transform === 'date' || transform === 'days_before') {
      const time = timeOf(cell);
      if (Number.isNaN(time)) return bad('not_a_date', cell);
      // The age is relative to the time of the row; without a time it is unknown.
      if (transform === 'date' && started !== null) return known(new Date(time).toISOString());
      if (started !== null) return known((started - time) / DAY_MS);
      tally.missing += 1;
      return missing;
    }
    if (transform === 'days_ago') {
      const days = plainNumber(cell, form);
      if (!Number.isFinite(days)) return bad('not_a_number', cell);
      if (started !== null) return known(new Date(started - days * DAY_MS).toISOString());
      tally.missing += 1;
      return missing;
    }
    const divisor = per === null ? 1 : plainNumber(per, form);
    if (!Number.isFinite(divisor)) return bad('not_a_number', per ?? '');
    if (divisor === 0) {
      tally.missing += 1;
      return { ...missing, value: rule.whenMissing ?? null };
    }
    let sum = 0;
    for (const text of [cell, ...added]) {
      const stated = numberOf(text, transform, form) / divisor;
      const value = transformed(stated * (rule.scale ?? 1) + (rule.offset ?? 0), transform);
      if (!Number.isFinite(value)) return bad('not_a_number', text);
      sum += value;
    }
    const value = rule.steps === undefined ? sum : (rule.steps.findLast(([from]) => sum >= from)?.[1] ?? null);
    if (value === null) {
      tally.missing += 1;
      return missing;
    }
    const [low, high] = rule.clamp ?? [value, value];
    if (value < low || value > high) tally.clamped += 1;
    return known(Math.min(high, Math.max(low, value)));
  };
  const use = (): ColumnUse => ({
    target: id,
    column:
      rule.column === undefined
        ? ''
        : `${[rule.column, ...(rule.plus ?? [])].join(' + ')}${rule.per === undefined ? '' : ` / ${rule.per}`}`,
    ...tally,
  });
  return { id, kind, column: rule.column ?? null, plus: rule.plus ?? [], per: rule.per ?? null, read, use };
}

/**
 * True if a cell satisfies a condition; null if it has to be a number within limits and is not a number. An empty cell
 * satisfies no limits.
 */
export function fits(cell: string, { is, not, atLeast, atMost }: Condition): boolean | null {
  if (is !== undefined && !is.includes(cell)) return false;
  if (not?.includes(cell)) return false;
  if (atLeast === undefined && atMost === undefined) return true;
  if (cell === '') return false;
  const value = Number(cell);
  return Number.isFinite(value) ? value >= (atLeast ?? value) && value <= (atMost ?? value) : null;
}

function numberOf(cell: string, transform: ColumnRule['transform'], form: NumberForm): number {
  if (transform !== 'boolean') return plainNumber(cell, form);
  const word = cell.toLowerCase();
  return TRUE.has(word) ? 1 : FALSE.has(word) ? 0 : Number.NaN;
}

function transformed(value: number, transform: ColumnRule['transform']): number {
  if (transform === 'log10') return Math.log10(value);
  if (transform === 'exp10') return 10 ** value;
  if (transform === 'complement') return 1 - value;
  if (transform === 'reciprocal') return 1 / value;
  return value;
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * A time in milliseconds since 1970: ISO 8601 (UTC without a zone), or seconds or milliseconds; NaN for anything else.
 */
export function timeOf(cell: string): number {
  if (/^\d{9,10}(\.\d+)?$/.test(cell)) return Number(cell) * 1_000;
  if (/^\d{12,13}$/.test(cell)) return Number(cell);
  const found = ISO.exec(cell);
  if (found === null) return Number.NaN;
  return Date.parse(
    cell.length === 10 || found[1] !== undefined ? cell.replace(' ', 'T') : `${cell.replace(' ', 'T')}Z`,
  );
}
