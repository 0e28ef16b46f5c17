import { DAY_MS, QUANTITIES } from '../src/domain/index.ts';
import { quoted } from './table.ts';
import type { ColumnRule, ColumnUse } from './types.ts';

const TRUE = new Set(['true', '1', 'yes', 'y', '1.0']);
const FALSE = new Set(['false', '0', 'no', 'n', '0.0']);

/** What became of a cell: a value, nothing (`value` null), or a fault that refuses the file. */
interface Cell {
  readonly value: number | string | boolean | null;
  readonly fault: 'not_a_number' | 'not_a_date' | null;
  readonly detail: string;
}

/** Reads the cells of one feature or quantity by its rule, and counts what became of them. */
export function readerOf(id: string, rule: ColumnRule, kind: 'features' | 'quantities') {
  const tally = { known: 0, missing: 0, malformed: 0, clamped: 0 };
  const isBoolean = kind === 'quantities' && QUANTITIES[id as keyof typeof QUANTITIES].kind === 'boolean';
  const missing: Cell = { value: null, fault: null, detail: '' };
  const bad = (fault: 'not_a_number' | 'not_a_date', cell: string): Cell => {
    if (rule.malformed === 'missing') {
      tally.malformed += 1;
      return missing;
    }
    return {
      value: null,
      fault,
      detail: `is ${quoted(cell)}, ${fault === 'not_a_date' ? 'not a date' : 'not a number'}`,
    };
  };
  const known = (value: number | string | boolean): Cell => {
    tally.known += 1;
    return { value, fault: null, detail: '' };
  };
  const read = (cell: string, added: readonly string[], started: number | null): Cell => {
    if (rule.constant !== undefined) return known(rule.constant);
    if (cell === '') {
      tally.missing += 1;
      return missing;
    }
    if (rule.states !== undefined) {
      const state = Object.hasOwn(rule.states, cell) ? rule.states[cell] : undefined;
      if (state !== undefined) return known(state);
      tally.missing += 1;
      return missing;
    }
    if (isBoolean) {
      const word = cell.toLowerCase();
      return TRUE.has(word) || FALSE.has(word) ? known(TRUE.has(word)) : bad('not_a_number', cell);
    }
    if (rule.transform === 'date' || rule.transform === 'days_before') {
      const time = timeOf(cell);
      if (Number.isNaN(time)) return bad('not_a_date', cell);
      if (rule.transform === 'date') return known(new Date(time).toISOString());
      if (started !== null) return known((started - time) / DAY_MS);
      tally.missing += 1;
      return missing;
    }
    let sum = 0;
    for (const text of [cell, ...added]) {
      const value = transformed(
        numberOf(text, rule.transform) * (rule.scale ?? 1) + (rule.offset ?? 0),
        rule.transform,
      );
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
    column: rule.column === undefined ? '' : [rule.column, ...(rule.plus ?? [])].join(' + '),
    ...tally,
  });
  return { id, kind, column: rule.column ?? null, plus: rule.plus ?? [], read, use };
}

function numberOf(cell: string, transform: ColumnRule['transform']): number {
  if (transform !== 'boolean') return Number(cell);
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

/** A moment in milliseconds since 1970: ISO 8601 (UTC where it names no zone), or seconds or milliseconds; NaN for anything else. */
export function timeOf(cell: string): number {
  if (/^\d{9,10}(\.\d+)?$/.test(cell)) return Number(cell) * 1_000;
  if (/^\d{12,13}$/.test(cell)) return Number(cell);
  const found = ISO.exec(cell);
  if (found === null) return Number.NaN;
  return Date.parse(
    cell.length === 10 || found[1] !== undefined ? cell.replace(' ', 'T') : `${cell.replace(' ', 'T')}Z`,
  );
}
