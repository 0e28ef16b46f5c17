import { createAgents, readCertificate } from './agents.ts';
import { attempt, backoffMs, isRetryable } from './attempt.ts';
import { createBatches, type GrantedTurn } from './batch.ts';
import { type Budget, NOTICEABLE_MS, type SharedTurns, type Turn } from './budget.ts';
import {
  abandonedFailure,
  budgetFailure,
  CANCELLED,
  createRedactor,
  Fault,
  type FaultReason,
  failureOf,
  LEAST_RETRY_MS,
  pauseFor,
  recordedTlsUrl,
  stopAfter,
  toFault,
  within,
} from './fault.ts';
import { WEB_PORTS } from './guard.ts';
import { createFlights, createHealthBook, createHostBook, identityOf } from './hosts.ts';
import type {
  Resolver,
  TakeChunk,
  TurnTerms,
  Upstream,
  UpstreamFailure,
  UpstreamReply,
  UpstreamRequest,
} from './types.ts';

/** Outcome of one request, for metrics. Includes requests that joined another or were served from a shared reply. */
export interface UpstreamEvent {
  readonly label: string;
  readonly outcome: 'ok' | FaultReason;
  readonly milliseconds: number;
  readonly attempts: number;
  readonly status: number | null;
  readonly fromCache: boolean;
}

export interface UpstreamOptions {
  readonly resolver: Resolver;
  /** Milliseconds since the epoch, used to date replies; default `Date.now`. */
  readonly clock?: () => number;
  /** Milliseconds used for budgets, breakers and durations; default: `clock` if given, otherwise a monotonic clock. */
  readonly ticks?: () => number;
  /** Random number in [0, 1) for jitter; default `Math.random`. */
  readonly random?: () => number;
  readonly userAgent: string;
  /** Ports allowed in an outside address; default 80 and 443. */
  readonly allowedPorts?: readonly number[];
  readonly onRequest?: (event: UpstreamEvent) => void;
  /** Shares the budgets of labels with other processes; without it, each process has its own. */
  readonly turns?: SharedTurns;
}

/** Maximum pause of a source, whatever Retry-After says. */
const LONGEST_PAUSE_MS = 3_600_000;
/** Pause after a 429 without Retry-After. */
const UNSAID_PAUSE_SECONDS = 1;
/** What a body that states a limit amounts to: the host did not act on the request. */
const STATED_LIMIT = {
  reason: 'rate_limited',
  detail: 'the host replied that its rate limit is reached',
  retryAfterSeconds: null,
  sent: true,
} as const;

