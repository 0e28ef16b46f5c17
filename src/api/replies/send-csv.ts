import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { acceptedTypes } from '../requests/headers.ts';
import { hashOf, sendTagged } from './send-json.ts';
import { addVary } from './vary.ts';

/** Schema of a CSV page. */
export const CSV_PAGE = Type.String({
  description:
    'The same rows below a row with the names of their fields; `Assay-Next-Cursor` continues with the next page.',
});
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** The list format that `Accept` prefers; JSON when it names neither. */
export function formOf(request: FastifyRequest): 'json' | 'csv' {
  const first = acceptedTypes(request.headers.accept).find(
    (type) => type === 'text/csv' || type === 'application/json',
  );
  return first === 'text/csv' ? 'csv' : 'json';
}

/** Sends a page as CSV. `Assay-Next-Cursor` holds the percent-encoded cursor of the next page. */
export function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, cursor }: { readonly text: string; readonly cursor: string | null },
  cacheControl: string,
): Promise<FastifyReply> {
  if (cursor !== null) reply.header('assay-next-cursor', encodeURIComponent(cursor));
  addVary(reply.head, 'Accept');
  return sendTagged(request, reply, text, cacheControl, hashOf(text), CSV_TYPE);
}
