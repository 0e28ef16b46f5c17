import { Fault } from './fault.ts';
import { createRedactor } from './redact.ts';
import type { UpstreamFailure, UpstreamRequest } from './types.ts';

type Failed = { readonly ok: false } & UpstreamFailure;

interface When {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly milliseconds: number;
  /** Default 0: the request was not put. */
  readonly attempts?: number;
}

/** A request that failed for another one's lack of time is put again when at least this much time is left. */
export const WORTH_ASKING_MS = 100;

export const CANCELLED = new Fault('cancelled', 'the caller no longer wanted the answer', false);

/** The failure of a request that was given up on before it had an answer. */
export function gaveUp(request: UpstreamRequest, fault: Fault, when: When): Failed {
  return failureOf(fault, createRedactor(request).url(request.url), when);
}

/** The failure of a request that no turn came for. `waitMs`: when one would have come; null when nobody knows. */
export function spent(request: UpstreamRequest, waitMs: number | null, when: When): Failed {
  const fault = new Fault('budget_spent', 'our own request budget for this source is spent for now', false);
  return { ...gaveUp(request, fault, when), retryAfterSeconds: waitMs === null ? null : Math.ceil(waitMs / 1000) };
}

/** A fault as the reply to a request. `url`: without secrets. */
export function failureOf(fault: Fault, url: string, { at, milliseconds, attempts = 0 }: When): Failed {
  return {
    ok: false,
    reason: fault.reason,
    detail: fault.message,
    status: null,
    url,
    fetchedAt: new Date(at).toISOString(),
    milliseconds,
    attempts,
    retryAfterSeconds: null,
    body: null,
  };
}

/** The address of a TLS inspection as it may be recorded. */
export function recordedTlsUrl(host: string, port: number): string {
  const text = `https://${host}:${port}/`;
  return URL.canParse(text) ? new URL(text).origin : '';
}

/** The same request with less time left. */
export function within(request: UpstreamRequest, leftMs: number): UpstreamRequest {
  const totalMs = Math.min(request.deadlines.totalMs, leftMs);
  const { turn } = request;
  return {
    ...request,
    deadlines: { ...request.deadlines, totalMs },
    ...(turn ? { turn: { ...turn, mostMs: Math.min(turn.mostMs, leftMs), overallMs: leftMs } } : {}),
  };
}
