import { useEffect, useState } from 'react';
import { readStream } from '../stream.ts';

export interface Progress {
  readonly sources: readonly { readonly name: string; readonly outcome: string; readonly replies: number }[];
  readonly replies: number;
  readonly observations: number;
  readonly step: string;
  readonly ended: boolean;
}
const NOTHING: Progress = { sources: [], replies: 0, observations: 0, step: '', ended: false };
const COME_BACK_MS = 1_500;

/** Follows a job's events, and goes on after the last one when the line breaks. */
export function useProgress(jobId: string, wanted: boolean): Progress {
  const [progress, setProgress] = useState(NOTHING);
  useEffect(() => {
    if (!wanted) return;
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
            setProgress((before) => added(before, type, data));
          },
        });
        // The stream ends with the job, whatever its end was.
        if (problem === null) break;
        await new Promise((resolve) => setTimeout(resolve, COME_BACK_MS));
      }
      if (!gone.signal.aborted) setProgress((before) => ({ ...before, ended: true }));
    }
    void follow();
    return () => gone.abort();
  }, [jobId, wanted]);
  return progress;
}

function added(before: Progress, type: string, data: string): Progress {
  if (type === 'identified') return { ...before, step: 'The token is identified.' };
  if (type === 'waiting') {
    const { source, seconds } = JSON.parse(data) as { readonly source: string; readonly seconds: number };
    return { ...before, step: `Waiting about ${seconds} s for ${source}, whose request budget is short.` };
  }
  if (type !== 'source') return before;
  const {
    source,
    outcome,
    observations = 0,
  } = JSON.parse(data) as {
    readonly source: string;
    readonly outcome: string;
    readonly observations?: number;
  };
  const known = before.sources.find(({ name }) => name === source);
  const next = {
    name: source,
    // One good reply of a source is an answer, whatever its other endpoints said.
    outcome: known?.outcome === 'ok' ? 'ok' : outcome,
    replies: (known?.replies ?? 0) + 1,
  };
  return {
    ...before,
    sources: known ? before.sources.map((each) => (each === known ? next : each)) : [...before.sources, next],
    replies: before.replies + 1,
    observations: before.observations + observations,
  };
}
