import type { AskOutcome, ResponseRecord } from '../domain/evidence.ts';
import type { Json } from '../domain/json.ts';
import type { Observation } from '../domain/observation.ts';
import type { Endpoint, HttpRequestSpec, Params } from '../sources/source.ts';
import type { RequestPriority, Upstream, UpstreamReply, UpstreamRequest } from '../upstream/types.ts';
import type { BoundSource } from './book.ts';
import { readPdf } from './pdf/read-pdf.ts';
import { keptHeaders, readReply } from './read-reply.ts';

export interface Answer {
  readonly record: ResponseRecord;
  readonly reply: unknown;
  readonly observations: readonly Observation[];
  readonly learned: Readonly<Record<string, Json>>;
  /** Decoded bytes of an answered request; null otherwise. */
  readonly body: Uint8Array | null;
  /** Of a question that could not be asked now: seconds until it could; null when nobody knows. */
  readonly retryAfterSeconds?: number | null;
}

export interface AskTools {
  readonly upstream: Upstream;
  readonly now: () => number;
  /** Monotonic milliseconds, by which the deadline is told: a clock that is set anew ends no job. */
  readonly ticks: () => number;
  readonly signal: AbortSignal;
  /** When, by `ticks`, nothing may still be waited for. */
  readonly deadlineAt: number;
  readonly traceparent: string | null;
  /** Default `critical`. */
  readonly priority?: RequestPriority;
  /** How long a turn of the source's budget may be waited for, milliseconds; default: by the priority. */
  readonly longestTurnMs?: number;
  /** The question waits for its turn; `milliseconds` is what that is expected to take. */
  readonly onWaiting?: (milliseconds: number) => void;
}

/** How long a turn is waited for, milliseconds. What nobody can do without waits as long as the job has time. */
const LONGEST_TURN_MS: Readonly<Record<RequestPriority, number>> = {
  critical: Number.POSITIVE_INFINITY,
  normal: 45_000,
  background: Number.POSITIVE_INFINITY,
};
/** Kept of the job's time for the request itself when its turn comes late. */
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
  text: ['text/plain', 'text/html'],
  pdf: ['application/pdf', 'application/x-pdf', 'application/octet-stream', 'binary/octet-stream'],
  xml: ['application/atom+xml', 'application/xml', 'text/xml', 'application/rss+xml'],
};

/** Asks one question once: request, deadline, schema, observations, record. Never throws for anything a source can do. */
export async function askOnce(
  bound: BoundSource,
  endpoint: Endpoint,
  params: Params,
  responseId: string,
  tools: AskTools,
): Promise<Answer> {
  const spec = endpoint.request(params);
  const startedAt = tools.now();
  const remaining = tools.deadlineAt - tools.ticks();
  const where = urlOf(bound, spec);
  if (!where.ok)
    return failed(bound, endpoint, params, responseId, spec, '', tools, startedAt, 'unsupported', where.detail);
  if (remaining <= 0)
    return failed(
      bound,
      endpoint,
      params,
      responseId,
      spec,
      shownUrl(bound, spec, where.url),
      tools,
      startedAt,
      'deadline',
      'no time was left to ask',
    );
  const totalMs = Math.min(endpoint.timeoutMs ?? bound.source.timeoutMs, remaining);
  const sent =
    endpoint.format === 'tls'
      ? await inspect(where.url, totalMs, tools)
      : await asText(
          endpoint,
          await tools.upstream.request(requestOf(bound, endpoint, spec, where.url, totalMs, tools), tools.signal),
          tools,
        );
  if (!sent.ok) {
    const outcome = sent.reason === 'timeout' && tools.ticks() >= tools.deadlineAt ? 'deadline' : sent.reason;
    return {
      record: {
        id: responseId,
        source: bound.source.name,
        endpoint: endpoint.name,
        params: params as Json,
        outcome,
        method: spec.method ?? 'GET',
        url: shownUrl(bound, spec, sent.url),
        status: sent.status,
        fetchedAt: sent.fetchedAt,
        milliseconds: Math.round(sent.milliseconds),
        headers: {},
        sha256: null,
        bytes: null,
        detail: sent.detail,
        fromCache: false,
      },
      reply: null,
      observations: [],
      learned: {},
      body: null,
      retryAfterSeconds: sent.retryAfterSeconds,
    };
  }
  const headers = keptHeaders(sent.headers);
  const url = shownUrl(bound, spec, sent.url);
  const meta = { status: sent.status, headers, fetchedAt: sent.fetchedAt, url };
  const read = readReply(bound.source, endpoint, params, sent.body, meta, responseId);
  return {
    record: {
      id: responseId,
      source: bound.source.name,
      endpoint: endpoint.name,
      params: params as Json,
      outcome: read.outcome,
      method: spec.method ?? 'GET',
      url,
      status: sent.status,
      fetchedAt: sent.fetchedAt,
      milliseconds: Math.round(sent.milliseconds),
      headers,
      sha256: sent.sha256,
      bytes: sent.body.byteLength,
      detail: read.detail,
      fromCache: sent.fromCache,
      ...(sent.waitedMs === undefined ? {} : { waitedMs: Math.round(sent.waitedMs) }),
    },
    reply: read.reply,
    observations: read.observations,
    learned: read.learned,
    body: sent.body,
  };
}

