import { useEffect, useState } from 'react';
import type { JobEvent } from '../../../client/src/api-types.ts';
import { service } from '../data/service.ts';
import { many, outcomeWords, sourceName } from '../format.ts';

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

/** Follows a job's events, also of one that has ended; lost connections are the client's to open again. */
export function useProgress(jobId: string | null): Progress {
  const [progress, setProgress] = useState(NOTHING);
  useEffect(() => {
    setProgress(NOTHING);
    if (jobId === null) return;
    const gone = new AbortController();
    const follow = async () => {
      // The first event is that the job was asked for.
      let start = Number.NaN;
      for await (const event of service().jobEvents(jobId, { signal: gone.signal })) {
        if (Number.isNaN(start)) start = Date.parse(event.at);
        const from = start;
        setProgress((before) => added(before, event, from));
      }
    };
    // What the events cannot say any more, the job itself does.
    follow()
      .catch(() => undefined)
      .finally(() => gone.signal.aborted || setProgress((before) => ({ ...before, ended: true })));
    return () => gone.abort();
  }, [jobId]);
  return progress;
}

function added(before: Progress, event: JobEvent, start: number): Progress {
  if (event.type === 'identified') {
    const { name, symbol } = event.asset;
    return { ...before, found: symbol ? `${name} (${symbol})` : (name ?? event.asset.id) };
  }
  if (event.type === 'waiting') {
    const words = `Waiting about ${event.seconds} s for a turn at ${event.source.replaceAll('_', ' ')}.`;
    return { ...before, waiting: words };
  }
  if (event.type !== 'source') return before;
  const known = before.lanes.find(({ name }) => name === event.source);
  const to = Math.max(0, Date.parse(event.at) - start);
  const from = Math.max(0, to - event.milliseconds);
  const lane: SourceLane = {
    name: event.source,
    from: Math.min(known?.from ?? from, from),
    to: Math.max(known?.to ?? to, to),
    // One good reply of a source is an answer, whatever its other endpoints said.
    outcome: known?.outcome === 'ok' ? 'ok' : event.outcome,
    replies: (known?.replies ?? 0) + 1,
    values: (known?.values ?? 0) + event.observations,
  };
  return {
    ...before,
    waiting: null,
    lanes: known ? before.lanes.map((each) => (each === known ? lane : each)) : [...before.lanes, lane],
    replies: before.replies + 1,
    values: before.values + event.observations,
  };
}

/** Outcomes that are an answer, also one that says that there is nothing. */
const GOOD = ['ok', 'empty', 'not_found'];
export const hasReplied = ({ outcome }: SourceLane) => GOOD.includes(outcome);

/** One line for each source, from its first request to its last reply, on the clock of the job. `last`: where the clock ends. */
export function Lanes({ lanes, last }: { readonly lanes: readonly SourceLane[]; readonly last: number }) {
  return (
    <ol className="lanes">
      {lanes
        .toSorted((a, b) => a.from - b.from || a.to - b.to)
        .map((lane) => (
          <Lane key={lane.name} lane={lane} last={last} />
        ))}
    </ol>
  );
}

function Lane({ lane, last }: { readonly lane: SourceLane; readonly last: number }) {
  const { name, from, to, values, outcome } = lane;
  const isGood = hasReplied(lane);
  return (
    <li>
      <span className="ellipsis" title={many(lane.replies, 'request')}>
        {sourceName(name)}
      </span>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" className={isGood ? 'good' : 'bad'}>
        <rect className="track" x={0} y={4} width={100} height={2} />
        <rect
          x={Math.min(99.4, (from / last) * 100)}
          y={1}
          width={Math.max(0.6, ((to - from) / last) * 100)}
          height={8}
        />
      </svg>
      <span className={isGood ? 'q' : 'neg'}>
        {outcome === 'ok'
          ? `${values === 0 ? 'no value' : many(values, 'value')}, ${(to / 1_000).toFixed(1)} s`
          : outcome === 'not_found' || outcome === 'empty'
            ? 'has no data about it'
            : outcomeWords(outcome)}
      </span>
    </li>
  );
}
