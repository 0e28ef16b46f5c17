import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { useOwnRegisters } from '../src/registers/load.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

const USDC = 'eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
// biome-ignore lint/suspicious/noExplicitAny: replies are looked into by the name of a member, as a caller would.
type Body = any;
const get = async (path: string): Promise<Body> => (await world.call(path, { key: null })).json();

test('registers are listed with what is confirmed, unconfirmed and expired, open to everybody', async () => {
  const { data } = await get('/v1/registers');
  const issuers = data.find(({ name }: Body) => name === 'issuers');
  assert.ok(issuers.rows >= 70);
  assert.equal(issuers.confirmed + issuers.unconfirmed + issuers.expired, issuers.rows);
  assert.equal(issuers.confirmed, issuers.own, 'nobody has reviewed a shipped row; those of the sandbox are its own');
  assert.match(issuers.oldest_expiry, /^\d{4}-\d{2}-\d{2}$/);
  const schema = await get(issuers.schema_href);
  assert.ok(schema.properties.rows.items.properties.powers);
});

test('a row states the state of each cell, its source and its date', async () => {
  const { data } = await get(`/v1/registers/issuers?asset=${USDC.replace('0xa0b', '0xA0B')}`);
  const row = data.find(({ own }: Body) => !own);
  assert.deepEqual([row.id, row.own, row.reviewers, row.reviewed], ['usdc', false, [], false]);
  assert.ok(row.assets.includes(USDC));
  const cell = (name: string) => row.cells.find((one: Body) => one.name === name);
  assert.equal(cell('powers').state, 'unconfirmed');
  const licence = cell('regulators');
  assert.deepEqual([licence.sources, licence.read_on, licence.expires], [['esma-emt'], '2026-02-09', '2026-08-08']);
  assert.ok(row.sources.find(({ key }: Body) => key === 'esma-emt').url.startsWith('https://'));
});

test('pages go through all rows once, in order, and each has an ETag', async () => {
  const seen: string[] = [];
  let cursor = '';
  do {
    const page: Body = await get(`/v1/registers/natives?limit=7${cursor && `&cursor=${cursor}`}`);
    seen.push(...page.data.map(({ id }: Body) => id));
    cursor = page.next_cursor ?? '';
  } while (cursor);
  const { data } = await get('/v1/registers');
  assert.equal(seen.length, data.find(({ name }: Body) => name === 'natives').rows);
  assert.deepEqual(seen, [...new Set(seen)].sort());
  const first = await world.call('/v1/registers/natives?limit=7', { key: null });
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  assert.equal((await world.call('/v1/registers/natives?limit=7', { key: null, headers })).status, 304);
  assert.equal((await world.call('/v1/registers/natives?limit=8', { key: null, headers })).status, 200);
});

test('rows are filtered by state; an invalid query is refused, and an unknown register is 404 with the existing ones', async () => {
  assert.deepEqual((await get('/v1/registers/natives?state=confirmed')).data, []);
  assert.ok((await get('/v1/registers/natives?state=unconfirmed')).data.length > 0);
  for (const query of ['state=sure', 'asset=USDC', 'limit=0', 'cursor=!'])
    assert.equal((await world.call(`/v1/registers/natives?${query}`, { key: null })).status, 400, query);
  const none = await world.call('/v1/registers/gossip', { key: null });
  assert.equal(none.status, 404);
  assert.ok(((await none.json()) as Body).registers.includes('venues'));
});

test('two reviewers and a proof of each cell confirm a row; the operator’s own are marked; a row expires on its day', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'registers-'));
  const kept = (id: string, change: object) => ({
    id,
    name: id,
    symbol: 'X',
    tokens: [{ chain: 'eip155:1', address: '0x00000000000000000000000000000000000711de' }],
    insider_share: 0.2,
    sources: ['deed'],
    unconfirmed: [],
    reviewed_by: ['ada', 'grace'],
    seen: '2026-01-01',
    expires: '2099-01-01',
    ...change,
  });
  const rows = [
    kept('a-reviewed', {}),
    kept('b-alone', { reviewed_by: ['ada'] }),
    kept('c-unproven', { unconfirmed: ['insider_share'] }),
    kept('d-over', { expires: '2020-01-01' }),
  ];
  const sources = { deed: { url: 'https://deed.example', licence: 'own', seen: '2026-01-01' } };
  writeFileSync(join(folder, 'allocations.json'), JSON.stringify({ updated: '2026-01-01', sources, rows }));
  useOwnRegisters(folder);
  try {
    const { data } = await get(
      '/v1/registers/allocations?asset=eip155:1/erc20:0x00000000000000000000000000000000000711DE',
    );
    assert.deepEqual(
      data.map(({ id, own, state }: Body) => [id, own, state]),
      [
        ['a-reviewed', true, 'confirmed'],
        ['b-alone', true, 'unconfirmed'],
        ['c-unproven', true, 'unconfirmed'],
        ['d-over', true, 'expired'],
      ],
    );
  } finally {
    useOwnRegisters(null);
  }
});
