import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { UpstreamReply, UpstreamRequest } from './types.ts';

export interface Flight {
  readonly reply: Promise<UpstreamReply>;
  /** False for the request that started it. */
  readonly joined: boolean;
  /** The waiter no longer cares; the last one to leave ends the request. */
  leave(): void;
}

/** Joins identical requests under way and shares a success for a while. */
export interface Flights {
  /** A success of at most `shareSeconds` ago. */
  shared(key: string): UpstreamReply | null;
  join(key: string, shareSeconds: number, start: (signal: AbortSignal) => Promise<UpstreamReply>): Flight;
}

/** Bytes of shared replies held at most; the least recently used go first. */
const MOST_SHARED_BYTES = 64 * 1024 * 1024;

/** Builds an empty book of requests under way. `clock` in milliseconds. */
export function createFlights(clock: () => number): Flights {
  const flying = new Map<string, { reply: Promise<UpstreamReply>; waiters: number; stop: AbortController }>();
  const kept = new LRUCache<string, { reply: UpstreamReply; until: number }>({ maxSize: MOST_SHARED_BYTES });

  function keep(key: string, reply: UpstreamReply, shareSeconds: number): void {
    if (!reply.ok || shareSeconds <= 0) return;
    kept.set(key, { reply, until: clock() + shareSeconds * 1000 }, { size: reply.body.byteLength + 1_000 });
    for (const [old, { until }] of [...kept.entries()]) if (until <= clock()) kept.delete(old);
  }

  return {
    shared(key) {
      const entry = kept.get(key);
      if (entry === undefined) return null;
      if (entry.until > clock()) return entry.reply;
      kept.delete(key);
      return null;
    },
    join(key, shareSeconds, start) {
      const known = flying.get(key);
      const flight = known ?? launch();
      flight.waiters += 1;
      let left = false;
      return {
        reply: flight.reply,
        joined: known !== undefined,
        leave() {
          if (left) return;
          left = true;
          flight.waiters -= 1;
          if (flight.waiters > 0) return;
          if (flying.get(key) === flight) flying.delete(key);
          flight.stop.abort();
        },
      };

      function launch() {
        const stop = new AbortController();
        const made = { stop, waiters: 0, reply: start(stop.signal) };
        flying.set(key, made);
        made.reply.then(
          (reply) => {
            if (flying.get(key) === made) flying.delete(key);
            keep(key, reply, shareSeconds);
          },
          () => flying.delete(key),
        );
        return made;
      }
    },
  };
}

/** Same key, same reply: everything that changes what the host or our own checks would say. Hashed, for it holds keys. */
export function identityOf(request: UpstreamRequest): string {
  const { label, trust, method, url, headers, secretHeaders, body, maxBytes, accept, okStatuses, maxRedirects } =
    request;
  const parts = [
    label,
    trust,
    method,
    url,
    sorted(headers),
    sorted(secretHeaders),
    body,
    maxBytes,
    accept,
    okStatuses,
    maxRedirects,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function sorted(headers: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
}
