import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredRating } from '../../monitoring/index.ts';
import { type Coding, chooseCoding, LEAST_BYTES, pack } from '../hot/content-coding.ts';
import { entityTag, namedTag } from '../hot/entity-tag.ts';
import { writeBytes } from '../hot/hot-entry.ts';
import { headersOf } from '../plugins/head.ts';
import { signedRecord } from '../rms/rating-cache.ts';
import { addVary } from './vary.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends JSON, or text of another type, that is identified by `hash` (letters, digits, dashes), in the coding that the
 * caller prefers; 304 when the caller already has it. Each coding has a separate tag, so the tag is strong. For routes
 * that are not compressed elsewhere.
 */
export async function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
  cacheControl: string,
  hash = hashOf(json),
  contentType = JSON_TYPE,
): Promise<FastifyReply> {
  const bytes = Buffer.from(json);
  const coding = codingOf(request, bytes);
  const header = request.headers['if-none-match'];
  const known = knownTag(header, hash);
  reply.header('cache-control', cacheControl);
  const etag = known ?? tagOf(hash, coding);
  return known !== null || header?.trim() === '*'
    ? sendNotModified(reply, etag)
    : sendPacked(reply, bytes, coding, etag, contentType);
}

/** Hash of a text, in a form that is valid in a tag. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function tagOf(hash: string, coding: string): string {
  return coding === 'identity' ? `"${hash}"` : `"${hash}.${coding}"`;
}

/** The tag in `If-None-Match` that names this JSON, in any coding. */
function knownTag(header: string | undefined, hash: string): string | null {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return (
    tags.find(
      (tag) => tag === `"${hash}"` || (tag.startsWith(`"${hash}.`) && /^[a-z]{2,8}"$/.test(tag.slice(hash.length + 2))),
    ) ?? null
  );
}

/** A page of a list as JSON. */
interface Page {
  readonly bytes: () => Buffer;
  /** The content that the hash is computed from. */
  readonly identity: Buffer | string;
  /** Age added to the tag: pages with the same hash can differ in their ages. */
  readonly age: number;
  readonly maxAgeSeconds: number;
}

/** Sends a page, or 304 when the caller already has it. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, identity, age, maxAgeSeconds }: Page,
  send = sendPacked,
): FastifyReply | Promise<FastifyReply> {
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  reply.header('cache-control', `private, max-age=${maxAgeSeconds}`);
  const known = namedTag(request.headers['if-none-match'], hash);
  if (known !== null) return sendNotModified(reply, known === '*' ? entityTag(hash, age, 'identity') : known);
  const made = bytes();
  const coding = codingOf(request, made);
  return send(reply, made, coding, entityTag(hash, age, coding));
}

/** Sends a page of ratings as signed records, or 304 when the caller already has it. */
export function sendRatings(
  request: FastifyRequest,
  reply: FastifyReply,
  page: { readonly ratings: readonly StoredRating[]; readonly nextCursor: string | null },
  dataMode: string,
  maxAgeSeconds: number,
): FastifyReply | Promise<FastifyReply> {
  const bytes = joined('{"data":[', page.ratings.map(signedRecord), listEnd(page.nextCursor, dataMode));
  return sendPage(request, reply, { bytes: () => bytes, identity: bytes, age: 0, maxAgeSeconds }, sendLarge);
}

/** The members after the entries of a list. */
export function listEnd(nextCursor: string | null, dataMode: string): string {
  return `],"next_cursor":${JSON.stringify(nextCursor)},"data_mode":${JSON.stringify(dataMode)}}`;
}

/** Concatenates parts separated by commas, between a start and an end. */
export function joined(start: string, parts: readonly Uint8Array[], end: string): Buffer {
  const comma = Buffer.from(',');
  const separated = parts.flatMap((part, index) => (index === 0 ? [part] : [comma, part]));
  return Buffer.concat([Buffer.from(start), ...separated, Buffer.from(end)]);
}

/** The coding for a reply of these bytes. */
export function codingOf(request: FastifyRequest, bytes: Buffer): Coding {
  const wanted = chooseCoding(request.headers['accept-encoding'] as string | undefined);
  return bytes.length > LEAST_BYTES ? wanted : 'identity';
}

function sendNotModified(reply: FastifyReply, etag: string): FastifyReply {
  addVary(reply.head, 'Accept-Encoding');
  return reply.code(304).header('etag', etag).send();
}

async function sendPacked(
  reply: FastifyReply,
  bytes: Buffer,
  coding: Coding,
  etag: string | null,
  contentType = JSON_TYPE,
): Promise<FastifyReply> {
  setCodingHeaders(reply, coding, etag);
  reply.type(contentType);
  return reply.send(coding === 'identity' ? bytes : await pack(bytes, coding));
}

/** Sends JSON bytes. Uncompressed bytes are sent directly, without the onSend hooks. */
export async function sendLarge(
  reply: FastifyReply,
  bytes: Buffer,
  coding: Coding,
  etag: string | null,
): Promise<FastifyReply> {
  if (coding !== 'identity') return sendPacked(reply, bytes, coding, etag);
  setCodingHeaders(reply, coding, etag);
  reply.request.bodyBytes = bytes.length;
  reply.hijack();
  writeBytes(reply.raw, headersOf(reply), bytes);
  return reply;
}

function setCodingHeaders(reply: FastifyReply, coding: Coding, etag: string | null): void {
  addVary(reply.head, 'Accept-Encoding');
  if (coding !== 'identity') reply.header('content-encoding', coding);
  if (etag !== null) reply.header('etag', etag);
  reply.type(JSON_TYPE);
}
