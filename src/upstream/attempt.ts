import type { Agent } from 'undici';
import { ACCEPT_ENCODING, exchange, type Head, readDecoded, streamDecoded } from './exchange.ts';
import { Fault, type FaultReason, toFault } from './fault.ts';
import { type Hop, judgeRedirect, judgeUrl } from './guard.ts';
import type { Breaker } from './hosts.ts';
import type { Method, TakeChunk, TrustClass, UpstreamRequest } from './types.ts';

export type Attempt =
  | {
      readonly ok: true;
      readonly url: URL;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
      readonly sha256: string;
    }
  | {
      readonly ok: false;
      readonly url: URL | null;
      readonly reason: FaultReason;
      readonly detail: string;
      readonly status: number | null;
      readonly retryAfterSeconds: number | null;
      readonly body: Uint8Array | null;
      /** False when the request was certainly not sent. */
      readonly sent: boolean;
    };

export interface AttemptTools {
  readonly agents: Readonly<Record<TrustClass, Agent>>;
  readonly allowedPorts: readonly number[];
  readonly userAgent: string;
  readonly clock: () => number;
  readonly breakerOf: (host: string) => Breaker;
  /** Aborted with a `Fault` as its reason. */
  readonly signal: AbortSignal;
  /**
   * Receives the body of a 2xx reply in chunks. The reply's own body is then empty, and `deadlines.bodyMs` is the
   * maximum pause between two chunks.
   */
  readonly take?: TakeChunk | undefined;
}

/** Sends one request and follows redirects, checking each hop. Never throws, whatever the host does. */
export async function attempt(request: UpstreamRequest, tools: AttemptTools): Promise<Attempt> {
  let hop: Hop | null = null;
  try {
    const first = firstHop(request, tools.allowedPorts);
    const seen = new Set<string>();
    hop = first;
    for (;;) {
      const current: Hop = hop;
      seen.add(current.url.href);
      const reply = await sendHop(request, current, first, tools);
      const location = REDIRECTS.has(reply.head.status) ? reply.head.headers.location : undefined;
      if (location === undefined) return await finish(request, current, reply, tools);
      reply.breaker.succeeded();
      reply.head.stream.destroy();
      if (request.method !== 'GET' && reply.head.status < 307)
        throw new Fault('http_error', `the host redirected a ${request.method} to a GET`);
      const next = judgeRedirect(first, current.url, location, tools.allowedPorts);
      if (!next.ok) throw new Fault('refused_address', next.detail);
      if (seen.has(next.value.url.href)) throw new Fault('http_error', 'the host redirects in a circle');
      if (seen.size > request.maxRedirects) throw new Fault('http_error', 'the host redirects too often');
      hop = next.value;
    }
  } catch (error) {
    return failed(toFault(error, 'headers'), hop?.url ?? null);
  }
}

