import { median } from '../domain/index.ts';
import type { Circuit } from './breaker.ts';
import type { Upstream, UpstreamReply } from './types.ts';

/** Counts per label what became of requests. */
export interface HealthBook {
  mention(label: string): void;
  note(label: string, reply: UpstreamReply, at: string): void;
  report(circuitOf: (label: string) => Circuit): ReturnType<Upstream['health']>;
}

/** Latencies remembered per label for the median. */
const WINDOW = 100;

interface Row {
  successes: number;
  failures: number;
  lastFailure: string | null;
  lastSuccessAt: string | null;
  readonly latencies: number[];
}

/** Builds an empty book. */
export function createHealthBook(): HealthBook {
  const rows = new Map<string, Row>();
  const rowOf = (label: string): Row => {
    const known = rows.get(label);
    if (known) return known;
    const made: Row = { successes: 0, failures: 0, lastFailure: null, lastSuccessAt: null, latencies: [] };
    rows.set(label, made);
    return made;
  };
  return {
    mention(label) {
      rowOf(label);
    },
    note(label, reply, at) {
      const row = rowOf(label);
      if (!reply.ok) {
        // That a caller hung up says nothing about the host.
        if (reply.reason === 'cancelled') return;
        row.failures += 1;
        row.lastFailure = `${reply.reason}: ${reply.detail}`;
        return;
      }
      row.successes += 1;
      row.lastSuccessAt = at;
      row.latencies.push(reply.milliseconds);
      if (row.latencies.length > WINDOW) row.latencies.shift();
    },
    report: (circuitOf) =>
      [...rows.entries()]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([label, { successes, failures, lastFailure, lastSuccessAt, latencies }]) => ({
          label,
          circuit: circuitOf(label),
          successes,
          failures,
          lastFailure,
          lastSuccessAt,
          p50Ms: median(latencies),
        })),
  };
}
