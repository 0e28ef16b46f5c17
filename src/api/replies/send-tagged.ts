import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseCoding, LEAST_BYTES, pack } from '../hot/content-coding.ts';
import { addVary } from './vary.ts';

/**
 * Sends JSON that is identified by `hash` (letters, digits, dashes), in the coding that the caller prefers, or 304 when the caller has it. Each
 * coding has a tag of its own, so the tag is strong. For routes that are not compressed elsewhere.
 */
export async function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { hash, json, cacheControl }: { readonly hash: string; readonly json: string; readonly cacheControl: string },
): Promise<FastifyReply> {
  const wanted = chooseCoding(request.headers['accept-encoding'] as string | undefined);
  const bytes = Buffer.from(json);
  const coding = bytes.length > LEAST_BYTES ? wanted : 'identity';
  const known = knownTag(request.headers['if-none-match'], hash);
  reply.header('etag', known ?? tagOf(hash, coding)).header('cache-control', cacheControl);
  addVary(reply.head, 'Accept-Encoding');
  if (known !== null || request.headers['if-none-match']?.trim() === '*') return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type('application/json; charset=utf-8').send(coding === 'identity' ? bytes : await pack(bytes, coding));
}

function tagOf(hash: string, coding: string): string {
  return coding === 'identity' ? `"${hash}"` : `"${hash}.${coding}"`;
}

/** The tag of `If-None-Match` that names this JSON, in whatever coding. */
function knownTag(header: string | undefined, hash: string): string | null {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return (
    tags.find(
      (tag) => tag === `"${hash}"` || (tag.startsWith(`"${hash}.`) && /^[a-z]{2,8}"$/.test(tag.slice(hash.length + 2))),
    ) ?? null
  );
}
