import type { FastifyReply } from 'fastify';

/** What else a reply depends on, beside what was said before (`Vary`, RFC 9110 section 12.5.5). */
export function addVary(reply: FastifyReply, names: string): void {
  const given = reply.getHeader('vary');
  reply.header('vary', given === undefined ? names : `${given}, ${names}`);
}

/** A keyed reply is that key's: a browser that keeps it must not show it to who signs in next. */
export const VARY_BY_KEY = 'X-API-Key, Authorization';
