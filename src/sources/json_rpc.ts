import Type, { type TSchema } from 'typebox';
import type { AskOutcome } from '../domain/evidence.ts';
import type { Json } from '../domain/json.ts';
import { text } from './read.ts';
import type { HttpRequestSpec } from './source.ts';

/** The envelope of a JSON-RPC 2.0 reply whose result fits `result`; an error has no result. */
export function rpcReply<Result extends TSchema>(result: Result) {
  return Type.Object({
    result: Type.Optional(result),
    error: Type.Optional(Type.Object({ code: Type.Number(), message: Type.String() })),
  });
}

/** One JSON-RPC 2.0 call, posted to the base itself. */
export function rpcCall(base: string, method: string, params: Json): HttpRequestSpec {
  return { base, method: 'POST', body: { jsonrpc: '2.0', id: 1, method, params } };
}

interface RpcReply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/**
 * What a JSON-RPC reply is before its result is looked at. Codes: -32601 method off, -32010 key excluded from a node's
 * index, -32005 limit or node behind, -32602 bad params (also "range too wide"), 429 in the body at some gateways;
 * sources: Solana JSON-RPC error list, EIP-1474, explorer#269, solana#20973.
 */
export function classifyRpc(reply: RpcReply): { readonly outcome: AskOutcome; readonly detail?: string } {
  const { error } = reply;
  if (error === undefined) {
    return reply.result === undefined
      ? { outcome: 'malformed', detail: 'neither a result nor an error' }
      : { outcome: 'ok' };
  }
  return {
    outcome: outcomeOf(error.code, error.message),
    detail: `JSON-RPC error ${error.code}: ${text(error.message, 160) ?? 'no message'}`,
  };
}

function outcomeOf(code: number, message: string): AskOutcome {
  if (code === 429 || code === -32005 || code === -32029 || /rate.?limit|too many requests/i.test(message))
    return 'rate_limited';
  if (code === -32601 || code === -32010 || /not (available|supported)|disabled/i.test(message)) return 'unsupported';
  return 'error_reply';
}
