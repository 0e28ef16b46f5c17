import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readPlans } from '../src/access/plans/plans.ts';
import { createRatingChanges } from '../src/exports/rating-changes.ts';
import { closeRatingDays } from '../src/store/ratings/export-days.ts';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const UP = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'UP');
const PLANS = join(import.meta.dirname, '../src/access/plans/plans.json');

let world: RatingWorld;
let shallow: string;
let deep: string;

before(async () => {
  const file = JSON.parse(await readFile(PLANS, 'utf8')) as { plans: Record<string, unknown>[] };
  const plan = file.plans.find(({ name }) => name === 'RATING') ?? assert.fail();
  const plans = readPlans(
    JSON.stringify({
      plans: [
        ...file.plans.filter((one) => one.name === 'INTERNAL'),
        { ...plan, freshness_grid_seconds: 0, history_days: 7 },
        { ...plan, name: 'DEEP', freshness_grid_seconds: 0, history_days: 30 },
        { ...plan, name: 'DAILY', freshness_grid_seconds: 86_400, history_days: 7 },
      ],
    }),
  );
  assert.ok(plans.ok, JSON.stringify(plans));
  let changes: ReturnType<typeof createRatingChanges> | null = null;
  world = await ratingWorld('2026-11-22T12:00:00.000Z', {
    plans: plans.value,
    ratingChanges: {
      current: (...given) => (changes ?? assert.fail()).current(...given),
      between: (...given) => (changes ?? assert.fail()).between(...given),
    },
  });
  changes = createRatingChanges(world.store.db);
  shallow = await world.key('RATING');
  deep = await world.key('DEEP');
  for (const day of ['2026-11-01', '2026-11-10', '2026-11-16', '2026-11-21'])
    await world.put(ratingOf(UP, `${day}T08:00:00.000Z`, { action: 'upgrade' }));
  await closeRatingDays(world.store.db, world.clock.now, 0);
});
after(() => world.close());

const times = async (reply: Response) =>
  ((await reply.json()) as { data: { as_of: string }[] }).data.map(({ as_of }) => as_of.slice(0, 10));

test('lists of the past begin where the plan’s history begins, and state so', async () => {
  const from = 'from=2026-01-01T00:00:00Z';
  for (const path of [`/v1/rms/UP/history?${from}`, `/v1/rms/UP/actions?${from}`, '/v1/rms/actions']) {
    const cut = await world.get(path, { key: shallow });
    assert.equal(cut.headers.get('assay-history-from'), '2026-11-15T12:00:00.000Z', path);
    assert.deepEqual((await times(cut)).sort(), ['2026-11-16', '2026-11-21'], path);
    const whole = await world.get(path, { key: deep });
    assert.equal((await times(whole)).length, 4, path);
  }
  const recent = await world.get('/v1/rms/UP/history?from=2026-11-20T00:00:00Z', { key: shallow });
  assert.equal(recent.headers.get('assay-history-from'), null);
  assert.deepEqual(await times(recent), ['2026-11-21']);
  // The operator's own plan keeps everything.
  assert.equal((await world.get(`/v1/rms/UP/history?${from}`)).headers.get('assay-history-from'), null);
});

test('one time in the past is refused beyond it, with the plans that reach as far', async () => {
  const paths = [
    '/v1/rms/UP?as_of=2026-11-11T00:00:00Z',
    '/v1/rms/UP/breakdown?as_of=2026-11-11T00:00:00Z',
    '/v1/exports/rms/diff?from=2026-11-10&to=2026-11-21',
    '/v1/exports/rms/daily?date=2026-11-10',
  ];
  for (const path of paths) {
    const reply = await world.get(path, { key: shallow });
    const problem = (await reply.json()) as { code: string; included_in: string[]; detail: string };
    assert.deepEqual([reply.status, problem.code], [403, 'plan_does_not_include'], path);
    assert.match(problem.detail, /of before 2026-11-15T12:00:00.000Z \(7 days\); DEEP does/);
  }
  assert.equal((await world.get(paths[0] ?? '', { key: deep })).status, 200);
  assert.equal((await world.get(paths[2] ?? '', { key: deep })).status, 200);
  assert.equal((await world.get('/v1/rms/UP?as_of=2026-11-17T00:00:00Z', { key: shallow })).status, 200);
});

