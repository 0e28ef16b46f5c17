import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { OverviewView } from '../src/contract/overview.ts';
import type { Reply } from '../src/contract/vocabulary.ts';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const NOW = '2026-11-20T12:00:00.000Z';
const RISEN = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'RISE');
const FALLEN = solanaAsset('So11111111111111111111111111111111111111112', 'FALL');
const YOUNG = solanaAsset('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'YOUNG');
const BROKEN = solanaAsset('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So', 'BUST');
const UNRATED = solanaAsset('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'NONE');
const flag = (code: string, severity: 'critical' | 'high' | 'medium', since: string) => ({
  code,
  severity,
  title: code.toLowerCase(),
  detail: `seen on ${since.slice(0, 10)}`,
  since,
});
let world: RatingWorld;
let overview: Reply<typeof OverviewView>;

before(async () => {
  const methodologyJson = readFileSync(new URL('../methodology/methodology.json', import.meta.url), 'utf8');
  world = await ratingWorld(NOW, { methodologyJson });
  await world.put(
    ratingOf(RISEN, '2026-10-01T00:00:00.000Z', { score: 50, band: 'BB', trust: 50, flags: [], class: 'l2' }),
  );
  const driver = { code: 'MQ' as const, name: 'Market quality', points: 15, detail: 'depth doubled' };
  await world.put(
    ratingOf(RISEN, '2026-11-18T00:00:00.000Z', {
      score: 66,
      band: 'BBB',
      action: 'upgrade',
      drivers: [driver],
      flags: [],
      class: 'l2',
    }),
  );
  // The newest rating only affirms: the reason is that of the upgrade.
  await world.put(ratingOf(RISEN, '2026-11-20T11:30:00.000Z', { score: 65, trust: 90, flags: [], class: 'l2' }));
  await world.put(ratingOf(FALLEN, '2026-11-01T00:00:00.000Z', { score: 70, flags: [], class: 'l2' }));
  await world.put(
    ratingOf(FALLEN, '2026-11-19T00:00:00.000Z', {
      score: 40,
      band: 'B',
      action: 'downgrade',
      actionReason: 'a drain',
      class: 'l2',
      flags: [
        flag('LIQUIDITY_DRAIN', 'critical', '2026-11-20T02:00:00.000Z'),
        flag('DEPEG', 'high', '2026-11-10T00:00:00.000Z'),
      ],
    }),
  );
  await world.put(
    ratingOf(YOUNG, '2026-11-20T11:00:00.000Z', {
      score: 10,
      band: 'CC',
      action: 'new',
      flags: [flag('MINT_AUTHORITY', 'medium', NOW)],
    }),
  );
  const since = '2026-11-15T00:00:00.000Z';
  await world.put(
    ratingOf(BROKEN, '2026-11-16T00:00:00.000Z', {
      score: 0,
      band: 'D',
      action: 'downgrade',
      flags: [],
      default: { since, curesAt: null },
      defaultTests: [{ code: 'D1', detail: 'the token is worth nothing', since }] as never,
    }),
  );
  await world.put(
    ratingOf(UNRATED, '2026-11-20T00:00:00.000Z', {
      score: null,
      band: 'NR',
      indicativeBand: 'NR',
      flags: [],
      action: 'new',
    }),
  );
  const reply = await world.get('/v1/overview');
  assert.equal(reply.status, 200);
  overview = (await reply.json()) as typeof overview;
});
after(() => world?.close());

test('the overview fits its schema and counts every asset once', () => {
  const validator = Compile(OverviewView);
  assert.ok(validator.Check(overview), JSON.stringify([...validator.Errors(overview)].slice(0, 3)));
  assert.deepEqual([overview.assets, overview.scored, overview.as_of], [5, 4, NOW]);
  const bands = Object.fromEntries(
    overview.bands.map(({ band, assets, assets_30d_ago: ago }) => [band, [assets, ago]]),
  );
  assert.equal(overview.bands.length, 11);
  assert.deepEqual(
    [bands.BBB, bands.BB, bands.B, bands.CC, bands.D, bands.NR],
    [
      [1, 0],
      [0, 1],
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 0],
    ],
  );
});

test('movers are those with a score seven days ago, the largest movement first, with the reason of the action', () => {
  const moved = overview.movers_7d.map(({ asset, change, band_before, band, reason }) => [
    asset.symbol,
    change,
    band_before,
    band,
    reason,
  ]);
  assert.deepEqual(moved, [
    ['FALL', -30, 'BBB', 'B', 'a drain'],
    ['RISE', 15, 'BB', 'BBB', 'Market quality: depth doubled'],
  ]);
  assert.deepEqual(overview.actions_7d, { new: 2, upgrade: 1, downgrade: 2, withdraw: 0 });
});

test('severe flags, defaults and pegs are listed with their evidence and start', () => {
  const { newest, ...counts } = overview.severe_flags;
  assert.deepEqual(counts, { critical: 1, high: 1, assets: 1, new_24h: 1 });
  assert.deepEqual(
    newest.map(({ code, since }) => [code, since]),
    [
      ['LIQUIDITY_DRAIN', '2026-11-20T02:00:00.000Z'],
      ['DEPEG', '2026-11-10T00:00:00.000Z'],
    ],
  );
  assert.deepEqual(
    overview.pegs.map(({ asset, detail }) => [asset.symbol, detail]),
    [['FALL', 'seen on 2026-11-10']],
  );
  assert.deepEqual(
    overview.defaults.map(({ asset, since, detail }) => [asset.symbol, since, detail]),
    [['BUST', '2026-11-15T00:00:00.000Z', 'the token is worth nothing']],
  );
});

test('coverage and age are given by class, and trust compared with 30 days ago', () => {
  const l2 = overview.classes.find((row) => row.class === 'l2');
  assert.deepEqual(l2, { class: 'l2', assets: 2, scored: 2, within_1h: 1, within_6h: 1, within_24h: 1 });
  assert.equal(overview.age_seconds.p95, 4.5 * 86_400);
  assert.deepEqual(overview.trust, { median: 71.4, median_30d_ago: 50, below_60: 0 });
});

test('the reason of a mover is that of its largest step, and never one that says it stayed or went the other way', async () => {
  const methodologyJson = readFileSync(new URL('../methodology/methodology.json', import.meta.url), 'utf8');
  const other = await ratingWorld(NOW, { methodologyJson });
  try {
    const put = (asset: typeof RISEN, day: string, score: number, drivers: readonly object[] = []) =>
      other.put(
        ratingOf(asset, `2026-11-${day}T00:00:00.000Z`, {
          score,
          flags: [],
          actionReason: 'the score stays near its band',
          drivers: drivers as never,
        }),
      );
    const driver = (name: string, points: number) => ({ code: 'MQ', name, points, detail: `${name} moved` });
    await put(FALLEN, '10', 70);
    await put(FALLEN, '15', 62, [driver('Supply', 3), driver('Depth', -8), driver('Holders', -3)]);
    await put(FALLEN, '16', 63, [driver('Team', 4), driver('Age', -3)]);
    await put(FALLEN, '17', 63);
    await put(RISEN, '10', 60);
    await put(RISEN, '16', 61);
    await put(RISEN, '18', 62);
    const { movers_7d: movers } = (await (await other.get('/v1/overview')).json()) as Reply<typeof OverviewView>;
    assert.deepEqual(
      movers.map(({ asset, change, reason, as_of: at }) => [asset.symbol, change, reason, at.slice(0, 10)]),
      [
        ['FALL', -7, 'Depth: Depth moved', '2026-11-15'],
        ['RISE', 2, 'no single cause is recorded', '2026-11-18'],
      ],
    );
  } finally {
    await other.close();
  }
});

test('without a key, and without the scope, there is no overview', async () => {
  assert.equal((await fetch(new URL('/v1/overview', world.url))).status, 401);
});
