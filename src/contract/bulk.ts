import Type from 'typebox';
import { csvCell, inertText } from '../domain/index.ts';
import { ProblemSchema } from './problem.ts';
import {
  Band,
  count,
  DataMode,
  list,
  nextCursor,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  type Reply,
  time,
} from './vocabulary.ts';

/** States of a row. */
export const BULK_ROW_STATES = ['waiting', 'running', 'rated', 'failed', 'refused', 'duplicate', 'cancelled'] as const;

export const BulkJobView = Type.Object(
  {
    bulk_id: Type.String({ description: 'Id of the bulk job.', examples: ['bulk_1732060800000_ab12cd34'] }),
    state: oneOf('`cancelled`: its rows that waited are given up, and those under way end by themselves.', [
      'running',
      'finished',
      'cancelled',
    ]),
    created_at: time('When it was sent.'),
    finished_at: nullableTime('When its last row ended; null before.'),
    rows: Type.Object(
      {
        total: count('Rows that were sent.'),
        done: count('Rows of which nothing more is to come.'),
        waiting: count('Rows whose turn has not come.'),
        running: count('Rows that are scored now.'),
        rated: count('Rows with a result.'),
        failed: count('Rows whose score failed; each states why.'),
        refused: count('Rows that were not begun: they could not be read, or are more than the plan allows.'),
        duplicate: count('Rows that repeat an earlier one, which has the result.'),
        cancelled: count('Rows that were given up.'),
      },
      { description: 'Number of rows by state.' },
    ),
    reasons: Type.Array(
      Type.Object({
        code: Type.String({ description: 'Code of the problem.' }),
        rows: count('Rows that it ended.'),
      }),
      { description: 'Why rows failed or were refused, the most frequent first.' },
    ),
    at_once: Type.Integer({ description: 'Rows that are scored at the same time.' }),
    eta_seconds: nullableNumber(
      'About the seconds until the last row ends, by the pace so far, which is that of the budgets of the sources; null before the first row ended, and at the end.',
    ),
    location: Type.String({ description: 'Path of the bulk job.' }),
    results: Type.String({ description: 'Path of its rows; with `format=csv` as a table.' }),
    data_mode: DataMode,
  },
  { title: 'BulkJob', description: 'Many assets scored as one job: how far it is.' },
);
export const BulkJobReply = Type.Object(BulkJobView.properties, { description: 'The bulk job.' });
export const BulkAccepted = Type.Object(BulkJobView.properties, {
  description: 'Accepted and stored: it continues when this connection or a process ends.',
});
export const BulkJobList = Type.Object(
  { data: Type.Array(BulkJobView, { description: 'Newest first.' }), next_cursor: nextCursor, data_mode: DataMode },
  { description: 'A page of the account’s bulk jobs.' },
);

export const BulkResult = Type.Object(
  {
    asset: Type.String({ description: 'Id of the asset that was rated (CAIP-19).' }),
    symbol: nullableText('Ticker, untrusted text.'),
    name: Type.String({ description: 'Name, untrusted text.' }),
    band: Band,
    score: nullableNumber('0-100; null where the evidence is too thin.'),
    trust_score: nullableNumber('0-100.'),
    published: Type.Boolean({ description: 'The rating is published, and read under /v1/rms.' }),
    as_of: time('When the facts were true.'),
    warnings: list('What a reader should know.'),
  },
  { title: 'BulkResult', description: 'The rating of a row in short; the whole one is at its job.' },
);
export const BulkRowError = Type.Object(
  {
    code: ProblemSchema.properties.code,
    title: ProblemSchema.properties.title,
    detail: ProblemSchema.properties.detail,
    retry: ProblemSchema.properties.retry,
    errors: ProblemSchema.properties.errors,
    candidates: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String({ description: 'Id of an asset: accepted as `asset` of another row.' }),
          symbol: nullableText('Ticker, untrusted text.'),
          name: Type.String({ description: 'Name, untrusted text.' }),
          why: Type.String({ description: 'Evidence for it.' }),
        }),
        { description: 'Assets that the text may mean.' },
      ),
    ),
    tried: Type.Optional(list('What was tried.')),
    limit: Type.Optional(Type.Integer({ description: 'The limit that was reached.' })),
  },
  { title: 'BulkRowError', description: 'Why a row has no result, as the problem of a score states it.' },
);
export const BulkRowView = Type.Object(
  {
    row: Type.Integer({ minimum: 1, description: 'Number of the row as it was sent, from 1.' }),
    requested: Type.Object(
      {
        asset: nullableText('The one word, where the row has one.'),
        project: nullableText('Name of the project.'),
        project_url: nullableText('Its web address.'),
      },
      { description: 'The content of the row.' },
    ),
    state: oneOf('What became of it.', BULK_ROW_STATES),
    job_id: nullableText('Its scoring job (GET /v1/jobs/{id}); null before its turn, and of rows that have none.'),
    duplicate_of: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of the row that it repeats; null of others.',
    }),
    result: Type.Union([BulkResult, Type.Null()], { description: 'Null until it is rated.' }),
    error: Type.Union([BulkRowError, Type.Null()], { description: 'Null unless it failed or was refused.' }),
    ended_at: nullableTime('When it ended.'),
  },
  { title: 'BulkRow', description: 'One row of a bulk job.' },
);
export const BulkRowList = Type.Object(
  {
    data: Type.Array(BulkRowView, { description: 'In the order in which they were sent.' }),
    next_cursor: nextCursor,
    data_mode: DataMode,
  },
  { description: 'A page of rows.' },
);

type Row = Reply<typeof BulkRowView>;
const COLUMNS: readonly (readonly [name: string, value: (row: Row) => string | number | boolean | null | undefined])[] =
  [
    ['row', (row) => row.row],
    ['asset', (row) => row.requested.asset],
    ['project', (row) => row.requested.project],
    ['project_url', (row) => row.requested.project_url],
    ['state', (row) => row.state],
    ['rated_asset', (row) => row.result?.asset],
    ['symbol', (row) => row.result?.symbol],
    ['name', (row) => row.result?.name],
    ['band', (row) => row.result?.band],
    ['score', (row) => row.result?.score],
    ['trust_score', (row) => row.result?.trust_score],
    ['published', (row) => row.result?.published],
    ['as_of', (row) => row.result?.as_of],
    ['duplicate_of', (row) => row.duplicate_of],
    ['error', (row) => row.error?.code],
    ['detail', (row) => row.error?.detail],
    ['candidates', (row) => row.error?.candidates?.map(({ id }) => id).join(' ')],
    ['job_id', (row) => row.job_id],
  ];

/** The rows as a table. The columns of a request come first, so that the file can be submitted again. */
export function bulkCsv(rows: readonly Row[]): string {
  const cells = rows.map((row) =>
    COLUMNS.map(([, value]) => {
      const found = value(row) ?? '';
      return csvCell(typeof found === 'string' ? inertText(found) : String(found));
    }),
  );
  return [COLUMNS.map(([name]) => name), ...cells].map((line) => `${line.join(',')}\r\n`).join('');
}
