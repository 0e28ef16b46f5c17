import type { Input } from '../../../client/src/operation.ts';
import { readCsv } from '../data/read-csv.ts';

export type BulkRows = Input<'POST /v1/bulk'>['body']['rows'];

const FIELDS = [
  'type',
  'asset',
  'project',
  'project_url',
  'token_symbol',
  'token_address',
  'blockchain',
  'category',
] as const;

/**
 * Rows of a bulk job: one asset a line, or a CSV text whose head names fields of a scoring request; other columns are
 * left out. `fault`: the text has columns and none of these names, so that nothing can be read of it.
 */
export function rowsOf(text: string): { readonly rows: BulkRows; readonly fault: string | null } {
  const lines = readCsv(text);
  const head = lines[0]?.cells.map((cell) => cell.toLowerCase().replaceAll(' ', '_')) ?? [];
  const places = FIELDS.flatMap((name) => (head.includes(name) ? [[name, head.indexOf(name)] as const] : []));
  if (places.length === 0)
    return lines.some(({ cells }) => cells.length > 1)
      ? { rows: [], fault: `Expected a head with some of ${FIELDS.join(', ')}, or one asset a line.` }
      : { rows: lines.map(({ cells }) => cells[0] ?? ''), fault: null };
  const rows = lines
    .slice(1)
    .map(({ cells }) => Object.fromEntries(places.flatMap(([name, at]) => (cells[at] ? [[name, cells[at]]] : []))));
  return { rows: rows.filter((row) => Object.keys(row).length > 0), fault: null };
}
