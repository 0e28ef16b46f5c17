import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limiter } from '../../access/index.ts';
import { type Head, headersOf } from '../plugins/head.ts';
import { refund } from '../plugins/limits.ts';
import { addVary } from '../replies/vary.ts';
import { chooseCoding } from './content-coding.ts';
import { namedTag } from './entity-tag.ts';
import type { HotSnapshot, ReadyReply } from './hot-snapshot.ts';

/**
 * Replies with a snapshot's bytes, or with 304 when the caller has them. Writes directly to the socket: the bytes are
 * ready and need none of Fastify's processing. Includes the headers set so far.
 */
export function sendSnapshot(
  limiter: Limiter,
  request: FastifyRequest,
  reply: FastifyReply,
  snapshot: HotSnapshot,
  maxAgeSeconds: number,
  now: number,
): Promise<void> | undefined {
  if (isKnown(request.headers, snapshot)) refund(limiter, request, reply);
  reply.hijack();
  const sent = writeSnapshot(request.headers, reply.raw, headersOf(reply), snapshot, maxAgeSeconds, now);
  if (typeof sent === 'number') {
    request.bodyBytes = sent;
    return undefined;
  }
  return sent.then((bytes) => {
    request.bodyBytes = bytes;
  });
}

/** Whether the caller already has this snapshot: the reply is then 304 and costs no quota. */
export function isKnown(headers: IncomingHttpHeaders, { hash }: HotSnapshot): boolean {
  return namedTag(headers['if-none-match'], hash) !== null;
}

/** Writes the whole reply and returns the number of bytes of its body. `head`: headers set by the hooks. */
export function writeSnapshot(
  headers: IncomingHttpHeaders,
  response: ServerResponse,
  head: Head,
  snapshot: HotSnapshot,
  maxAgeSeconds: number,
  now: number,
): number | Promise<number> {
  head['cache-control'] = `private, max-age=${maxAgeSeconds}`;
  addVary(head, 'Accept-Encoding');
  head['assay-age-seconds'] = String(snapshot.ageSeconds(now));
  const known = namedTag(headers['if-none-match'], snapshot.hash);
  if (known !== null) {
    head.etag = known === '*' ? snapshot.reply(now).etag : known;
    response.writeHead(304, head).end();
    return 0;
  }
  const coding = chooseCoding(headers['accept-encoding'] as string | undefined);
  if (coding === 'identity') return write(response, head, snapshot.reply(now));
  return snapshot.packed(now, coding).then((ready) => write(response, head, ready));
}

function write(response: ServerResponse, head: Head, ready: ReadyReply): number {
  head['content-type'] = 'application/json; charset=utf-8';
  head['content-length'] = ready.length;
  head.etag = ready.etag;
  if (ready.coding !== 'identity') head['content-encoding'] = ready.coding;
  response.writeHead(200, head);
  if (ready.latin1 === null) response.end(ready.bytes);
  else response.end(ready.latin1, 'latin1');
  return ready.bytes.length;
}