test('a methodology pins the newest rating by it that the plan is served, on its grid and within its history', async () => {
  const pinned = solanaAsset('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 'PINNED');
  for (const [asOf, methodologyVersion] of [
    ['2026-11-01T08:00:00.000Z', '0.8.0'],
    ['2026-11-05T08:00:00.000Z', '0.9.0'],
    ['2026-11-19T08:00:00.000Z', '1.0.0'],
    ['2026-11-21T08:00:00.000Z', '1.1.0'],
    ['2026-11-22T08:00:00.000Z', '1.1.0'],
    ['2026-11-22T09:00:00.000Z', '1.2.0'],
  ] as const)
    await world.put(ratingOf(pinned, asOf, { methodologyVersion }));
  const by = async (version: string, key: string) => {
    const reply = await world.get(`/v1/rms/PINNED?methodology=${version}`, { key });
    const body = (await reply.json()) as { as_of?: string; code?: string };
    return body.as_of ?? body.code;
  };
  const daily = await world.key('DAILY');
  assert.equal(await by('1.1.0', deep), '2026-11-22T08:00:00.000Z');
  assert.equal(await by('1.1.0', daily), '2026-11-21T08:00:00.000Z');
  assert.equal(await by('1.2.0', daily), 'no_rating_yet');
  assert.equal(await by('1.3.0', daily), 'methodology_not_kept');
  // The rating by 0.9.0 was the newest when the history of seven days begins; the one by 0.8.0 was replaced before.
  assert.equal(await by('0.9.0', shallow), '2026-11-05T08:00:00.000Z');
  assert.equal(await by('0.8.0', shallow), 'plan_does_not_include');
  assert.equal(await by('0.8.0', deep), '2026-11-01T08:00:00.000Z');
});

test('the list has what a plan is served on its grid: filters and order too, and nothing rated since', async () => {
  const moved = solanaAsset('27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4', 'MOVED');
  const since = solanaAsset('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'SINCE');
  await world.put(ratingOf(moved, '2026-11-21T08:00:00.000Z', { band: 'A', score: 77.7 }));
  await world.put(ratingOf(moved, '2026-11-22T08:00:00.000Z', { band: 'D', score: 1, action: 'downgrade' }));
  await world.put(ratingOf(since, '2026-11-22T08:00:00.000Z', { score: 99 }));
  const daily = await world.key('DAILY');
  const list = async (query: string, key: string) => {
    const reply = await world.get(`/v1/rms?${query}`, { key });
    const { data } = (await reply.json()) as { data: { asset: { symbol: string }; score: number }[] };
    return data.map(({ asset, score }) => `${asset.symbol} ${score}`);
  };
  assert.ok((await list('sort=-score', deep)).includes('SINCE 99'));
  const served = await list('sort=-score', daily);
  assert.equal(served[0], 'MOVED 77.7');
  assert.ok(!served.some((row) => row.startsWith('SINCE')));
  assert.deepEqual(await list('band=D', daily), []);
  assert.deepEqual(await list('band=D', deep), ['MOVED 1']);
  const csv = await (await world.get('/v1/rms?format=csv&search=moved', { key: daily })).text();
  assert.match(csv, /,77\.7,A,/);
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/v1/rms?sort=-score&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = (await (await world.get(path, { key: daily })).json()) as {
      data: { asset: { symbol: string }; score: number }[];
      next_cursor: string | null;
    };
    pages.push(...page.data.map(({ asset, score }) => `${asset.symbol} ${score}`));
    cursor = page.next_cursor;
  }
  assert.deepEqual(pages, served);
});

test('the list filters by the class and category that a plan is served, not by those of a newer rating', async () => {
  const filed = solanaAsset('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'FILED');
  await world.put(ratingOf(filed, '2026-11-21T08:00:00.000Z', { category: 'defi_protocol', class: 'defi_gov' }));
  await world.put(ratingOf(filed, '2026-11-22T08:00:00.000Z', { category: 'memecoin', class: 'memecoin' }));
  const daily = await world.key('DAILY');
  const found = async (query: string, key: string) => {
    const reply = await world.get(`/v1/rms?search=FILED&${query}`, { key });
    const { data } = (await reply.json()) as { data?: unknown[] };
    return data?.length ?? reply.status;
  };
  for (const [query, then, now] of [
    ['class=defi_gov', 1, 0],
    ['class=memecoin', 0, 1],
    ['category=defi_protocol', 1, 0],
    ['category=memecoin', 0, 1],
    // An empty list would say that no asset is in it.
    ['category=memecoins', 400, 400],
    ['flag=HONEY_POT', 400, 400],
  ] as const)
    assert.deepEqual([await found(query, daily), await found(query, deep)], [then, now], query);
});

test('pages of all actions are full within the grid and the history of a plan', async () => {
  const daily = await world.key('DAILY');
  const page = async (query: string) =>
    (await (await world.get(`/v1/rms/actions?${query}`, { key: daily })).json()) as {
      data: { as_of: string; asset: { symbol: string } }[];
      next_cursor: string | null;
    };
  const whole = await page('limit=100');
  assert.ok(whole.data.length > 1);
  const first = await page('limit=1');
  assert.deepEqual(first.data, whole.data.slice(0, 1));
  const seen: unknown[] = [...first.data];
  for (let cursor = first.next_cursor; cursor !== null; ) {
    const next = await page(`limit=1&cursor=${cursor}`);
    assert.equal(next.data.length, 1);
    seen.push(...next.data);
    cursor = next.next_cursor;
  }
  assert.deepEqual(seen, whole.data);
});
