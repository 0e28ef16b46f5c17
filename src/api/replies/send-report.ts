import type { FastifyReply } from 'fastify';
import type { AnswerView, ScoreRecord } from '../../contract/index.ts';
import type { ScoreReport } from '../../domain/index.ts';
import { loadMethodology, type Methodology } from '../../methodology/index.ts';
import type { StoredRatings } from '../../monitoring/index.ts';
import { type Beside, type CommitteeReport, committeeReport, htmlOf, markdownOf } from '../../report/index.ts';
import type { ApiContext } from '../context.ts';
import { acceptedTypes } from '../requests/headers.ts';

export type DocumentType = 'text/html' | 'text/markdown';

const DOCUMENT_TYPES: ReadonlySet<string> = new Set(['text/html', 'text/markdown', 'application/json']);

/** The first of html, markdown, json that `Accept` names, by quality; null for json or none of them. */
export function documentType(accept: string | undefined): DocumentType | null {
  const first = acceptedTypes(accept).find((type) => DOCUMENT_TYPES.has(type));
  return first === 'text/html' || first === 'text/markdown' ? first : null;
}

const STRICT_PAGE =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const BEGINNING = '2000-01-01T00:00:00.000Z';
/** A page of actions; the report shows the newest few and counts the others. */
const MOST_ACTIONS = 500;

let loaded: Methodology | null = null;

/** Sends the report of a rating for people. Headers about caching are the caller's. */
export async function sendReport(
  { ratings, methodologyHash }: Pick<ApiContext, 'ratings' | 'methodologyHash'>,
  reply: FastifyReply,
  report: ScoreReport,
  ties: AnswerView['ties'],
  type: DocumentType,
): Promise<FastifyReply> {
  const [actions, peers] = await Promise.all([
    ratings === undefined ? [] : actionsUpTo(ratings.reader, report),
    ratings?.peersOf?.(report) ?? null,
  ]);
  // An older record would be judged by rules that it was not made with.
  const isOurs = report.evidence.methodologyHash === methodologyHash;
  const band = report.decision.published ? report.published.band : report.rating.band;
  const found = isOurs ? ratings?.counterfactual?.(report, band) : undefined;
  const moves = found === undefined || found.reason !== null ? null : found;
  loaded ??= loadMethodology();
  const document: CommitteeReport = committeeReport(report, { ties, actions, moves, peers }, loaded);
  return type === 'text/html'
    ? reply.type('text/html; charset=utf-8').header('content-security-policy', STRICT_PAGE).send(htmlOf(document))
    : reply.type('text/markdown; charset=utf-8').send(markdownOf(document));
}

/** Published actions until the record: they are never changed, so the record's report is the same whenever it is read. */
async function actionsUpTo(reader: StoredRatings, { evidence, published }: ScoreReport): Promise<Beside['actions']> {
  const { ratings } = await reader.history(published.asset.id, {
    from: BEGINNING,
    to: evidence.asOf,
    intervalSeconds: null,
    actionsOnly: true,
    limit: MOST_ACTIONS,
    cursor: null,
  });
  return ratings.map(({ record }) => {
    const row = JSON.parse(Buffer.from(record).toString('utf8')) as ScoreRecord;
    return {
      asOf: row.as_of,
      action: row.rating_action,
      band: row.band,
      score: row.score,
      actionReason: row.action_reason,
    };
  });
}
