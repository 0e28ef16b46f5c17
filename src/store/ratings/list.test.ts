import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../fixtures/database.ts';
import { storeManyRated } from './fixtures/many-rated.ts';
import { listRated, listStatement, type RatedListQuery } from './read.ts';

const ROWS = 100_000;
const ALL: RatedListQuery = {
  at: null,
  chain: null,
  bands: null,
  category: null,
  class: null,
  flag: null,
  minTrust: null,
  search: null,
  sort: 'score',
  descending: true,
  after: null,
  limit: 100,
};
let database: TestDatabase;
const db = () => database.store.db;

before(async () => {
  database = await testDatabase();
  await storeManyRated(db(), ROWS);
  await named(1, { symbol: '100%_SAFE', folded: '100%_safe', name: 'Percent_ and \\ Co' });
  await named(2, { symbol: 'ÉTÉ', folded: 'été', name: 'Tidewell Finance' });
});
after(() => database?.close());

async function named(rating: number, { symbol, folded, name }: { symbol: string; folded: string; name: string }) {
  await sql`update rated_assets set symbol = ${symbol}, symbol_folded = ${folded}, name = ${name}
    where rating_id = ${rating}`.execute(db());
}
const found = async (search: string, more: Partial<RatedListQuery> = {}) =>
  (await listRated(db(), { ...ALL, ...more, search })).map((row) => row.id);

test('a search finds what a symbol, a name, an address or an id begins with, whatever the case', async () => {
  assert.deepEqual(await found('tideWELL f'), [2]);
  assert.deepEqual(await found('Été'), [2]);
  const address = `0x${(7919).toString(16).padStart(40, '0')}`;
  assert.deepEqual(await found(address.toUpperCase()), [1]);
  assert.deepEqual(await found(`eip155:1/erc20:${address}`), [1]);
  assert.deepEqual(await found(`eip155:1/erc20:0x${address.slice(2).toUpperCase()}`), [1]);
  assert.deepEqual(await found('finance'), []);
});

test('signs that a pattern would read as wild cards are letters', async () => {
  assert.deepEqual(await found('100%_s'), [1]);
  assert.deepEqual(await found('percent_ and \\ c'), [1]);
  for (const none of ['%', '_', '\\', '1%', "'; drop table rated_assets; --"]) assert.deepEqual(await found(none), []);
});

test('the pages of a search hold each asset once, and a filter still counts', async () => {
  const all = await found('a1', { limit: 10_000 });
  const paged: number[] = [];
  for (let after: RatedListQuery['after'] = null; ; ) {
    const page = await listRated(db(), { ...ALL, search: 'a1', after, limit: 97 });
    paged.push(...page.map((row) => row.id));
    const last = page.at(-1);
    if (page.length < 97 || !last) break;
    after = { value: last.place, assetId: last.assetId };
  }
  assert.ok(all.length > 300, `${all.length}`);
  assert.deepEqual(paged, all);
  assert.deepEqual(await found('a1', { bands: ['AAA'] }), []);
});

test('among a hundred thousand rows a search reads indexes, in a database of any collation', async () => {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where tablename = 'rated_assets' and indexname like '%_prefix'`.execute(
    db(),
  );
  assert.equal(rows.filter(({ definition }) => definition.includes('text_pattern_ops')).length, 3);
  for (const search of ['a1b2', 'tidewell', '0x0000000000000000000000000000000000001eef', '100%_s']) {
    const explained = await sql<{ 'QUERY PLAN': string }>`explain ${listStatement({ ...ALL, search })}`.execute(db());
    const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, /BitmapOr/, plan);
    for (const name of ['symbol', 'name', 'address'])
      assert.match(plan, new RegExp(`Index Scan on rated_assets_${name}`), plan);
    assert.doesNotMatch(plan, /Seq Scan on rated_assets/, plan);
  }
});
