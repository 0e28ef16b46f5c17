import type { Column } from '../column.ts';

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
        if (value === null) continue;
        line += typeof value === 'string' ? cell(value) : String(value);
      }
      return `${line}\r\n`;
    },
    tail: '',
  };
}

/** The text as a CSV cell. */
export function cell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

function objectEncoder<Row>(columns: readonly Column<Row>[]): (row: Row) => string {
  const keys = columns.map((column, index) => `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`);
  return (row) => {
    let text = '';
    for (const [index, column] of columns.entries()) {
      const value = column.value(row);
      text += keys[index];
      text += typeof value === 'string' ? JSON.stringify(value) : String(value);
    }
    return `${text}}`;
  };
}
