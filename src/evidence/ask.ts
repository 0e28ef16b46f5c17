import type { Json, Observation, ResponseRecord } from '../domain/index.ts';
import type { Endpoint, Params } from '../sources/index.ts';
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

/** An answer without a reply: the request failed, or was not made. `at`: milliseconds since the epoch. */
export function withoutReply(
  question: Pick<ResponseRecord, 'id' | 'source' | 'endpoint'> & { readonly params: Params },
  at: number,
  change: Pick<ResponseRecord, 'outcome' | 'detail'> & Partial<ResponseRecord>,
): Answer {
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

/** Makes one request once: request, deadline, schema, observations, record. Never throws for anything a source can do. */
export async function askOnce(
  bound: BoundSource,
  endpoint: Endpoint,
  params: Params,
  id: string,
  tools: AskTools,
): Promise<Answer> {
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
    const outcome = sent.reason === 'timeout' && tools.ticks() >= tools.deadlineAt ? 'deadline' : sent.reason;
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
  return { ...(await ownReply(seen.facts, url, 0)), fetchedAt: seen.fetchedAt, milliseconds: seen.milliseconds };
}

/** What we know without a request, as a reply. `at`: milliseconds since the epoch. */
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
