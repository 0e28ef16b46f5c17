import Type from 'typebox';
import { callData, uintAt } from '../../chains/index.ts';
import type { Json } from '../../domain/index.ts';
import { dated, observed } from '../observations.ts';
import { Loose, num, positive } from '../read.ts';
import { get, rpcCall } from '../requests.ts';
import type { Endpoint } from '../source.ts';
import { coinWith, held, rpcReply } from './endpoints.ts';
import { CONSENSUS_CHAINS } from './operators.ts';

/** Lido’s stETH (docs.lido.fi, deployed contracts): its supply is the ether that its validators hold. */
const STETH = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84';
const POOLED = '0x37cfdaca';
const WEI_PER_ETH = 10n ** 18n;
const GWEI = 1e9;
const { threshold } = CONSENSUS_CHAINS.ethereum;
const STAKED = 'consensus_sets.etherStaked';

/** Names that are unknown or not a consensus layer client. */
const NO_CLIENT = /^(?:unknown|others?|erigon|)$/i;

/**
 * No keyless source lists the owners of all validators. Only the stake of the largest entity that publishes its holdings on chain can be
 * proved. The largest entity overall has at least that share; the coefficient is the number of entities of that size that pass the threshold.
 */
export const ethereumSet: readonly Endpoint[] = [
  ...held({
    chain: 'ethereum',
    name: 'ethereum_stake',
    doc: 'beaconcha.in /api/v1/epoch/latest: eligible ether of the newest epoch in gwei (its documentation of 2026-05: 10 requests a minute without a key)',
    request: get('/api/v1/epoch/latest', undefined, { base: 'beaconchain' }),
    reply: Type.Object({
      status: Type.Literal('OK'),
      data: Type.Object({ epoch: Type.Number(), eligibleether: Type.Number({ exclusiveMinimum: 0 }) }),
    }),
    observe: ({ data }) =>
      observed(
        'consensus_stake_tokens',
        (data.eligibleether / GWEI) * threshold,
        `a third of all stake, epoch ${data.epoch}`,
      ),
    learn: ({ data }): Record<string, Json> => ({ [STAKED]: data.eligibleether / GWEI }),
  }),
  ...held({
    chain: 'ethereum',
    name: 'ethereum_operators',
    doc: 'eth_call getTotalPooledEther() of Lido: the largest staking entity that can be read on chain; a lower bound of the largest share',
    plan: coinWith('ethereum', 'staked', STAKED, Number.isFinite),
    request: () => rpcCall('ethereum', 'eth_call', [{ to: STETH, data: callData(POOLED) }, 'latest']),
    reply: rpcReply(Type.String()),
    observe: ({ result }, params) => {
      const wei = uintAt(result as `0x${string}`, 0);
      const staked = num(params.staked);
      const share = wei === null || staked === null ? null : Number(wei / WEI_PER_ETH) / staked;
      if (share === null || share <= 0 || share > 1) return [];
      const of = { reliability: 0.65 };
      const entities = Math.floor(threshold / share) + 1;
      const many = 'entities as large as Lido that pass a third of all stake; no list of all entities is public';
      return [
        ...observed(
          'consensus_top_share',
          share,
          'Lido, the largest entity that can be read on chain; a lower bound',
          of,
        ),
        ...observed('consensus_nakamoto', entities, many, of),
      ];
    },
  }),
  ...held({
    chain: 'ethereum',
    name: 'ethereum_transactions',
    doc: 'Blockscout /api/v2/stats: transactions of a day (its documentation)',
    request: get('/api/v2/stats', undefined, { base: 'ethereum_explorer' }),
    reply: Type.Object({ transactions_today: Loose }),
    observe: (reply) => observed('transactions_24h', positive(reply.transactions_today), 'transactions of one day'),
  }),
  ...held({
    chain: 'ethereum',
    name: 'ethereum_clients',
    doc: 'migalabs.es client-distribution?crawler=eth-cl-mainnet: nodes by client; recorded forms of 2023 to 2026. Its count fell once because of a fault of the crawler (2026-04)',
    request: get('/api/v1/client-distribution', { crawler: 'eth-cl-mainnet' }, { base: 'migalabs' }),
    reply: Type.Union([
      Type.Array(
        Type.Object({
          timestamp: Type.String(),
          data: Type.Array(Type.Object({ client_name: Type.String(), node_count: Type.Number({ minimum: 0 }) })),
        }),
        { minItems: 1 },
      ),
      Type.Record(Type.String(), Type.Number({ minimum: 0 })),
    ]),
    observe: (reply) => {
      const last = Array.isArray(reply) ? reply.at(-1) : null;
      const rows = last
        ? last.data.map((row): readonly [string, number] => [row.client_name, row.node_count])
        : Object.entries(reply as Readonly<Record<string, number>>);
      const counts = rows.filter(([name]) => !NO_CLIENT.test(name)).map(([, count]) => count);
      // Nodes with an unknown client count in the total but for no client.
      const all = rows.reduce((sum, [, count]) => sum + count, 0);
      return observed('client_top_share', all < 1_000 ? null : positive(Math.max(...counts) / all), {
        ...dated(last?.timestamp),
        reliability: 0.6,
        meaning: 'of nodes of the consensus layer, not weighed by stake',
      });
    },
  }),
];
