import Type, { type Static } from 'typebox';
import { DAY_MS } from '../../domain/index.ts';
import { observed } from '../observations.ts';
import { amount, fields, Loose, LooseOptional, Maybe, num, positive, TextOptional } from '../read.ts';
import { get } from '../requests.ts';
import type { Endpoint } from '../source.ts';
import { held, operatorsEndpoint } from './endpoints.ts';
import {
  type ConsensusChainName,
  hashrateDrafts,
  type Operator,
  operator,
  subsidyDrafts,
  weightOf,
} from './operators.ts';

const Pools = Type.Object({
  pools: Type.Array(Type.Object({ name: Type.String(), slug: TextOptional, blockCount: Loose })),
  blockCount: Loose,
});
const Hashrate = Type.Object({
  currentHashrate: Loose,
  difficulty: Maybe(Type.Array(Type.Object({ height: LooseOptional }))),
});

/** Reliability of a count by pool tags, which pools put into their blocks voluntarily. */
const BY_TAG = 0.85;
const UNKNOWN = /^unknown$/i;

/** Bitcoin and Litecoin, from the API of mempool.space and its fork litecoinspace.org. */
function mempool(chain: ConsensusChainName): readonly Endpoint[] {
  return [
    ...operatorsEndpoint({
      chain,
      doc: '/api/v1/mining/pools/1m: blocks of 30 days by pool (mempool/mempool, api-docs-data.ts); blocks without a tag are assigned to no pool',
      request: get('/api/v1/mining/pools/1m', undefined, { base: chain }),
      reply: Pools,
      read: readPools,
    }),
    ...held({
      chain,
      name: `${chain}_hashrate`,
      doc: '/api/v1/mining/hashrate/3m: hashes a second, and the height of the newest retarget',
      request: get('/api/v1/mining/hashrate/3m', undefined, { base: chain }),
      reply: Hashrate,
      observe: (reply) => [
        ...hashrateDrafts(chain, num(reply.currentHashrate)),
        ...subsidyDrafts(chain, Math.max(0, ...(reply.difficulty ?? []).map(({ height }) => num(height) ?? 0)) || null),
      ],
    }),
  ];
}

function readPools({ pools, blockCount }: Static<typeof Pools>) {
  const [operators, excluded] = byName(pools.map((row) => [row.slug, row.slug ?? row.name, row.blockCount]));
  const all = weightOf(operators) + excluded;
  // The reply states the total: a truncated list sums to less.
  if (all !== num(blockCount)) return `the pools have ${all} blocks of ${String(blockCount)}`;
  return { window: '30 d', unit: 'blocks' as const, operators, excluded, reliability: BY_TAG };
}

/** Miners as operators, and the number of blocks of miners named `unknown`, which belong to no operator. */
function byName(
  rows: readonly (readonly [name: unknown, id: unknown, blocks: unknown])[],
): readonly [operators: readonly Operator[], excluded: number] {
  const isUnknown = ([name]: (typeof rows)[number]) => UNKNOWN.test(String(name));
  return [
    rows.filter((row) => !isUnknown(row)).map(([, id, blocks]) => operator(id, blocks)),
    rows.filter(isUnknown).reduce((sum, [, , blocks]) => sum + (amount(blocks) ?? Number.NaN), 0),
  ];
}

const Stats = Type.Object({
  data: Type.Object({
    ...fields(LooseOptional, 'circulation', 'inflation_24h', 'transactions_24h', 'hashrate_24h'),
  }),
});
const Miners = Type.Object({
  data: Type.Array(Type.Object({ guessed_miner: TextOptional, 'count()': Loose })),
  context: Type.Object({ total_rows: LooseOptional }),
});
const MINER_DAYS = 30;

