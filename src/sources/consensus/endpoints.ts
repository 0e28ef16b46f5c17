import Type, { type Static, type TSchema } from 'typebox';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import {
  type Endpoint,
  type EndpointDefinition,
  type Facts,
  ONE_ROW,
  type Params,
  type ReplyMeta,
  sharedList,
} from '../source.ts';
import { CONSENSUS_CHAINS, type ConsensusChainName, type OperatorSet, setDrafts } from './operators.ts';

/** A set changes once an epoch or more slowly, so one request a day serves all scores of that day. */
const HELD_SECONDS = 24 * 3_600;

/** Plans one request for the chain's own coin, in any form of its address; [] for other assets, including tokens that represent the coin. */
export function coinOf(chain: ConsensusChainName): (facts: Facts) => readonly Params[] {
  return ({ chain: home, address, keys }) => {
    const isCoin = address === null || address === 'native';
    const id = keys.coingeckoId ?? (address === 'native' ? home?.native.coingeckoId : null);
    return isCoin && id === CONSENSUS_CHAINS[chain].coingeckoId ? [{ chain }] : [];
  };
}

/** Like `coinOf`, with the learned fact `key` as parameter `name`; [] while the fact is unknown or `isRead` rejects it. */
export function coinWith(
  chain: ConsensusChainName,
  name: string,
  key: string,
  isRead: (value: Json | undefined) => boolean,
): (facts: Facts) => readonly Params[] {
  return (facts) => {
    const value = facts.learned[key];
    return value !== undefined && isRead(value)
      ? coinOf(chain)(facts).map((params) => ({ ...params, [name]: value }))
      : [];
  };
}

type Held<Schema extends TSchema> = Omit<EndpointDefinition<Schema>, 'role' | 'list'> & {
  readonly chain: ConsensusChainName;
};

/** An endpoint whose reply is kept for a day and shared by all jobs, as a list with one row. Its observations belong to the chain's lineage group. */
export function held<Schema extends TSchema>({ chain, observe, ...own }: Held<Schema>): readonly Endpoint[] {
  return sharedList<Schema>(
    {
      name: `${own.name}_held`,
      doc: `${own.doc}; one reply a day, shared by all jobs`,
      list: { ...ONE_ROW, refreshSeconds: HELD_SECONDS },
    },
    {
      plan: coinOf(chain),
      ...own,
      ...(observe && {
        observe: (reply, params, meta) =>
          observe(reply, params, meta).map((draft) => ({ ...draft, family: `chain:${chain}` })),
      }),
    },
  );
}

interface SetDefinition<Schema extends TSchema> extends Omit<Held<Schema>, 'name' | 'observe' | 'classify' | 'learn'> {
  /** The set in the reply, or the reason why there is none. */
  read(reply: Static<Schema>, params: Params, meta: ReplyMeta): OperatorSet | string;
  /** Observations in addition to those of the set. */
  also?(reply: Static<Schema>): readonly ObservationDraft[];
}

/** `<chain>_operators`: a chain's set from one reply, counted by `concentrationOf`. */
export function operatorsEndpoint<Schema extends TSchema>(definition: SetDefinition<Schema>): readonly Endpoint[] {
  const { read, also, ...rest } = definition;
  const draftsOf = (reply: Static<Schema>, params: Params, meta: ReplyMeta) => {
    const set = read(reply, params, meta);
    return typeof set === 'string' ? set : (setDrafts(rest.chain, set) ?? 'a weight is not a positive number');
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

/** Schema of a JSON-RPC reply that must have a result; an error reply is malformed. */
export function rpcReply<Result extends TSchema>(result: Result) {
  return Type.Object({ result });
}