function urlOf(bound: BoundSource, spec: HttpRequestSpec): { ok: true; url: string } | { ok: false; detail: string } {
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
 * The address as it may be recorded. One that the operator configured may be of the own network or hold a key in its path:
 * it is written as `configured:<source>/<base>` with what was asked of it.
 */
function shownUrl(bound: BoundSource, spec: HttpRequestSpec, sent: string): string {
  const base = spec.base ?? 'main';
  if (spec.url !== undefined || sent === '' || bound.bases[base] === bound.source.bases[base]) return sent;
  const query = new URLSearchParams(
    Object.entries(spec.query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return `configured:${bound.source.name}/${base}${spec.path ?? ''}${query === '' ? '' : `?${query}`}`;
}

function requestOf(
  bound: BoundSource,
  endpoint: Endpoint,
  spec: HttpRequestSpec,
  url: string,
  totalMs: number,
  tools: AskTools,
): UpstreamRequest {
  const { source, key } = bound;
  const secretHeaders: Record<string, string> = {};
  const secretQuery: string[] = [];
  let target = url;
  // A key goes to the operator's address only, never to an address an outsider chose.
  if (key !== null && source.key && spec.url === undefined) {
    if (source.key.header) secretHeaders[source.key.header] = (source.key.prefix ?? '') + key;
    if (source.key.query) {
      const withKey = new URL(url);
      withKey.searchParams.set(source.key.query, key);
      secretQuery.push(source.key.query);
      target = withKey.href;
    }
  }
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
    maxBytes: endpoint.maxBytes ?? DEFAULT_MAX_BYTES,
    accept,
    okStatuses: endpoint.okStatuses ?? [404],
    retries: 2,
    maxRedirects: 5,
    traceparent: tools.traceparent,
  };
}

/** Of a document its text is archived and read, with the hash of the file it was read from. */
async function asText(endpoint: Endpoint, sent: UpstreamReply, tools: AskTools): Promise<UpstreamReply> {
  if (endpoint.format !== 'pdf' || !sent.ok || sent.status !== 200) return sent;
  const left = AbortSignal.timeout(Math.max(1, Math.floor(tools.deadlineAt - tools.ticks())));
  const text = await readPdf(sent.body, AbortSignal.any([tools.signal, left]));
  const file = { sha256: sent.sha256, bytes: sent.body.byteLength };
  return { ...sent, ...(await bodyOf({ ...text, file })) };
}

/** What we found out ourselves, as a body that is archived and read like any other. */
async function bodyOf(found: object): Promise<{ readonly body: Uint8Array; readonly sha256: string }> {
  const body = new TextEncoder().encode(JSON.stringify(found));
  const digest = await crypto.subtle.digest('SHA-256', body);
  return { body, sha256: Buffer.from(digest).toString('hex') };
}

async function inspect(url: string, totalMs: number, tools: AskTools): Promise<UpstreamReply> {
  const target = new URL(url);
  const seen = await tools.upstream.inspectTls(
    target.hostname,
    target.port === '' ? 443 : Number(target.port),
    totalMs,
    tools.signal,
  );
  if (!seen.ok) return seen;
  return {
    ok: true,
    status: 200,
    headers: { 'content-type': 'application/json' },
    ...(await bodyOf(seen.facts)),
    url,
    fetchedAt: seen.fetchedAt,
    milliseconds: seen.milliseconds,
    attempts: 1,
    fromCache: false,
  };
}

function failed(
  bound: BoundSource,
  endpoint: Endpoint,
  params: Params,
  id: string,
  spec: HttpRequestSpec,
  url: string,
  tools: AskTools,
  startedAt: number,
  outcome: AskOutcome,
  detail: string,
): Answer {
  const record: ResponseRecord = {
    id,
    source: bound.source.name,
    endpoint: endpoint.name,
    params: params as Json,
    outcome,
    method: spec.method ?? 'GET',
    url,
    status: null,
    fetchedAt: new Date(startedAt).toISOString(),
    milliseconds: Math.round(tools.now() - startedAt),
    headers: {},
    sha256: null,
    bytes: null,
    detail,
    fromCache: false,
  };
  return { record, reply: null, observations: [], learned: {}, body: null };
}
