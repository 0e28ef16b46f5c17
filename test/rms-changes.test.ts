import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { Compile } from 'typebox/compile';
import { CurrentRatings, RatingChangeList } from '../src/contract/export-rating.ts';
import { createRatingChanges } from '../src/exports/rating-changes.ts';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { closeRatingDays } from '../src/store/ratings/export-days.ts';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const UP = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'UP');
const SAME = solanaAsset('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So', '=SAME()');
const GONE = solanaAsset('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'GONE');
const NEW = solanaAsset('9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E', 'NEW');
const FLAGGED = solanaAsset('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'FLAGGED');
const none = { score: null, smoothedScore: null, scoreInterval: null, band: 'NR', indicativeBand: 'NR' } as const;
const DIFF = '/v1/exports/rms/diff?from=2026-11-20&to=2026-11-21';

let world: RatingWorld;
type Row = Readonly<Record<string, unknown>>;
interface Page {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

before(async () => {
  let changes: ReturnType<typeof createRatingChanges> | null = null;
  world = await ratingWorld('2026-11-22T12:00:00.000Z', {
    // The world opens its database itself: the reads are made when it is there.
    ratingChanges: {
      current: (...given) => (changes ?? assert.fail()).current(...given),
      between: (...given) => (changes ?? assert.fail()).between(...given),
    },
  });
  changes = createRatingChanges(world.store.db);
  await world.put(ratingOf(UP, '2026-11-20T08:00:00.000Z', { score: 50.5, band: 'BB' }));
  await world.put(ratingOf(SAME, '2026-11-20T08:00:00.000Z'));
  await world.put(ratingOf(GONE, '2026-11-20T08:00:00.000Z'));
  await world.put(ratingOf(FLAGGED, '2026-11-20T08:00:00.000Z'));
  await world.put(ratingOf(UP, '2026-11-21T08:00:00.000Z', { score: 62.5, band: 'BBB', action: 'upgrade' }));
  await world.put(ratingOf(SAME, '2026-11-21T09:00:00.000Z'));
  await world.put(ratingOf(GONE, '2026-11-21T09:00:00.000Z', { ...none, action: 'withdraw' }));
  await world.put(ratingOf(NEW, '2026-11-21T10:00:00.000Z', { action: 'new' }));
  await world.put(ratingOf(FLAGGED, '2026-11-21T10:00:00.000Z', { flags: [] }));
  await closeRatingDays(world.store.db, world.clock.now, 0);
  await world.put(ratingOf(UP, '2026-11-22T11:00:00.000Z', { score: 70.1, band: 'A' }));
});
after(() => world.close());

async function get<Reply>(path: string, status = 200): Promise<Reply> {
  const reply = await world.get(path);
  const text = await reply.text();
  assert.equal(reply.status, status, `${path}: ${text}`);
  return JSON.parse(text) as Reply;
}

test('a diff lists new, removed and changed ratings, before and after, and no unchanged ones', async () => {
  const page = await get<Page>(DIFF);
  assert.ok(
    Compile(RatingChangeList).Check(page),
    JSON.stringify([...Compile(RatingChangeList).Errors(page)].slice(0, 2)),
  );
  assert.deepEqual(
    Object.fromEntries(
      page.data.map((row) => [
        row.symbol,
        [
          row.change,
          row.band_before,
          row.band_after,
          row.score_before,
          row.score_after,
          row.flags_raised,
          row.flags_cleared,
        ],
      ]),
    ),
    {
      UP: ['changed', 'BB', 'BBB', 50.5, 62.5, [], []],
      GONE: ['gone', 'BBB', 'NR', 62.5, null, [], []],
      NEW: ['new', null, 'BBB', null, 62.5, ['MINT_AUTHORITY_ACTIVE'], []],
      FLAGGED: ['changed', 'BBB', 'BBB', 62.5, 62.5, [], ['MINT_AUTHORITY_ACTIVE']],
    },
  );
  assert.deepEqual(
    page.data.map((row) => row.asset_id),
    page.data.map((row) => String(row.asset_id)).sort(),
  );
});

test('pages of any size add up to the whole, as JSON and as CSV', async () => {
  const whole = (await get<Page>(DIFF)).data;
  for (const limit of [1, 2, 3]) {
    const rows: Row[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await get<Page>(
        `${DIFF}&limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      assert.ok(page.data.length <= limit);
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    assert.deepEqual(rows, whole);
  }
  const reply = await world.get(DIFF, { headers: { accept: 'text/csv' } });
  assert.match(reply.headers.get('content-type') ?? '', /^text\/csv/);
  const rows = parse(await reply.text(), { columns: true }) as Record<string, string>[];
  assert.deepEqual(
    rows.map((row) => [row.asset_id, row.change, row.score_after]),
    whole.map((row) => [row.asset_id, row.change, row.score_after === null ? '' : String(row.score_after)]),
  );
  const cut = await world.get(`${DIFF}&limit=1&format=csv`);
  assert.equal(decodeURIComponent(cut.headers.get('assay-next-cursor') ?? ''), whole[0]?.asset_id);
  for (const path of [DIFF, '/v1/exports/rms/current?limit=1'])
    for (const cursor of ['abc', '12', '2026-11-20T09:00:00.000Z', 'WyIyMDI2Il0']) {
      const refused = await world.get(`${path}&cursor=${cursor}`);
      assert.equal(refused.status, 400, `${path} ${cursor}: not of this list, and neither its start nor its end`);
    }
});

test('the current export is the newest rating of each asset, inert in a spreadsheet', async () => {
  const page = await get<Page>('/v1/exports/rms/current');
  assert.ok(Compile(CurrentRatings).Check(page), JSON.stringify([...Compile(CurrentRatings).Errors(page)].slice(0, 2)));
  assert.deepEqual(Object.fromEntries(page.data.map((row) => [row.symbol, [row.date, row.band, row.standing]])), {
    UP: ['2026-11-22', 'A', 'rated'],
    '=SAME()': ['2026-11-22', 'BBB', 'rated'],
    GONE: ['2026-11-22', 'NR', 'withdrawn'],
    NEW: ['2026-11-22', 'BBB', 'rated'],
    FLAGGED: ['2026-11-22', 'BBB', 'rated'],
  });
  const text = await (await world.get('/v1/exports/rms/current?format=csv')).text();
  assert.match(text, /,'=SAME\(\),/);
  const first = await get<Page>('/v1/exports/rms/current?limit=2');
  assert.deepEqual(first.data, page.data.slice(0, 2));
});

test('an invalid range is refused with an explanation', async () => {
  const detail = async (query: string, status: number) =>
    JSON.stringify(await get<unknown>(`/v1/exports/rms/diff?${query}`, status));
  assert.match(
    await detail('from=2026-11-21&to=2026-11-20', 400),
    /"pointer":"\/from".*before `to`, which is 2026-11-20/,
  );
  assert.match(await detail('from=2026-11-20&to=2026-11-20', 400), /before `to`/);
  assert.match(await detail('from=2026-11-20&to=2026-11-22', 400), /"pointer":"\/to".*before 2026-11-22/);
  assert.match(await detail('from=2026-02-30', 400), /a day that exists/);
  assert.match(await detail('from=2026-11-01&to=2026-11-20', 404), /2026-11-01/);
  assert.match(await detail('from=2026-11-20&to=2026-11-21&limit=0', 400), /limit/);
});

test('a database without ratings has pages without rows', async () => {
  const database = await testDatabase();
  try {
    const empty = createRatingChanges(database.store.db);
    assert.deepEqual(await empty.between('2026-11-20', '2026-11-21', { format: 'json', limit: 10, after: '' }), {
      ok: false,
      day: '2026-11-20',
    });
    const page = await empty.current(Date.parse('2026-11-22'), { format: 'json', limit: 10, after: '' });
    assert.deepEqual([page.rows, page.cursor, page.text], [0, null, '[\n]\n']);
  } finally {
    await database.close();
  }
});

test('the list of ratings as CSV has the rows of the current export, in its own order, page by page', async () => {
  const table = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await world.get(path, { headers });
    const text = await reply.text();
    assert.equal(reply.status, 200, text);
    assert.match(reply.headers.get('content-type') ?? '', /^text\/csv/);
    return { rows: parse(text, { columns: true }) as Record<string, string>[], text, reply };
  };
  const current = await table('/v1/exports/rms/current?format=csv');
  const list = await table('/v1/rms', { accept: 'text/csv' });
  assert.equal(list.text.split('\r\n')[0], current.text.split('\r\n')[0], 'the same columns');
  const byId = (rows: Record<string, string>[]) =>
    rows.toSorted((a, b) => ((a.asset_id ?? '') < (b.asset_id ?? '') ? -1 : 1));
  assert.deepEqual(byId(list.rows), byId(current.rows));
  assert.equal(list.rows.find(({ symbol }) => symbol === 'GONE')?.standing, 'withdrawn');
  assert.ok(
    list.rows.some(({ symbol }) => symbol === "'=SAME()"),
    'a formula is inert',
  );

  const json = await get<{ data: readonly { asset: { id: string } }[] }>('/v1/rms?sort=as_of');
  const paged: (string | undefined)[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await table(`/v1/rms?sort=as_of&limit=2&format=csv${cursor === '' ? '' : `&cursor=${cursor}`}`);
    assert.ok(page.rows.length <= 2);
    paged.push(...page.rows.map((row) => row.asset_id));
    cursor = page.reply.headers.get('assay-next-cursor');
  }
  assert.deepEqual(
    paged,
    json.data.map(({ asset }) => asset.id),
  );
  const filtered = await table('/v1/rms?format=csv&band=A');
  assert.deepEqual(
    filtered.rows.map(({ symbol }) => symbol),
    ['UP'],
  );
  const etag = list.reply.headers.get('etag') ?? '';
  assert.equal((await world.get('/v1/rms?format=csv', { headers: { 'if-none-match': etag } })).status, 304);
  assert.equal((await world.get('/v1/rms?format=xls')).status, 400);
});

test('a kept list belongs to its key, its form and its coding, as a browser takes them from Vary', async () => {
  for (const path of [
    '/v1/rms',
    '/v1/rms?format=csv',
    '/v1/exports/rms/current',
    '/v1/exports/rms/current?format=csv',
  ]) {
    const reply = await world.get(path);
    assert.equal(reply.status, 200, path);
    assert.deepEqual(
      (reply.headers.get('vary') ?? '').split(', ').sort(),
      ['Accept', 'Accept-Encoding', 'Authorization', 'X-API-Key'],
      path,
    );
  }
});
