import type { FastifyReply } from 'fastify';
import type { ReplyContext } from '../../contract/index.ts';
import type { ScoreReport } from '../../domain/index.ts';
import { htmlOf, markdownOf } from '../../report/index.ts';
import type { ApiContext } from '../context.ts';
import { acceptedTypes } from '../requests/headers.ts';

export type DocumentType = 'text/html' | 'text/markdown';

const DOCUMENT_TYPES: ReadonlySet<string> = new Set(['text/html', 'text/markdown', 'application/json']);

/** The first of html, markdown and json that `Accept` prefers by quality; null for json or none of them. */
export function documentType(accept: string | undefined): DocumentType | null {
  const first = acceptedTypes(accept).find((type) => DOCUMENT_TYPES.has(type));
  return first === 'text/html' || first === 'text/markdown' ? first : null;
}

const STRICT_PAGE =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Sends the report of a rating for people, `notices` at its top. The caller sets the cache headers. */
export async function sendReport(
  { committee }: Pick<ApiContext, 'committee'>,
  reply: FastifyReply,
  report: ScoreReport,
  ties: ReplyContext['ties'],
  type: DocumentType,
  notices: readonly string[] = [],
): Promise<FastifyReply> {
  const made = await committee(report, ties);
  const document = { ...made, banners: [...notices, ...made.banners] };
  return type === 'text/html'
    ? reply.type('text/html; charset=utf-8').header('content-security-policy', STRICT_PAGE).send(htmlOf(document))
    : reply.type('text/markdown; charset=utf-8').send(markdownOf(document));
}
