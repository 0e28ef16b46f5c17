import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { storeRatingRestatement } from '../src/store/ratings/disclosures.ts';
import { axe, launchBrowser, noBrowser } from './support/browser.ts';
import { evmAsset, type RatingWorld, ratingOf, ratingWorld } from './support/rating-world.ts';

const HOSTILE = '<script>alert(1)</script>"\'<img src=x onerror=alert(1)>';
const EVIL = { ...evmAsset(1, 'ethereum', '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984', 'EVL'), name: HOSTILE };
const PAGE = `/public/${encodeURIComponent(EVIL.id)}`;
const HOUR = 3_600_000;

let world: RatingWorld;
before(async () => {
  world = await ratingWorld('2026-11-20T12:00:00.000Z');
  const flag = {
    code: 'HONEYPOT',
    severity: 'critical',
    title: 'Buying works, selling does not',
    detail: HOSTILE,
    since: '2026-11-20T08:00:00.000Z',
  } as const;
  await world.put(
    ratingOf(EVIL, '2026-11-20T08:00:00.000Z', { flags: [flag], gaps: [{ feature: 'mq_depth2', reason: HOSTILE }] }),
  );
});
after(() => world.close());

const get = (path: string, headers: Record<string, string> = {}) => world.get(path, { key: '', headers });
const form = (body: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/public/objections`, {
    method: 'POST',
    body: new URLSearchParams(body),
    redirect: 'manual',
    headers,
  });

test('the page of a rating needs no key, lists known and missing values, and runs no foreign script', async () => {
  const reply = await get(PAGE);
  assert.equal(reply.status, 200);
  const html = await reply.text();
  assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'self'/);
  assert.match(reply.headers.get('cache-control') ?? '', /^public, max-age=60$/);
  for (const words of [
    'It is rated BBB',
    '1 severe flag is raised',
    'Depth at 2 %',
    'SANDBOX',
    'Methodology',
    '2026-11-20 08:00 UTC',
  ])
    assert.ok(html.includes(words), words);
  assert.doesNotMatch(html, /<script|<img|onerror=alert\(1\)>(?!&)/);
  assert.ok(html.includes('&lt;script&gt;'));
  const tag = reply.headers.get('etag') ?? '';
  assert.equal((await get(PAGE, { 'if-none-match': tag })).status, 304);
  assert.equal((await get(`/public/${EVIL.id}`)).status, 200);
  const absent = await get('/public/NOSUCH');
  assert.deepEqual([absent.status, absent.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
  assert.match(await absent.text(), /No rated asset has this name/);
});

test('the page of a rating that was corrected says so at once, also to who has the page of before', async () => {
  const asset = evmAsset(1, 'ethereum', '0x4f9840a85d5af5bf1d1762f925bdaddc4201f984', 'COR');
  const path = `/public/${encodeURIComponent(asset.id)}`;
  await world.put(ratingOf(asset, '2026-11-20T08:00:00.000Z'));
  const before = await get(path);
  assert.doesNotMatch(await before.text(), /was wrong/);
  const { id } = await world.store.db
    .selectFrom('published_ratings')
    .select('id')
    .where('asset_id', '=', asset.id)
    .executeTakeFirstOrThrow();
  await world.store.db.transaction().execute((transaction) =>
    storeRatingRestatement(transaction, {
      asset_id: asset.id,
      rating_id: id,
      made_at: '2026-11-20T11:00:00.000Z',
      reason: `a figure was read in the wrong unit ${HOSTILE}`,
      body: JSON.stringify({ after: { band: 'CC', score: 21.5 } }),
      record: Buffer.from('{}'),
      signature: '{}',
    }),
  );
  const after = await get(path, { 'if-none-match': before.headers.get('etag') ?? '' });
  assert.equal(after.status, 200);
  const html = await after.text();
  assert.match(html, /This rating was wrong: it should have been CC \(21\.5 of 100\)/);
  assert.match(html, /a figure was read in the wrong unit &lt;script&gt;/);
  assert.doesNotMatch(html, /<script/);
  const tag = after.headers.get('etag') ?? '';
  for (const known of [tag, `W/${tag}`, `"other", W/${tag}`, '*'])
    assert.equal((await get(path, { 'if-none-match': known })).status, 304, known);
});

test('a browser that opens a path that does not exist gets a page with links, a program the problem', async () => {
  const browsers = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const page = await get('/asset/<b>TIDE', browsers);
  assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
  assert.equal(page.headers.get('assay-data-mode'), 'sandbox');
  const html = await page.text();
  assert.match(html, /href="\/#\/assets"/);
  assert.doesNotMatch(html, /<b>|TIDE/);
  for (const accept of ['', '*/*', 'application/json']) {
    const problem = await get('/asset/TIDE', { accept });
    assert.equal(((await problem.json()) as { code: string }).code, 'route_not_found');
  }
});

test('a page speaks to people: no prefixes of the record, no members of the API, a choice where several are meant', async () => {
  const capped = evmAsset(1, 'ethereum', '0x6b175474e89094c44da98b954eedeac495271d0f', 'CAPT');
  const gaps = [
    { feature: 'mq_depth2', reason: 'not known: no source says' },
    { feature: 'ct_users', reason: 'searched and not found: as the site states' },
    { feature: 'td_prior', reason: 'searched and not found: prior work of 5 of 5, as the site states' },
    { feature: 'gt_gov', reason: 'the project shows none: counts 0.0 points (nothing is linked)' },
  ];
  await world.put(ratingOf(capped, '2026-11-20T09:00:00.000Z', { gaps, scoreInterval: [8, 8] }));
  const html = await (await get(`/public/${capped.id}`)).text();
  for (const words of [
    'a cap or a default holds its score at 8.',
    ': no source states it<',
    ': only its own site states it<',
    ': only its own site states it (prior work of 5 of 5)<',
    ': the project shows none, which counts 0.0 points (nothing is linked)<',
  ])
    assert.ok(html.includes(words), words);

  const twins = ['0xdac17f958d2ee523a2206206994597c13d831ec7', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'];
  for (const address of twins)
    await world.put(ratingOf(evmAsset(1, 'ethereum', address, 'TWIN'), '2026-11-20T09:00:00.000Z', {}));
  const several = await get('/public/TWIN');
  const page = await several.text();
  assert.equal(several.status, 409);
  for (const address of twins)
    assert.ok(page.includes(`href="/public/${encodeURIComponent(`eip155:1/erc20:${address}`)}"`), address);

  const empty = await (await form({ asset: capped.id, claim: '   ' })).text();
  assert.match(empty, /What is wrong: expected/);
  assert.doesNotMatch(empty, /see the member errors/);
});

test('the form objects without a key and leads to a status that shows neither the claim nor the contact', async () => {
  const sent = await form({ asset: EVIL.id, claim: 'The supply is wrong.', contact: 'me@desk.example' });
  const place = sent.headers.get('location') ?? '';
  assert.deepEqual([sent.status, /^\/public\/objections\/[0-9a-f]{32}$/.test(place)], [303, true]);
  const html = await (await get(place)).text();
  assert.match(html, /Nobody has decided yet/);
  assert.doesNotMatch(html, /supply|desk\.example/);
  const json = (await (await get(`/v1${place}`)).json()) as Record<string, unknown>;
  assert.deepEqual([json.state, json.asset_id, 'claim' in json], ['received', EVIL.id, false]);
  const admin = await world.key('INTERNAL', ['admin']);
  const { data } = (await (await world.get('/v1/admin/disputes', { key: admin })).json()) as {
    data: { origin: string; claim: string }[];
  };
  assert.deepEqual(
    data.map(({ origin, claim }) => [origin, claim]),
    [['public', 'The supply is wrong.']],
  );
  assert.equal((await form({ asset: EVIL.id, claim: '' })).status, 400);
  assert.equal((await get(`/public/objections/${'0'.repeat(32)}`)).status, 404);
  const foreign = await form({ asset: EVIL.id, claim: 'sent by a page elsewhere' }, { 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
});

test('one address sends ten objections an hour, and reads sixty pages a minute', async () => {
  world.clock.now += HOUR;
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1)
    statuses.push((await form({ asset: EVIL.id, claim: `claim ${count}` })).status);
  assert.deepEqual(statuses, [...Array(10).fill(303), 429]);
  const reads: number[] = [];
  for (let count = 0; count < 61; count += 1) reads.push((await get(PAGE)).status);
  assert.deepEqual([reads.filter((status) => status === 200).length, reads.at(-1)], [60, 429]);
});

test('an asset takes fifty unread objections, from any number of addresses', async () => {
  const claims = Array.from({ length: 60 }, (_, index) => index);
  const { disputeBook } = await import('../src/disclosure/disputes.ts');
  const book = disputeBook(world.store.db, () => world.clock.now);
  const added = await Promise.all(
    claims.map((index) => book.object({ assetId: EVIL.id, claim: `flood ${index}`, contact: null })),
  );
  const { open } = await world.store.db
    .selectFrom('disputes')
    .select((of) => of.fn.countAll<string>().as('open'))
    .where('origin', '=', 'public')
    .executeTakeFirstOrThrow();
  assert.equal(Number(open), 50);
  assert.ok(added.some((one) => !one.ok && one.reason === 'too_many_open'));
});

test('nothing is served or taken without a key where the operator has not switched it on', async () => {
  const off = await ratingWorld('2026-11-20T12:00:00.000Z', { publicPages: false });
  for (const [path, method] of [
    [PAGE, 'GET'],
    ['/public/appeals-help', 'GET'],
    [`/v1/public/objections/${'0'.repeat(32)}`, 'GET'],
    ['/v1/public/objections', 'POST'],
    ['/v1/public/appeals', 'POST'],
  ] as const)
    assert.equal(
      (await off.get(path, { key: '', method, ...(method === 'POST' ? { body: { asset: EVIL.id } } : {}) })).status,
      404,
      path,
    );
  await off.close();
});

describe('in Chromium', { skip: noBrowser }, () => {
  test('pages without a key fit a phone, without findings of axe, light and dark', async () => {
    world.clock.now += HOUR;
    const { reference } = await world.store.db
      .selectFrom('disputes')
      .select('reference')
      .where('origin', '=', 'public')
      .limit(1)
      .executeTakeFirstOrThrow();
    const places = [PAGE, '/public/appeals-help', '/public/NOSUCH', `/public/objections/${reference}`];
    const browser = await launchBrowser();
    for (const place of places) {
      const html = await (await get(place)).text();
      for (const [width, colorScheme] of [
        [1440, 'light'],
        [1440, 'dark'],
        [390, 'light'],
        [390, 'dark'],
      ] as const) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
        const page = await context.newPage();
        await page.setContent(html);
        const beyond = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
        assert.ok(beyond <= 0, `${place} scrolls sideways by ${beyond} px at ${width}`);
        assert.deepEqual(await axe(page), [], `${place} at ${width} ${colorScheme}`);
        await context.close();
      }
    }
    await browser.close();
  });
});
