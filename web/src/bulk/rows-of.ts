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

/** Rows of a bulk job: one asset a line, or a CSV text whose head names fields of a scoring request; other columns are left out. */
export function rowsOf(text: string): BulkRows {
  const lines = readCsv(text);
  const head = lines[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const places = FIELDS.flatMap((name) => (head.includes(name) ? [[name, head.indexOf(name)] as const] : []));
  const names = places.map(([name]) => name);
  if (!names.includes('asset') && !names.includes('project'))
    return lines.map(({ cells }) => cells[0] ?? '').filter((asset) => asset !== '');
  return lines
    .slice(1)
    .map(({ cells }) => Object.fromEntries(places.flatMap(([name, at]) => (cells[at] ? [[name, cells[at]]] : []))))
    .filter((row) => Object.keys(row).length > 0);
}
