import { type ChainFault, fault, type RpcErrorKind, rpcErrorKind } from '../chains/index.ts';
import { ok, type Result } from '../domain/index.ts';
import type { Upstream, UpstreamFailure, UpstreamReply, UpstreamRequest } from '../upstream/index.ts';

/** A node that the operator chose. */
export interface RpcNode {
  /** Budgets and metrics are kept under this name. */
  readonly label: string;
  readonly url: string;
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly secretQuery: readonly string[];
}

const DEADLINES = { connectMs: 5_000, headersMs: 20_000, bodyMs: 20_000, totalMs: 30_000 };
const MOST_BYTES = 32 * 1024 * 1024;

/** The request that carries one JSON-RPC call, or a batch of them. */
export function rpcRequest(node: RpcNode, body: unknown, more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    label: node.label,
    trust: 'operator',
    method: 'POST',
    url: node.url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    secretHeaders: node.secretHeaders,
    secretQuery: node.secretQuery,
    body: JSON.stringify(body),
    deadlines: DEADLINES,
    maxBytes: MOST_BYTES,
    accept: [],
    okStatuses: [],
    retries: 2,
    maxRedirects: 0,
    traceparent: null,
    ...more,
  };
}

/** Calls the nodes in turn until one responds; a fault of the call itself is returned without a further attempt. */
export async function requestNodes<Value>(
  nodes: readonly RpcNode[],
  ask: (node: RpcNode) => Promise<Result<Value, ChainFault>>,
): Promise<Result<Value, ChainFault>> {
  let last: Result<Value, ChainFault> = fault('unreachable', 'no node of this chain is configured');
  for (const node of nodes) {
    last = await ask(node);
    if (last.ok || ['cancelled', 'not_found', 'too_large', 'reverted'].includes(last.reason)) return last;
  }
  return last;
}

/** The `result` of one call; numbers too large for doubles come as bigints. */
export async function callRpc(
  upstream: Upstream,
  node: RpcNode,
  method: string,
  params: readonly unknown[] | Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Result<unknown, ChainFault>> {
  const reply = await upstream.request(rpcRequest(node, { jsonrpc: '2.0', id: 1, method, params }), signal);
  return resultOf(reply);
}

/** Reads a JSON-RPC reply: its result, or the reason why there is none. */
export function resultOf(reply: UpstreamReply): Result<unknown, ChainFault> {
  if (!reply.ok) return faultOf(reply);
  const parsed = parseExact(reply.body);
  if (!isRecord(parsed)) return fault('malformed', 'the node did not answer in JSON-RPC');
  if (isRecord(parsed.error)) return rpcFault(parsed.error);
  if (!('result' in parsed)) return fault('malformed', 'the node gave neither result nor error');
  return ok(parsed.result);
}

/** Why a request failed, as a fault of a chain read. */
export function faultOf(failure: UpstreamFailure): { readonly ok: false } & ChainFault {
  const body = failure.body === null ? null : parseExact(failure.body);
  if (isRecord(body) && isRecord(body.error)) return rpcFault(body.error);
  if (failure.reason === 'cancelled') return fault('cancelled', failure.detail);
  if (failure.reason === 'too_large') return fault('too_large', failure.detail);
  if (failure.status === 429 || failure.reason === 'rate_limited' || failure.reason === 'budget_spent')
    return fault('rate_limited', failure.detail);
  if (failure.status === 403 || failure.status === 410)
    return fault('refused', `the node refuses this call (status ${failure.status})`);
  if (failure.reason === 'truncated') return fault('malformed', failure.detail);
  return fault('unreachable', failure.detail);
}

/** The fault of each kind of JSON-RPC error. */
const REASONS: Readonly<Record<RpcErrorKind, ChainFault['reason']>> = {
  reverted: 'reverted',
  too_large: 'too_large',
  rate_limited: 'rate_limited',
  not_offered: 'refused',
  forbidden: 'refused',
  failed: 'unreachable',
};

/** A JSON-RPC error as a fault. Its message is outside text: it is classified and never passed on. */
export function rpcFault(error: Readonly<Record<string, unknown>>): { readonly ok: false } & ChainFault {
  const code = Number(error.code);
  const kind = rpcErrorKind(error);
  const detail = `the node answered with error ${Number.isFinite(code) ? code : 'without a number'}`;
  const more = kind === 'reverted' ? ': reverted' : kind === 'too_large' ? ': the range is too large' : '';
  return fault(REASONS[kind], `${detail}${more}`);
}

/** The fault of a reply whose form is not that of `what`. */
export function malformedReply(what: string) {
  return fault('malformed', `the node's reply does not look like ${what}`);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseExact(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body), (_key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
        ? BigInt(context?.source ?? 0)
        : value,
    );
  } catch {
    return null;
  }
}
