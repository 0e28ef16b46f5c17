import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TObject, type TSchema } from 'typebox';
import type { Scope } from '../../access/index.ts';
import {
  ChainExportRow,
  ChainParams,
  EXPORT_FORMATS,
  type ExportEncoding,
  type ExportFormat,
  ExportQuery,
  type Input,
  Manifest,
  NOT_MODIFIED,
  problems,
  RatingExportRow,
  type Reply,
} from '../../contract/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import type { PublishedFile } from '../../exports/index.ts';
import { type ChainRouting, plannedChain } from '../chain/chain-routing.ts';
import type { ApiContext } from '../context.ts';
import { acceptedCodings } from '../hot/content-coding.ts';
import { type Problem, refuse, refuseField, requireHistory, requirePlan } from '../replies/problems.ts';
import { sendFile } from '../replies/send-file.ts';
import { sendTagged } from '../replies/send-json.ts';
import { keyed, keyOf, planOf } from '../requests/account-request.ts';
import { acceptedTypes } from '../requests/headers.ts';
import type { Routes } from '../requests/read-requests.ts';

/** One daily export: its path, and the keys that may read it. */
interface DailyExport {
  /** Path of the files; the manifest is below this path. */
  readonly path: string;
  readonly scope: Scope;
  readonly params: TObject | null;
  /** Prefix of its operation names. */
  readonly name: string;
  readonly summary: string;
  /** Schema of a row. */
  readonly row: TObject;
  /** The subject that the request selects; refuses a key that may not read it. */
  readonly subjectOf: (request: FastifyRequest) => string;
}

const DESCRIPTION =
  'A JSON array, CSV (RFC 4180; cells that a spreadsheet would run are escaped), NDJSON or Parquet. A published file never changes: ranges, `If-Range` and `ETag` work, `Repr-Digest` is the SHA-256. A corrected day is a new revision beside the old one.';

/** The rows of a day in each format, for OpenAPI. */
function filesOf(row: DailyExport['row']): Readonly<Record<ExportFormat, TSchema>> {
  return {
    json: Type.Array(row, { description: 'The rows, in the order of their asset ids.' }),
    csv: Type.String({ description: 'The same rows below a row with the names of their fields; empty where null.' }),
    ndjson: Type.String({
      contentMediaType: 'application/x-ndjson',
      contentSchema: Type.Array(row),
      description: 'The same rows, each on a line of its own.',
    }),
    parquet: Type.Unknown({ description: 'The same rows in Apache Parquet, a column for each field.' }),
  };
}

const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};
const FORMAT_OF_TYPE: Readonly<Record<string, ExportFormat>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/vnd.apache.parquet': 'parquet',
};
const ENCODINGS: readonly Exclude<ExportEncoding, 'identity'>[] = ['zstd', 'gzip'];

/** The files of a day, and the manifest of the published files. */
function dailyExportRoutes(server: Routes, context: ApiContext, daily: DailyExport): void {
  const params = daily.params === null ? {} : { params: daily.params };
  const files = filesOf(daily.row);
  server.get(
    daily.path,
    {
      ...keyed(daily.scope, 'exports', {
        operationId: `get${daily.name}Export`,
        summary: daily.summary,
        description: DESCRIPTION,
        ...params,
        querystring: ExportQuery,
        response: {
          200: {
            description: 'The file.',
            content: Object.fromEntries(
              EXPORT_FORMATS.map((format) => [CONTENT_TYPES[format].split(';')[0], { schema: files[format] }]),
            ),
          },
          ...NOT_MODIFIED,
          ...problems(400, 401, 403, 404, 416, 429, 503),
        },
      }),
      // Files are stored compressed, and a range of a file must not be compressed again.
      compress: false,
    },
    async (request, reply) => {
      const subject = daily.subjectOf(request);
      const { date } = request.query;
      // The end of the day counts: a day that is partly within the history is served in full.
      if (date !== undefined)
        requireHistory(planOf(request), context.plans, Date.parse(date) + DAY_MS, context.now(), 'exports');
      return sendDay(context, subject, request.query, request, reply);
    },
  );
  server.get(
    `${daily.path}/manifest`,
    {
      ...keyed(daily.scope, 'exports', {
        operationId: `get${daily.name}Manifest`,
        summary: 'The published days, signed',
        description:
          'Rows, and bytes and SHA-256 of each file, for every day; each entry is signed (docs/exports.md describes how to check it).',
        ...params,
        response: { 200: Manifest, ...NOT_MODIFIED, ...problems(401, 403, 404, 429) },
      }),
      compress: false,
    },
    async (request, reply) => {
      const data = await context.chain.exports.manifest(daily.subjectOf(request));
      const manifest: Reply<typeof Manifest> = { data, next_cursor: null, data_mode: context.dataMode };
      return sendTagged(request, reply, JSON.stringify(manifest), 'private, max-age=300');
    },
  );
}

