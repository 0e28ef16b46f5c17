import type { FastifyReply, FastifyRequest } from 'fastify';
import { historyStart } from '../../access/index.ts';
import { planOf } from '../requests/account-request.ts';

/**
 * The oldest time that a list serves, in milliseconds since the epoch: `from`, or the start of the plan's history,
 * which is then stated in the header `Assay-History-From`.
 */
export function oldestServed(request: FastifyRequest, reply: FastifyReply, from: number, now: number): number {
  const start = historyStart(now, planOf(request));
  if (start === null || from >= start) return from;
  reply.header('assay-history-from', new Date(start).toISOString());
  return start;
}
