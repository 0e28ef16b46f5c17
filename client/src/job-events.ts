import type { JobEvent } from './api-types.ts';
import { AssayConnectionError } from './errors.ts';
import type { ServerEvent } from './event-parser.ts';

export type JobState = Extract<JobEvent, { type: 'state' }>['state'];

/** True for the state in which a job ends. */
export function endsJob({ type, data }: ServerEvent): boolean {
  return type === 'state' && /"state":"(succeeded|failed|cancelled)"/.test(data);
}

/** An event as an object of its type. Throws `AssayConnectionError` when it is not JSON. */
export function jobEventOf(event: ServerEvent): JobEvent {
  return { ...(jsonOf(event.data) as object), type: event.type, id: event.id } as JobEvent;
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AssayConnectionError('unreadable', 'the reply is not JSON', error);
  }
}
