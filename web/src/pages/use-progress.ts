import { useEffect, useState } from 'react';
import { readStream } from '../stream.ts';

/** What one source has done so far, on the clock of the job. */
export interface SourceLane {
  readonly name: string;
  /** Milliseconds after the job was asked for: when its first request ended less its time, and when its last ended. */
  readonly from: number;
  readonly to: number;
  readonly replies: number;
  readonly values: number;
  readonly outcome: string;
}
export interface Progress {
  readonly lanes: readonly SourceLane[];
  readonly replies: number;
  readonly values: number;
  /** The asset, once it is found. */
  readonly found: string | null;
  readonly waiting: string | null;
  readonly ended: boolean;
}
const NOTHING: Progress = { lanes: [], replies: 0, values: 0, found: null, waiting: null, ended: false };
const COME_BACK_MS = 1_500;

/** Follows a job's events, also of one that has ended, and goes on after the last one when the line breaks. */
export function useProgress(jobId: string, since: string | null): Progress {
  const [progress, setProgress] = useState(NOTHING);
  useEffect(() => {
    if (since === null) return;
    const start = Date.parse(since);
    const gone = new AbortController();
    let after: string | null = null;
    let ended = false;
    async function follow(): Promise<void> {
      while (!gone.signal.aborted && !ended) {
        const problem = await readStream(`/v1/jobs/${encodeURIComponent(jobId)}/events`, {
          after,
          signal: gone.signal,
          onEvent({ id, type, data }) {
            after = id ?? after;
            if (type === 'result' || type === 'failure') ended = true;
            setProgress((before) => added(before, type, data, start));
          },
        });
        // The stream ends with the job, whatever its end was.
        if (problem === null) break;
        await new Promise((resolve) => setTimeout(resolve, COME_BACK_MS));
      }
      if (!gone.signal.aborted) setProgress((before) => ({ ...before, ended: true }));
    }
    setProgress(NOTHING);
    void follow();
    return () => gone.abort();
  }, [jobId, since]);
  return progress;
}

function added(before: Progress, type: string, data: string, start: number): Progress {
  if (type === 'identified') {
    const { asset } = JSON.parse(data) as { readonly asset: { readonly name: string; readonly symbol: string | null } };
    return { ...before, found: asset.symbol === null ? asset.name : `${asset.name} (${asset.symbol})` };
  }
  if (type === 'waiting') {
    const { source, seconds } = JSON.parse(data) as { readonly source: string; readonly seconds: number };
    const words = `Waiting about ${seconds} s for a turn at ${source.replaceAll('_', ' ')}.`;
    return { ...before, waiting: words };
  }
  if (type !== 'source') return before;
  const event = JSON.parse(data) as {
    readonly source: string;
    readonly outcome: string;
    readonly at: string;
    readonly milliseconds?: number;
    readonly observations?: number;
  };
  const known = before.lanes.find(({ name }) => name === event.source);
  const to = Math.max(0, Date.parse(event.at) - start);
  const from = Math.max(0, to - (event.milliseconds ?? 0));
  const lane: SourceLane = {
    name: event.source,
    from: Math.min(known?.from ?? from, from),
    to: Math.max(known?.to ?? to, to),
    // One good reply of a source is an answer, whatever its other endpoints said.
    outcome: known?.outcome === 'ok' ? 'ok' : event.outcome,
    replies: (known?.replies ?? 0) + 1,
    values: (known?.values ?? 0) + (event.observations ?? 0),
  };
  return {
    ...before,
    waiting: null,
    lanes: known ? before.lanes.map((each) => (each === known ? lane : each)) : [...before.lanes, lane],
    replies: before.replies + 1,
    values: before.values + (event.observations ?? 0),
  };
}
