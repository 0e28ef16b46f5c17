import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Consensus, consensusKey } from '../domain/consensus.ts';
import type { EvidenceRecord } from '../domain/evidence.ts';
import type { Json } from '../domain/observation.ts';
import { loadMethodology } from '../methodology/load.ts';
import { AS_OF, consensusOf, observationOf, outcome, pool } from '../rating/fixtures/asset.ts';
import { ratedSnapshots } from './collector.ts';

const ADDRESS = '0x1111111111111111111111111111111111111111';
const POOL = '0x00000000000000000000000000000000000000aa';
const owner = (index: number) => `0x${(index + 1).toString(16).padStart(40, '0')}`;
const list = (shares: readonly number[]): Json => shares.map((sharePct, index) => ({ owner: owner(index), sharePct }));
const NOTHING = { history: [], holders: null };

interface Change {
  readonly rows?: readonly Consensus[];
  readonly answered?: readonly string[];
  readonly failed?: readonly string[];
  readonly address?: string | null;
}

/** Snapshots, by kind, of the evidence in which these consensus values were agreed on and these sources answered. */
function made({ rows = [], answered = ['dexscreener', 'coingecko'], failed = [], address = ADDRESS }: Change) {
  const evidence = {
    asOf: AS_OF,
    identification: {
      asset: { id: 'x', chain: address === null ? null : 'ethereum', address, symbol: 'HLD', name: 'Holdfast' },
    },
    observations: [],
    responses: answered.map((source) => ({ source, outcome: 'ok' })),
    sources: [...answered.map((name) => outcome(name)), ...failed.map((name) => outcome(name, 'timeout'))],
    attributions: [],
    notRedistributable: [],
  } as unknown as EvidenceRecord;
  const consensus = Object.fromEntries(rows.map((row) => [consensusKey(row.quantity, row.scope), row]));
  const snapshots = ratedSnapshots({ evidence, consensus }, NOTHING, loadMethodology().holders);
  const of = <Kind extends (typeof snapshots)[number]['kind']>(kind: Kind) =>
    snapshots.find((one): one is Extract<(typeof snapshots)[number], { kind: Kind }> => one.kind === kind);
  return { kinds: snapshots.map(({ kind }) => kind), market: of('market'), holders: of('holders'), pools: of('pools') };
}

const earlier = { carried: true } as const;
const supply = [consensusOf('decimals', 18), consensusOf('total_supply', 1_000_000)];

test('a list that adds up to the whole supply is still a reported list, not an enumeration', () => {
  const shares = Array.from({ length: 25 }, () => 4);
  const { holders } = made({
    rows: [...supply, consensusOf('price_usd', 2), consensusOf('top_holders', list(shares))],
  });
  assert.deepEqual([holders?.method, holders?.status], ['indexer', 'incomplete_enumeration']);
  assert.equal(holders?.supply.coverage, 1);
  assert.deepEqual([holders?.raw.gini, holders?.tiers_supply, holders?.histogram], [null, null, null]);
  assert.equal(holders?.raw.top_10_pct, 40);
  assert.equal(holders?.supply.total_raw, `1000000${'0'.repeat(18)}`);
});

test('twenty holders or fewer are the largest accounts alone; nothing is derived for a supply that is not known', () => {
  const rows = [consensusOf('top_holders', list([30, 20, 10]))];
  assert.equal(made({ rows: [...supply, ...rows] }).holders?.status, 'top20_only');
  assert.equal(made({ rows }).holders, undefined);
  assert.equal(
    made({ rows: [...rows, consensusOf('decimals', 300), consensusOf('total_supply', 5)] }).holders,
    undefined,
  );
});

test('a value carried over from an earlier collection is not in the snapshot of this moment', () => {
  const carried = (value: Json) => ({ voices: [observationOf('alpha', value, earlier)] });
  const price = made({ rows: [consensusOf('price_usd', 2, carried(2))] });
  assert.equal(price.market, undefined);
  const both = [observationOf('alpha', 2, earlier), observationOf('beta', 2)];
  assert.equal(made({ rows: [consensusOf('price_usd', 2, { voices: both })] }).market?.price_usd, 2);
  const holders = list([30, 20, 10]);
  assert.equal(made({ rows: [...supply, consensusOf('top_holders', holders, carried(holders))] }).holders, undefined);
  const rows = [consensusOf('pool_liquidity_usd', 5_000, { scope: `pool:${POOL}`, ...carried(5_000) })];
  assert.equal(made({ rows }).pools, undefined);
});

test('pools are marked as reported by indexers; a pool needs a source that lists pools', () => {
  const rows = [consensusOf('price_usd', 10), ...pool(`pool:${POOL}`, { liquidity: 50_000, price: 10, volume: 700 })];
  const { pools } = made({ rows });
  assert.deepEqual(
    [pools?.totals.pools, pools?.totals.verified_pools, pools?.totals.tvl_usd, pools?.depth_method, pools?.height],
    [1, 0, 50_000, 'tvl_proxy', null],
  );
  const none = made({ rows: [consensusOf('price_usd', 10)] }).pools;
  assert.deepEqual([none?.totals.pools, none?.totals.tvl_usd, none?.depth_method], [0, null, null]);
  assert.deepEqual(none?.warnings, ['no source that lists pools knows one of this asset']);
  assert.equal(
    made({ rows: [consensusOf('price_usd', 10)], answered: ['goplus'], failed: ['dexscreener'] }).pools,
    undefined,
  );
});

test('without a price the market is known only when every source replied that there is none', () => {
  assert.equal(made({}).market?.price_usd, null);
  assert.ok(made({}).market?.warnings.includes('no source gave a price that counts'));
  assert.equal(made({ failed: ['defillama'] }).market, undefined);
  assert.equal(made({ answered: ['goplus'] }).market, undefined);
});

test('a native coin has a market alone, a project without a token has no snapshot', () => {
  const rows = [...supply, consensusOf('price_usd', 2), consensusOf('top_holders', list([30, 20, 10]))];
  assert.deepEqual(made({ rows, address: 'native' }).kinds, ['market']);
  assert.deepEqual(made({ rows, address: null }).kinds, []);
});

test('a failed source is named in the snapshots that it would have contributed to', () => {
  const rows = [...supply, consensusOf('price_usd', 2), consensusOf('top_holders', list([30, 20, 10]))];
  const { market, holders, pools } = made({ rows, failed: ['goplus', 'geckoterminal'] });
  assert.deepEqual(market?.warnings, ['geckoterminal: timeout']);
  assert.deepEqual(holders?.warnings.slice(0, 2), ['goplus: timeout', 'geckoterminal: timeout']);
  assert.equal(pools?.warnings[0], 'geckoterminal: timeout');
});
