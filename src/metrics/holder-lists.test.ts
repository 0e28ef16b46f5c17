import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../domain/observation.ts';
import type { LabelKind } from '../domain/snapshot.ts';
import { loadMethodology } from '../methodology/load.ts';
import { consensusOf, holders, inputOf, observationOf, pool } from '../rating/fixtures/asset.ts';
import { tableFromEntries, textKeys } from '../snapshots/holders/balance-table.ts';
import { buildHoldersSnapshot } from '../snapshots/holders/snapshot.ts';
import { bookOf, type HolderRules } from './holder-labels.ts';
import { analyseHolders, listedTops } from './holder-lists.ts';

const { holders: rules, metrics, consensus } = loadMethodology();
const limits = { ...metrics.holderLists, errorChance: consensus.errorChance };
/** Rules that leave locks in the supply and know no pool by its address. */
const lenient: HolderRules = {
  outsideSupply: ['burn'],
  notHolders: ['pool', 'exchange', 'staking', 'lending', 'bridge', 'locker', 'vesting'],
  namesPools: false,
  labelFamilies: 2,
  treasury: { most: 0.4, weight: 0.5 },
};

function setOf(list: Json, labels: Json = [], others: readonly Json[] = []) {
  const voices = [list, ...others].map((value, index) => observationOf(`family${index}`, value));
  return inputOf([consensusOf('top_holders', list, { voices }), consensusOf('holder_labels', labels)]).consensus;
}
const analysed = (list: Json, labels: Json = [], others: readonly Json[] = [], by = rules) =>
  analyseHolders(setOf(list, labels, others), by, limits);

test('accounts of one owner are one holder', () => {
  const found = analysed(
    holders([
      { owner: 'x', tokenAccount: 'p', sharePct: 6 },
      { owner: 'x', tokenAccount: 'q', sharePct: 7 },
    ]),
  );
  assert.ok(Math.abs((found?.top1 ?? 0) - 0.13) < 1e-12);
});

test('pools, exchanges and bridges are not holders, and burned tokens are not supply', () => {
  for (const kind of ['amm', 'pool', 'exchange', 'bridge'])
    assert.equal(analysed(holders([{ owner: 'x', sharePct: 40 }]), [{ address: 'x', kind, label: kind }])?.top1, 0.008);
  const burned = analysed(holders([{ owner: '0x000000000000000000000000000000000000dead', sharePct: 50 }]));
  assert.ok(Math.abs((burned?.top1 ?? 0) - 0.016) < 1e-12);
});

test('an exchange or a bridge that one lineage group alone names stays a holder: the label is shown, and the share counts', () => {
  for (const kind of ['exchange', 'bridge']) {
    const row = { address: 'x', kind, label: kind };
    const named = (...voices: readonly ReturnType<typeof observationOf>[]) =>
      analyseHolders(
        inputOf([
          consensusOf('top_holders', holders([{ owner: 'x', sharePct: 40 }])),
          consensusOf('holder_labels', [row], { voices: [...voices] }),
        ]).consensus,
        rules,
        limits,
      );
    const one = named(observationOf('goplus', [row]));
    assert.equal(one?.top1, 0.4, kind);
    assert.equal(one?.largest?.kind, `${kind}_tag`);
    assert.equal(named(observationOf('goplus', [row]), observationOf('register', [row]))?.top1, 0.008, kind);
    assert.equal(named(observationOf('evm_rpc', [row], { tier: 'chain' }))?.top1, 0.008, kind);
  }
});

test('a treasury that the chain proves to be governed is shown apart; above two fifths of the supply it counts half; one that is only named is a holder', () => {
  const row = { address: 'x', kind: 'treasury', label: 'Timelock' };
  const named = (tier: 'chain' | 'aggregator', sharePct = 40) => {
    const found = analyseHolders(
      inputOf([
        consensusOf('top_holders', holders([{ owner: 'x', sharePct }])),
        consensusOf('holder_labels', [row], { voices: [observationOf('one', [row], { tier })] }),
      ]).consensus,
      rules,
      limits,
    );
    return [found?.top1, found?.largestShare, found?.treasury, Math.round((found?.top10 ?? 0) * 1e6) / 1e6];
  };
  assert.deepEqual(named('chain'), [0.008, 0.008, 0.4, 0.08]);
  assert.deepEqual(named('chain', 44), [0.22, 0.008, 0.44, 0.292]);
  assert.deepEqual(named('aggregator'), [0.4, 0.4, 0, 0.472]);
});