/** Chains for which Blockchair is the only keyless source of blocks by miner. */
function blockchair(chain: ConsensusChainName, name: string): readonly Endpoint[] {
  return [
    ...operatorsEndpoint({
      chain,
      doc: `/${name}/blocks?a=guessed_miner,count(): blocks of ${MINER_DAYS} days by pool, as Blockchair guesses it (its documentation; no recorded reply was found)`,
      request: () => ({
        base: 'blockchair',
        path: `/${name}/blocks`,
        query: {
          a: 'guessed_miner,count()',
          // Rounded to the day, so that identical requests can be shared.
          q: `time(${new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - MINER_DAYS * DAY_MS).toISOString().slice(0, 10)}..)`,
          limit: 100,
        },
      }),
      reply: Miners,
      read: (reply) => {
        const rows = num(reply.context.total_rows);
        if (rows === null || rows > reply.data.length) return `${reply.data.length} of ${String(rows)} miners`;
        const [operators, excluded] = byName(
          reply.data.map((row) => [row.guessed_miner ?? 'unknown', row.guessed_miner, row['count()']]),
        );
        return { window: `${MINER_DAYS} d`, unit: 'blocks', operators, excluded, reliability: 0.6 };
      },
    }),
    ...held({
      chain,
      name: `${chain}_stats`,
      doc: `/${name}/stats: hashes a second, transactions and issuance of a day (Blockchair’s documentation)`,
      request: get(`/${name}/stats`, undefined, { base: 'blockchair' }),
      reply: Stats,
      observe: ({ data }) => {
        const [issued, supply] = [amount(data.inflation_24h), positive(data.circulation)];
        return [
          ...hashrateDrafts(chain, positive(data.hashrate_24h)),
          ...observed('transactions_24h', positive(data.transactions_24h), 'transactions of one day'),
          ...observed(
            'supply_growth_365d',
            issued === null || supply === null ? null : (issued * 365) / supply,
            'issued on one day, times 365',
          ),
        ];
      },
    }),
  ];
}

const Chart = Type.Object({
  values: Type.Array(Type.Object({ x: Type.Number(), y: Type.Number({ minimum: 0 }) }), { minItems: 7 }),
});
const Nodes = Type.Object({
  nodes: Type.Record(Type.String(), Type.Array(Type.Unknown())),
});

/** `/Satoshi:28.1.0/Knots:20250305/` is Knots: a fork names the program that it is based on first. */
function clientOf(agent: unknown): string | null {
  const names =
    typeof agent === 'string' ? [...agent.slice(0, 200).matchAll(/\/([A-Za-z][A-Za-z0-9 _-]{0,40})(?=[:/(])/g)] : [];
  return names.at(-1)?.[1]?.toLowerCase() ?? null;
}

/** Share of the software that most nodes run; null for fewer than `least` nodes. */
export function topClientShare(clients: readonly (string | null)[], least = 100): number | null {
  const counts = new Map<string, number>();
  for (const client of clients) if (client !== null) counts.set(client, (counts.get(client) ?? 0) + 1);
  return clients.length < least || counts.size === 0 ? null : Math.max(...counts.values()) / clients.length;
}

const bitcoinUse: readonly Endpoint[] = [
  ...held({
    chain: 'bitcoin',
    name: 'bitcoin_transactions',
    doc: 'api.blockchain.info/charts/n-transactions: confirmed transactions by day; checked against a recording of 2022',
    request: get(
      '/charts/n-transactions',
      { timespan: '8days', format: 'json', sampled: false },
      { base: 'blockchain_info' },
    ),
    reply: Chart,
    observe: ({ values }) => {
      const week = values.slice(-7);
      const mean = week.reduce((sum, { y }) => sum + y, 0) / week.length;
      return observed('transactions_24h', mean, 'mean of the last 7 days');
    },
  }),
  ...held({
    chain: 'bitcoin',
    name: 'bitcoin_clients',
    doc: 'bitnodes.io/api/v1/snapshots/latest: reachable nodes with their user agents (50 requests a day); nodes, not miners',
    maxBytes: 16 * 1024 * 1024,
    request: get('/api/v1/snapshots/latest/', undefined, { base: 'bitnodes' }),
    reply: Nodes,
    observe: ({ nodes }) =>
      observed('client_top_share', topClientShare(Object.values(nodes).map((node) => clientOf(node[1]))), {
        reliability: 0.7,
        meaning: 'of reachable nodes, by user agent',
      }),
  }),
];

export const proofOfWork: readonly Endpoint[] = [
  ...mempool('bitcoin'),
  ...bitcoinUse,
  ...mempool('litecoin'),
  ...blockchair('dogecoin', 'dogecoin'),
  ...blockchair('bitcoin_cash', 'bitcoin-cash'),
  ...blockchair('zcash', 'zcash'),
  ...blockchair('dash', 'dash'),
];
