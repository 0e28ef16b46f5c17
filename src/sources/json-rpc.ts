import Type, { type TSchema } from 'typebox';
import { type RpcErrorKind, rpcErrorKind } from '../chains/index.ts';
import type { AskOutcome, Json } from '../domain/index.ts';
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

/** What each kind of error is in a job: only a node that does not have the method is `unsupported`, every other failure is one. */
const OUTCOMES: Readonly<Record<RpcErrorKind, AskOutcome>> = {
  reverted: 'error_reply',
  too_large: 'error_reply',
  rate_limited: 'rate_limited',
  not_offered: 'unsupported',
  forbidden: 'error_reply',
  failed: 'error_reply',
};

/** What a JSON-RPC reply is before its result is looked at. */
export function classifyRpc(reply: RpcReply): { readonly outcome: AskOutcome; readonly detail?: string } {
  const { error } = reply;
  if (error === undefined) {
    return reply.result === undefined
      ? { outcome: 'malformed', detail: 'neither a result nor an error' }
      : { outcome: 'ok' };
  }
  return {
    outcome: OUTCOMES[rpcErrorKind(error)],
    detail: `JSON-RPC error ${error.code}: ${text(error.message, 160) ?? 'no message'}`,
  };
}
