import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { DossierQuery, DossierView, type Input, problems, type ScoreRecord } from '../../contract/index.ts';
import { loadMethodology, type Methodology } from '../../methodology/index.ts';
import { dossierHtml, dossierMarkdown, dossierOf, PAGE_POLICY } from '../../pages/index.ts';
import { refuse } from '../replies/problems.ts';
import { documentType } from '../replies/send-report.ts';
import { addVary } from '../replies/vary.ts';
import { keyed } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetOf, assetPaths, type RmsRouting, wantedOf } from '../rms/choose-rating.ts';
import { choose, NO_BREAKDOWN } from './rms-breakdown.ts';

const PAGE = Type.String({ description: 'The dossier for people, in English.' });

/** GET /v1/rms/{asset}/dossier. */
export function ratingDossierRoutes(server: Routes, routing: RmsRouting): void {
  for (const { path, about } of assetPaths('/dossier')) {
    const options = keyed('rms:read', 'ratings', {
      ...about,
      operationId: 'getDossier',
      summary: 'What a listing desk has to look at, with evidence or an explicit gap',
      description:
        'Requirements of MiCA Art. 76 and of CBB CRA-4.3.14 in our own words, each with the evidence of the rating, its date and sources, or a gap; for a stablecoin also the subjects of two public assessments, as a reading aid. It states no compliance. JSON, HTML (`Accept: text/html` or `format=html`) or Markdown (`Accept: text/markdown` or `format=markdown`).',
      querystring: DossierQuery,
      response: {
        200: {
          description: 'The dossier.',
          content: {
            'application/json': { schema: DossierView },
            'text/html': { schema: PAGE },
            'text/markdown': { schema: PAGE },
          },
        },
        ...problems(400, 401, 403, 404, 409, 429),
      },
    });
    server.get(path, options, (request, reply) => answer(routing, request.query, request, reply));
  }
}

let loaded: Methodology | null = null;

async function answer(
  routing: RmsRouting,
  { format, ...named }: Input<typeof DossierQuery>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context } = routing;
  const wanted = wantedOf(named, context.now());
  const assetId = await assetOf(routing, request, reply);
  if (assetId === null) return reply;
  const { rating, maxAgeSeconds } = await choose(routing, request, assetId, wanted);
  const record = JSON.parse(Buffer.from(rating.record).toString('utf8')) as ScoreRecord;
  const report = await context.scoring.report(rating.jobId);
  if (report === null || report.published.methodologyHash !== record.methodology_hash) return refuse(NO_BREAKDOWN);
  loaded ??= loadMethodology();
  const { correction } = rating;
  const dossier = { ...dossierOf(record, report, loaded), ...(correction && { correction }) };
  reply.header('cache-control', `private, max-age=${maxAgeSeconds}`);
  addVary(reply.head, 'Accept');
  const type = format === undefined ? documentType(request.headers.accept) : null;
  if (format === 'html' || type === 'text/html')
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .send(dossierHtml(dossier));
  if (format === 'markdown' || type === 'text/markdown')
    return reply.type('text/markdown; charset=utf-8').send(dossierMarkdown(dossier));
  return reply.send(dossier);
}
