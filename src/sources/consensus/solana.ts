import Type from 'typebox';
import { observed } from '../observations.ts';
import { positive, TextOptional } from '../read.ts';
import { rpcCall } from '../requests.ts';
import type { Endpoint } from '../source.ts';
import { held, operatorsEndpoint, rpcReply } from './endpoints.ts';
import { operator } from './operators.ts';
import { topClientShare } from './proof-of-work.ts';

const Vote = Type.Object({
  nodePubkey: Type.String(),
  activatedStake: Type.Union([Type.Number(), Type.String()]),
});
const DAY_SECONDS = 86_400;

/** Agave and its forks have versions 1.x to 4.x; Frankendancer and Firedancer have versions 0.x. */
function clientOf(version: string | null | undefined): string | null {
  if (!version) return null;
  return version.startsWith('0.') ? 'firedancer' : 'agave';
}

export const solanaSet: readonly Endpoint[] = [
  ...operatorsEndpoint({
    chain: 'solana',
    doc: 'getVoteAccounts: stake of each vote account, active and delinquent, by node; one operator may run several nodes. Checked against a recording of 2020',
    maxBytes: 16 * 1024 * 1024,
    request: () => rpcCall('solana', 'getVoteAccounts', [{ keepUnstakedDelinquents: false }]),
    reply: rpcReply(Type.Object({ current: Type.Array(Vote), delinquent: Type.Array(Vote) })),
    read: ({ result: { current, delinquent } }) => ({
      operators: [...current, ...delinquent].map((row) => operator(row.nodePubkey, row.activatedStake)),
    }),
  }),
  ...held({
    chain: 'solana',
    name: 'solana_inflation',
    doc: 'getInflationRate: issuance of a year at the rate of the epoch; burned fees are not deducted',
    request: () => rpcCall('solana', 'getInflationRate', []),
    reply: rpcReply(Type.Object({ total: Type.Number({ minimum: 0, maximum: 1 }) })),
    observe: ({ result }) =>
      observed('supply_growth_365d', result.total, 'rate of the epoch, burned fees not deducted', {
        reliability: 0.8,
      }),
  }),
  ...held({
    chain: 'solana',
    name: 'solana_transactions',
    doc: 'getRecentPerformanceSamples [720]: transactions without votes by minute; as many as the node keeps',
    request: () => rpcCall('solana', 'getRecentPerformanceSamples', [720]),
    reply: rpcReply(
      Type.Array(
        Type.Object({
          numNonVoteTransactions: Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()])),
          samplePeriodSecs: Type.Number({ exclusiveMinimum: 0 }),
        }),
        { minItems: 1 },
      ),
    ),
    observe: ({ result }) => {
      // Older nodes do not count non-vote transactions separately.
      const known = result.filter((row) => typeof row.numNonVoteTransactions === 'number');
      const seconds = known.reduce((sum, row) => sum + row.samplePeriodSecs, 0);
      const count = known.reduce((sum, row) => sum + (row.numNonVoteTransactions ?? 0), 0);
      return observed(
        'transactions_24h',
        seconds > 0 ? positive((count / seconds) * DAY_SECONDS) : null,
        `without votes, of the last ${Math.round(seconds / 60)} minutes`,
      );
    },
  }),
  ...held({
    chain: 'solana',
    name: 'solana_clients',
    doc: 'getClusterNodes: version of each node; Agave and Jito cannot be distinguished. Checked against a recording of 2020',
    maxBytes: 16 * 1024 * 1024,
    request: () => rpcCall('solana', 'getClusterNodes', []),
    reply: rpcReply(Type.Array(Type.Object({ version: TextOptional }))),
    observe: ({ result }) =>
      observed('client_top_share', topClientShare(result.map((row) => clientOf(row.version))), {
        reliability: 0.6,
        meaning: 'of nodes, by version; not weighed by stake',
      }),
  }),
];
