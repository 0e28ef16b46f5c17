import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limiter } from '../../access/index.ts';
import { type Head, headersOf } from '../plugins/head.ts';
import { refund } from '../plugins/limits.ts';
import { chooseCoding } from './content-coding.ts';
import { namedTag } from './entity-tag.ts';
import type { HotSnapshot, ReadyReply } from './hot-snapshot.ts';

/**
 * Answers with a snapshot's bytes, or 304 when the caller has them. Straight to the socket: the bytes are ready, and nothing
 * that Fastify does between a handler and the wire is needed for them. Headers set so far are sent too.
 */
export function sendSnapshot(
  limiter: Limiter,
  request: FastifyRequest,
  reply: FastifyReply,
  snapshot: HotSnapshot,
  maxAgeSeconds: number,
  now: number,
): Promise<void> | undefined {
  const known = namedTag(request.headers['if-none-match'], snapshot.hash);
  if (known !== null) refund(limiter, request, reply);
  const head = headersOf(reply);
  head['cache-control'] = `private, max-age=${maxAgeSeconds}`;
  head.vary = head.vary === undefined ? 'Accept-Encoding' : `${head.vary}, Accept-Encoding`;
  head['assay-age-seconds'] = String(snapshot.ageSeconds(now));
  if (known !== null) {
    head.etag = known === '*' ? snapshot.reply(now).etag : known;
    reply.hijack();
    reply.raw.writeHead(304, head).end();
    return undefined;
  }
  const coding = chooseCoding(request.headers['accept-encoding'] as string | undefined);
  if (coding !== 'identity') return snapshot.packed(now, coding).then((ready) => write(reply, head, ready));
  write(reply, head, snapshot.reply(now));
  return undefined;
}

function write(reply: FastifyReply, head: Head, ready: ReadyReply): void {
  head['content-type'] = 'application/json; charset=utf-8';
  head['content-length'] = ready.length;
  head.etag = ready.etag;
  if (ready.coding !== 'identity') head['content-encoding'] = ready.coding;
  reply.request.bodyBytes = ready.bytes.length;
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, head);
  if (ready.latin1 === null) raw.end(ready.bytes);
  else raw.end(ready.latin1, 'latin1');
}
