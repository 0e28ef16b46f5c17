import type { Json, Observation, ResponseRecord } from '../domain/index.ts';
import type { Endpoint, HttpRequestSpec, Params, Source } from '../sources/index.ts';
import type { BatchTerms, RequestPriority, Upstream, UpstreamReply, UpstreamRequest } from '../upstream/index.ts';
import type { BoundSource } from './book.ts';
import { readPdf } from './pdf/read-pdf.ts';
import { keptHeaders, readReply } from './read-reply.ts';

export interface RecordedReply {
  readonly record: ResponseRecord;
  readonly reply: unknown;
  readonly observations: readonly Observation[];
  readonly learned: Readonly<Record<string, Json>>;
  /** Decoded bytes of the reply; null without one. */
  readonly body: Uint8Array | null;
  /** For a request that could not be sent now: seconds until it can be; null when unknown. */
  readonly retryAfterSeconds?: number | null;
}

/** An outcome without a reply: the request failed, or was not made. `at`: milliseconds since the epoch. */
export function withoutReply(
  question: Pick<ResponseRecord, 'id' | 'source' | 'endpoint'> & { readonly params: Params },
  at: number,
  change: Pick<ResponseRecord, 'outcome' | 'detail'> & Partial<ResponseRecord>,
): RecordedReply {
  const record: ResponseRecord = {
    id: question.id,
    source: question.source,
    endpoint: question.endpoint,
    params: question.params as Json,
    method: 'GET',
    url: '',
    status: null,
    fetchedAt: new Date(at).toISOString(),
    milliseconds: 0,
    headers: {},
    sha256: null,
    bytes: null,
    fromCache: false,
    ...change,
  };
  return { record, reply: null, observations: [], learned: {}, body: null };
}

/** Makes one request: HTTP, deadline, schema, observations, record. Never throws because of a source. */
export async function requestOnce(
  bound: BoundSource,
  endpoint: Endpoint,
  params: Params,
  id: string,
  tools: RequestTools,
): Promise<RecordedReply> {
  const spec = endpoint.request(params);
  const method = spec.method ?? 'GET';
  const startedAt = tools.now();
  const remaining = tools.deadlineAt - tools.ticks();
  const question = { id, source: bound.source.name, endpoint: endpoint.name, params };
  const where = urlOf(bound, spec);
  if (!where.ok)
    return withoutReply(question, startedAt, {
      outcome: 'unsupported',
      method,
      milliseconds: Math.round(tools.now() - startedAt),
      detail: where.detail,
    });
  if (remaining <= 0)
    return withoutReply(question, startedAt, {
      outcome: 'deadline',
      method,
      url: shownUrl(bound, spec, where.url),
      milliseconds: Math.round(tools.now() - startedAt),
      detail: 'no time was left for the request',
    });
  const totalMs = Math.min(endpoint.timeoutMs ?? bound.source.timeoutMs, remaining);
  const sent =
    endpoint.made !== undefined
      ? await ownReply(endpoint.made(params) as object, where.url, tools.now())
      : endpoint.format === 'tls'
        ? await inspect(where.url, totalMs, tools)
        : await asText(
            endpoint,
            await tools.upstream.request(
              requestOf(bound, endpoint, params, spec, where.url, totalMs, tools),
              tools.signal,
            ),
            tools,
          );
  const url = shownUrl(bound, spec, sent.url);
  const { status, fetchedAt } = sent;
  const base = { method, url, status, fetchedAt, milliseconds: Math.round(sent.milliseconds) };
  if (!sent.ok) {
    const outcome = sent.reason === 'timeout' && isDeadlineOver(tools) ? 'deadline' : sent.reason;
    const failed = withoutReply(question, startedAt, { ...base, outcome, detail: sent.detail });
    return { ...failed, retryAfterSeconds: sent.retryAfterSeconds };
  }
  const headers = keptHeaders(sent.headers);
  const meta = { status: sent.status, headers, fetchedAt, url };
  const read = readReply(bound.source, endpoint, params, sent.body, meta, id);
  const { record } = withoutReply(question, startedAt, {
    ...base,
    outcome: read.outcome,
    headers,
    sha256: sent.sha256,
    bytes: sent.body.byteLength,
    detail: read.outcome === 'ok' ? (read.detail ?? partOf(sent)) : read.detail,
    fromCache: sent.fromCache,
    ...(sent.waitedMs === undefined ? {} : { waitedMs: Math.round(sent.waitedMs) }),
  });
  const { reply, observations, learned } = read;
  return { record, reply, observations, learned, body: sent.body };
}

/**
 * Notes that the archived body is part of a batched reply, while the recorded address is that of a request for this
 * item alone.
 */
function partOf({ together }: { readonly together?: number }): string | null {
  return together === undefined ? null : `its part of the reply to one request for ${together} questions`;
}

