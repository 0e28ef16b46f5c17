import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { correctionWords, type Input, problems, ReportQuery, type ScoreRecord } from '../../contract/index.ts';
import { replyContext } from '../../jobs/index.ts';
import { refuse } from '../replies/problems.ts';
import { documentType, sendReport } from '../replies/send-report.ts';
import { addVary } from '../replies/vary.ts';
import { keyed } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetOf, assetPaths, type RmsRouting, wantedOf } from '../rms/choose-rating.ts';
import { choose, NO_BREAKDOWN } from './rms-breakdown.ts';

const PAGE = Type.String({ description: 'The report, in English.' });
const EXAMPLE = {
  example: {
    value: '# Tidewell (TIDE)\n\nGovernance of a DeFi protocol · Solana\n\n**BBB** No severe flag is raised.\n',
  },
};

/** GET /v1/rms/{asset}/report. */
export function ratingReportRoutes(server: Routes, routing: RmsRouting): void {
  for (const { path, about } of assetPaths('/report')) {
    const options = keyed('rms:read', 'ratings', {
      ...about,
      operationId: 'getRatingReport',
      summary: 'The report of a rating for people',
      description:
        'Two pages of A4 as HTML (also `format=html`), or Markdown (`Accept: text/markdown` or `format=markdown`): verdict, reasons, factors, history, facts, flags, holders, depth, what would change the band, what is not known and what to do about it, with all receipts in an appendix. Made from the archived evidence of the rating’s job: the same rating gives the same bytes.',
      querystring: ReportQuery,
      response: {
        200: {
          description: 'The report.',
          content: { 'text/html': { schema: PAGE }, 'text/markdown': { schema: PAGE, examples: EXAMPLE } },
        },
        ...problems(400, 401, 403, 404, 409, 429),
      },
    });
    server.get(path, options, (request, reply) => answer(routing, request.query, request, reply));
  }
}

async function answer(
  routing: RmsRouting,
  query: Input<typeof ReportQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context } = routing;
  const { format, ...named } = query;
  const wanted = wantedOf(named, context.now());
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const { rating, maxAgeSeconds } = await choose(routing, request, assetId, wanted);
  const record = JSON.parse(Buffer.from(rating.record).toString('utf8')) as ScoreRecord;
  const [job, report] = await Promise.all([context.scoring.get(rating.jobId), context.scoring.report(rating.jobId)]);
  if (job === null || report === null || report.published.methodologyHash !== record.methodology_hash)
    return refuse(NO_BREAKDOWN);
  const { ties } = replyContext(job, report, { asked: job.request, warnings: [], now: context.now() });
  const accepted = documentType(request.headers.accept);
  const type = format === 'markdown' || (format === undefined && accepted === 'text/markdown');
  reply.header('cache-control', `private, max-age=${maxAgeSeconds}`);
  addVary(reply.head, 'Accept');
  const notices = rating.correction ? [correctionWords(rating.correction)] : [];
  return sendReport(context, reply, report, ties, type ? 'text/markdown' : 'text/html', notices);
}
