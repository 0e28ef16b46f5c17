import { setTimeout } from 'node:timers/promises';
import type { UpstreamFailure, UpstreamRequest } from './types.ts';

export type FaultReason = UpstreamFailure['reason'];

/** An expected failure. Streams and timers can only pass on errors; the client converts it to a value. */
export class Fault extends Error {
  readonly reason: FaultReason;
  /** False when the request was certainly not sent. */
  readonly sent: boolean;

  /** `detail`: text for people, without secrets or internal addresses. */
  constructor(reason: FaultReason, detail: string, sent = true) {
    super(detail);
    this.reason = reason;
    this.sent = sent;
  }
}

/**
 * Converts errors thrown by undici, node:tls, node:zlib or a socket. Their messages contain addresses and ports, so
 * only codes are kept. `headers`: nothing of the reply was received yet; `body`: the head was received.
 */
export function toFault(error: unknown, phase: 'headers' | 'body'): Fault {
  if (error instanceof Fault) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return new Fault('too_large', 'the headers were larger than we accept');
  if (TIMEOUTS.has(code)) return new Fault('timeout', 'the host did not answer in time');
  if (phase === 'body') {
    if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ZSTD_') || code.startsWith('ERR__'))
      return new Fault('truncated', 'the compressed body was incomplete or damaged');
    return new Fault('truncated', `the connection ended before the body did${suffix(code)}`);
  }
  if (isCertificateCode(code)) return new Fault('unreachable', `the host's certificate is not trusted${suffix(code)}`);
  if (code.startsWith('HPE_')) return new Fault('unreachable', 'the host did not speak HTTP');
  return new Fault('unreachable', `no connection to the host${suffix(code)}`);
}

const TIMEOUTS: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(error.code) ? error.code : '';
}

function suffix(code: string): string {
  return code === '' ? '' : ` (${code})`;
}

function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/.test(code);
}

/**
 * Removes keys from recorded texts: named query parameters, user names, and the key values wherever a host echoes them.
 */
export interface Redactor {
  url(url: URL | string): string;
  text(text: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
}

/** Creates the redactor of one request. */
export function createRedactor(request: UpstreamRequest): Redactor {
  const secrets = secretValues(request);
  const text = (plain: string) => secrets.reduce((cut, secret) => cut.replaceAll(secret, CUT), plain);
  return {
    text,
    headers: (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, text(value)])),
    url(address) {
      const href = typeof address === 'string' ? address : address.href;
      if (!URL.canParse(href)) return '';
      const url = new URL(href);
      url.username = '';
      url.password = '';
      url.hash = '';
      for (const name of request.secretQuery) if (url.searchParams.has(name)) url.searchParams.set(name, CUT);
      return text(url.href);
    },
  };
}

const CUT = 'cut';
/** Shorter values would remove unrelated text. */
const SHORTEST_SECRET = 6;

function secretValues(request: UpstreamRequest): readonly string[] {
  const url = URL.canParse(request.url) ? new URL(request.url) : null;
  const query = request.secretQuery.flatMap((name) => url?.searchParams.getAll(name) ?? []);
  const plain = [
    ...query,
    url?.password ?? '',
    ...Object.values(request.secretHeaders).flatMap((value) => [value, value.replace(/^\S+ /, '')]),
  ];
  return [...new Set(plain.flatMap((value) => [value, encodeURIComponent(value)]))]
    .filter((value) => value.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}

type Failed = { readonly ok: false } & UpstreamFailure;

interface When {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly milliseconds: number;
  /** Default 0: the request was not sent. */
  readonly attempts?: number;
}

/** A request that failed because another one's time ran out is repeated if at least this much time is left. */
export const LEAST_RETRY_MS = 100;

export const CANCELLED = new Fault('cancelled', 'the caller no longer wanted the answer', false);

/** The failure of a request that was abandoned before a reply. */
export function abandonedFailure(request: UpstreamRequest, fault: Fault, when: When): Failed {
  return failureOf(fault, createRedactor(request).url(request.url), when);
}

/** The failure of a request that got no turn. `waitMs`: when a turn would have been available; null when unknown. */
export function budgetFailure(request: UpstreamRequest, waitMs: number | null, when: When): Failed {
  const fault = new Fault('budget_spent', 'our own request budget for this source is spent for now', false);
  return {
    ...abandonedFailure(request, fault, when),
    retryAfterSeconds: waitMs === null ? null : Math.ceil(waitMs / 1000),
  };
}

/** Converts a fault to the reply of a request. `url`: without secrets. */
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

/** The address of a TLS inspection in the form that is recorded. */
export function recordedTlsUrl(host: string, port: number): string {
  const text = `https://${host}:${port}/`;
  return URL.canParse(text) ? new URL(text).origin : '';
}

/** The same request with less time remaining. */
export function within(request: UpstreamRequest, leftMs: number): UpstreamRequest {
  const totalMs = Math.min(request.deadlines.totalMs, leftMs);
  const { turn } = request;
  return {
    ...request,
    deadlines: { ...request.deadlines, totalMs },
    ...(turn ? { turn: { ...turn, mostMs: Math.min(turn.mostMs, leftMs), overallMs: leftMs } } : {}),
  };
}

export interface Stop {
  /** Aborted with a `Fault` as its reason. */
  readonly signal: AbortSignal;
  /** Resolves with that reason when the signal fires; otherwise never. */
  readonly fired: Promise<Fault>;
  clear(): void;
}

/** One signal for `timeout` (after `totalMs`; null: never) and `cancelled` (when any of the signals aborts). */
export function stopAfter(totalMs: number | null, signals: readonly AbortSignal[]): Stop {
  const controller = new AbortController();
  const { promise: fired, resolve: announce } = Promise.withResolvers<Fault>();
  const fire = (fault: Fault) => {
    controller.abort(fault);
    announce(fault);
  };
  const onAbort = () => fire(new Fault('cancelled', 'the caller no longer wanted the answer'));
  const timer =
    totalMs === null
      ? undefined
      : globalThis.setTimeout(
          () => fire(new Fault('timeout', `no complete answer within ${Math.round(totalMs)} ms`)),
          totalMs,
        );
  for (const signal of signals) {
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  }
  return {
    signal: controller.signal,
    fired,
    clear() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Waits, but returns early when the signal aborts. */
export function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}
