import { parse } from 'csv-parse/sync';
import type { FieldError, PositionInput } from '../contract/index.ts';
import { csvSeparator, type Result } from '../domain/index.ts';

const PLAIN_NUMBER = /^\d{1,30}(\.\d{1,18})?$/;
const COLUMNS: readonly string[] = ['asset', 'value_usd', 'quantity'];

/**
 * Reads positions from a CSV with a header: `asset`, and `value_usd` or `quantity`. Other columns are ignored. Numbers
 * must be plain digits, since `1,000` or `1e6` may mean another amount.
 */
export function positionsOfCsv(
  csv: string,
): Result<readonly PositionInput[], { readonly errors: readonly FieldError[] }> {
  let table: readonly (readonly string[])[];
  try {
    table = parse(csv, {
      bom: true,
      delimiter: csvSeparator(csv),
      skip_empty_lines: true,
      trim: true,
      relax_column_count: false,
    });
  } catch (error) {
    return refused(
      '/csv',
      `expected CSV (RFC 4180): ${error instanceof Error ? error.message.slice(0, 120) : 'not readable'}`,
    );
  }
  const [header = [], ...rows] = table;
  const names = header.map((name) => name.toLowerCase());
  const missing = !names.includes('asset') || !(names.includes('value_usd') || names.includes('quantity'));
  const twice = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (missing) return refused('/csv', 'expected a header with asset, and value_usd or quantity');
  if (twice) return refused('/csv', `expected the column ${twice} once`);
  if (rows.length === 0) return refused('/csv', 'expected one position or more');
  const errors: FieldError[] = [];
  const positions = rows.map((row, at): PositionInput => {
    const cell = (name: string) => row[names.indexOf(name)] ?? '';
    const number = (name: string) => {
      const text = cell(name);
      if (text !== '' && !PLAIN_NUMBER.test(text))
        errors.push(
          fault(`/csv/${at}/${name}`, `expected a number such as 1250.50, got ${JSON.stringify(text.slice(0, 40))}`),
        );
      return text === '' ? {} : { [name]: Number(text) };
    };
    const asset = cell('asset');
    if (asset === '' || asset.length > 250) errors.push(fault(`/csv/${at}/asset`, 'expected 1 to 250 characters'));
    return { asset, ...number('value_usd'), ...number('quantity') };
  });
  return errors.length > 0 ? { ok: false, errors: errors.slice(0, 10) } : { ok: true, value: positions };
}

function fault(pointer: string, detail: string): FieldError {
  return { pointer, code: 'malformed', detail };
}

function refused(pointer: string, detail: string): { readonly ok: false; readonly errors: readonly FieldError[] } {
  return { ok: false, errors: [fault(pointer, detail)] };
}
