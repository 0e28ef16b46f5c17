import type { JobOutcome, LostEndings } from '../store/index.ts';
import { failureOf } from './failures.ts';
import type { JobFailure } from './types.ts';

/** The end of a job that gave no rating, with the two events that close its stream. */
export function endingBy(failure: JobFailure, at: string): JobOutcome & { readonly state: 'failed' | 'cancelled' } {
  const state = failure.code === 'cancelled' ? 'cancelled' : 'failed';
  const event = { type: 'failure', code: failure.code, detail: failure.detail, at };
  return {
    state,
    failure: JSON.stringify(failure),
    events: [JSON.stringify(event), JSON.stringify({ type: 'state', state, at })],
  };
}

/** What becomes of jobs whose process is gone or stops. */
export function lostEndings(at: string): LostEndings {
  return {
    again: { state: 'queued', failure: null, events: [queuedEvent(at)] },
    givenUp: endingBy(failureOf.interrupted(), at),
    cancelled: endingBy(failureOf.cancelled(), at),
  };
}

export function queuedEvent(at: string): string {
  return JSON.stringify({ type: 'state', state: 'queued', at });
}
