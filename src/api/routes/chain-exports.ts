import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Chain } from '../../domain/chains.ts';
import { EXPORT_FORMATS, type ExportEncoding, type ExportFormat, type PublishedFile } from '../../exports/types.ts';
import { type ChainRouting, chainOf, planOf, refusalOfPlan } from '../chain-routing.ts';
import { acceptedCodings } from '../hot/content-coding.ts';
import { type Problem, sendProblem, validationFailed } from '../problems.ts';
import { readQuery } from '../read-query.ts';
import { ChainParams, NOT_MODIFIED } from '../schemas/chain.ts';
import { KEYED, problems } from '../schemas/shared.ts';
import { sendFile } from '../send-file.ts';

const ExportQuery = Type.Object({
  date: Type.Optional(
    Type.String({ format: 'date', description: 'UTC day as YYYY-MM-DD; default: the newest complete day.' }),
  ),
  format: Type.Optional(
    Type.String({
      enum: [...EXPORT_FORMATS],
      description: 'Form of the file; without it `Accept` decides, else a JSON array.',
    }),
  ),
});
export const Manifest = Type.Object({
  data: Type.Array(
    Type.Object({
      date: Type.String(),
      rows: Type.Integer(),
      published_at: Type.String(),
      files: Type.Array(
        Type.Object({
          format: Type.String(),
          encoding: Type.String(),
          name: Type.String(),
          bytes: Type.Integer(),
          sha256: Type.String(),
        }),
      ),
      restates: Type.Union([Type.Null(), Type.Object({ sha256: Type.String(), reason: Type.String() })]),
      signature: Type.Object({ algorithm: Type.Literal('Ed25519'), key_id: Type.String(), value: Type.String() }),
    }),
  ),
  next_cursor: Type.Null(),
  data_mode: Type.String(),
});

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

/** The files of a day of a chain, and the manifest of what is published. */
export function chainExportRoutes(server: FastifyInstance, routing: ChainRouting): void {
  for (const fixed of ['solana', null]) {
    const base = `/v1/${fixed ?? ':chain'}/exports/daily`;
    const params = fixed === null ? { params: ChainParams } : {};
    server.get(
      base,
      {
        config: { scope: 'chain:read' },
        // Files lie packed already, and a range of a file must not be packed again.
        compress: false,
        schema: {
          tags: ['exports'],
          summary: 'All chain aggregates of a day',
          description:
            'A JSON array, CSV (RFC 4180; cells that a spreadsheet would run are defused), NDJSON or Parquet. A published day never changes: ranges, `If-Range` and `ETag` work, `Repr-Digest` is the SHA-256.',
          security: KEYED,
          ...params,
          querystring: ExportQuery,
          response: {
            200: {
              description: 'The file.',
              content: Object.fromEntries(
                Object.values(CONTENT_TYPES).map((type) => [type.split(';')[0], { schema: Type.Unknown() }]),
              ),
            },
            ...NOT_MODIFIED,
            ...problems(400, 401, 403, 404, 416, 429),
          },
        },
      },
      async (request, reply) => {
        const found = enter(routing, request, fixed);
        return found.ok ? sendDay(routing, found.chain, request, reply) : sendProblem(reply, found.problem);
      },
    );
    server.get(
      `${base}/manifest`,
      {
        config: { scope: 'chain:read' },
        schema: {
          tags: ['exports'],
          summary: 'The published days, signed',
          security: KEYED,
          ...params,
          response: { 200: Manifest, ...problems(401, 403, 404, 429) },
        },
      },
      async (request, reply) => {
        const found = enter(routing, request, fixed);
        if (!found.ok) return sendProblem(reply, found.problem);
        const data = await routing.services.exports.manifest(found.chain.name);
        return reply
          .header('cache-control', 'private, max-age=300')
          .send({ data, next_cursor: null, data_mode: routing.context.dataMode });
      },
    );
  }
}

function enter(
  routing: ChainRouting,
  request: FastifyRequest,
  fixed: string | null,
): { readonly ok: true; readonly chain: Chain } | { readonly ok: false; readonly problem: Problem } {
  const found = chainOf(routing, request, fixed);
  if (!found.ok) return found;
  const problem = refusalOfPlan(routing, planOf(request), found.chain, 'exports');
  return problem ? { ok: false, problem } : found;
}

async function sendDay(
  routing: ChainRouting,
  chain: Chain,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const read = readQuery(ExportQuery, request, reply);
  if (!read.ok) return sendProblem(reply, validationFailed(read.errors));
  const date = read.value.date === undefined ? null : String(read.value.date);
  const today = new Date(routing.context.now()).toISOString().slice(0, 10);
  if (date !== null && date > today)
    return sendProblem(
      reply,
      validationFailed([
        { pointer: '/date', code: 'out_of_range', detail: `expected a day that is over, before ${today}` },
      ]),
    );
  const format = (read.value.format as ExportFormat | undefined) ?? formatOfAccept(request.headers.accept);
  const { exports } = routing.services;
  const opened = await exports.open(chain.name, date, format, encodingsOf(request));
  if (!opened.ok)
    return sendProblem(reply, notPublished(opened.reason, opened.detail, date === null || date === today));
  const { file } = opened.value;
  return sendFile(request, reply, {
    bytes: file.bytes,
    etag: file.etag,
    sha256: file.sha256,
    contentType: CONTENT_TYPES[format],
    contentEncoding: file.encoding === 'identity' ? null : file.encoding,
    downloadName: downloadName(file),
    cacheControl: date === null ? 'private, max-age=300' : 'private, max-age=86400, immutable',
    read: (from, to) => exports.read(file, from, to),
  });
}

/** The first known type that `Accept` names, by quality; a JSON array for anything else. */
function formatOfAccept(accept: string | undefined): ExportFormat {
  const wishes = [...acceptedCodings(accept ?? '')]
    .filter(([type, quality]) => quality > 0 && type in FORMAT_OF_TYPE)
    .sort(([, a], [, b]) => b - a);
  return FORMAT_OF_TYPE[wishes[0]?.[0] ?? ''] ?? 'json';
}

function encodingsOf(request: FastifyRequest): readonly ExportEncoding[] {
  const header = request.headers['accept-encoding'];
  const qualities = acceptedCodings(typeof header === 'string' ? header : '');
  const quality = (coding: string) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  return [...ENCODINGS.filter((coding) => quality(coding) > 0).sort((a, b) => quality(b) - quality(a)), 'identity'];
}

/** What is unpacked on the way is not named as packed. */
function downloadName(file: PublishedFile): string {
  return file.encoding === 'identity' ? file.name : file.name.replace(/\.(gz|zst|zstd)$/, '');
}

function notPublished(reason: string, detail: string, soon: boolean): Problem {
  const waits = soon || reason === 'not_published_yet';
  return {
    status: 404,
    code: waits ? 'export_not_published_yet' : 'no_such_export_day',
    title: waits ? 'The day is not published yet' : 'There is no file of that day',
    detail: `${detail}. GET .../exports/daily/manifest lists the published days.`,
    retry: waits ? 'after' : 'no',
    ...(waits ? { headers: { 'retry-after': '600' } } : {}),
  };
}
