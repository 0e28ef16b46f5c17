import Type, { type Static, type TSchema } from 'typebox';
import {
  aggregateData,
  aggregateResults,
  type EvmCall,
  type Hex,
  MULTICALL3,
  type RpcErrorKind,
  rpcErrorKind,
} from '../chains/index.ts';
import type { AskOutcome, Json, ObservationDraft } from '../domain/index.ts';
import { text } from './read.ts';
import { type Endpoint, type EndpointDefinition, endpoint, type Params, type ReplyMeta } from './source.ts';

const Envelope = Type.Object({
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ code: Type.Number(), message: Type.String() })),
});

interface Verdict {
  readonly outcome: AskOutcome;
  readonly detail?: string;
}

/** An endpoint that is one JSON-RPC 2.0 call to the base in `params.base`. */
export interface RpcDefinition<Result extends TSchema>
  extends Pick<EndpointDefinition, 'name' | 'doc' | 'critical' | 'plan'> {
  /** Family of the observations, by base: two operators are two families. Default `chain:<base>`. */
  readonly family?: (base: string) => string;
  call(params: Params): readonly [method: string, params: Json];
  readonly result: Result;
  /** Why a result gives nothing; null for one that does. */
  refuse?(result: Static<Result>, params: Params, meta: ReplyMeta): Verdict | null;
  observe?(result: Static<Result>, params: Params, meta: ReplyMeta): readonly ObservationDraft[];
  learn?(result: Static<Result>, params: Params, meta: ReplyMeta): Readonly<Record<string, Json>>;
}

/** Builds the endpoint of a call: envelope, errors and the family of the operator are the same for all of them. */
export function rpcEndpoint<Result extends TSchema>(definition: RpcDefinition<Result>): Endpoint {
  const { call, result, refuse, observe, learn, family = (base) => `chain:${base}`, ...rest } = definition;
  return endpoint<typeof Envelope>({
    ...rest,
    request: (params) => {
      const [method, args] = call(params);
      return {
        base: String(params.base),
        method: 'POST',
        body: { jsonrpc: '2.0', id: 1, method, params: args },
      };
    },
    reply: Type.Object({ ...Envelope.properties, result: Type.Optional(result) }) as unknown as typeof Envelope,
    classify: (reply, meta, params) => {
      const verdict = classifyRpc(reply);
      return (verdict.outcome === 'ok' && refuse?.(reply.result as Static<Result>, params, meta)) || verdict;
    },
    observe: (reply, params, meta) =>
      reply.result === undefined
        ? []
        : (observe?.(reply.result as Static<Result>, params, meta) ?? []).map((draft) => ({
            ...draft,
            family: draft.family ?? family(String(params.base)),
          })),
    ...(learn && {
      learn: (reply, params, meta) =>
        reply.result === undefined ? {} : learn(reply.result as Static<Result>, params, meta),
    }),
  });
}

/** Result of `eth_call`, `eth_getCode` and `eth_getStorageAt`. */
export const HEX = Type.String();

/** An endpoint that is one `eth_call` of Multicall3 `aggregate3`; `refuse`, `observe` and `learn` get a value per call, null where it failed. */
export function multicallEndpoint(
  definition: Pick<EndpointDefinition, 'name' | 'doc' | 'critical' | 'plan'> & {
    calls(params: Params): readonly EvmCall[];
    /** Outcome of a reply that Multicall3 did not make. Default `malformed`. */
    readonly withoutValues?: AskOutcome;
    refuse?(values: readonly (Hex | null)[], params: Params, meta: ReplyMeta): Verdict | null;
    observe?(values: readonly (Hex | null)[], params: Params, meta: ReplyMeta): readonly ObservationDraft[];
    learn?(values: readonly (Hex | null)[], params: Params, meta: ReplyMeta): Readonly<Record<string, Json>>;
  },
): Endpoint {
  const { calls, withoutValues = 'malformed', refuse, observe, learn, ...rest } = definition;
  const valuesOf = (returned: string, params: Params) => aggregateResults(returned, calls(params).length);
  return rpcEndpoint<typeof HEX>({
    ...rest,
    call: (params) => ['eth_call', [{ to: MULTICALL3, data: aggregateData(calls(params)) }, 'latest']],
    result: HEX,
    refuse: (returned, params, meta) => {
      const values = valuesOf(returned, params);
      if (values === null) return { outcome: withoutValues, detail: 'the reply is not one of Multicall3' };
      return refuse?.(values, params, meta) ?? null;
    },
    observe: (returned, params, meta) => {
      const values = valuesOf(returned, params);
      return values === null ? [] : (observe?.(values, params, meta) ?? []);
    },
    ...(learn && {
      learn: (returned, params, meta) => {
        const values = valuesOf(returned, params);
        return values === null ? {} : learn(values, params, meta);
      },
    }),
  });
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
function classifyRpc(reply: Static<typeof Envelope>): Verdict {
  const { error } = reply;
  if (error === undefined)
    return reply.result === undefined
      ? { outcome: 'malformed', detail: 'neither a result nor an error' }
      : { outcome: 'ok' };
  return {
    outcome: OUTCOMES[rpcErrorKind(error)],
    detail: `JSON-RPC error ${error.code}: ${text(error.message, 160) ?? 'no message'}`,
  };
}