/** For a document, its text is archived and read, with the hash of the original file. */
async function asText(endpoint: Endpoint, sent: UpstreamReply, tools: RequestTools): Promise<UpstreamReply> {
  if (endpoint.format !== 'pdf' || !sent.ok || sent.status !== 200) return sent;
  const left = AbortSignal.timeout(Math.max(1, Math.floor(tools.deadlineAt - tools.ticks())));
  const text = await readPdf(sent.body, AbortSignal.any([tools.signal, left]));
  const file = { sha256: sent.sha256, bytes: sent.body.byteLength };
  return { ...sent, ...(await bodyOf({ ...text, file })) };
}

/** Encodes facts found by this service (document text, TLS facts) as a body that is archived like a reply. */
async function bodyOf(found: object): Promise<{ readonly body: Uint8Array; readonly sha256: string }> {
  const body = new TextEncoder().encode(JSON.stringify(found));
  const digest = await crypto.subtle.digest('SHA-256', body);
  return { body, sha256: Buffer.from(digest).toString('hex') };
}

async function inspect(url: string, totalMs: number, tools: RequestTools): Promise<UpstreamReply> {
  const target = new URL(url);
  const seen = await tools.upstream.inspectTls(
    target.hostname,
    target.port === '' ? 443 : Number(target.port),
    totalMs,
    tools.signal,
  );
  if (!seen.ok) return seen;
  return { ...(await ownReply(seen.facts, url, 0)), fetchedAt: seen.fetchedAt, milliseconds: seen.milliseconds };
}

/** Facts that need no request, as a reply. `at`: milliseconds since the epoch. */
async function ownReply(
  found: object,
  url: string,
  at: number,
): Promise<Extract<UpstreamReply, { readonly ok: true }>> {
  const headers = { 'content-type': 'application/json' };
  const body = await bodyOf(found);
  const fetchedAt = new Date(at).toISOString();
  return {
    ok: true,
    status: 200,
    headers,
    ...body,
    url,
    fetchedAt,
    milliseconds: 0,
    attempts: 1,
    fromCache: false,
  } as const;
}

/**
 * Whether the deadline has been reached. A timer counts whole milliseconds from a truncated start, so one that was set
 * for the deadline may end up to a millisecond early.
 */
export function isDeadlineOver({ ticks, deadlineAt }: Pick<RequestTools, 'ticks' | 'deadlineAt'>): boolean {
  return ticks() >= deadlineAt - 1;
}

export interface RequestTools {
  readonly upstream: Upstream;
  readonly now: () => number;
  /** Monotonic milliseconds for the deadline, so that setting the system clock ends no job. */
  readonly ticks: () => number;
  readonly signal: AbortSignal;
  /** Deadline in milliseconds of `ticks`. */
  readonly deadlineAt: number;
  readonly traceparent: string | null;
  /** Default `critical`. */
  readonly priority?: RequestPriority;
  /** Longest wait for a slot in the source's budget, milliseconds. Default: by the priority. */
  readonly longestTurnMs?: number;
  /** Called when the request waits for a slot in the source's budget; `milliseconds` is the expected wait. */
  readonly onWaiting?: (milliseconds: number) => void;
}

/** Longest wait for a slot in the source's budget, milliseconds. Infinity: as long as the job has time. */
const LONGEST_TURN_MS: Readonly<Record<RequestPriority, number>> = {
  critical: Number.POSITIVE_INFINITY,
  normal: 45_000,
  background: Number.POSITIVE_INFINITY,
  spare: 5_000,
};
/** Part of the job's time, milliseconds, that is reserved for the request itself when its slot comes late. */
const LEAST_REQUEST_MS = 1_000;

const CONNECT_MS = 4_000;
const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;
const CONTENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  json: [
    'application/json',
    'application/vnd.api+json',
    'application/rdap+json',
    'application/dns-json',
    'text/json',
    'text/plain',
    'application/problem+json',
  ],
  html: ['text/html', 'application/xhtml+xml', 'text/plain'],
  text: ['text/plain', 'text/html', 'text/csv'],
  pdf: ['application/pdf', 'application/x-pdf', 'application/octet-stream', 'binary/octet-stream'],
  xml: ['application/atom+xml', 'application/xml', 'text/xml', 'application/rss+xml'],
};

