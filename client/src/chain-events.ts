import type { ChainEvent } from './api-types.ts';
import type { ServerEvent } from './event-parser.ts';
import { jsonOf } from './job-events.ts';

/** An event of a stream of chain data about snapshots; `id` is the position to resume after. */
export type ChainStreamEvent = Extract<ChainEvent, { event: 'snapshot' | 'skipped' | 'gap' | 'reorganised' }> & {
  readonly id: string;
};

/** The event as an object of its type; null for events about the connection. Throws `AssayConnectionError` when it is not JSON. */
export function chainEventOf({ type, data, id }: ServerEvent): ChainStreamEvent | null {
  if (type !== 'snapshot' && type !== 'skipped' && type !== 'gap' && type !== 'reorganised') return null;
  return { event: type, data: jsonOf(data), id } as ChainStreamEvent;
}

/**
 * False for a snapshot that is not newer than an earlier one of its asset and kind: a resumed stream repeats some.
 * `sent` has the newest time of each asset and kind.
 */
export function isNewer(told: ChainStreamEvent, sent: Map<string, number>): boolean {
  if (told.event !== 'snapshot') return true;
  const name = `${told.data.kind} ${told.data.asset.id}`;
  const asOf = Date.parse(told.data.as_of);
  if (asOf <= (sent.get(name) ?? Number.NEGATIVE_INFINITY)) return false;
  sent.set(name, asOf);
  return true;
}
