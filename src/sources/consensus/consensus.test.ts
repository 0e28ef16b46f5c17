import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findChain } from '../../chains/index.ts';
import type { Json, Observation } from '../../domain/index.ts';
import { readReply } from '../../evidence/read-reply.ts';
import type { Facts, Params } from '../source.ts';
import { candidatesReply, electionReply, REPLIES, stellarNodes, suiState } from './fixtures/replies.ts';
import { signedList } from './fixtures/signed-list.ts';
import { consensusSets } from './index.ts';
import { CONSENSUS_CHAINS, type ConsensusChainName, concentrationOf, setDrafts } from './operators.ts';

const NOW = '2026-06-01T12:00:00.000Z';
const NOBODY: Facts = {
  project: '',
  symbol: null,
  chain: null,
  address: null,
  websiteUrl: null,
  registrableDomain: null,
  keys: {
    coingeckoId: null,
    cmcId: null,
    coinpaprikaId: null,
    defillamaSlug: null,
    githubRepos: [],
    deployments: [],
    cexPairs: [],
  },
  learned: {},
};
const coin = (coingeckoId: string, change: Partial<Facts> = {}): Facts => ({
  ...NOBODY,
  keys: { ...NOBODY.keys, coingeckoId },
  ...change,
});

function read(name: string, reply: unknown, params: Params = {}) {
  const endpoint = consensusSets.endpoints.find((row) => row.name === name);
  assert.ok(endpoint, name);
  const meta = { status: 200, headers: {}, fetchedAt: NOW, url: '' };
  return readReply(consensusSets, endpoint, params, Buffer.from(JSON.stringify(reply)), meta, 'x#1');
}

const valuesOf = (observations: readonly Observation[]) =>
  Object.fromEntries(observations.map(({ quantity, value }) => [quantity, value]));

function made(base: string, path: string, rpc?: string): unknown {
  const found = REPLIES.find((row) => row.base === base && row.path === path && row.rpc === rpc);
  assert.ok(found, `${base} ${path}`);
  return found.json;
}

const THIRD = 1 / 3;
const close = (got: unknown, want: number) =>
  assert.ok(Math.abs(Number(got) / want - 1) < 1e-9, `${String(got)} is not ${want}`);

