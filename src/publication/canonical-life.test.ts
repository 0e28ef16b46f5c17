import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CanonicalRecord, NO_KEYS } from '../domain/asset.ts';
import type { PendingWebsite, PublicationState } from '../domain/published.ts';
import { loadMethodology } from '../methodology/load.ts';
import { at, step } from './fixtures/life.ts';
import { evolveRecord } from './record.ts';

const rules = loadMethodology().publication;
const OLD = 'https://old.example/';
const NEW = 'https://new.example/';

function record(change: Partial<CanonicalRecord> = {}, since = at(0)): CanonicalRecord {
  const sourced = <Value>(value: Value) => ({ value, sources: ['coingecko', 'defillama'], since });
  return {
    schema: 'assay.canonical/1',
    assetId: 'a',
    chain: 'ethereum',
    address: '0x1',
    name: sourced('Harrow'),
    symbol: sourced<string | null>('HRW'),
    website: sourced<string | null>(OLD),
    categories: sourced<readonly string[]>(['defi', 'lending']),
    links: sourced<readonly string[]>(['x:harrow']),
    keys: { ...NO_KEYS, coingeckoId: 'harrow' },
    ...change,
  };
}
const site = (value: string | null, ...sources: string[]) => ({ value, sources, since: at(1) });
const evolve = (found: CanonicalRecord, day = 1, pending: PendingWebsite | null = null) =>
  evolveRecord(record(), pending, found, at(day), rules);

test('unchanged fields keep the day they were first seen, and missing ones stay', () => {
  const same = evolve(record({}, at(1)));
  assert.deepEqual(same, { record: record(), changes: [], pendingWebsite: null });
  const nobody = { sources: [], since: at(1) };
  const silent = evolve(
    record({
      name: { value: '', ...nobody },
      symbol: { value: null, ...nobody },
      website: { value: null, ...nobody },
      categories: { value: [], ...nobody },
      links: { value: [], ...nobody },
    }),
  );
  assert.deepEqual([silent.record, silent.changes], [record(), []]);
});

test('a list that a part of its sources gave is the old one', () => {
  const part = evolve(record({ categories: { value: ['defi'], sources: ['coingecko'], since: at(1) } }));
  assert.deepEqual(part.record.categories, record().categories);
  const other = evolve(record({ categories: { value: ['rwa'], sources: ['coingecko', 'defillama'], since: at(1) } }));
  assert.deepEqual(other.record.categories.value, ['rwa']);
});

test('a new name is a change with its sources, if two registries state it or all that stated the old one', () => {
  const named = (value: string, sources: readonly string[]) => ({ value, sources, since: at(1) });
  const of = (sources: readonly string[]) => record({ name: named('Harrowgate', sources) });
  const two = ['coinmarketcap', 'coinpaprika'];
  const change = { field: 'name', from: 'Harrow', to: 'Harrowgate' };
  assert.deepEqual(evolve(of(two)).changes, [{ ...change, sources: two }]);
  for (const one of ['chain', 'coingecko', 'coinmarketcap']) {
    const held = evolve(of([one]));
    assert.deepEqual([held.record.name, held.changes], [record().name, []], one);
  }
  const bought = ['dexscreener', 'geckoterminal', 'jupiter'];
  assert.deepEqual(evolve(of(bought)).changes, []);
  const alone = record({ name: named('Harrow', ['coingecko']) });
  assert.deepEqual(evolveRecord(alone, null, of(['coingecko']), at(1), rules).changes, [
    { ...change, sources: ['coingecko'] },
  ]);
  const market = record({ name: named('Harrow', bought) });
  assert.deepEqual(evolveRecord(market, null, of(['coingecko']), at(1), rules).changes, [
    { ...change, sources: ['coingecko'] },
  ]);
  // As before 1.6: one registry is enough.
  assert.deepEqual(evolveRecord(record(), null, of(['chain']), at(1), { ...rules, revision: 2 }).changes, [
    { ...change, sources: ['chain'] },
  ]);
});

