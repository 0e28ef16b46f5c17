import type { Column, ExportValue } from '../column.ts';

/** A form of text that is written row by row. */
export interface TextFormat<Row> {
  readonly head: string;
  /** `index` counts from 0. */
  readonly row: (row: Row, index: number) => string;
  readonly tail: string;
}

/** JSON array of objects, one a line. */
export function jsonArray<Row>(columns: readonly Column<Row>[]): TextFormat<Row> {
  const encode = objectEncoder(columns);
  return { head: '[', row: (row, index) => `${index === 0 ? '\n' : ',\n'}${encode(row)}`, tail: '\n]\n' };
}

/** One object a line. */
export function ndjson<Row>(columns: readonly Column<Row>[]): TextFormat<Row> {
  const encode = objectEncoder(columns);
  return { head: '', row: (row) => `${encode(row)}\n`, tail: '' };
}

/** RFC 4180 with a header row. A text cell that a spreadsheet would run as a formula is neutralised with an apostrophe. */
export function csv<Row>(columns: readonly Column<Row>[]): TextFormat<Row> {
  return {
    head: `${columns.map((column) => column.name).join(',')}\r\n`,
    row(row) {
      let line = '';
      for (const column of columns) {
        const value = column.value(row);
        if (line !== '' || column !== columns[0]) line += ',';
        line += csvCell(value);
      }
      return `${line}\r\n`;
    },
    tail: '',
  };
}

function csvCell(value: ExportValue): string {
  const text = cellText(value);
  return typeof value === 'string' || Array.isArray(value) ? quoted(text) : text;
}

/** What a reader of the CSV finds in the cell of a value: nothing where it is not known. */
export function cellText(value: ExportValue): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : value.join(';');
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Spreadsheets skip blanks before a formula, and some take its signs in full width (OWASP, CSV injection). */
const FORMULA = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

function quoted(inert: string): string {
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

function objectEncoder<Row>(columns: readonly Column<Row>[]): (row: Row) => string {
  const keys = columns.map((column, index) => `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`);
  return (row) => {
    let text = '';
    for (const [index, column] of columns.entries()) {
      const value = column.value(row);
      text += keys[index];
      text += typeof value === 'string' || Array.isArray(value) ? JSON.stringify(value) : String(value);
    }
    return `${text}}`;
  };
}
