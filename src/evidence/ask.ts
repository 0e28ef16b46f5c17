import type { AskOutcome, Json, Observation, ResponseRecord } from '../domain/index.ts';
import type { Endpoint, HttpRequestSpec, Params } from '../sources/index.ts';
import type { UpstreamReply } from '../upstream/index.ts';
import type { BoundSource } from './book.ts';
import { readPdf } from './pdf/read-pdf.ts';
import { keptHeaders, readReply } from './read-reply.ts';
import { type AskTools, requestOf, shownUrl, urlOf } from './request.ts';

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
          await tools.upstream.request(
            requestOf(bound, endpoint, params, spec, where.url, totalMs, tools),
            tools.signal,
          ),
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
      detail: read.outcome === 'ok' ? (read.detail ?? partOf(sent)) : read.detail,
      fromCache: sent.fromCache,
      ...(sent.waitedMs === undefined ? {} : { waitedMs: Math.round(sent.waitedMs) }),
    },
    reply: read.reply,
    observations: read.observations,
    learned: read.learned,
    body: sent.body,
  };
}

/** That the archived body is a part of what came; the address is that of the whole reply to this question alone. */
function partOf({ together }: { readonly together?: number }): string | null {
  return together === undefined ? null : `its part of the reply to one request for ${together} questions`;
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
