import type { FastifyReply } from 'fastify';
import {
  type AnswerView,
  documentOf,
  fullFormat,
  htmlOf,
  markdownOf,
  minimalFormat,
  type OutputFormat,
  standardFormat,
} from '../../contract/index.ts';
import type { ScoreReport } from '../../domain/index.ts';
import { acceptedTypes } from '../requests/headers.ts';
import { addVary } from './vary.ts';

const STRICT_PAGE =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The report in the requested format, as JSON. */
export function scoreBody(report: ScoreReport, format: OutputFormat, view: AnswerView) {
  if (format === 'minimal') return minimalFormat(report, view);
  return format === 'full' ? fullFormat(report, view) : standardFormat(report, view);
}

/** Sends a finished report; a `full` one as a page or as Markdown when `Accept` asks for that before JSON. */
export function sendScore(
  reply: FastifyReply,
  report: ScoreReport,
  format: OutputFormat,
  view: AnswerView,
): FastifyReply {
  reply.header('cache-control', 'private, no-store').header('assay-published', String(report.decision.published));
  addVary(reply.head, 'Accept');
  if (view.warnings.length > 0) reply.header('assay-warnings', headerText(view.warnings.join(', ')));
  const wanted = format === 'full' ? documentType(reply.request.headers.accept) : null;
  if (wanted === 'text/html')
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', STRICT_PAGE)
      .send(htmlOf(documentOf(report, view)));
  if (wanted === 'text/markdown')
    return reply.type('text/markdown; charset=utf-8').send(markdownOf(documentOf(report, view)));
  return reply.send(scoreBody(report, format, view));
}

/** Names are untrusted text: a header holds their printable ASCII characters. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 1_000);
}

const DOCUMENT_TYPES: ReadonlySet<string> = new Set(['text/html', 'text/markdown', 'application/json']);

/** The first of html, markdown, json that `Accept` names, by quality. */
function documentType(accept: string | undefined): 'text/html' | 'text/markdown' | null {
  const first = acceptedTypes(accept).find((type) => DOCUMENT_TYPES.has(type));
  return first === 'text/html' || first === 'text/markdown' ? first : null;
}
