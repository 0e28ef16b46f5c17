import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredRating } from '../../monitoring/index.ts';
import { chooseCoding, LEAST_BYTES, pack } from '../hot/content-coding.ts';
import { entityTag, namedTag } from '../hot/entity-tag.ts';
import { writeBytes } from '../hot/hot-entry.ts';
import { headersOf } from '../plugins/head.ts';
import { addVary } from '../replies/vary.ts';
import { signedRecord } from './rating-cache.ts';

/** Sends a page of ratings as records with their signatures, or 304 to who has it. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: { readonly ratings: readonly StoredRating[]; readonly nextCursor: string | null },
  dataMode: string,
  maxAgeSeconds: number,
): Promise<FastifyReply> {
  const end = `],"next_cursor":${JSON.stringify(page.nextCursor)},"data_mode":${JSON.stringify(dataMode)}}`;
  const bytes = joined('{"data":[', page.ratings.map(signedRecord), end);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  reply.header('cache-control', `private, max-age=${maxAgeSeconds}`);
  const known = namedTag(request.headers['if-none-match'], hash);
  if (known !== null) {
    addVary(reply.head, 'Accept-Encoding');
    return reply
      .code(304)
      .header('etag', known === '*' ? entityTag(hash, 0, 'identity') : known)
      .send();
  }
  return sendPacked(request, reply, bytes, (coding) => entityTag(hash, 0, coding));
}

/** Sends JSON bytes in the coding the caller likes best. */
export async function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  tagOf: ((coding: string) => string) | null,
): Promise<FastifyReply> {
  const wanted = chooseCoding(request.headers['accept-encoding'] as string | undefined);
  const coding = bytes.length > LEAST_BYTES ? wanted : 'identity';
  addVary(reply.head, 'Accept-Encoding');
  if (coding !== 'identity') reply.header('content-encoding', coding);
  if (tagOf) reply.header('etag', tagOf(coding));
  reply.type('application/json; charset=utf-8');
  if (coding !== 'identity') return reply.send(await pack(bytes, coding));
  // Large and ready: past the hooks that look at what is sent.
  request.bodyBytes = bytes.length;
  reply.hijack();
  writeBytes(reply.raw, headersOf(reply), bytes);
  return reply;
}

/** Parts with commas between them, between a start and an end. */
export function joined(start: string, parts: readonly Uint8Array[], end: string): Buffer {
  const all: Uint8Array[] = [Buffer.from(start)];
  parts.forEach((part, index) => {
    if (index > 0) all.push(COMMA);
    all.push(part);
  });
  all.push(Buffer.from(end));
  return Buffer.concat(all);
}

const COMMA = Buffer.from(',');
