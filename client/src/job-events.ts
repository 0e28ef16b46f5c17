import { AssayConnectionError } from './errors.ts';
import type { ServerEvent } from './event-parser.ts';

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

interface JobEventFields {
  state: { readonly state: JobState };
  identified: { readonly asset: { readonly id: string; readonly name: string }; readonly match: number };
  source: {
    readonly source: string;
    readonly endpoint: string;
    readonly outcome: string;
    readonly milliseconds: number;
    readonly observations: number;
  };
  result: { readonly band: string; readonly score: number | null; readonly trust: number };
  failure: { readonly code: string; readonly detail: string };
}

/** Progress of a scoring job; `id` goes on after it. */
export type JobEvent = {
  [Type in keyof JobEventFields]: {
    readonly type: Type;
    readonly id: string;
    readonly at: string;
  } & JobEventFields[Type];
}[keyof JobEventFields];

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
