import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuantityId } from '../domain/quantities.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import { type Change, consensusOf, onChain, outcome, pool, soundProtocol } from './fixtures/asset.ts';
import { rate } from './rate.ts';

/** What `featureRules.revision` 4 no longer credits, because the rated party can buy or arrange it alone. */
const methodology = loadMethodology();
const earlier: Methodology = { ...methodology, featureRules: { ...methodology.featureRules, revision: 3 } };
const rated = (change: Change, by: Methodology = methodology) => rate(soundProtocol(change), by);
const scores = (change: Change) => [rated(change, earlier).score, rated(change).score];

/** The markets and pools of the sound protocol. */
const NO_VENUES: Change['without'] = [
  'volume_24h_usd',
  'venue_price_usd',
  'venue_volume_24h_usd',
  'venue_depth_up_2pct_usd',
  'venue_depth_down_2pct_usd',
  'pool_kind',
  'pool_liquidity_usd',
  'pool_quote_reserve_usd',
  'pool_price_usd',
  'pool_volume_24h_usd',
];

type Rows = NonNullable<Change['set']>;
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const OWN_SECOND_TOKEN = '0x2222222222222222222222222222222222222222';

/** A pool of positions that states both sides; `counterUsd` null: the other side is not stated. */
function ranged(scope: string, liquidity: number, counterUsd: number | null, counter = WETH): Rows {
  const rows = pool(scope, { liquidity, price: 10, volume: 500, kind: 'concentrated' }).filter(
    ({ quantity }) => quantity !== 'pool_quote_reserve_usd',
  );
  const side = counterUsd === null ? [] : [consensusOf('pool_quote_reserve_usd', counterUsd, { scope })];
  return [...rows, ...side, consensusOf('pool_pair', counter, { scope })];
}

/** A token that can be sold for 1,500 USD at most, and further pools. */
function thin(totalUsd: number, ...more: Rows): Change {
  return {
    without: NO_VENUES,
    set: [
      consensusOf('liquidity_dex_usd', totalUsd),
      ...pool('pool:0xaa', { liquidity: 3_000, price: 10, volume: 500 }),
      ...more,
    ],
  };
}

const NONE = thin(3_000);