async function sendDay(
  { chain: { exports }, disclosures, now }: ApiContext,
  subject: string,
  query: Input<typeof ExportQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { date = null, revision = null, format: wanted } = query;
  const today = new Date(now()).toISOString().slice(0, 10);
  if (date !== null && date > today)
    refuseField('/date', 'out_of_range', `expected a day that is over, before ${today}`);
  if (date === null && revision !== null) refuseField('/date', 'missing', 'expected the day that the revision is of');
  const format = wanted ?? formatOfAccept(request.headers.accept);
  const opened = await exports.open(subject, date, format, encodingsOf(request), revision);
  if (!opened.ok) return refuse(notPublished(opened.reason, opened.detail, date === null || date === today));
  const { day, file } = opened.value;
  if (subject === 'rms') disclosures?.reads.noteDay(keyOf(request).accountId, day.date);
  reply.header('assay-export-date', day.date).header('assay-export-revision', day.revision);
  return sendFile(request, reply, {
    bytes: file.bytes,
    etag: file.etag,
    sha256: file.sha256,
    contentType: CONTENT_TYPES[format],
    contentEncoding: file.encoding === 'identity' ? null : file.encoding,
    downloadName: downloadName(file),
    // A day may be restated, but a revision of it never changes.
    cacheControl: revision === null ? 'private, max-age=300' : 'private, max-age=86400, immutable',
    read: (from, to) => exports.read(file, from, to),
  });
}

/** The first known type in `Accept`, by quality; a JSON array otherwise. */
function formatOfAccept(accept: string | undefined): ExportFormat {
  const first = acceptedTypes(accept).find((type) => Object.hasOwn(FORMAT_OF_TYPE, type));
  return FORMAT_OF_TYPE[first ?? ''] ?? 'json';
}

function encodingsOf(request: FastifyRequest): readonly ExportEncoding[] {
  const header = request.headers['accept-encoding'];
  const qualities = acceptedCodings(typeof header === 'string' ? header : '');
  const quality = (coding: string) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  return [...ENCODINGS.filter((coding) => quality(coding) > 0).sort((a, b) => quality(b) - quality(a)), 'identity'];
}

/** A file that is decompressed in transit gets a name without the compression suffix. */
function downloadName(file: PublishedFile): string {
  return file.encoding === 'identity' ? file.name : file.name.replace(/\.(gz|zst|zstd)$/, '');
}

export function notPublished(reason: string, detail: string, soon: boolean): Problem {
  const manifest = 'GET .../exports/daily/manifest lists what is published.';
  if (reason === 'no_such_revision')
    return {
      status: 404,
      code: 'no_such_export_revision',
      title: 'The day has no such revision',
      detail: `${detail}. ${manifest}`,
      retry: 'corrected',
    };
  if (reason === 'unreadable')
    return {
      status: 503,
      code: 'export_unreadable',
      title: 'The published day cannot be read',
      detail: `${detail}. ${manifest}`,
      retry: 'after',
      headers: { 'retry-after': '600' },
    };
  const waits = soon || reason === 'not_published_yet';
  return {
    status: 404,
    code: waits ? 'export_not_published_yet' : 'no_such_export_day',
    title: waits ? 'The day is not published yet' : 'There is no file of that day',
    detail: `${detail}. ${manifest}`,
    retry: waits ? 'after' : 'no',
    ...(waits ? { headers: { 'retry-after': '600' } } : {}),
  };
}

/** The files of a day for a chain, and the manifest of the published files. */
export function chainExportRoutes(server: FastifyInstance, routing: ChainRouting): void {
  for (const fixed of ['solana', null])
    dailyExportRoutes(server, routing.context, {
      path: `/v1/${fixed ?? ':chain'}/exports/daily`,
      scope: 'chain:read',
      params: fixed === null ? ChainParams : null,
      name: fixed === null ? 'Chain' : 'Solana',
      summary: 'All chain aggregates of a day',
      row: ChainExportRow,
      subjectOf: (request) => plannedChain(routing, request, fixed, 'exports').name,
    });
}

/** The ratings of a day, and the manifest of the published files. */
export function ratingExportRoutes(server: FastifyInstance, context: ApiContext): void {
  dailyExportRoutes(server, context, {
    path: '/v1/exports/rms/daily',
    scope: 'rms:read',
    params: null,
    name: 'Rating',
    summary: 'All rated assets of a day',
    row: RatingExportRow,
    subjectOf(request) {
      const need = { scope: 'rms:read', chain: null, exportOf: 'rms' } as const;
      requirePlan(planOf(request), context.plans, need, 'the export of ratings');
      return need.exportOf;
    },
  });
}
