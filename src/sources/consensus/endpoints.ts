import Type, { type Static, type TSchema } from 'typebox';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import {
  type Endpoint,
  type EndpointDefinition,
  endpoint,
  type Facts,
  type Params,
  type ReplyMeta,
} from '../source.ts';
import { CONSENSUS_CHAINS, type ConsensusChainName, type OperatorSet, setDrafts } from './operators.ts';

/** A set changes by the epoch or slower: one request a day serves all scores of that day. */
const HELD_SECONDS = 24 * 3_600;
const THE_ONE = 'all';

/** Plans one request for the coin of the chain, whatever address form it has; [] for any other asset and for tokens that stand for it. */
export function coinOf(chain: ConsensusChainName): (facts: Facts) => readonly Params[] {
  return ({ chain: home, address, keys }) => {
    const isCoin = address === null || address === 'native';
    const id = keys.coingeckoId ?? (address === 'native' ? home?.native.coingeckoId : null);
    return isCoin && id === CONSENSUS_CHAINS[chain].coingeckoId ? [{ chain }] : [];
  };
}

type Held<Schema extends TSchema> = Omit<EndpointDefinition<Schema>, 'role' | 'list' | 'plan' | 'request'> &
  Pick<Partial<EndpointDefinition<Schema>>, 'plan'> & {
    readonly chain: ConsensusChainName;
    request(): ReturnType<EndpointDefinition['request']>;
  };

/** An endpoint whose reply is kept for a day and shared by all jobs, as a list of one row that stands in for it. */
export function held<Schema extends TSchema>({ chain, request, ...definition }: Held<Schema>): readonly Endpoint[] {
  const own = { plan: coinOf(chain), ...definition, request };
  return [
    endpoint<Schema>({
      name: `${definition.name}_held`,
      doc: `${definition.doc}; one reply a day, shared by all jobs`,
      request,
      reply: definition.reply,
      ...(definition.maxBytes === undefined ? {} : { maxBytes: definition.maxBytes }),
      list: {
        refreshSeconds: HELD_SECONDS,
        rowsOf: (reply) => [reply],
        keysOf: () => [THE_ONE],
        keyOf: () => THE_ONE,
        standsInFor: definition.name,
      },
    }),
    endpoint<Schema>(own),
  ];
}

interface SetDefinition<Schema extends TSchema> extends Omit<Held<Schema>, 'name' | 'observe' | 'classify' | 'learn'> {
  /** The set of the reply; a text says why the reply gives none. */
  read(reply: Static<Schema>, params: Params, meta: ReplyMeta): Omit<OperatorSet, 'chain'> | string;
  /** Observed besides what follows from the set. */
  also?(reply: Static<Schema>): readonly ObservationDraft[];
}

/** `<chain>_operators`: a chain's set from one reply, counted by the one arithmetic. */
export function operatorsEndpoint<Schema extends TSchema>(definition: SetDefinition<Schema>): readonly Endpoint[] {
  const { read, also, ...rest } = definition;
  const draftsOf = (reply: Static<Schema>, params: Params, meta: ReplyMeta) => {
    const set = read(reply, params, meta);
    if (typeof set === 'string') return set;
    return setDrafts({ ...set, chain: rest.chain }) ?? 'a weight is no positive number';
  };
  return held<Schema>({
    ...rest,
    name: `${rest.chain}_operators`,
    classify: (reply, meta, params) => {
      const drafts = draftsOf(reply, params, meta);
      return typeof drafts === 'string' ? { outcome: 'malformed', detail: drafts } : { outcome: 'ok' };
    },
    observe: (reply, params, meta) => {
      const drafts = draftsOf(reply, params, meta);
      return typeof drafts === 'string' ? [] : [...drafts, ...(also?.(reply) ?? [])];
    },
  });
}

/** Body of a JSON-RPC 2.0 call. */
export function rpcBody(method: string, params: Json): Json {
  return { jsonrpc: '2.0', id: 1, method, params };
}

/** Reply of a JSON-RPC call that must have a result; an error is malformed. */
export function rpcReply<Result extends TSchema>(result: Result) {
  return Type.Object({ result });
}
