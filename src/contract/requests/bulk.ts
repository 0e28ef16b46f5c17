import { parse } from 'csv-parse/sync';
import { distance } from 'fastest-levenshtein';
import Type from 'typebox';
import { csvSeparator, ok, type Result, type ScoreRequest } from '../../domain/index.ts';
import { BULK_ROW_STATES } from '../bulk.ts';
import { choice, cursor, pageSize, withDefault } from './fields.ts';
import type { FieldError } from './reader.ts';
import { readScoreRequest, ScoreAssetBody, ScoreBody, ScoreHeaders, type UrlJudge } from './score.ts';

/** Row limit of a bulk job in every plan. */
export const MOST_BULK_ROWS = 1_000;
const COLUMNS = [
  'asset',
  'project',
  'project_url',
  'type',
  'token_symbol',
  'category',
  'blockchain',
  'token_address',
] as const;

export const BulkBody = Type.Object(
  {
    rows: Type.Array(
      Type.Union([
        Type.String({ description: 'The asset in one word, as `asset`.' }),
        Type.Partial(Type.Object({ ...ScoreBody.properties, asset: ScoreAssetBody.properties.asset }), {
          additionalProperties: true,
        }),
      ]),
      {
        minItems: 1,
        maxItems: MOST_BULK_ROWS,
        description: `1 to ${MOST_BULK_ROWS} rows: each an asset in one word, or the fields of a scoring request. A row that cannot be read does not affect other rows.`,
      },
    ),
  },
  {
    additionalProperties: false,
    description: 'The assets to score. The same as `text/csv`, with a header of the field names, or one asset a line.',
  },
);
export const BulkHeaders = Type.Object({ 'Idempotency-Key': ScoreHeaders.properties['Idempotency-Key'] });
const bulkId = Type.String({ pattern: '^bulk_\\d{1,16}_[a-z0-9]{8}$', description: 'Id of a bulk job.' });
export const BulkParams = Type.Object({ id: bulkId });
export const BulkListQuery = Type.Object({ limit: pageSize(100, 20), cursor: cursor('^bulk_\\d{1,16}_[a-z0-9]{8}$') });
export const BulkRowsQuery = Type.Object({
  state: Type.Optional(choice(BULK_ROW_STATES, 'Only rows in this state.')),
  format: withDefault(choice(['json', 'csv'], 'Form of the rows; csv: all of them at once.'), 'json'),
  limit: pageSize(1_000, 500),
  cursor: cursor('^[1-9][0-9]{0,5}$'),
});

/** A parsed row: the request, or its errors. */
export interface BulkInput {
  readonly requested: {
    readonly asset: string | null;
    readonly project: string | null;
    readonly project_url: string | null;
  };
  readonly read: Result<ScoreRequest, { readonly errors: readonly FieldError[] }>;
}

type Unreadable = { readonly ok: false; readonly errors: readonly FieldError[] };

/** Parses the rows of a JSON body. */
export function readBulkBody(body: unknown, judgeUrl: UrlJudge): Result<readonly BulkInput[], Unreadable> {
  const rows = typeof body === 'object' && body !== null ? (body as { readonly rows?: unknown }).rows : undefined;
  if (!Array.isArray(rows))
    return unreadable('/rows', rows === undefined ? 'missing' : 'wrong_type', 'expected a list of rows');
  return readRows(rows, judgeUrl);
}

/** Parses the rows of a CSV body: with a header of field names, or one asset per line. */
export function readBulkCsv(text: string, judgeUrl: UrlJudge): Result<readonly BulkInput[], Unreadable> {
  let table: readonly string[][];
  try {
    table = parse(text, {
      bom: true,
      delimiter: csvSeparator(text),
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
      max_record_size: 16_384,
    });
  } catch (error) {
    return unreadable(
      '',
      'malformed_csv',
      `expected CSV (RFC 4180): ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
  const [head = [], ...rest] = table;
  const names = columnNames(head);
  const hasHeader = names.some(isColumn);
  const [misspelt] = hasHeader || table.some((row) => row.length > 1) ? names.flatMap(nearColumn(names)) : [];
  if (misspelt !== undefined) return unreadable('/0', 'unknown_column', misspelt);
  if (!hasHeader && table.some((row) => row.length > 1))
    return unreadable('/0', 'missing', `expected a header with some of ${COLUMNS.join(', ')}, or one asset a line`);
  const rows = hasHeader
    ? rest.map((row) =>
        Object.fromEntries(row.flatMap((value, at) => (value === '' || !names[at] ? [] : [[names[at], value]]))),
      )
    : table.map(([asset = '']) => asset);
  return readRows(rows, judgeUrl);
}

/** Names that spreadsheets use for the column of the asset. */
const ASSET_NAMES = ['assets', 'symbol', 'ticker', 'address', 'contract'];
const isColumn = (name: string) => (COLUMNS as readonly string[]).includes(name);

/** Names of the columns of a header. If it has none of our columns, a column from `ASSET_NAMES` is read as `asset`. */
function columnNames(head: readonly string[]): readonly string[] {
  const names = head.map((name) => name.toLowerCase().replaceAll(' ', '_'));
  const asset = names.some(isColumn) ? -1 : names.findIndex((name) => ASSET_NAMES.includes(name));
  return names.map((name, at) => (at === asset ? 'asset' : name));
}

/**
 * A warning for a column whose name is one or two letters off, which would be ignored. Short names are not compared,
 * because many are similar.
 */
const nearColumn = (names: readonly string[]) => (name: string) => {
  const near = COLUMNS.find((column) => column.length > 4 && distance(name, column) <= 2);
  return isColumn(name) || near === undefined || names.includes(near)
    ? []
    : [`unknown column ${name.slice(0, 40)}; did you mean ${near}?`];
};

function readRows(rows: readonly unknown[], judgeUrl: UrlJudge): Result<readonly BulkInput[], Unreadable> {
  if (rows.length === 0) return unreadable('/rows', 'too_few', 'expected one row or more');
  return ok(rows.map((row) => readRow(typeof row === 'string' ? { asset: row } : row, judgeUrl)));
}

function readRow(row: unknown, judgeUrl: UrlJudge): BulkInput {
  const given = typeof row === 'object' && row !== null && !Array.isArray(row) ? (row as Record<string, unknown>) : {};
  const word = (name: string) => {
    const value = given[name];
    return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '').slice(0, 2_048) : null;
  };
  const hasPair = given.project !== undefined || given.project_url !== undefined;
  const body = hasPair ? { type: 'posttge', ...given } : row;
  const read = readScoreRequest(body, judgeUrl);
  const requested = { asset: word('asset'), project: word('project'), project_url: word('project_url') };
  return { requested, read: read.ok ? ok(read.value.request) : { ok: false, errors: read.errors } };
}

function unreadable(pointer: string, code: string, detail: string): Unreadable {
  return { ok: false, errors: [{ pointer, code, detail }] };
}