const CASES: readonly (readonly [
  endpoint: string,
  reply: unknown,
  want: Readonly<Record<string, number>>,
  params?: Params,
])[] = [
  // 4,320 blocks: 1,300 + 1,000 are more than half, 1,300 alone are not; the 220 without a tag are nobody's.
  [
    'bitcoin_operators',
    made('bitcoin', '/api/v1/mining/pools/1m'),
    { consensus_nakamoto: 2, consensus_top_share: 1_300 / 4_320 },
  ],
  ['bitcoin_hashrate', made('bitcoin', '/api/v1/mining/hashrate/3m'), { consensus_attack_usd: 4.5e20 * 1.6e-11 }],
  ['bitcoin_transactions', made('blockchain_info', '/charts/n-transactions'), { transactions_24h: 440_000 }],
  ['bitcoin_clients', made('bitnodes', '/api/v1/snapshots/latest/'), { client_top_share: 0.78 }],
  [
    'litecoin_operators',
    made('litecoin', '/api/v1/mining/pools/1m'),
    { consensus_nakamoto: 1, consensus_top_share: 9 / 17 },
  ],
  [
    'dogecoin_operators',
    made('blockchair', '/dogecoin/blocks'),
    { consensus_nakamoto: 2, consensus_top_share: 20 / 43 },
  ],
  [
    'dogecoin_stats',
    made('blockchair', '/dogecoin/stats'),
    { consensus_attack_usd: 1.25e15 * 4e-7, transactions_24h: 42_000, supply_growth_365d: 0.03504 },
  ],
  ['bitcoin_cash_stats', made('blockchair', '/bitcoin-cash/stats'), { consensus_attack_usd: 1.25e15 * 1.6e-11 * 0.3 }],
  ['ethereum_stake', made('beaconchain', '/api/v1/epoch/latest'), { consensus_stake_tokens: 12e6 }],
  [
    'ethereum_operators',
    made('ethereum', '/', 'eth_call'),
    { consensus_nakamoto: 2, consensus_top_share: 0.25 },
    { staked: 36e6 },
  ],
  ['ethereum_transactions', made('ethereum_explorer', '/api/v2/stats'), { transactions_24h: 1.5e6 }],
  ['cardano_epoch', made('cardano', '/epoch_info'), { transactions_24h: 40_000 }],
  ['cardano_supply', made('cardano', '/totals'), { supply_growth_365d: 38e15 / (38e15 - 73e13) - 1 }],
  // 200 of 8,200 nodes do not say what they run.
  ['ethereum_clients', made('migalabs', '/api/v1/client-distribution'), { client_top_share: 4_400 / 8_200 }],
  // 60 stakes of 4 million on 59 nodes: the first has two; 8 M + 19 x 4 M is more than a third of 240 M.
  [
    'solana_operators',
    made('solana', '/', 'getVoteAccounts'),
    { consensus_nakamoto: 20, consensus_stake_tokens: 80e6 },
  ],
  ['solana_inflation', made('solana', '/', 'getInflationRate'), { supply_growth_365d: 0.041 }],
  ['solana_transactions', made('solana', '/', 'getRecentPerformanceSamples'), { transactions_24h: 95_040_000 }],
  ['solana_clients', made('solana', '/', 'getClusterNodes'), { client_top_share: 0.8 }],
  // The 45 largest of 50: 900,000 down to 460,000 BNB in steps of 10,000.
  [
    'bnb_operators',
    made('bnb', '/', 'eth_call'),
    { consensus_nakamoto: 13, consensus_stake_tokens: (680_000 * 45) / 3 },
  ],
  // 30 to 11 million, 410 in all: 30 + 29 + 28 + 27 + 26 is more than a third.
  ['near_operators', made('near', '/', 'validators'), { consensus_nakamoto: 5, consensus_stake_tokens: 410e6 / 3 }],
  [
    'aptos_operators',
    made('aptos', '/v1/accounts/0x1/resource/0x1::stake::ValidatorSet'),
    { consensus_nakamoto: 14, consensus_stake_tokens: 800e6 / 3 },
  ],
  ['algorand_operators', made('algorand', '/v1/realtime/participation/validators'), { consensus_nakamoto: 14 }],
  ['tezos_operators', made('tezos', '/v1/delegates'), { consensus_nakamoto: 2, consensus_stake_tokens: 380e6 / 3 }],
  [
    'multiversx_operators',
    made('multiversx', '/identities'),
    { consensus_nakamoto: 10, consensus_top_share: 100 / 2_800 },
  ],
  ['hyperliquid_operators', made('hyperliquid', '/info'), { consensus_nakamoto: 2 }],
  // Two nodes of each owner.
  [
    'avalanche_operators',
    made('avalanche', '/ext/bc/P', 'platform.getCurrentValidators'),
    { consensus_nakamoto: 11, consensus_top_share: 1 / 30, consensus_stake_tokens: 180e6 / 3 },
  ],
  ['tron_operators', made('tron', '/wallet/listwitnesses'), { consensus_nakamoto: 7, consensus_top_share: 3 / 21.2 }],
  [
    'ton_operators',
    made('ton', '/v2/blockchain/validators'),
    { consensus_nakamoto: 134, consensus_stake_tokens: 4e8 / 3 },
  ],
  // 60 pools of 54 million in each of two groups; half of 22 billion is passed with 84 pools of the others.
  [
    'cardano_operators',
    made('cardano', '/pool_list'),
    { consensus_nakamoto: 86, consensus_top_share: 3_240 / 22_000, consensus_stake_tokens: 11e9 },
    { all: 22e15 },
  ],
  ['polkadot_operators', made('polkadot', '/', 'state_getStorage'), { consensus_nakamoto: 201 }],
  ['kusama_operators', made('kusama', '/', 'state_getStorage'), { consensus_nakamoto: 201 }],
  // 34 of 100 equal ones; a third of 7.5 thousand million.
  [
    'sui_operators',
    made('sui', '/', 'suix_getLatestSuiSystemState'),
    { consensus_nakamoto: 34, consensus_top_share: 0.01, consensus_stake_tokens: 2.5e9 },
  ],
  // Five of seven have to agree: three stop it.
  ['stellar_operators', made('stellar', '/api/v1/node'), { consensus_nakamoto: 3, consensus_top_share: 1 / 7 }],
  // 4 x 300 M of 3,600 M are a third and not more.
  [
    'polygon_operators',
    made('polygon', '/stake/validators-set'),
    { consensus_nakamoto: 5, consensus_top_share: 1 / 12, consensus_stake_tokens: 1.2e9 },
  ],
  // Of 17,226 million votes eleven have 5,435 and twelve 5,922; every fifth candidate may not produce.
  ['iotex_operators', made('iotex', '/', 'eth_call'), { consensus_nakamoto: 12, consensus_top_share: 500 / 17_226 }],
  ['dash_operators', made('blockchair', '/dash/blocks'), { consensus_nakamoto: 2, consensus_top_share: 20 / 43 }],
  ['kava_operators', made('kava', '/cosmos/staking/v1beta1/validators'), { consensus_nakamoto: 4 }],
  [
    'cosmos_hub_operators',
    made('cosmos_hub', '/cosmos/staking/v1beta1/validators'),
    { consensus_nakamoto: 4, consensus_top_share: 20 / 210, consensus_stake_tokens: 70e6 },
  ],
  ['cosmos_hub_inflation', made('cosmos_hub', '/cosmos/mint/v1beta1/inflation'), { supply_growth_365d: 0.1 }],
];

