import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startReplayer } from './replayer.ts';

let folder = '';
let replayer: { url: string; close(): Promise<void> };
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-replayer-'));
  await writeFile(join(folder, 'pairs.json'), '[{"priceUsd":"1.5"}]');
  await writeFile(join(folder, 'report.json.gz'), gzipSync('{"mint":"abc"}'));
  await writeFile(join(folder, 'rpc.json'), '{"supply":{"jsonrpc":"2.0","result":{"value":{"amount":"7"}}}}');
  const cassette =
    'http_interactions:\n- response:\n    status: {code: 200}\n    body: {string: "first"}\n- response:\n    status: {code: 404}\n    body: {string: "second"}\n';
  await writeFile(join(folder, 'cassette.yml'), cassette);
  const ruby =
    'http_interactions:\n- response:\n    status: {code: 200}\n    body:\n      string: !binary |-\n        eyJhIjoi4oKsIn0=\n';
  await writeFile(join(folder, 'ruby.yml'), ruby);
  await writeFile(join(folder, 'mint.json'), '{"pubkey":"abc","account":{"lamports":7,"data":["AQ==","base64"]}}');
  replayer = await startReplayer({
    folder,
    index: [
      {
        source: 'dexscreener',
        method: 'GET',
        path: '/token-pairs/v1/solana/*',
        query: { limit: '1' },
        file: 'pairs.json',
      },
      { source: 'rugcheck', method: 'GET', path: '/v1/tokens/abc/report', file: 'report.json.gz', format: 'gz' },
      {
        source: 'solana_rpc',
        method: 'POST',
        path: '/',
        bodyContains: ['getTokenSupply'],
        file: 'rpc.json',
        pointer: '/supply',
      },
      {
        source: 'coingecko',
        method: 'GET',
        path: '/coins/a.b',
        file: 'cassette.yml',
        format: 'vcr-yaml',
        interaction: 1,
      },
      { source: 'coingecko', method: 'GET', path: '/coins/euro', file: 'ruby.yml', format: 'vcr-yaml' },
      {
        source: 'solana_rpc',
        method: 'POST',
        path: '/',
        bodyContains: ['getAccountInfo', 'abc'],
        file: 'mint.json',
        format: 'solana-account',
      },
    ],
  });
});
after(async () => {
  await replayer.close();
  await rm(folder, { recursive: true });
});

test('a recorded body is the reply to the requests its entry describes', async () => {
  const hit = await fetch(`${replayer.url}/dexscreener/main/token-pairs/v1/solana/anything?limit=1&other=2`);
  assert.deepEqual(await hit.json(), [{ priceUsd: '1.5' }]);
  const packed = await fetch(`${replayer.url}/rugcheck/main/v1/tokens/abc/report`);
  assert.deepEqual(await packed.json(), { mint: 'abc' });
});

test('what is not in the index is 404, also when only the query differs', async () => {
  const other = await fetch(`${replayer.url}/dexscreener/main/token-pairs/v1/solana/anything?limit=2`);
  assert.equal(other.status, 404);
  // The dot of a path is a dot and not any character.
  assert.equal((await fetch(`${replayer.url}/coingecko/main/coins/axb`)).status, 404);
});

test('JSON-RPC calls are distinguished by their body', async () => {
  const call = (method: string) =>
    fetch(`${replayer.url}/solana_rpc/main/`, { method: 'POST', body: JSON.stringify({ method }) });
  assert.deepEqual(await (await call('getTokenSupply')).json(), { jsonrpc: '2.0', result: { value: { amount: '7' } } });
  assert.equal((await call('getSlot')).status, 404);
});

test('a cassette gives the named interaction, with its status', async () => {
  const reply = await fetch(`${replayer.url}/coingecko/main/coins/a.b`);
  assert.equal(reply.status, 404);
  assert.equal(await reply.text(), 'second');
});

test('bytes that Ruby wrote as !binary are served as those bytes', async () => {
  assert.deepEqual(await (await fetch(`${replayer.url}/coingecko/main/coins/euro`)).json(), { a: '€' });
});

test('a dump of an account is the reply to getAccountInfo', async () => {
  const body = JSON.stringify({ method: 'getAccountInfo', params: ['abc'] });
  const reply = await fetch(`${replayer.url}/solana_rpc/main`, { method: 'POST', body });
  const value = { lamports: 7, data: ['AQ==', 'base64'] };
  assert.deepEqual(await reply.json(), { jsonrpc: '2.0', id: 1, result: { context: { slot: 0 }, value } });
});

test('an unrecorded request fails instead of replying, where that is set', async () => {
  const strict = await startReplayer({ folder, index: [], unrecordedStatus: 410 });
  assert.equal((await fetch(`${strict.url}/coingecko/main/coins/euro`)).status, 410);
  await strict.close();
});

test('an index cannot reach outside its folder', async () => {
  const index = [{ source: 'x', method: 'GET', path: '/', file: '../../etc/passwd' }] as const;
  await assert.rejects(startReplayer({ folder, index }));
});
