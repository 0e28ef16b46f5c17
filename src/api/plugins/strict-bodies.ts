import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseStrictJson } from '../requests/strict-json.ts';

export const JSON_TYPES = /^application\/([a-z0-9.+-]+\+)?json(;|$)/;

/** A body that is not the JSON it claims to be; `pointer` says where. */
export class BadBody extends Error {
  readonly code: string;
  readonly pointer: string;
  constructor(code: string, pointer: string, detail: string) {
    super(detail);
    this.code = code;
    this.pointer = pointer;
  }
}

/** The value of a JSON body in UTF-8. Throws BadBody. */
export function parseBody(body: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new BadBody('malformed_json', '', 'expected UTF-8');
  }
  const read = parseStrictJson(text);
  if (!read.ok) throw new BadBody(read.code, read.pointer, read.detail);
  return read.value;
}

/** Bodies are JSON and nothing else. */
export function readStrictBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    // The interface document requires the header on every request, so a GET or DELETE without a body may carry it.
    if (body.length === 0 && (request.method !== 'POST' || request.routeOptions.config.bodyOptional)) return undefined;
    return parseBody(body);
  });
}
