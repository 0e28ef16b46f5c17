import canonicalize from 'canonicalize';
import Type from 'typebox';
import {
  Miss,
  MissList,
  MissQuery,
  problems,
  type Reply,
  RestatementList,
  RestatementQuery,
  RestatementView,
  TrackRecord,
  TrackRecordView,
  viewOf,
} from '../../contract/index.ts';
import type { ComputedTrackRecord, DisclosureServices } from '../../disclosure/index.ts';
import type { ApiContext } from '../context.ts';
import { type Problem, refuse } from '../replies/problems.ts';
import { hashOf, sendTagged } from '../replies/send-json.ts';
import { unkeyed, unkeyedTagged } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

const SHOWN_MISSES = 100;

/** Outcomes of rated assets: failures per band, transitions, misses. Open. */
export function trackRecordRoutes(
  server: Routes,
  { dataMode }: Pick<ApiContext, 'dataMode'>,
  { trackRecord, sign }: Pick<DisclosureServices, 'trackRecord' | 'sign'>,
): void {
  let signed: { readonly of: ComputedTrackRecord; readonly json: string; readonly hash: string } | null = null;
  const signedOf = (computed: ComputedTrackRecord) => {
    if (signed?.of !== computed) {
      const view = trackRecordView(computed, dataMode);
      const signature = sign(new TextEncoder().encode(canonicalize(view) ?? ''));
      const json = JSON.stringify({ ...view, signature });
      signed = { of: computed, json, hash: hashOf(json) };
    }
    return signed;
  };

  server.get(
    '/v1/track-record',
    unkeyedTagged('service', {
      operationId: 'getTrackRecord',
      summary: 'What became of rated assets',
      description:
        'Counted from everything that was ever published, corrected or not; nothing is taken out. Computed anew at most every ten minutes; `as_of` states when. A rate whose horizon few assets have reached has little meaning: read its interval.',
      response: {
        200: TrackRecordView,
        304: Type.Null({ description: 'It is still the one named in If-None-Match.' }),
        ...problems(503),
      },
    }),
    async (request, reply) => {
      const { json, hash } = signedOf((await trackRecord()) ?? refuse(BEING_COMPUTED));
      return sendTagged(request, reply, json, 'public, max-age=60', hash);
    },
  );

  server.get(
    '/v1/track-record/misses',
    unkeyed('service', {
      operationId: 'listMisses',
      summary: 'Defaults of what was rated well in the year before, newest first',
      description:
        'Every one by name: a rating that did not anticipate the default is shown, not hidden. Open to everybody.',
      querystring: MissQuery,
      response: { 200: MissList, ...problems(400, 503) },
    }),
    async (request, reply) => {
      const computed = (await trackRecord()) ?? refuse(BEING_COMPUTED);
      const from = Number(request.query.cursor ?? 0);
      const to = from + request.query.limit;
      const { misses } = computed.record;
      return reply.header('cache-control', 'public, max-age=60').send({
        data: misses.slice(from, to).map((miss) => viewOf(Miss, miss)),
        next_cursor: to < misses.length ? String(to) : null,
        as_of: computed.computedAt,
        data_mode: dataMode,
      } satisfies Reply<typeof MissList>);
    },
  );
}

const BEING_COMPUTED: Problem = {
  status: 503,
  code: 'track_record_being_computed',
  title: 'The track record is being computed',
  detail: 'Every rating ever published is counted, which takes a moment after a start.',
  retry: 'after',
  headers: { 'retry-after': '30' },
};

function trackRecordView(
  { record, methodologyVersion, computedAt }: ComputedTrackRecord,
  dataMode: 'live' | 'sandbox',
) {
  const { misses } = record;
  const shown = { ...record, misses: misses.slice(0, SHOWN_MISSES), missesTotal: misses.length };
  return viewOf(TrackRecord, { ...shown, asOf: computedAt, methodologyVersion, dataMode });
}

/** GET /v1/restatements: all corrections. Open. */
export function restatementRoutes(
  server: Routes,
  { dataMode }: Pick<ApiContext, 'dataMode'>,
  { restatements }: Pick<DisclosureServices, 'restatements'>,
): void {
  server.get(
    '/v1/restatements',
    unkeyed('service', {
      operationId: 'listRestatements',
      summary: 'What was corrected, newest first',
      description:
        'Published days and ratings that were wrong by another band or by two points or more. What was published first stays readable beside the correction.',
      querystring: RestatementQuery,
      response: { 200: RestatementList, ...problems(400) },
    }),
    async (request, reply) => {
      const { limit, cursor } = request.query;
      const before = cursor === undefined ? null : Number(cursor);
      const found = await restatements({ before, limit: limit + 1 });
      const page = found.slice(0, limit);
      return reply.header('cache-control', 'public, max-age=60').send({
        data: page.map((one) => viewOf(RestatementView, one)),
        next_cursor: found.length > limit ? String(page.at(-1)?.id) : null,
        data_mode: dataMode,
      } satisfies Reply<typeof RestatementList>);
    },
  );
}
