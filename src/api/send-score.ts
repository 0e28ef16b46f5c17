import type { FastifyReply } from 'fastify';
import type { ScoreRequest } from '../domain/identification.ts';
import type { ScoreReport } from '../domain/report.ts';
import { documentOf } from '../scoring/formats/document.ts';
import { fullFormat } from '../scoring/formats/full.ts';
import { htmlOf } from '../scoring/formats/html.ts';
import { markdownOf } from '../scoring/formats/markdown.ts';
import { minimalFormat } from '../scoring/formats/minimal.ts';
import { standardFormat } from '../scoring/formats/standard.ts';
import type { OutputFormat } from '../scoring/request.ts';
import { addVary } from './vary.ts';

export interface ScoreView {
  readonly format: OutputFormat;
  /** Echoed in the reply: what this caller sent. */
  readonly asked: ScoreRequest;
  readonly warnings: readonly string[];
  readonly now: number;
}

const STRICT_PAGE =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The report in the format that was asked for, as JSON. */
export function scoreBody(report: ScoreReport, view: ScoreView) {
  if (view.format === 'minimal') return minimalFormat(report, view.asked);
  if (view.format === 'full') return fullFormat(report, view.asked, view.warnings, view.now);
  return standardFormat(report, view.asked, view.warnings, view.now);
}

/** Sends a finished report; a `full` one as a page or as Markdown when `Accept` asks for that before JSON. */
export function sendScore(reply: FastifyReply, report: ScoreReport, view: ScoreView): FastifyReply {
  reply.header('cache-control', 'private, no-store');
  addVary(reply, 'Accept');
  if (view.warnings.length > 0) reply.header('assay-warnings', view.warnings.join(', ').slice(0, 1_000));
  const wanted = view.format === 'full' ? documentType(reply.request.headers.accept) : null;
  if (wanted === 'text/html')
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', STRICT_PAGE)
      .send(htmlOf(documentOf(report)));
  if (wanted === 'text/markdown')
    return reply.type('text/markdown; charset=utf-8').send(markdownOf(documentOf(report)));
  return reply.send(scoreBody(report, view));
}

/** The first of html, markdown, json that `Accept` names, by quality. */
function documentType(accept: string | undefined): 'text/html' | 'text/markdown' | null {
  const wishes = (accept ?? '')
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part
        .toLowerCase()
        .split(';')
        .map((word) => word.trim());
      const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
      return { type, quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter((wish) => wish.quality > 0 && ['text/html', 'text/markdown', 'application/json'].includes(wish.type))
    .sort((a, b) => b.quality - a.quality);
  const first = wishes[0]?.type;
  return first === 'text/html' || first === 'text/markdown' ? first : null;
}