test('the token itself on one side of a pool is no liquidity', () => {
  const oneSided = thin(10_003_000, ...ranged('pool:0xbb', 10_000_000, 400));
  assert.deepEqual([rated(NONE).score, ...scores(oneSided)], [28.1, 67.9, 29.9]);
  const flag = rated(oneSided).flags.find(({ code }) => code === 'LIQUIDITY_CRITICAL');
  assert.match(flag?.detail ?? '', /^liquidity 3,800 USD \(stated 10,003,000 USD: the rest is the token itself/);
  // What somebody paid in counts, wherever it lies.
  const paidIn = thin(10_003_000, ...ranged('pool:0xbb', 10_000_000, 4_000_000));
  assert.equal(rated(paidIn).score, rated(thin(8_003_000, ...ranged('pool:0xbb', 8_000_000, 4_000_000))).score);
});

test('pools against a token that is not commonly traded, or whose other side is not stated, at most double what is shown', () => {
  const unshown = [
    ranged('pool:0xbb', 10_000_000, 5_000_000, OWN_SECOND_TOKEN),
    ranged('pool:0xbb', 10_000_000, null),
  ].map((rows) => thin(10_003_000, ...rows));
  for (const bought of unshown) assert.deepEqual([rated(NONE).score, ...scores(bought)], [28.1, 67.9, 31.9]);
  // While the source that states both sides is away, what others state counts as before.
  for (const bought of unshown) {
    const sources = soundProtocol().sources.map((row) =>
      row.name === 'dexscreener' ? { ...outcome('dexscreener', 'timeout'), answered: 0 } : row,
    );
    assert.equal(rated({ ...bought, sources }).score, rated(bought, earlier).score);
  }
});

test('where no pool shows what else it holds, it is not known that the token can be sold', () => {
  const hidden = (...rows: Rows): Change => ({
    without: NO_VENUES,
    set: [consensusOf('liquidity_dex_usd', 10_000_000), ...ranged('pool:0xbb', 10_000_000, null), ...rows],
  });
  const registry = consensusOf('venue_depth_up_2pct_usd', 9_000, { scope: 'venue:lbank:HLD-USDT' });
  for (const bought of [hidden(), hidden(registry)]) {
    assert.deepEqual(scores(bought), [67.9, null]);
    assert.match(rated(bought).notRatedReasons.join(' '), /not known: liquidity/);
  }
  const book = (['venue_depth_up_2pct_usd', 'venue_depth_down_2pct_usd'] as const).map((side) =>
    consensusOf(side, 900_000, { scope: 'venue:binance:HLD-USDT' }),
  );
  assert.equal(rated(hidden(...book)).score, rated(hidden(...book), earlier).score);
});

test('a token whose liquidity lies in concentrated pools keeps its score, near the price or away from it', () => {
  const ofPools = (counter: number): Change => ({
    without: NO_VENUES,
    set: [
      consensusOf('liquidity_dex_usd', 9_000_000),
      ...ranged('pool:0xaa', 6_000_000, 6_000_000 * counter),
      ...ranged('pool:0xbb', 3_000_000, 3_000_000 * counter),
    ],
  });
  const [former, even, uneven] = [
    rated(ofPools(0.5), earlier).score ?? 0,
    rated(ofPools(0.5)).score,
    rated(ofPools(0.3)).score ?? 0,
  ];
  assert.equal(even, former);
  assert.ok(former - uneven < 1, `${former} to ${uneven}`);
  assert.deepEqual(
    scores({ set: [...ranged('pool:0xaa', 24e6, 2e6), ...ranged('pool:0xbb', 16e6, 1e6)] }),
    [69.4, 69.4],
  );
});

test('liquidity in positions is no deeper than the same liquidity at all prices, unless a node reads it', () => {
  const inPools = (kind: string, usd: number, ...more: Rows): Change => ({
    without: NO_VENUES,
    set: [
      consensusOf('liquidity_dex_usd', usd),
      ...pool('pool:0xaa', { liquidity: usd, price: 10, volume: 500, kind }),
      ...more,
    ],
  });
  const [even, narrow] = [inPools('constant_product', 60_000), inPools('concentrated', 60_000)];
  assert.deepEqual([rated(even).score, ...scores(narrow)], [31.9, 64.6, 31.9]);
  // A pool of positions beside another made the depth of both uncertain.
  const beside = inPools(
    'constant_product',
    60_000,
    ...pool('pool:0xbb', { liquidity: 90_000, price: 10, volume: 500, kind: 'bins' }),
  );
  assert.ok((rated(beside).score ?? 0) < 40 && !rated(beside).flags.some(({ code }) => code === 'LIQUIDITY_CRITICAL'));
  // Where a node could not reply, the depth of positions is not known, and a large pool is deep enough in any form.
  const sources = soundProtocol().sources.map((row) =>
    row.name === 'evm_rpc' ? { ...outcome('evm_rpc', 'timeout'), answered: 0 } : row,
  );
  assert.deepEqual(scores({ ...narrow, sources }), [64.6, 64.6]);
  assert.deepEqual(scores(inPools('concentrated', 3_000_000)), [67.4, 67.4]);
  const coin = { ...narrow, set: [...(narrow.set ?? []), consensusOf('categories', ['Stablecoins'])] };
  assert.equal(rated(coin).score, rated(coin, earlier).score);
});

test('a contract of unknown owners that may mint, freeze or upgrade a launched token is as good as a plain key', () => {
  const inPools = consensusOf('volume_24h_dex_usd', 8_000_000);
  const held = (quantity: QuantityId, state: string, category = 'Meme'): Change => ({
    set: [
      consensusOf('categories', [category]),
      onChain('is_proxy', quantity === 'proxy_admin_state'),
      onChain(quantity, state),
      inPools,
    ],
  });
  const figures = (['mint_authority_state', 'freeze_authority_state', 'proxy_admin_state'] as const).map((quantity) => {
    const key = rated(held(quantity, 'eoa')).score;
    assert.deepEqual(scores(held(quantity, 'multisig')), scores(held(quantity, 'contract')));
    return [key, ...scores(held(quantity, 'contract'))];
  });
  assert.deepEqual(figures, [
    [43.9, 56, 43.9],
    [43.9, 56.4, 43.9],
    [54.9, 56.6, 54.9],
  ]);
  // A protocol has reasons for such contracts, an owner under a timelock gives notice, and a traded coin is past its launch.
  for (const change of [
    held('mint_authority_state', 'contract', 'Decentralized Finance (DeFi)'),
    held('mint_authority_state', 'timelocked_multisig'),
    { set: (held('mint_authority_state', 'multisig').set ?? []).filter((row) => row !== inPools) },
  ])
    assert.equal(rated(change).score, rated(change, earlier).score);
});
