import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { median } from '../domain/index.ts';
import { type Budget, createBudget, type SharedTurns, shareBudget } from './budget.ts';
import type { Upstream, UpstreamBudget, UpstreamReply, UpstreamRequest } from './types.ts';

/** State of labels and hosts across requests: budgets and breakers. */
export interface HostBook {
  termsOf(label: string): UpstreamBudget;
  setBudget(label: string, budget: UpstreamBudget): void;
  /**
   * One bucket per label. Hosts chosen by outsiders get a bucket each, so that a hostile one cannot pause the others.
   */
  budgetOf(request: UpstreamRequest): Budget;
  breakerOf(request: Pick<UpstreamRequest, 'label' | 'tenant'>, host: string): Breaker;
  /** The worst state among the label's hosts. Hosts of customers do not count. */
  circuitOf(label: string): Circuit;
}

/** Budget of a label without a declared one. */
const CAREFUL_BUDGET: UpstreamBudget = { perMinute: 60, burst: 10, concurrency: 4, shareSeconds: 0 };
/** Maximum number of hosts with stored state, so that hosts chosen by outsiders cannot fill the memory. */
const MOST_HOSTS = 2_000;

/**
 * Creates an empty book. `clock` in milliseconds; `turns` shares the budgets of declared labels with other processes.
 */
export function createHostBook(clock: () => number, turns: SharedTurns | null = null): HostBook {
  const terms = new Map<string, UpstreamBudget>();
  const breakers = new LRUCache<string, { label: string; tenant: string; breaker: Breaker }>({ max: MOST_HOSTS });
  const budgets = new LRUCache<string, { label: string; budget: Budget }>({ max: MOST_HOSTS });
  const termsOf = (label: string) => terms.get(label) ?? CAREFUL_BUDGET;
  const budgetFor = (label: string, isShared: boolean): Budget => {
    const own = createBudget(termsOf(label), clock);
    return turns !== null && isShared ? shareBudget(own, label, { turns, termsOf: () => termsOf(label), clock }) : own;
  };
  return {
    termsOf,
    setBudget(label, budget) {
      terms.set(label, budget);
      for (const held of budgets.values()) if (held.label === label) held.budget.change(budget);
    },
    budgetOf({ label, trust, url, tenant = '' }) {
      const host = trust === 'outside' && URL.canParse(url) ? new URL(url).host : '';
      const isShared = host === '' && tenant === '' && terms.has(label);
      return heldOf(budgets, `${label} ${host} ${tenant}`, () => ({ label, budget: budgetFor(label, isShared) }))
        .budget;
    },
    breakerOf: ({ label, tenant = '' }, host) =>
      heldOf(breakers, `${label} ${host} ${tenant}`, () => ({ label, tenant, breaker: createBreaker(clock) })).breaker,
    circuitOf(label) {
      const circuits = new Set<Circuit>();
      for (const row of breakers.values())
        if (row.label === label && row.tenant === '') circuits.add(row.breaker.circuit());
      return circuits.has('open') ? 'open' : circuits.has('half_open') ? 'half_open' : 'closed';
    },
  };
}

function heldOf<Value extends object>(held: LRUCache<string, Value>, key: string, make: () => Value): Value {
  const known = held.get(key);
  if (known !== undefined) return known;
  const made = make();
  held.set(key, made);
  return made;
}

export type Circuit = 'closed' | 'open' | 'half_open';

/** Circuit breaker: stops requests to a host that keeps failing. One per host. */
export interface Breaker {
  /** True when a request may be sent; the first one after the rest period is the probe. */
  enter(): boolean;
  succeeded(): void;
  failed(): void;
  /** The request ended without evidence about the host (cancelled, or refused here). */
  left(): void;
  circuit(): Circuit;
}

/** Consecutive failures after which the circuit opens. */
const FAILURES_TO_OPEN = 5;
/** Time without requests before one probe. */
const REST_MS = 30_000;

/** Creates a closed breaker. `clock` in milliseconds. */
export function createBreaker(clock: () => number, failuresToOpen = FAILURES_TO_OPEN, restMs = REST_MS): Breaker {
  let failures = 0;
  let openedAt: number | null = null;
  let probing = false;

  return {
    enter() {
      if (openedAt === null) return true;
      if (probing || clock() - openedAt < restMs) return false;
      probing = true;
      return true;
    },
    succeeded() {
      failures = 0;
      openedAt = null;
      probing = false;
    },
    failed() {
      failures += 1;
      if (probing || failures >= failuresToOpen) openedAt = clock();
      probing = false;
    },
    left() {
      probing = false;
    },
    circuit() {
      if (openedAt === null) return 'closed';
      return probing || clock() - openedAt >= restMs ? 'half_open' : 'open';
    },
  };
}

/** Counts the outcomes of requests per label. */
export interface HealthBook {
  mention(label: string): void;
  note(label: string, reply: UpstreamReply, at: string): void;
  report(circuitOf: (label: string) => Circuit): ReturnType<Upstream['health']>;
}

/** Number of latencies stored per label for the median. */
const WINDOW = 100;

interface Row {
  successes: number;
  failures: number;
  lastFailure: string | null;
  lastSuccessAt: string | null;
  readonly latencies: number[];
}

/** Creates an empty book. */
export function createHealthBook(): HealthBook {
  const rows = new Map<string, Row>();
  const newRow = (): Row => ({ successes: 0, failures: 0, lastFailure: null, lastSuccessAt: null, latencies: [] });
  const rowOf = (label: string): Row => rows.getOrInsertComputed(label, newRow);
  return {
    mention(label) {
      rowOf(label);
    },
    note(label, reply, at) {
      const row = rowOf(label);
      if (!reply.ok) {
        // A disconnected caller says nothing about the host.
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

export interface Flight {
  readonly reply: Promise<UpstreamReply>;
  /** False for the caller that started the request. */
  readonly joined: boolean;
  /** Called when a waiter leaves; the last one to leave aborts the request. */
  leave(): void;
}

/** Joins identical concurrent requests and shares successful replies for a while. */
export interface Flights {
  /** A successful reply that is at most `shareSeconds` old. */
  shared(key: string): UpstreamReply | null;
  join(key: string, shareSeconds: number, start: (signal: AbortSignal) => Promise<UpstreamReply>): Flight;
}

/** Maximum bytes of shared replies; the least recently used are dropped first. */
const MOST_SHARED_BYTES = 64 * 1024 * 1024;

/** Creates an empty book. `clock` in milliseconds. */
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

/**
 * Requests with the same key get the same reply. The key covers everything that affects the reply or our checks; it is
 * hashed because it contains API keys.
 */
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
    typeof body === 'string' || body === null ? body : createHash('sha256').update(body).digest('hex'),
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
