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
import type { Json, ObservationDraft, RequestOutcome } from '../domain/index.ts';
import { Maybe, TextOptional, text } from './read.ts';
import { rpcCall } from './requests.ts';
import { type Endpoint, type EndpointDefinition, endpoint, type Params, type ReplyMeta } from './source.ts';
import { part } from './token-records.ts';

const Envelope = Type.Object({
  result: Type.Optional(Type.Unknown()),
  // Servers of JSON-RPC 1.0 write `null` for the absent one of `result` and `error`.
  error: Maybe(Type.Object({ code: Type.Number(), message: TextOptional })),
});

interface Verdict {
  readonly outcome: RequestOutcome;
  readonly detail?: string;
}

/** Why a well-formed result gives no value. */
export class Refusal implements Verdict {
  readonly outcome: RequestOutcome;
  readonly detail?: string;

  constructor(outcome: RequestOutcome, detail?: string) {
    this.outcome = outcome;
    if (detail !== undefined) this.detail = detail;
  }
}

/** How the value of a reply is used. */
interface Uses<Read> extends Pick<EndpointDefinition, 'name' | 'doc' | 'critical' | 'plan'> {
  /** Why the value is incomplete; null if it is complete. */
  incomplete?(read: Read): string | null;
  observe?(read: Read, params: Params, meta: ReplyMeta): readonly ObservationDraft[];
  learn?(read: Read, params: Params, meta: ReplyMeta): Readonly<Record<string, Json>>;
}

/** An endpoint that is one JSON-RPC 2.0 call to the base in `params.base`. */
export interface RpcDefinition<Result extends TSchema, Read> extends Uses<Read> {
  /** Lineage group of the observations by base: each node operator is a separate group. Default `chain:<base>`. */
  readonly family?: ((base: string) => string) | undefined;
  call(params: Params): readonly [method: string, params: Json];
  readonly result: Result;
  read(result: Static<Result>, params: Params, meta: ReplyMeta): Read | Refusal;
}

/** Builds the endpoint of a call. Handles the envelope, errors and the operator's lineage group, which are the same for all calls. */
export function rpcEndpoint<Result extends TSchema, Read>(definition: RpcDefinition<Result, Read>): Endpoint {
  const { call, result, read, incomplete, observe, learn, family = (base) => `chain:${base}`, ...rest } = definition;
  const readOf = (reply: Static<typeof Envelope>, params: Params, meta: ReplyMeta) =>
    reply.result === undefined || (reply.result === null && part(result, null) === undefined)
      ? new Refusal('malformed', 'neither a result nor an error')
      : read(reply.result as Static<Result>, params, meta);
  return endpoint<typeof Envelope>({
    ...rest,
    request: (params) => rpcCall(String(params.base), ...call(params)),
    reply: Type.Object({ ...Envelope.properties, result: Maybe(result) }) as unknown as typeof Envelope,
    classify: (reply, meta, params) => {
      if (reply.error) return errorVerdict(reply.error);
      const found = readOf(reply, params, meta);
      if (found instanceof Refusal) return { ...found };
      const detail = incomplete?.(found) ?? null;
      return detail === null ? { outcome: 'ok' } : { outcome: 'ok', detail };
    },
    observe: (reply, params, meta) => {
      const found = readOf(reply, params, meta);
      return found instanceof Refusal
        ? []
        : (observe?.(found, params, meta) ?? []).map((draft) => ({
            ...draft,
            family: draft.family ?? family(String(params.base)),
          }));
    },
    ...(learn && {
      learn: (reply, params, meta) => {
        const found = readOf(reply, params, meta);
        return found instanceof Refusal ? {} : learn(found, params, meta);
      },
    }),
  });
}

/** Result of `eth_call`, `eth_getCode` and `eth_getStorageAt`. */
export const HEX = Type.String();

/** Results of the calls of an aggregate, in order; null for a failed call. */
export type Returned = readonly (Hex | null)[];

/** An endpoint that is one `eth_call` of Multicall3 `aggregate3`. */
export function multicallEndpoint<Read>(
  definition: Uses<Read> & {
    calls(params: Params): readonly EvmCall[];
    /** Outcome of a reply that is not one of Multicall3. Default `malformed`. */
    readonly withoutValues?: RequestOutcome;
    read(values: Returned, params: Params, meta: ReplyMeta): Read | Refusal;
  },
): Endpoint {
  const { calls, withoutValues = 'malformed', read, ...rest } = definition;
  return rpcEndpoint<typeof HEX, Read>({
    ...rest,
    call: (params) => ['eth_call', [{ to: MULTICALL3, data: aggregateData(calls(params)) }, 'latest']],
    result: HEX,
    read: (returned, params, meta) => {
      const values = aggregateResults(returned, calls(params).length);
      return values === null
        ? new Refusal(withoutValues, 'the reply is not a Multicall3 reply')
        : read(values, params, meta);
    },
  });
}

/** Outcome of each kind of error: `unsupported` if the node does not have the method, otherwise a failure. */
const OUTCOMES: Readonly<Record<RpcErrorKind, RequestOutcome>> = {
  reverted: 'error_reply',
  too_large: 'error_reply',
  rate_limited: 'rate_limited',
  not_offered: 'unsupported',
  forbidden: 'error_reply',
  failed: 'error_reply',
};

function errorVerdict({ code, message }: { readonly code: number; readonly message?: string | null }): Verdict {
  const error = { code, message: message ?? '' };
  return {
    outcome: OUTCOMES[rpcErrorKind(error)],
    detail: `JSON-RPC error ${error.code}: ${text(error.message, 160) ?? 'no message'}`,
  };
}
