import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { gridPoint } from '../../access/index.ts';
import {
  type ClusterRecord,
  ClustersView,
  type DrainRecord,
  ForensicsQuery,
  ForensicsView,
  NOT_MODIFIED,
  problems,
  type Reply,
  type ScoreRecord,
  SearchingView,
  WaitHeaders,
} from '../../contract/index.ts';
import type { ForensicSubject, SearchState } from '../../domain/index.ts';
import type { StoredRating } from '../../monitoring/index.ts';
import type { ForensicServices } from '../context.ts';
import { agingReply, type HotSnapshot } from '../hot/hot-snapshot.ts';
import { sendSnapshot } from '../hot/send-snapshot.ts';
import { notFound, type Problem, refuse, refuseField } from '../replies/problems.ts';
import { keyed, planOf } from '../requests/account-request.ts';
import { readPreferences } from '../requests/headers.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetOf, assetPaths, missing, type RmsRouting } from '../rms/choose-rating.ts';

const USUAL_WAIT_SECONDS = 20;
const MOST_WAIT_SECONDS = 60;
const RETRY_AFTER_SECONDS = 10;

type Search = (subject: ForensicSubject, waitMs: number) => Promise<SearchState<ClusterRecord | DrainRecord>>;

/** GET /v1/rms/{asset}/forensics and /v1/rms/{asset}/clusters. */
export function ratingForensicsRoutes(server: Routes, routing: RmsRouting, forensics: ForensicServices): void {
  // Must run before the server waits for requests under way, because some of them wait for a search.
  server.addHook('preClose', () => forensics.close());
  route(server, routing, {
    rest: '/forensics',
    operationId: 'getForensics',
    view: ForensicsView,
    search: forensics.drains,
    summary: 'Who emptied an asset’s pools, and where the money went',
    description:
      'Searches the history of the asset’s largest pools for the transactions that took most of their money: who removed what and when, who got it, where it went (two steps at most), and how the wallets are linked to the creator. Every statement carries its transaction, its source and a confidence; `limits` says what could not be seen.',
  });
  route(server, routing, {
    rest: '/clusters',
    operationId: 'getClusters',
    view: ClustersView,
    search: forensics.clusters,
    summary: 'The largest holders, put together by their first payer',
    description:
      'The first payment that each of the largest holders’ wallets ever got; wallets that the same wallet paid first are a cluster. Exchanges and other wallets of very many payments link no wallets. A cluster is a hint, not a proof.',
  });
}

function route(
  server: Routes,
  routing: RmsRouting,
  face: {
    readonly rest: string;
    readonly operationId: string;
    readonly view: TSchema;
    readonly search: Search;
    readonly summary: string;
    readonly description: string;
  },
): void {
  const made = new WeakMap<ClusterRecord | DrainRecord, HotSnapshot>();
  for (const { path, about } of assetPaths(face.rest)) {
    const options = keyed('rms:read', 'ratings', {
      ...about,
      operationId: face.operationId,
      summary: face.summary,
      description: `${face.description}\n\nSearched for on demand and kept for some hours. 202 with \`Retry-After\` when the search takes longer than \`Prefer: wait=N\` (usual ${USUAL_WAIT_SECONDS}, at most ${MOST_WAIT_SECONDS} seconds): repeat the request, the search continues meanwhile.`,
      querystring: ForensicsQuery,
      headers: WaitHeaders,
      response: { 200: face.view, 202: SearchingView, ...NOT_MODIFIED, ...problems(400, 401, 403, 404, 409, 429, 503) },
    });
    server.get(path, { ...options, compress: false, preValidation: refusePast }, (request, reply) =>
      answer(routing, face.search, made, request, reply),
    );
  }
}

async function answer(
  routing: RmsRouting,
  search: Search,
  made: WeakMap<ClusterRecord | DrainRecord, HotSnapshot>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context, limiter, cache } = routing;
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const hot = await cache.load(assetId, gridPoint(context.now(), planOf(request).freshnessGridSeconds));
  const { rating } = hot ?? (await missing(routing, request, assetId, null));
  const subject = await subjectOf(routing, rating);
  const wait = Math.min(MOST_WAIT_SECONDS, readPreferences(request.headers.prefer).waitSeconds ?? USUAL_WAIT_SECONDS);
  const found = await search(subject, wait * 1000);
  if (found.state === 'unsupported') return refuse(NO_HISTORY);
  if (found.state === 'busy') return refuse(BUSY);
  if (found.state === 'searching') return sendSearching(reply, found.startedAt, context.dataMode);
  const { record, until } = found;
  const body = made.get(record) ?? readyRecord(record, context.dataMode);
  made.set(record, body);
  const maxAge = Math.max(0, Math.floor((until - context.now()) / 1000));
  await sendSnapshot(limiter, request, reply, body, maxAge, context.now());
  return reply;
}

/** Refuses `as_of`: ignoring it would return today's findings as past ones. */
async function refusePast({ query }: FastifyRequest): Promise<void> {
  if ('as_of' in (query as object))
    refuseField(
      '/as_of',
      'not_supported',
      'expected none: searches are made of what the chain shows now; every event in them carries its own time',
    );
}

/** The asset, with the facts about it from its rating's evidence. */
async function subjectOf({ context }: RmsRouting, rating: StoredRating): Promise<ForensicSubject> {
  const report = (await context.scoring.report(rating.jobId)) ?? refuse(EVIDENCE_NOT_KEPT);
  const record = JSON.parse(Buffer.from(rating.record).toString('utf8')) as ScoreRecord;
  return {
    asset: report.published.asset,
    consensus: report.consensus,
    flags: record.risk_flags.map((flag) => flag.code),
    defaultTests: (record.default?.tests ?? []).map((test) => test.code),
  };
}

function readyRecord(record: ClusterRecord | DrainRecord, dataMode: string): HotSnapshot {
  const asOf = Date.parse(record.as_of);
  const text = `${JSON.stringify({ ...record, data_mode: dataMode }).slice(0, -1)},"age_seconds":`;
  return agingReply(Buffer.from(text), asOf, asOf);
}

function sendSearching(reply: FastifyReply, startedAt: number, dataMode: 'live' | 'sandbox'): FastifyReply {
  return reply
    .code(202)
    .header('retry-after', String(RETRY_AFTER_SECONDS))
    .header('cache-control', 'no-store')
    .send({
      state: 'searching',
      started_at: new Date(startedAt).toISOString(),
      detail: `The chain’s history is being read; repeat the request in ${RETRY_AFTER_SECONDS} seconds. The search continues meanwhile.`,
      data_mode: dataMode,
    } satisfies Reply<typeof SearchingView>);
}

const EVIDENCE_NOT_KEPT = notFound(
  'evidence_not_kept',
  'The evidence is not kept',
  'The evidence of the asset’s rating, which names its pools, is no longer kept. Rate it again (GET /v1/rms/{asset}?fresh=true) and repeat the request.',
);

const NO_HISTORY = notFound(
  'no_chain_history',
  'There is no chain history to search',
  'The asset is not a token on a chain whose nodes this service reads (a project without a token, a chain’s native coin, or a chain that is switched off).',
);

const BUSY: Problem = {
  status: 503,
  code: 'searches_busy',
  title: 'Other searches are running',
  detail: `Searches through a chain’s history run one or two at a time; repeat the request in ${RETRY_AFTER_SECONDS} seconds.`,
  retry: 'after',
  headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
};
