import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeLaunch, type LaunchPayments, type LaunchReading, type LaunchTrade } from './launch.ts';
import { chanceOfMarked, chancesOfPayers, equalPayments, FALSE_CLUSTERS, STUDIED_PAYERS } from './null-model.ts';
import { purchasesIn } from './purchases.ts';
import type { BalanceChange, ChainTransaction, Funding } from './types.ts';

const AT = '2026-01-02T00:00:00.000Z';
const BEFORE = '2026-01-01T00:00:00.000Z';
const STRANGERS = { wallets: 2_000, paid: new Map<string, number>(), basis: 'own_searches' } as const;

function trade(buyer: string, percent: number, changes: Partial<LaunchTrade> = {}): LaunchTrade {
  const amount = BigInt(Math.round(percent * 1_000));
  return { buyer, amount, transaction: `by ${buyer}`, signer: buyer, height: 7, at: AT, position: null, ...changes };
}
function reading(trades: readonly LaunchTrade[], position: number | null = null): LaunchReading {
  const opening = { transaction: 'opening', signer: 'maker', height: 7, at: AT, position };
  return { pool: 'pool', dex: 'curve', opening, trades, supply: 100_000n };
}
function paid(rows: readonly (readonly [string, string, string?, bigint?])[]): ReadonlyMap<string, Funding> {
  return new Map(
    rows.map(([wallet, funder, at = BEFORE, amount = 1_000_000n]) => [
      wallet,
      { wallet, funder, transaction: `${funder}>${wallet}`, at, amount },
    ]),
  );
}
function payments(fundings: LaunchPayments['fundings'], services: readonly string[] = []): LaunchPayments {
  return { creator: 'maker', fundings, services: new Set(services), reference: STRANGERS };
}

test('buyers whom one wallet paid are a bundle; those whom an exchange paid are snipers', () => {
  const trades = [trade('a', 9), trade('b', 8), trade('c', 7), trade('d', 3), trade('e', 2)];
  const fundings = paid([
    ['a', 'x'],
    ['b', 'x'],
    ['c', 'x'],
    ['d', 'exchange'],
    ['e', 'exchange'],
  ]);
  const found = judgeLaunch(reading(trades), payments(fundings, ['exchange']));
  assert.deepEqual(
    found.bundles.map(({ members, funder, links }) => [members, funder, links]),
    [[['a', 'b', 'c'], 'x', ['common_funder']]],
  );
  assert.ok(Math.abs((found.bundles[0]?.share ?? 0) - 0.24) < 1e-9);
  assert.deepEqual(found.snipers, ['d', 'e']);
});

test('a payer of many strangers makes no bundle, and is reported with its probability', () => {
  const trades = Array.from({ length: 10 }, (_, index) => trade(`w${index}`, 3));
  const fundings = paid(trades.map(({ buyer }, index) => [buyer, index < 2 ? 'busy' : `own${index}`]));
  const busy = { ...STRANGERS, wallets: 300, paid: new Map([['busy', 40]]) };
  const found = judgeLaunch(reading(trades), { ...payments(fundings), reference: busy });
  assert.deepEqual(found.bundles, []);
  assert.deepEqual(
    found.byChance.map(({ funder, wallets }) => [funder, wallets]),
    [['busy', 2]],
  );
  assert.ok((found.byChance[0]?.chance ?? 0) > FALSE_CLUSTERS);
});

test('wallets that the creator or its first payee paid are insiders and a bundle; payments after the launch do not count', () => {
  const trades = [trade('maker', 5, { transaction: 'opening' }), trade('a', 4), trade('b', 4), trade('late', 4)];
  const fundings = paid([
    ['a', 'maker'],
    ['b', 'middle'],
    ['middle', 'maker'],
    ['late', 'maker', '2026-01-03T00:00:00.000Z'],
  ]);
  const found = judgeLaunch(reading(trades), payments(fundings));
  assert.deepEqual(found.insiders, ['a', 'b']);
  assert.deepEqual(found.bundles[0]?.members, ['a', 'b', 'maker']);
  assert.deepEqual(found.snipers, ['late']);
});

test('three strangers right behind the opening in its block are a bundle; with others between they are not', () => {
  const at = (...positions: readonly number[]) =>
    positions.map((position, index) => trade(`w${index}`, 10, { position }));
  const bundled = judgeLaunch(reading(at(313, 314, 315, 316), 312), payments(new Map()));
  assert.deepEqual(bundled.bundles[0]?.links, ['consecutive']);
  assert.equal(bundled.bundles[0]?.members.length, 4);
  assert.deepEqual(judgeLaunch(reading(at(330, 331, 332), 312), payments(new Map())).bundles, []);
  assert.deepEqual(judgeLaunch(reading(at(313, 314), 312), payments(new Map())).bundles, []);
  assert.deepEqual(judgeLaunch(reading(at(313, 314, 315), null), payments(new Map())).bundles, []);
});

test('one signer of several buyers puts them together, unless it signs for everybody', () => {
  const trades = [trade('a', 11, { signer: 's' }), trade('b', 11, { signer: 's' })];
  assert.deepEqual(judgeLaunch(reading(trades), payments(new Map())).bundles[0]?.links, ['same_signer']);
  assert.deepEqual(judgeLaunch(reading(trades), payments(new Map(), ['s'])).bundles, []);
});

