import Type, { type Static } from 'typebox';
import { Maybe, TextOptional } from '../read.ts';
import { get } from '../requests.ts';
import type { Endpoint } from '../source.ts';
import { operatorsEndpoint } from './endpoints.ts';
import { type OperatorSet, operator } from './operators.ts';

const Members = { threshold: Type.Integer({ minimum: 1 }), validators: Type.Array(Type.String()) };
const Node = Type.Object({
  publicKey: Type.String(),
  isValidating: Type.Optional(Type.Boolean()),
  organizationId: TextOptional,
  quorumSet: Maybe(
    Type.Object({
      ...Members,
      hashKey: TextOptional,
      innerQuorumSets: Type.Array(Type.Object({ ...Members, innerQuorumSets: Maybe(Type.Array(Type.Unknown())) })),
    }),
  ),
});
type Node = Static<typeof Node>;

/**
 * Stellar has no stake: each node declares a quorum set. The quorum set of most validating nodes is a list of organisations with a
 * threshold that just over a third of them can block. Only then does the shared calculation apply; any other quorum set gives no observation.
 */
function followed(nodes: readonly Node[]): OperatorSet | string {
  const byKey = new Map(nodes.map((node) => [node.publicKey, node]));
  const sets = new Map<string, { readonly node: Node; readonly count: number }>();
  for (const node of nodes) {
    const name = node.quorumSet?.hashKey;
    if (node.isValidating === true && name) sets.set(name, { node, count: (sets.get(name)?.count ?? 0) + 1 });
  }
  const [most] = [...sets.values()].sort((a, b) => b.count - a.count);
  const set = most?.node.quorumSet;
  if (!most || !set) return 'no node states its quorum set';
  if (set.validators.length > 0 || set.innerQuorumSets.some((member) => (member.innerQuorumSets ?? []).length > 0))
    return 'the quorum set of most nodes is not a list of organisations';
  const owners = set.innerQuorumSets.map(({ validators }) => {
    const ids = new Set(validators.map((key) => byKey.get(key)?.organizationId));
    const [id] = ids;
    return ids.size === 1 && id ? id : null;
  });
  if (owners.includes(null)) return 'a member of the quorum set of most nodes is not a single organisation';
  const size = owners.length;
  const stops = size - set.threshold + 1;
  if (stops !== Math.floor(size / 3) + 1) return `${stops} of ${size} organisations can halt the network`;
  return {
    window: `followed by ${most.count} validating nodes`,
    unit: 'entries',
    operators: owners.map((id) => operator(id, 1)),
    reliability: 0.75,
  };
}

export const stellarSet: readonly Endpoint[] = operatorsEndpoint({
  chain: 'stellar',
  doc: 'radar.withobsrvr.com/api/v1/node, which continues stellarbeat.io: nodes with their quorum sets and organisations; checked against a recording of 2020',
  maxBytes: 16 * 1024 * 1024,
  request: get('/api/v1/node', undefined, { base: 'stellar' }),
  reply: Type.Array(Node, { minItems: 2 }),
  read: followed,
});