for (const [name, reply, want, params] of CASES)
  test(`${name}: ${Object.keys(want).join(', ')}`, () => {
    const { outcome, detail, observations } = read(name, reply, params);
    assert.equal(outcome, 'ok', detail ?? '');
    const got = valuesOf(observations);
    for (const [quantity, value] of Object.entries(want)) close(got[quantity], value);
  });

test('Hedera’s nodes come in two pages, and one page without the other is no set', () => {
  const first = read('hedera_first_nodes', made('hedera', '/api/v1/network/nodes'));
  assert.deepEqual(first.observations, []);
  const before = first.learned['consensus_sets.hederaFirst'] as Json;
  const rest = made('hedera', '/api/v1/network/nodes?node.id=gt:24');
  close(valuesOf(read('hedera_operators', rest, { before }).observations).consensus_nakamoto, 11);
  assert.equal(read('hedera_operators', rest, { before: [] }).outcome, 'malformed');
  assert.equal(read('hedera_operators', made('hedera', '/api/v1/network/nodes'), { before }).outcome, 'malformed');
});

test('the supply of Bitcoin grows by its schedule', () => {
  const growth = valuesOf(read('bitcoin_hashrate', made('bitcoin', '/api/v1/mining/hashrate/3m')).observations);
  // 3.125 coins a block since 840,000: 110,000 of them on 19,687,500.
  const supply = 19_687_500 + 110_000 * 3.125;
  close(growth.supply_growth_365d, supply / (supply - 52_560 * 3.125) - 1);
});

