import type { FastifyReply, FastifyRequest } from 'fastify';
import { gridPoint } from '../../access/index.ts';
import {
  CurrentRatings,
  CurrentRatingsQuery,
  NOT_MODIFIED,
  problems,
  RatingChangeList,
  RatingDiffQuery,
} from '../../contract/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import type { RatingChanges } from '../../exports/index.ts';
import type { ApiContext } from '../context.ts';
import { refuse, refuseField, requireHistory, requirePlan } from '../replies/problems.ts';
import { CSV_PAGE, formOf, sendCsv } from '../replies/send-csv.ts';
import { sendTagged } from '../replies/send-json.ts';
import { addVary } from '../replies/vary.ts';
import { keyed, keyOf, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { notPublished } from './daily-export.ts';

const NEED = { scope: 'rms:read', chain: null, exportOf: 'rms' } as const;
const MAX_AGE = { current: 'private, max-age=60', past: 'private, max-age=300' } as const;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The current ratings, and the changes between two days, in pages. */
export function ratingChangeRoutes(server: Routes, context: ApiContext, changes: RatingChanges): void {
  const { plans, dataMode } = context;
  const answers = (description: string, schema: typeof CurrentRatings | typeof RatingChangeList) => ({
    200: {
      description,
      content: { 'application/json': { schema }, 'text/csv': { schema: CSV_PAGE } },
    },
    ...NOT_MODIFIED,
    ...problems(400, 401, 403, 404, 429),
  });

  server.get(
    '/v1/exports/rms/current',
    {
      ...keyed('rms:read', 'exports', {
        operationId: 'getCurrentRatings',
        summary: 'The present rating of every asset',
        description:
          'Rows as in the daily export, of this moment and not signed: the newest ratings that the plan’s grid includes. In pages, in the order of the asset ids.',
        querystring: CurrentRatingsQuery,
        response: answers('A page of ratings.', CurrentRatings),
      }),
      compress: false,
    },
    async (request, reply) => {
      requirePlan(planOf(request), plans, NEED, 'the export of ratings');
      const { limit, cursor = '', format = formOf(request) } = request.query;
      const now = context.now();
      const point = gridPoint(now, planOf(request).freshnessGridSeconds) ?? now;
      const page = await changes.current(point + 1, { format, limit, after: cursor });
      context.disclosures?.reads.noteDay(keyOf(request).accountId, dayOf(point));
      if (format === 'csv') return sendCsv(request, reply, page, MAX_AGE.current);
      return sendPage(request, reply, '{', page, dataMode, MAX_AGE.current);
    },
  );

  server.get(
    '/v1/exports/rms/diff',
    {
      ...keyed('rms:read', 'exports', {
        operationId: 'getRatingChanges',
        summary: 'What changed between the ends of two days',
        description:
          'Assets that are new, were withdrawn, or whose band, score, trust, flags or standing are others, by the newest revisions of both days. In pages, in the order of the asset ids; a page may be short, or empty, while there is a `next_cursor`.',
        querystring: RatingDiffQuery,
        response: answers('A page of changes.', RatingChangeList),
      }),
      compress: false,
    },
    async (request, reply) => {
      requirePlan(planOf(request), plans, NEED, 'the export of ratings');
      const { limit, cursor = '', format = formOf(request) } = request.query;
      const now = context.now();
      const to = request.query.to ?? dayOf(now - DAY_MS);
      const from = request.query.from ?? dayOf(Date.parse(to) - DAY_MS);
      if (to >= dayOf(now)) refuseField('/to', 'out_of_range', `expected a day that is over, before ${dayOf(now)}`);
      if (from >= to) refuseField('/from', 'out_of_range', `expected a day before \`to\`, which is ${to}`);
      requireHistory(planOf(request), plans, Date.parse(from) + DAY_MS, now, 'exports');
      const page = await changes.between(from, to, { format, limit, after: cursor });
      if (!page.ok)
        return refuse(
          notPublished('no_such_day', `the ratings of ${page.day} are not closed`, page.day === dayOf(now - DAY_MS)),
        );
      for (const day of [from, to]) context.disclosures?.reads.noteDay(keyOf(request).accountId, day);
      if (format === 'csv') return sendCsv(request, reply, page.value, MAX_AGE.past);
      const head = `{"from":${JSON.stringify(from)},"to":${JSON.stringify(to)},`;
      return sendPage(request, reply, head, page.value, dataMode, MAX_AGE.past);
    },
  );
}

interface Sent {
  readonly text: string;
  readonly cursor: string | null;
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  head: string,
  { text, cursor }: Sent,
  dataMode: string,
  cacheControl: string,
): Promise<FastifyReply> {
  const end = `"next_cursor":${JSON.stringify(cursor)},"data_mode":${JSON.stringify(dataMode)}}`;
  addVary(reply.head, 'Accept');
  return sendTagged(request, reply, `${head}"data":${text},${end}`, cacheControl);
}