test('bundles are disjoint, no larger than the purchases, and independent of the order of trades', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'maker');
  const row = fc.record({ buyer: names, percent: fc.integer({ min: 1, max: 15 }), signer: names, position: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 9 }), fc.array(fc.tuple(names, names)), (rows, pairs) => {
      const trades = rows.map(({ buyer, percent, signer, position }, index) =>
        trade(buyer, percent, { signer, position, transaction: `t${index % 4}` }),
      );
      const own = payments(paid(pairs));
      const found = judgeLaunch(reading(trades, 0), own);
      const members = found.bundles.flatMap((bundle) => bundle.members);
      assert.equal(new Set(members).size, members.length);
      assert.ok(found.bundles.every((bundle) => bundle.members.length > 1 && bundle.links.length > 0));
      assert.ok(found.snipers.every((buyer) => !members.includes(buyer)));
      const bought = [...found.bought.values()].reduce((sum, share) => sum + share, 0);
      const shares = found.bundles.reduce((sum, bundle) => sum + bundle.share, 0);
      assert.ok(shares <= bought + 1e-9);
      const turned = judgeLaunch(reading(trades.toReversed(), 0), own);
      assert.deepEqual(turned.bundles, found.bundles);
      assert.deepEqual(turned.insiders, found.insiders);
    }),
  );
});

test('the hypergeometric tail is that of counting all draws', () => {
  // 5 marked of 12, 4 drawn: by hand 1 - (35 + 5 * 35) / 495.
  assert.ok(Math.abs(chanceOfMarked(12, 5, 4, 2) - (1 - (35 + 5 * 35) / 495)) < 1e-12);
  assert.equal(chanceOfMarked(10, 3, 4, 4), 0);
  assert.ok(Math.abs(chanceOfMarked(10, 3, 4, 0) - 1) < 1e-12);
});

test('of random groups at most one in twenty has a payer reported as significant', () => {
  // A population in which a few payers paid many wallets, and most paid one.
  const population = Array.from({ length: 600 }, (_, index) =>
    index < 40 ? 'busy' : index < 70 ? 'less' : index < 90 ? `pair${index % 10}` : `own${index}`,
  );
  let seed = 7;
  const next = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed / 2 ** 32;
  };
  for (const size of [10, 20, 40]) {
    let shown = 0;
    for (let round = 0; round < 300; round += 1) {
      const drawn = population.map((payer) => ({ payer, at: next() })).sort((a, b) => a.at - b.at);
      const group = drawn.slice(0, size).map((one) => one.payer);
      const counts = new Map<string, number>();
      for (const { payer } of drawn.slice(size, size + 300)) counts.set(payer, (counts.get(payer) ?? 0) + 1);
      const chances = chancesOfPayers(group, { wallets: 300, paid: counts, basis: 'own_searches' });
      if ([...chances.values()].some((chance) => chance <= FALSE_CLUSTERS)) shown += 1;
    }
    assert.ok(shown / 300 <= FALSE_CLUSTERS + 0.03, `${size}: ${shown} of 300`);
  }
});

test('without own searches the payer of a group may be the busiest of the study: more wallets are needed in a larger group', () => {
  const chance = (size: number, wallets: number) =>
    chancesOfPayers(
      Array.from({ length: size }, (_, index) => (index < wallets ? 'x' : `own${index}`)),
      STUDIED_PAYERS,
    ).get('x') ?? 0;
  assert.ok(chance(10, 3) > FALSE_CLUSTERS && chance(10, 4) <= FALSE_CLUSTERS);
  assert.ok(chance(40, 5) > FALSE_CLUSTERS && chance(40, 6) <= FALSE_CLUSTERS);
});

test('equal odd amounts within an hour are a group; round ones, and those a day apart, are none', () => {
  const rows = (amount: bigint, hours: number) =>
    [0, 1, 2].map((index) => ({
      wallet: `w${index}`,
      funder: `f${index}`,
      transaction: `t${index}`,
      at: new Date(Date.parse(BEFORE) + index * hours * 3_600_000).toISOString(),
      amount,
    }));
  assert.equal(equalPayments(rows(2_976_815_600n, 0.4)).length, 1);
  assert.equal(equalPayments(rows(3_000_000_000n, 0.4)).length, 0);
  assert.equal(equalPayments(rows(2_976_815_600n, 24)).length, 0);
});

function move(owner: string, amount: bigint): BalanceChange {
  return { account: owner, owner, asset: 'TOKEN', before: null, amount };
}
function transaction(id: string, height: number, signer: string, changes: readonly BalanceChange[]): ChainTransaction {
  return { id, height, at: AT, signers: [signer], changes };
}

test('purchases are tokens that left the pool: a presale’s distribution is none, and a tax is no buyer', () => {
  const rows = [
    transaction('opening', 5, 'maker', [move('maker', 1n), move('pool', 900n), move('friend', 99n)]),
    transaction('one', 5, 'a', [move('pool', -100n), move('a', 90n), move('tax', 10n)]),
    transaction('two', 5, 'b', [move('pool', -100n), move('b', 90n), move('tax', 10n)]),
    transaction('gift', 5, 'c', [move('c', -1n), move('d', 1n)]),
    transaction('next', 6, 'e', [move('pool', -50n), move('e', 50n)]),
  ];
  const found = purchasesIn({ rows, positions: new Map([['one', 4]]) }, 'TOKEN', null);
  assert.equal(found?.opening.transaction, 'opening');
  assert.deepEqual(
    found?.trades.map(({ buyer, amount, position }) => [buyer, amount, position]),
    [
      ['maker', 1n, null],
      ['a', 90n, 4],
      ['b', 90n, null],
    ],
  );
  assert.deepEqual(found?.feeWallets, ['tax']);
  assert.equal(purchasesIn({ rows: [], positions: new Map() }, 'TOKEN', null), null);
});