const PARTIAL: readonly (readonly [name: string, reply: unknown, why: RegExp, params?: Params])[] = [
  ['bitcoin_operators', { pools: [{ name: 'A', slug: 'a', blockCount: 5 }], blockCount: 9 }, /5 blocks of 9/],
  ['dogecoin_operators', { data: [{ guessed_miner: 'A', 'count()': 5 }], context: { total_rows: 2 } }, /1 of 2 miners/],
  ['bnb_operators', { result: electionReply([5, 4], 60) }, /2 of 60 validators/],
  ['tron_operators', { witnesses: [{ address: '41', voteCount: 5, isJobs: true }] }, /1 producers of 27/],
  [
    'osmosis_operators',
    {
      validators: [{ operator_address: 'a', tokens: '5', status: 'BOND_STATUS_BONDED' }],
      pagination: { next_key: 'FCA=' },
    },
    /a page/,
  ],
  [
    'osmosis_operators',
    {
      validators: [
        { operator_address: 'a', tokens: '5', status: 'BOND_STATUS_BONDED' },
        { operator_address: 'b', tokens: '-5', status: 'BOND_STATUS_BONDED' },
      ],
      pagination: { next_key: null },
    },
    /not a positive number/,
  ],
  ['cardano_operators', [{ pool_id_bech32: 'a', active_stake: '5' }], /hold 5 of 100/, { all: 100 }],
  ['polkadot_operators', { result: '0x0801' }, /not a list/],
  ['near_operators', { result: { current_validators: [{ account_id: 'a', stake: '5' }] } }, /1 validators are not/],
  ['sui_operators', { result: suiState([18]) }, /18 of 10000 votes/],
  ['stellar_operators', stellarNodes(7, 6), /2 of 7 organisations/],
  [
    'stellar_operators',
    stellarNodes(7, 5).map((node) => ({ ...node, organizationId: null })),
    /not a single organisation/,
  ],
  ['stellar_operators', stellarNodes(7, 5).map((node) => ({ ...node, isValidating: false })), /no node/],
  [
    'polygon_operators',
    {
      validator_set: {
        validators: [
          { signer: '0xa', voting_power: '5' },
          { signer: '0xb', voting_power: '5' },
        ],
        total_voting_power: '99',
      },
    },
    /10 of 99/,
  ],
  ['iotex_operators', { result: candidatesReply(300) }, /a page/],
  ['iotex_operators', { result: candidatesReply(40) }, /32 candidates for 36/],
  ['iotex_operators', { result: '0x1234' }, /not a list of candidates/],
  ['solana_operators', { result: { current: [], delinquent: [] } }, /not a positive number/],
];
for (const [name, reply, why, params] of PARTIAL)
  test(`${name}: an incomplete reply gives nothing (${why.source})`, () => {
    const got = read(name, reply, params);
    assert.equal(got.outcome, 'malformed');
    assert.match(got.detail ?? '', why);
    assert.deepEqual(got.observations, []);
  });

test('solana_operators: an error of the node is an error and gives nothing', () => {
  const got = read('solana_operators', { error: { code: -32005, message: 'busy' } }, undefined);
  assert.deepEqual([got.outcome, got.observations], ['error_reply', []]);
});

test('a list of validators counts when its publisher signed it, and one operator once', () => {
  const { publisher, reply } = signedList({
    domains: ['a.example', 'a.example', 'b.example', null, null, 'c.example'],
  });
  const { outcome, detail, observations } = read('xrpl_operators', reply, { publisher });
  assert.equal(outcome, 'ok', detail ?? '');
  const got = valuesOf(observations);
  // Six votes, two of one domain, which are more than a fifth.
  close(got.consensus_nakamoto, 1);
  close(got.consensus_top_share, 2 / 6);
});

test('seven of 35 are exactly a fifth: the eighth halts the list', () => {
  const { publisher, reply } = signedList({ domains: Array.from({ length: 35 }, () => null) });
  const got = valuesOf(read('xrpl_operators', reply, { publisher }).observations);
  close(got.consensus_nakamoto, 8);
  assert.equal(got.consensus_attack_usd, 1e8);
  assert.equal(got.consensus_stake_tokens, undefined, 'nobody has a stake');
});

test('a list that another key signed, that was changed or has expired gives nothing', () => {
  const { publisher, reply } = signedList({ domains: [null, null] });
  const other = signedList({ domains: [null, null] });
  const refused = (body: unknown, params: Params, why: RegExp) => {
    const got = read('xrpl_operators', body, params);
    assert.equal(got.outcome, 'malformed');
    assert.match(got.detail ?? '', why);
  };
  refused(reply, {}, /another publisher/);
  refused({ ...other.reply, public_key: publisher }, { publisher }, /manifest is not/);
  refused({ ...reply, blob: other.reply.blob }, { publisher }, /not signed/);
  const old = signedList({ domains: [null], expires: '2026-05-31T00:00:00Z' });
  refused(old.reply, { publisher: old.publisher }, /expired/);
});

test('only the chain’s own coin is requested, in any form of its address', () => {
  const planned = (facts: Facts) =>
    consensusSets.endpoints.filter((row) => row.plan(facts).length > 0).map(({ name }) => name);
  assert.ok(planned(coin('bitcoin')).includes('bitcoin_operators'));
  assert.ok(planned(coin('bitcoin')).every((name) => name.startsWith('bitcoin_') && !name.startsWith('bitcoin_cash')));
  const solana = findChain('solana');
  assert.ok(planned({ ...NOBODY, chain: solana, address: 'native' }).includes('solana_operators'));
  assert.deepEqual(
    planned(coin('bitcoin', { chain: solana, address: 'So11111111111111111111111111111111111111112' })),
    [],
  );
  assert.deepEqual(planned(NOBODY), []);
});