test('a larger governed treasury never makes the other holders look smaller', () => {
  const top10 = (sharePct: number, tier: 'chain' | 'aggregator') => {
    const row = { address: 'x', kind: 'timelock', label: 'Timelock' };
    const list = holders([{ owner: 'x', sharePct }]);
    const labels = consensusOf('holder_labels', [row], { voices: [observationOf('one', [row], { tier })] });
    return analyseHolders(inputOf([consensusOf('top_holders', list), labels]).consensus, rules, limits)?.top10 ?? 0;
  };
  let before = 0;
  for (const sharePct of [0, 5, 20, 39, 41, 60, 80]) {
    const found = top10(sharePct, 'chain');
    assert.ok(found >= before - 1e-9 && found <= top10(sharePct, 'aggregator') + 1e-9, `${sharePct} %`);
    before = found;
  }
});

test('team and treasury are never set aside', () => {
  assert.equal(
    analysed(holders([{ owner: 'x', sharePct: 40 }]), [{ address: 'x', kind: 'treasury', label: 't' }])?.top1,
    0.4,
  );
});

test('a contract without a known name is not a labelled holder', () => {
  const list = Array.from({ length: 20 }, (_, index) => ({
    owner: `c${index}`,
    sharePct: 1,
    kind: 'contract_unknown',
  }));
  assert.equal(analysed(list)?.unlabelledTop20Share, 1);
});

test('a false list of one lineage group is outvoted by two', () => {
  const honest = holders([{ owner: 'x', sharePct: 10 }]);
  assert.equal(analysed(honest, [], [honest, holders([{ owner: 'x', sharePct: 84 }])])?.top1, 0.1);
});

test('families that disagree lower the confidence', () => {
  const a = holders([{ owner: 'x', sharePct: 5 }]);
  const b = holders([{ owner: 'x', sharePct: 60 }]);
  assert.ok((analysed(a, [], [b])?.confidence ?? 1) < (analysed(a, [], [a])?.confidence ?? 0) / 2);
});

test('shares stay shares, ten hold at least what one holds, and order does not matter', () => {
  const row = fc.record({
    owner: fc.constantFrom(...'abcdefghijklmnop'),
    sharePct: fc.double({ min: 0, max: 6, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 6, maxLength: 16 }), (list) => {
      const found = analysed(list);
      if (!found) return;
      assert.ok(found.top1 >= 0 && found.top1 <= found.top10 + 1e-12 && found.top10 <= 1);
      assert.ok(found.effective > 0);
      const again = analysed([...list].reverse());
      assert.ok(Math.abs((again?.top10 ?? 0) - found.top10) < 1e-9);
    }),
  );
});

test('hostile rows are dropped: no owner, negative, above the whole, no object', () => {
  const found = analysed(
    holders([null, 7, 'x', { owner: '', sharePct: 9 }, { owner: 'n', sharePct: -4 }, { owner: 'm', sharePct: 1e9 }]),
  );
  assert.equal(found?.top1, 0.008);
});

test('locked tokens are not supply: the other holders have more of the rest', () => {
  for (const kind of ['locker', 'vesting']) {
    const list = holders([
      { owner: 'lock', sharePct: 40, kind },
      { owner: 'x', sharePct: 12 },
    ]);
    assert.ok(Math.abs((analysed(list)?.top1 ?? 0) - 0.2) < 1e-12);
    assert.equal(analysed(list, [], [], lenient)?.top1, 0.12);
  }
});

test('a pool of the evidence is named by its address, unless a source named it', () => {
  const list = holders([{ owner: '0xaa', sharePct: 30, kind: 'contract_unknown' }]);
  const set = { ...setOf(list), ...inputOf(pool('pool:0xaa', { liquidity: 1e6, price: 1, volume: 1 })).consensus };
  assert.equal(analyseHolders(set, rules, limits)?.top1, 0.008);
  assert.equal(analyseHolders(set, lenient, limits)?.top1, 0.3);
  const named = { ...set, ...setOf(list, [{ address: '0xaa', kind: 'treasury', label: 't' }]) };
  assert.equal(analyseHolders(named, rules, limits)?.top1, 0.3);
});

