import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assay } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
let folder: string;
let at: Readonly<Record<string, string>>;
before(async () => {
  world = await testService();
  folder = await mkdtemp(join(tmpdir(), 'assay-cli-'));
  // A data folder that is not there: a command that opened it would leave it behind.
  at = { ASSAY_URL: world.service.url, ASSAY_API_KEY: world.key, ASSAY_DATA_DIR: join(folder, 'none') };
});
after(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

test('with ASSAY_URL and ASSAY_API_KEY, score, rms, report and bulk call the service', async () => {
  const run = (...args: string[]) => assay(world.config, args, at);
  const scored = await run('score', 'tidewell.example', '--json');
  assert.equal(scored.code, 0, scored.err);
  const { asset, rating } = JSON.parse(scored.out) as { asset: { symbol: string }; rating: { band: string } };
  assert.equal(asset.symbol, 'TIDE');
  assert.match((await run('rms', 'list')).out, new RegExp(`^${rating.band} .* TIDE `, 'm'));
  assert.match((await run('rms', 'show', 'TIDE')).out, new RegExp(`\\n {2}${rating.band} `));
  assert.match((await run('rms', 'history', 'TIDE', '--actions')).out, / new {2}first rating/);
  assert.match((await run('report', 'TIDE')).out, /^> \*\*SANDBOX[\s\S]*\n## Reasons\n/);
  const file = join(folder, 'assets.txt');
  await writeFile(file, 'tidewell.example\nno such thing anywhere\nTidewell\n');
  const bulk = await run('score', '--file', file);
  assert.equal(bulk.code, 1, bulk.err);
  assert.match(bulk.err, /3 of 3 rows: /);
  assert.match(bulk.err, /1 of 3 rows has no rating/);
  const rows = JSON.parse(bulk.out) as {
    state: string;
    result: { band: string } | null;
    error: { code: string } | null;
  }[];
  assert.deepEqual([rows.length, rows[0]?.result?.band], [3, rating.band]);
  assert.ok(rows[1]?.error);
});

test('thresholds of snapshots are set, added to, listed and removed at the service', async () => {
  const run = (...args: string[]) => assay(world.config, ['thresholds', ...args], at);
  const asset = world.sandbox.world.assets.find(({ slug }) => slug === 'moonbadger');
  assert.ok(asset?.chain);
  const name = `${asset.chain}:${asset.address}`;
  const unknown = await run('set', name, '--when', 'price_usd above 2');
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /^asset_not_indexed: /);
  await world.call(`/v1/${asset.chain}/index/${asset.address}`, { method: 'PUT', json: { cadence: 'newest' } });
  const set = await run('set', name, '--when', 'price_usd above 1000000 high', '--note', 'the desk');
  assert.equal(set.code, 0, set.err);
  assert.match(set.out, /^price_usd +above +1000000 +high +(waiting|armed) +\S+ +the desk$/m);
  const added = await run('set', name, '--add', '--when', 'liquidity_usd falls 20 in 6h', '--hysteresis', '10');
  assert.match(added.out, /^liquidity_usd +falls +20 % +6h +medium /m);
  assert.match(added.out, /^price_usd .* the desk$/m, 'the line and the note that were there stay');
  await run('set', name, '--add', '--when', 'price_usd above 1000000 low');
  const [entry] = (await run('list', '--json')).out.trim().split('\n');
  const lines = (JSON.parse(entry ?? '{}') as { thresholds: Record<string, unknown>[] }).thresholds;
  assert.deepEqual(
    lines.map((one) => [one.figure, one.severity, one.window_seconds, one.hysteresis_pct]),
    [
      ['liquidity_usd', 'medium', 21_600, 10],
      ['price_usd', 'low', null, 5],
    ],
  );
  const replaced = await run('set', name, '--when', 'holder_count below 10');
  assert.doesNotMatch(replaced.out, /price_usd/);
  assert.match((await run('list', asset.chain)).out, /^holder_count +below +10 /m);
  const removed = await run('remove', name);
  assert.equal(removed.code, 0, removed.err);
  assert.match((await run('list')).err, /no thresholds are set yet/);
  assert.match((await run('remove', name)).err, /^no_thresholds: /);
});

test('a mistyped threshold suggests the intended one, and nothing is set', async () => {
  const run = async (when: string) => {
    const ran = await assay(world.config, ['thresholds', 'set', 'solana:native', '--when', when], at);
    assert.equal(ran.code, 64, ran.err);
    return ran.err;
  };
  assert.match(await run('prize_usd above 2'), /no figure prize_usd; did you mean price_usd\?/);
  assert.match(await run('price_usd abov 2'), /no condition abov; did you mean above\?/);
  assert.match(await run('price_usd above'), /expected FIGURE CONDITION VALUE/);
  assert.match(await run('price_usd above -2'), /expected a number above 0/);
  assert.match(await run('price_usd falls 5 in 3w'), /3w is not a span/);
  assert.match(await run('price_usd above 5 in 3h'), /leave out "in 3h"/);
  assert.match(await run('price_usd above 5 hihg'), /did you mean high\?/);
  const alone = await assay(world.config, ['thresholds', 'list'], { ASSAY_DATA_DIR: join(folder, 'none') });
  assert.equal(alone.code, 64);
  assert.match(alone.err, /set ASSAY_URL and ASSAY_API_KEY/);
});

test('an obstacle between a command and the service is reported with its remedy', async () => {
  const noKey = await assay(world.config, ['score', 'TIDE'], { ASSAY_URL: world.service.url });
  assert.equal(noKey.code, 64);
  assert.match(noKey.err, /ASSAY_API_KEY is not: set it to a key/);
  const wrong = await assay(world.config, ['rms', 'list'], { ...at, ASSAY_API_KEY: 'ak_live_wrong' });
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /invalid_api_key[\s\S]*assay keys create/);
  const away = await assay(world.config, ['report', 'TIDE'], { ...at, ASSAY_URL: '127.0.0.1:1' });
  assert.match(away.err, /http:\/\/127\.0\.0\.1:1 cannot be reached[\s\S]*assay doctor/);
  const unrated = await assay(world.config, ['rms', 'show', 'NOSUCH'], at);
  assert.match(unrated.err, /^asset_not_rated: /);
});

test('a busy port is one paragraph with exit code 69', async () => {
  const busy = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => busy.once('listening', resolve));
  const { port } = busy.address() as AddressInfo;
  const started = await assay(world.config, ['all'], { ASSAY_PORT: String(port), ASSAY_DATA_DIR: join(folder, 'own') });
  busy.close();
  assert.equal(started.code, 69, started.err);
  assert.match(started.err, new RegExp(`The port ${port} is in use: [^\\n]*ASSAY_PORT=${port + 1} npm start`));
});
