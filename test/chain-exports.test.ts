import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Manifest } from '../src/contract/export.ts';
import { CSV, chainApiWorld, fits, JSON_DAY, read } from './support/chain-api-world.ts';
import type { ChainWorld } from './support/chain-world.ts';

let world: ChainWorld;

before(async () => {
  world = await chainApiWorld();
});

after(() => world.close());

test('the export of a day: forms, tags, ranges', async () => {
  const path = '/v1/solana/exports/daily';
  const whole = await world.get(path);
  assert.equal(await whole.text(), JSON_DAY.toString());
  assert.equal(whole.headers.get('content-disposition'), 'attachment; filename="solana-2026-11-19.json"');
  assert.equal(whole.headers.get('accept-ranges'), 'bytes');
  const etag = whole.headers.get('etag') ?? '';
  const csv = await world.get(path, { headers: { accept: 'text/csv' } });
  assert.equal(await csv.text(), CSV.toString());
  assert.equal(await (await world.get(`${path}?format=csv&date=2026-11-19`)).text(), CSV.toString());
  assert.equal((await world.get(path, { headers: { 'if-none-match': etag } })).status, 304);
  const range = (value: string, more = {}) => world.get(path, { headers: { range: value, ...more } });
  const part = await range('bytes=1-8');
  assert.equal(part.status, 206);
  assert.equal(part.headers.get('content-range'), `bytes 1-8/${JSON_DAY.length}`);
  assert.equal(await part.text(), JSON_DAY.subarray(1, 9).toString());
  assert.equal(await (await range('bytes=-3')).text(), JSON_DAY.subarray(-3).toString());
  assert.equal(await (await range('bytes=10-')).text(), JSON_DAY.subarray(10).toString());
  assert.equal((await range('bytes=99-')).status, 416);
  assert.equal((await range('bytes=1-2', { 'if-range': '"old"' })).status, 200);
  assert.equal((await range('bytes=1-2', { 'if-range': etag })).status, 206);
  assert.equal((await range('bytes=0-1,4-5')).status, 200);
  assert.equal((await range('lines=1-2')).status, 200);
  const first = await world.get(path, { method: 'HEAD' });
  assert.equal(first.headers.get('content-length'), String(JSON_DAY.length));
  assert.equal((await read(await world.get(`${path}?date=2026-11-01`))).code, 'no_such_export_day');
  assert.equal((await read(await world.get('/v1/base/exports/daily'))).code, 'export_not_published_yet');
  const other = await world.get('/v1/base/exports/daily', { key: await world.key('CHAIN-1500') });
  assert.equal((await read(other)).code, 'plan_does_not_include');
  fits(Manifest, await read(await world.get(`${path}/manifest`)));
});