const KINDS: readonly LabelKind[] = ['pool', 'burn', 'locker', 'vesting', 'bridge', 'exchange', 'staking', 'issuer'];
const balances = fc.array(
  fc.record({ balance: fc.integer({ min: 1, max: 1e9 }), kind: fc.option(fc.constantFrom(...KINDS)) }),
  { minLength: 12, maxLength: 40 },
);

test('a list of shares and the balances behind it have the same concentration', () => {
  fc.assert(
    fc.property(balances, (rows) => {
      const supply = rows.reduce((sum, row) => sum + row.balance, 0);
      const name = (index: number) => `holder${String(index).padStart(2, '0')}`;
      const list = rows.map(({ balance, kind }, index) => ({
        owner: name(index),
        sharePct: (100 * balance) / supply,
        ...(kind === null ? {} : { kind }),
      }));
      const exact = buildHoldersSnapshot({
        asset: { id: 'x', chain: null, address: null, symbol: null, name: 'x', category: null, website: null },
        asOf: '2026-11-20T00:00:00.000Z',
        method: 'full_scan',
        table: tableFromEntries(
          textKeys(),
          rows.map(({ balance }, index) => [name(index), BigInt(balance)] as const),
        ),
        holderCount: null,
        supply: BigInt(supply),
        decimals: 0,
        priceUsd: null,
        labels: bookOf(
          rows.flatMap(({ kind }, index) =>
            kind === null ? [] : [[name(index), { kind, name: kind, source: 'test', confidence: 1 }] as const],
          ),
        ),
        rules,
        alsoLook: [],
        previous: null,
        scan: { accounts: null, height: null, bytes: null, milliseconds: null },
        sources: ['chain'],
        attributions: [],
        warnings: [],
      });
      const told = analysed(list, [], [list]);
      const tops = listedTops(setOf(list, [], [list]), rules, []);
      if (told === null || exact.adjusted.top_1_pct === null) return;
      assert.ok(Math.abs(told.top1 * 100 - exact.adjusted.top_1_pct) < 1e-6);
      assert.ok(Math.abs(told.top10 * 100 - (exact.adjusted.top_10_pct ?? -1)) < 1e-6);
      assert.ok(Math.abs((tops?.raw[10] ?? -1) - (exact.raw.top_10_pct ?? -2)) < 1e-6);
      const bridged = rows.reduce((sum, row) => sum + (row.kind === 'bridge' ? row.balance : 0), 0);
      assert.ok(BigInt(exact.supply.adjusted_raw) >= BigInt(bridged), 'what is with bridges stays in the supply');
    }),
  );
});

test('tops never fall as they grow longer, and stay within the whole', () => {
  const rows = fc.array(
    fc.array(
      fc.record({
        owner: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
        sharePct: fc.double({ min: 0, max: 9, noNaN: true }),
      }),
      {
        minLength: 6,
        maxLength: 26,
      },
    ),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(rows, ([first = [], ...others]) => {
      const found = listedTops(setOf(first, [], others), rules, []);
      const tops = ([1, 5, 10, 20] as const).flatMap((top) => found?.adjusted[top] ?? []);
      for (const [index, top] of tops.entries()) assert.ok(top >= (tops[index - 1] ?? 0) && top <= 100);
    }),
  );
});

test('our scan and the short list of a node are one witness: they do not outvote an explorer together', () => {
  const claimed = holders([{ owner: 'x', sharePct: 40 }]);
  const explorer = holders([{ owner: 'x', sharePct: 10 }]);
  const node = (family: string) => ({ ...observationOf(family, claimed), tier: 'chain' as const });
  const top1 = (families: readonly string[]) => {
    const voices = [...families.map(node), observationOf('explorer', explorer)];
    const set = inputOf([consensusOf('top_holders', claimed, { voices }), consensusOf('holder_labels', [])]).consensus;
    return analyseHolders(set, rules, limits);
  };
  assert.equal(top1(['chain:one', 'chain:two'])?.families, 3);
  assert.equal(top1(['chain:one', 'chain:scan'])?.families, 2);
  assert.equal(top1(['chain:one', 'chain:scan'])?.top1, top1(['chain:scan'])?.top1);
});