test('another website takes effect at once by two sources, after seven days by one, and never by its own statement alone', () => {
  const two = evolve(record({ website: site(NEW, 'coingecko', 'defillama') }));
  assert.deepEqual(two.changes, [{ field: 'website', from: OLD, to: NEW, sources: ['coingecko', 'defillama'] }]);
  const own = evolve(record({ website: site(NEW, 'coingecko', 'website') }));
  assert.deepEqual([own.record.website.value, own.changes], [OLD, []]);
  assert.deepEqual(own.pendingWebsite, { value: NEW, since: at(1), sources: ['coingecko', 'website'] });
  const early = evolve(record({ website: site(NEW, 'coingecko') }), 7.9, own.pendingWebsite);
  assert.deepEqual([early.record.website.value, early.pendingWebsite?.since], [OLD, at(1)]);
  const late = evolve(record({ website: site(NEW, 'coingecko') }), 8, own.pendingWebsite);
  assert.deepEqual([late.record.website.value, late.pendingWebsite], [NEW, null]);
  assert.equal(evolve(record(), 8, own.pendingWebsite).pendingWebsite, null, 'it was taken back');
  assert.equal(
    evolve(record({ website: site('https://third.example/', 'coingecko') }), 8, own.pendingWebsite).record.website
      .value,
    OLD,
  );
});

test('profiles that anybody can buy are no second source, and never replace a site that a registry names', () => {
  const bought = evolve(record({ website: site(NEW, 'coingecko', 'dexscreener', 'geckoterminal') }));
  assert.deepEqual([bought.record.website.value, bought.pendingWebsite?.value], [OLD, NEW]);
  const profiles = record({ website: site(NEW, 'dexscreener', 'geckoterminal', 'website') });
  const alone = evolve(profiles);
  assert.equal(alone.record.website.value, OLD);
  assert.equal(evolve(profiles, 9, alone.pendingWebsite).record.website.value, OLD);
  assert.equal(evolve(record({ website: site(NEW, 'chain', 'coingecko') })).record.website.value, NEW);
  const unlisted = record({ website: { value: OLD, sources: ['dexscreener', 'website'], since: at(0) } });
  const first = evolveRecord(unlisted, null, profiles, at(1), rules);
  assert.equal(first.record.website.value, OLD);
  assert.equal(evolveRecord(unlisted, first.pendingWebsite, profiles, at(8), rules).record.website.value, NEW);
});

test('the same site with or without www is no reason to skip the smoothing', () => {
  const low = { score: 43.9, uncapped: 80, caps: [{ code: 'MINT_EOA', cap: 43.9 }] };
  const first = step({ ...low, canonical: record() }, at(0), null);
  const state = JSON.parse(JSON.stringify(first.state)) as PublicationState;
  const www = record({ website: site(OLD.replace('://', '://www.'), 'coingecko', 'defillama') });
  const { rating } = step({ score: 80, canonical: www }, at(1), state);
  assert.deepEqual([rating.score, rating.band, rating.actionReason], [43.9, 'CCC', 'the score stays near its band']);
  const other = record({ website: site(NEW, 'coingecko', 'defillama') });
  assert.match(step({ score: 80, canonical: other }, at(1), state).rating.actionReason, /^correction/);
});

test('a published rating carries the record, and its changes are reasons in what moved it', () => {
  const first = step({ score: 70, canonical: record() }, at(0), null);
  assert.deepEqual([first.rating.asset.name, first.rating.asset.website], ['Harrow', OLD]);
  const state = JSON.parse(JSON.stringify(first.state)) as PublicationState;
  const moved = record({ website: site(NEW, 'coingecko', 'defillama') });
  const next = step({ score: 72, canonical: moved, category: 'defi_protocol' }, at(1), state);
  assert.equal(next.rating.asset.website, NEW);
  const reasons = next.rating.drivers.filter((driver) => driver.code === 'RECORD');
  assert.deepEqual(
    reasons.map(({ points, detail }) => [points, detail]),
    [
      [0, `website from ${OLD} to ${NEW} (coingecko, defillama)`],
      [0, 'categories from default to defi_protocol (coingecko, defillama)'],
    ],
  );
  const sum = next.rating.drivers.reduce((total, driver) => total + driver.points, 0);
  assert.ok(Math.abs(sum - 2) < 1e-9);
  const without = step({ score: 72 }, at(2), JSON.parse(JSON.stringify(next.state)) as PublicationState);
  assert.equal(without.rating.asset.website, NEW, 'evidence that does not derive one leaves the record');
});