test('a reply of each endpoint is kept for a day and replaces the request', () => {
  for (const one of consensusSets.endpoints.filter(({ role }) => role === 'observe')) {
    const list = consensusSets.endpoints.find((row) => row.list?.standsInFor === one.name)?.list;
    assert.equal(list?.refreshSeconds, 86_400, one.name);
    assert.equal(list.keyOf({ chain: 'x', staked: 5 }), list.keysOf({})[0]);
  }
});

test('a coefficient from a single source has half of its reliability', () => {
  const drafts = (count: number) =>
    setDrafts('solana', {
      operators: Array.from({ length: count }, (_, index) => ({ id: String(index), weight: 1 })),
    });
  assert.equal(drafts(60)?.[0]?.reliability, 0.9);
  assert.equal(drafts(300)?.[0]?.reliability, 0.45);
  assert.match(drafts(300)?.[0]?.meaning ?? '', /others have counted 9 to 36/);
});

test('thresholds and ranges are of fractions and of coefficients', () => {
  for (const [name, row] of Object.entries(CONSENSUS_CHAINS)) {
    assert.ok(row.threshold > 0 && row.threshold <= 0.5, name);
    const [low, high] = row.plausible ?? [1, 2];
    assert.ok(low !== undefined && high !== undefined && low < high && low > 0, name);
  }
  const names: readonly ConsensusChainName[] = Object.keys(CONSENSUS_CHAINS) as ConsensusChainName[];
  for (const name of names)
    assert.ok(
      consensusSets.endpoints.some((row) => row.name === `${name}_operators`),
      `${name} has no loader`,
    );
});

const weights = fc.array(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), { minLength: 1, maxLength: 80 });
const operators = (list: readonly number[]) => list.map((weight, index) => ({ id: `o${index}`, weight }));

test('as many operators as the coefficient pass the threshold, and one fewer do not', () => {
  fc.assert(
    fc.property(weights, fc.double({ min: 0.01, max: 0.6, noNaN: true }), (list, threshold) => {
      const found = concentrationOf({ operators: operators(list), excluded: 0 }, threshold);
      const sorted = list.toSorted((a, b) => b - a);
      const sum = (count: number) => sorted.slice(0, count).reduce((total, weight) => total + weight, 0);
      const all = sum(list.length);
      assert.ok(found?.nakamoto);
      assert.ok(sum(found.nakamoto) > all * threshold);
      assert.ok(sum(found.nakamoto - 1) <= all * threshold * (1 + 1e-9));
    }),
  );
});

test('order, units and zeros change nothing; joining two operators never raises the coefficient', () => {
  fc.assert(
    fc.property(weights, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (list, factor) => {
      const of = (rows: readonly { id: string; weight: number }[]) =>
        concentrationOf({ operators: rows, excluded: 0 }, THIRD)?.nakamoto ?? Number.NaN;
      const coefficient = of(operators(list));
      assert.equal(of(operators(list).toReversed()), coefficient);
      assert.equal(of([...operators(list), { id: 'zero', weight: 0 }]), coefficient);
      assert.ok(of(operators(list).map((row, index) => (index === 1 ? { ...row, id: 'o0' } : row))) <= coefficient);
      // A power of two changes no digit of a sum.
      assert.equal(of(operators(list.map((weight) => weight * 2 ** Math.round(factor % 8)))), coefficient);
    }),
  );
});

test('unattributed weight never lowers the coefficient, and one invalid weight rejects the whole set', () => {
  fc.assert(
    fc.property(weights, fc.double({ min: 0, max: 1e15, noNaN: true }), (list, excluded) => {
      const without = concentrationOf({ operators: operators(list), excluded: 0 }, THIRD);
      const found = concentrationOf({ operators: operators(list), excluded }, THIRD);
      assert.ok(found && without?.nakamoto);
      assert.ok(found.nakamoto === null || found.nakamoto >= without.nakamoto);
    }),
  );
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1])
    assert.equal(concentrationOf({ operators: operators([5, bad, 3]), excluded: 0 }, THIRD), null);
});