/** The address of a request, without a key. */
export function urlOf(
  bound: BoundSource,
  spec: HttpRequestSpec,
): { ok: true; url: string } | { ok: false; detail: string } {
  const base = spec.url ?? bound.bases[spec.base ?? 'main'];
  if (base === undefined)
    return { ok: false, detail: `no address is configured for ${bound.source.name} ${spec.base ?? 'main'}` };
  try {
    const url = new URL(spec.path === undefined ? base : base.replace(/\/+$/, '') + spec.path);
    for (const [name, value] of Object.entries(spec.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return { ok: true, url: url.href };
  } catch {
    return { ok: false, detail: 'the address could not be read' };
  }
}

/**
 * The address as it may be recorded. A configured address may be in a private network or contain a key, so it is
 * written as `configured:<source>/<base>` with the path of the request.
 */
export function shownUrl(bound: BoundSource, spec: HttpRequestSpec, sent: string): string {
  const base = spec.base ?? 'main';
  if (spec.url !== undefined || sent === '' || bound.bases[base] === bound.source.bases[base]) return sent;
  const query = new URLSearchParams(
    Object.entries(spec.query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return `configured:${bound.source.name}/${base}${spec.path ?? ''}${query === '' ? '' : `?${query}`}`;
}

/** A longer body is a reply. */
const MOST_LIMIT_BYTES = 4_096;
/** A body without any of these states no limit. */
const LIMIT_WORDS = /limit|too many|throttl|quota|exceed|\b(?:429|4029|1015)\b/i;

/** Whether the source's reader takes a body with a status of success for its limit. */
function statesLimit(source: Source, endpoint: Endpoint, params: Params, body: Uint8Array, at: number): boolean {
  if (body.byteLength > MOST_LIMIT_BYTES || !LIMIT_WORDS.test(new TextDecoder('utf-8').decode(body))) return false;
  const meta = { status: 200, headers: {}, fetchedAt: new Date(at).toISOString(), url: '' };
  return readReply(source, endpoint, params, body, meta, '').outcome === 'rate_limited';
}

/** The HTTP request with its limits. `totalMs`: time limit of the request itself. */
export function requestOf(
  bound: BoundSource,
  endpoint: Endpoint,
  params: Params,
  spec: HttpRequestSpec,
  url: string,
  totalMs: number,
  tools: RequestTools,
): UpstreamRequest {
  const { source } = bound;
  const { target, secretHeaders, secretQuery } = withKey(bound, spec, url);
  const accept = CONTENT_TYPES[endpoint.format ?? 'json'] ?? [];
  const priority = tools.priority ?? 'critical';
  const overallMs = tools.deadlineAt - tools.ticks();
  const longestMs = Math.min(tools.longestTurnMs ?? LONGEST_TURN_MS[priority], overallMs - LEAST_REQUEST_MS);
  return {
    label: source.name,
    priority,
    turn: {
      mostMs: Math.max(0, longestMs, Math.min(totalMs, overallMs)),
      overallMs,
      ...(tools.onWaiting ? { onWaiting: tools.onWaiting } : {}),
    },
    trust: spec.url === undefined ? source.trust : 'outside',
    method: spec.method ?? 'GET',
    url: target,
    headers: {
      accept: accept.slice(0, 2).join(', '),
      ...(spec.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...spec.headers,
    },
    secretHeaders,
    secretQuery,
    body: spec.body === undefined ? null : JSON.stringify(spec.body),
    deadlines: { connectMs: Math.min(CONNECT_MS, totalMs), headersMs: totalMs, bodyMs: totalMs, totalMs },
    isLimit: (body) => statesLimit(bound.source, endpoint, params, body, tools.now()),
    maxBytes: endpoint.maxBytes ?? DEFAULT_MAX_BYTES,
    accept,
    okStatuses: endpoint.okStatuses ?? [404],
    retries: 2,
    maxRedirects: 5,
    traceparent: tools.traceparent,
    ...batchOf(bound, endpoint, params, spec),
  };
}

/** Adds the key for a configured address only, never for an address from outside data. */
function withKey({ source, key }: BoundSource, spec: HttpRequestSpec, url: string) {
  const secretHeaders: Record<string, string> = {};
  if (key === null || !source.key || spec.url !== undefined) return { target: url, secretHeaders, secretQuery: [] };
  if (source.key.header) secretHeaders[source.key.header] = (source.key.prefix ?? '') + key;
  if (!source.key.query) return { target: url, secretHeaders, secretQuery: [] };
  const target = new URL(url);
  target.searchParams.set(source.key.query, key);
  return { target: target.href, secretHeaders, secretQuery: [source.key.query] };
}

/** How the request may be batched with others, if its endpoint supports it. */
function batchOf(
  bound: BoundSource,
  { name, batch }: Endpoint,
  params: Params,
  spec: HttpRequestSpec,
): { readonly batch?: BatchTerms } {
  const group = spec.url === undefined && spec.body === undefined ? (batch?.groupOf(params) ?? null) : null;
  if (!batch || group === null) return {};
  return {
    batch: {
      group: `${name} ${group}`,
      most: batch.most,
      item: params,
      urlOf(questions) {
        const together = { ...spec, path: batch.path(questions) };
        const where = urlOf(bound, together);
        return where.ok ? withKey(bound, together, where.url).target : '';
      },
      rowOf: batch.rowOf,
    },
  };
}