/** Creates the HTTP client. It never throws, whatever a host does; `close` ends its connections. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const clock = options.clock ?? Date.now;
  // Setting the system clock must neither pause a source for an hour nor end requests that just started.
  const ticks = options.ticks ?? options.clock ?? (() => Math.round(performance.now()));
  const random = options.random ?? Math.random;
  const allowedPorts = options.allowedPorts ?? WEB_PORTS;
  const agents = createAgents(options.resolver);
  const flights = createFlights(ticks);
  const health = createHealthBook();
  const hosts = createHostBook(ticks, options.turns);
  const batches = createBatches({
    ticks,
    clock,
    budgetOf: hosts.budgetOf,
    send: (request, leave, granted) => run(request, leave, granted ? { granted } : {}),
  });

  async function run(
    request: UpstreamRequest,
    leave: AbortSignal,
    { take, granted }: { readonly take?: TakeChunk; readonly granted?: GrantedTurn } = {},
  ): Promise<UpstreamReply> {
    const startedAt = granted?.askedAt ?? ticks();
    const redactor = createRedactor(request);
    const budget = hosts.budgetOf(request);
    const first = granted?.turn ?? (request.turn ? await firstTurn(request, request.turn, budget, leave) : null);
    const waitedMs = first === null ? 0 : ticks() - startedAt;
    const totalMs = request.turn
      ? Math.min(request.deadlines.totalMs, Math.max(1, request.turn.overallMs - waitedMs))
      : request.deadlines.totalMs;
    const deadlineAt = ticks() + totalMs;
    const stop = stopAfter(totalMs, [leave]);
    let last: UpstreamReply | null = null;
    let attempts = 0;
    let had = first;

    const failed = (reason: FaultReason, detail: string, more: Partial<UpstreamFailure> = {}): UpstreamReply => ({
      ok: false,
      reason,
      detail: redactor.text(detail),
      status: null,
      url: redactor.url(request.url),
      fetchedAt: new Date(clock()).toISOString(),
      milliseconds: ticks() - startedAt,
      attempts,
      retryAfterSeconds: null,
      body: null,
      ...more,
    });

    try {
      for (;;) {
        const turn = had ?? (await budget.acquire(deadlineAt, stop.signal, request.priority));
        had = null;
        if (!turn.ok) {
          if (last) return last;
          if (stop.signal.aborted || turn.cause === 'cancelled')
            return failed(
              stop.signal.aborted ? toFault(stop.signal.reason, 'headers').reason : 'cancelled',
              'stopped while waiting',
            );
          return budgetFailure(request, turn.waitMs, { at: clock(), milliseconds: ticks() - startedAt, attempts });
        }
        attempts += 1;
        const got = await attempt(request, {
          agents,
          allowedPorts,
          userAgent: options.userAgent,
          clock,
          breakerOf: (host) => hosts.breakerOf(request, host),
          signal: stop.signal,
          take,
        }).finally(turn.release);
        if (got.ok && !request.isLimit?.(got.body))
          return {
            ok: true,
            status: got.status,
            headers: redactor.headers(got.headers),
            body: got.body,
            sha256: got.sha256,
            url: redactor.url(got.url),
            fetchedAt: new Date(clock()).toISOString(),
            milliseconds: ticks() - startedAt,
            attempts,
            fromCache: false,
            ...(waitedMs >= NOTICEABLE_MS ? { waitedMs } : {}),
          };
        const fault = got.ok ? STATED_LIMIT : got;
        last = failed(fault.reason, fault.detail, {
          status: got.status,
          url: redactor.url(got.url ?? request.url),
          fetchedAt: new Date(clock()).toISOString(),
          retryAfterSeconds: fault.retryAfterSeconds,
          body: got.body,
        });
        const isLimited = fault.reason === 'rate_limited';
        const pauseMs = (fault.retryAfterSeconds ?? (isLimited ? UNSAID_PAUSE_SECONDS : 0)) * 1000;
        if (isLimited || got.status === 503) budget.pause(ticks() + Math.min(pauseMs, LONGEST_PAUSE_MS));
        if (attempts > request.retries || !isRetryable(request.method, fault.reason, got.status, fault.sent))
          return last;
        const waitMs = Math.max(pauseMs, backoffMs(attempts, random));
        if (stop.signal.aborted || ticks() + waitMs >= deadlineAt) return last;
        await pauseFor(waitMs, stop.signal);
        if (stop.signal.aborted) return last;
      }
    } finally {
      stop.clear();
    }
  }

  /** Waits for the turn of a request whose wait may be longer than the request itself. */
  function firstTurn(request: UpstreamRequest, terms: TurnTerms, budget: Budget, leave: AbortSignal): Promise<Turn> {
    const expectedMs = budget.expectedWaitMs(request.priority);
    if (expectedMs >= NOTICEABLE_MS && expectedMs <= terms.mostMs) terms.onWaiting?.(expectedMs);
    return budget.acquire(ticks() + terms.mostMs, leave, request.priority);
  }

  function noted(request: UpstreamRequest, reply: UpstreamReply): UpstreamReply {
    const fromCache = reply.ok && reply.fromCache;
    if (!fromCache) health.note(request.label, reply, new Date(clock()).toISOString());
    options.onRequest?.({
      label: request.label,
      outcome: reply.ok ? 'ok' : reply.reason,
      milliseconds: reply.milliseconds,
      attempts: reply.attempts,
      status: reply.status,
      fromCache,
    });
    return reply;
  }

  async function ask(
    request: UpstreamRequest,
    signal: AbortSignal | undefined,
    again: boolean,
  ): Promise<UpstreamReply> {
    const startedAt = ticks();
    const key = identityOf(request);
    const shared = flights.shared(key);
    if (shared?.ok) return { ...shared, fromCache: true, milliseconds: 0 };
    const flight = flights.join(key, hosts.termsOf(request.label).shareSeconds, (leave) =>
      request.batch ? batches.put(request, request.batch, leave) : run(request, leave),
    );
    // The request keeps the deadline of its first caller; a caller that joins has its own.
    const mostMs = request.turn ? request.turn.overallMs : request.deadlines.totalMs;
    const stop = stopAfter(flight.joined ? mostMs : null, signal ? [signal] : []);
    const outcome = await Promise.race([flight.reply, stop.fired]);
    stop.clear();
    if (outcome instanceof Fault) {
      flight.leave();
      return abandonedFailure(request, outcome, { at: clock(), milliseconds: ticks() - startedAt });
    }
    if (!flight.joined) return outcome;
    const left = mostMs - (ticks() - startedAt);
    const startersHurry = !outcome.ok && ['timeout', 'budget_spent', 'cancelled'].includes(outcome.reason);
    if (startersHurry && again && left >= LEAST_RETRY_MS) return ask(within(request, left), signal, false);
    return outcome.ok ? { ...outcome, fromCache: true, milliseconds: ticks() - startedAt } : outcome;
  }

  return {
    async request(request, signal) {
      if (signal?.aborted) return abandonedFailure(request, CANCELLED, { at: clock(), milliseconds: 0 });
      return noted(request, await ask(request, signal, true));
    },
    async stream(request, take, signal) {
      if (signal?.aborted) return abandonedFailure(request, CANCELLED, { at: clock(), milliseconds: 0 });
      // Chunks handed over cannot be taken back, so the request is not retried.
      return noted(request, await run({ ...request, retries: 0 }, signal ?? NEVER, { take }));
    },
    async inspectTls(host, port, totalMs, signal) {
      const startedAt = ticks();
      const stop = stopAfter(totalMs, signal ? [signal] : []);
      try {
        const facts = await readCertificate(host, port, {
          resolver: options.resolver,
          allowedPorts,
          signal: stop.signal,
        });
        return { ok: true, facts, fetchedAt: new Date(clock()).toISOString(), milliseconds: ticks() - startedAt };
      } catch (error) {
        const fault = toFault(error, 'headers');
        return failureOf(fault, recordedTlsUrl(host, port), {
          at: clock(),
          milliseconds: ticks() - startedAt,
          attempts: 1,
        });
      } finally {
        stop.clear();
      }
    },
    setBudget(label, budget) {
      hosts.setBudget(label, budget);
      health.mention(label);
    },
    health: () => health.report(hosts.circuitOf),
    async close() {
      await Promise.all([agents.operator.destroy(), agents.outside.destroy()]);
    },
  };
}

const NEVER = new AbortController().signal;