interface HopReply {
  readonly head: Head;
  readonly breaker: Breaker;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Maximum bytes of an error body that are kept to tell errors apart. */
const ERROR_BODY_BYTES = 64 * 1024;
/** A shorter timeout says more about the caller's deadline than about the host. */
const FAIR_MS = 1_000;

function firstHop(request: UpstreamRequest, allowedPorts: readonly number[]): Hop {
  if (request.trust === 'outside') {
    const judged = judgeUrl(request.url, allowedPorts);
    if (!judged.ok) throw new Fault('refused_address', judged.detail, false);
    judged.value.hash = '';
    return { url: judged.value, trust: 'outside' };
  }
  const url = URL.canParse(request.url) ? new URL(request.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Fault('refused_address', 'the configured address is not a http or https url', false);
  url.hash = '';
  return { url, trust: 'operator' };
}

async function sendHop(request: UpstreamRequest, hop: Hop, first: Hop, tools: AttemptTools): Promise<HopReply> {
  const breaker = tools.breakerOf(hop.url.host);
  if (!breaker.enter())
    throw new Fault('circuit_open', 'the host failed several times in a row and is left alone for a while', false);
  try {
    const head = await exchange(tools.agents[hop.trust], {
      url: hop.url,
      method: request.method,
      headers: headersOf(request, hop, first, tools.userAgent),
      body: request.body,
      connectMs: request.deadlines.connectMs,
      headersMs: request.deadlines.headersMs,
      signal: tools.signal,
    });
    return { head, breaker };
  } catch (error) {
    const fault = toFault(error, 'headers');
    judge(breaker, fault, request);
    throw fault;
  }
}

async function finish(
  request: UpstreamRequest,
  hop: Hop,
  { head, breaker }: HopReply,
  { clock, take }: AttemptTools,
): Promise<Attempt> {
  const { status, headers, stream } = head;
  const is2xx = status >= 200 && status < 300;
  if (!is2xx && !request.okStatuses.includes(status)) {
    if (status >= 500) breaker.failed();
    else breaker.succeeded();
    const fault =
      status === 429
        ? new Fault('rate_limited', 'the host asked us to slow down')
        : new Fault('http_error', `the host answered with status ${status}`);
    const pause = retryAfterSeconds(headers['retry-after'], clock());
    return { ...failed(fault, hop.url, status), retryAfterSeconds: pause, body: await errorBody(head, request) };
  }
  try {
    if (is2xx && !isAccepted(headers['content-type'], request.accept))
      throw new Fault('wrong_content_type', `expected ${request.accept.join(' or ')}, got another content type`);
    const { maxBytes } = request;
    const { bodyMs } = request.deadlines;
    if (take && is2xx) {
      await streamDecoded(stream, headers, maxBytes, bodyMs, take);
      breaker.succeeded();
      return { ok: true, url: hop.url, status, headers, body: new Uint8Array(), sha256: '' };
    }
    const decoded = await readDecoded(stream, headers, maxBytes, bodyMs);
    breaker.succeeded();
    return { ok: true, url: hop.url, status, headers, ...decoded };
  } catch (error) {
    stream.destroy();
    const fault = toFault(error, 'body');
    judge(breaker, fault, request);
    return { ...failed(fault, hop.url, status), sent: true };
  }
}

function failed(fault: Fault, url: URL | null, status: number | null = null): Extract<Attempt, { ok: false }> {
  const { reason, message: detail, sent } = fault;
  return { ok: false, url, reason, detail, status, retryAfterSeconds: null, body: null, sent };
}

/** Reports a failure to the host's circuit breaker. */
function judge(breaker: Breaker, fault: Fault, request: UpstreamRequest): void {
  const fair = fault.reason !== 'timeout' || request.deadlines.totalMs >= FAIR_MS;
  if (['unreachable', 'timeout', 'truncated'].includes(fault.reason) && fair) breaker.failed();
  else if (['too_large', 'wrong_content_type'].includes(fault.reason)) breaker.succeeded();
  else breaker.left();
}

async function errorBody(head: Head, request: UpstreamRequest): Promise<Uint8Array | null> {
  try {
    const most = Math.min(ERROR_BODY_BYTES, request.maxBytes);
    return (await readDecoded(head.stream, head.headers, most, Math.min(2_000, request.deadlines.bodyMs))).body;
  } catch {
    // The status is sufficient; a broken body does not matter.
    return null;
  }
}

/**
 * A reply without a content type is left to the reader (RFC 9110, 8.3); a declared type must be among the accepted
 * ones.
 */
function isAccepted(contentType: string | undefined, accept: readonly string[]): boolean {
  if (accept.length === 0 || contentType === undefined) return true;
  const declared = contentType.trim().toLowerCase();
  return accept.some((prefix) => declared.startsWith(prefix));
}

function headersOf(request: UpstreamRequest, hop: Hop, first: Hop, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent, 'accept-encoding': ACCEPT_ENCODING };
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
  if (request.traceparent !== null) headers.traceparent = request.traceparent;
  // Keys are only sent to the origin that they belong to.
  if (hop.url.origin !== first.url.origin) return headers;
  for (const [name, value] of Object.entries(request.secretHeaders)) headers[name.toLowerCase()] = value;
  const { username, password } = first.url;
  if (first.trust === 'operator' && (username !== '' || password !== ''))
    headers.authorization ??= `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
  return headers;
}

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 4_000;

/** Full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter"): uniform in [0, min(cap, base * 2^attempt)). */
export function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
}

/**
 * Seconds to wait according to a Retry-After header (RFC 9110, 10.2.3: seconds or an HTTP date), at most a day; null if
 * there is none.
 */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Math.min(DAY_SECONDS, Number(text));
  // Accepts only HTTP dates; Date.parse alone accepts almost any text.
  if (!/^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/.test(text)) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  return Math.min(DAY_SECONDS, Math.max(0, Math.ceil((at - nowMs) / 1000)));
}

/**
 * Whether a retry may succeed and is safe. GET, PUT and DELETE are idempotent. A POST is only repeated when the host
 * did not act on it: it limited the rate, was unavailable, or was not reached.
 */
export function isRetryable(method: Method, reason: FaultReason, status: number | null, sent: boolean): boolean {
  if (reason === 'rate_limited' || status === 503) return true;
  if (method === 'POST') return reason === 'unreachable' && !sent;
  if (reason === 'http_error') return status !== null && status >= 500 && status !== 501;
  return reason === 'unreachable' || reason === 'timeout' || reason === 'truncated';
}

const DAY_SECONDS = 86_400;
