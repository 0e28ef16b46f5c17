import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './problems.ts';
import { addVary } from './vary.ts';

/** An immutable file, with a function that reads part of it. */
export interface FileToSend {
  readonly bytes: number;
  /** Strong, quoted. */
  readonly etag: string;
  /** Hex SHA-256 of the file's bytes. */
  readonly sha256: string;
  readonly contentType: string;
  readonly contentEncoding: string | null;
  readonly downloadName: string;
  readonly cacheControl: string;
  /** Bytes `from` (included) to `to` (not included). */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/**
 * Sends a file or the requested range of it (RFC 9110, 13 and 14): If-None-Match -> 304, Range -> 206 or 416, If-Range.
 * A request for several ranges gets the whole file, as the standard allows.
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileToSend): FastifyReply {
  reply.header('etag', file.etag).header('cache-control', file.cacheControl).header('accept-ranges', 'bytes');
  addVary(reply.head, 'Accept, Accept-Encoding');
  if (tagsMatch(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  const range = rangeOf(request, file);
  if (range === 'unsatisfiable')
    return sendProblem(reply.header('content-range', `bytes */${file.bytes}`), {
      status: 416,
      code: 'range_not_satisfiable',
      title: 'The range is outside the file',
      detail: `The file has ${file.bytes} bytes.`,
      retry: 'corrected',
    });
  const [from, to] = range ?? [0, file.bytes];
  reply
    .code(range ? 206 : 200)
    .type(file.contentType)
    .header('content-length', to - from)
    .header('content-disposition', `attachment; filename="${file.downloadName}"`)
    .header('repr-digest', `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`);
  if (file.contentEncoding !== null) reply.header('content-encoding', file.contentEncoding);
  if (range) reply.header('content-range', `bytes ${from}-${to - 1}/${file.bytes}`);
  // Always a stream, even for an empty file: for anything else the framework would recompute the length.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(Readable.from(file.read(from, to), { objectMode: false }));
}

/** Whether `If-None-Match` names this tag: weak or strong, in a list, or `*` (RFC 9110, 13.1.2). */
export function tagsMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function rangeOf(request: FastifyRequest, file: FileToSend): readonly [number, number] | 'unsatisfiable' | null {
  const { range } = request.headers;
  const condition = request.headers['if-range'];
  if (range === undefined || (condition !== undefined && condition !== file.etag)) return null;
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(range);
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 || file.bytes === 0 ? 'unsatisfiable' : [Math.max(0, file.bytes - suffix), file.bytes];
  }
  const from = Number(first);
  // A range that ends before it begins is invalid.
  if (last !== '' && Number(last) < from) return null;
  if (from >= file.bytes) return 'unsatisfiable';
  return [from, last === '' ? file.bytes : Math.min(Number(last) + 1, file.bytes)];
}
