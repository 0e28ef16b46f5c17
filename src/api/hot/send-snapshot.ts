import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limiter } from '../../access/index.ts';
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
  if (known !== null) {
    refund(limiter, request, reply);
    const headers = headersOf(reply, maxAgeSeconds, snapshot.ageSeconds(now));
    headers.etag = known === '*' ? snapshot.reply(now).etag : known;
    reply.hijack();
    reply.raw.writeHead(304, headers).end();
    return undefined;
  }
  const coding = chooseCoding(request.headers['accept-encoding'] as string | undefined);
  if (coding !== 'identity')
    return snapshot.packed(now, coding).then((ready) => write(reply, ready, maxAgeSeconds, snapshot.ageSeconds(now)));
  write(reply, snapshot.reply(now), maxAgeSeconds, snapshot.ageSeconds(now));
  return undefined;
}

function write(reply: FastifyReply, ready: ReadyReply, maxAgeSeconds: number, ageSeconds: number): void {
  const headers = headersOf(reply, maxAgeSeconds, ageSeconds);
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['content-length'] = ready.length;
  headers.etag = ready.etag;
  if (ready.coding !== 'identity') headers['content-encoding'] = ready.coding;
  reply.request.bodyBytes = ready.bytes.length;
  reply.hijack();
  const head = reply.raw.writeHead(200, headers);
  if (ready.latin1 === null) head.end(ready.bytes);
  else head.end(ready.latin1, 'latin1');
}

function headersOf(reply: FastifyReply, maxAgeSeconds: number, ageSeconds: number): Record<string, string> {
  const headers = reply.getHeaders() as Record<string, string>;
  headers['cache-control'] = `private, max-age=${maxAgeSeconds}`;
  headers.vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`;
  headers['assay-age-seconds'] = String(ageSeconds);
  return headers;
}
