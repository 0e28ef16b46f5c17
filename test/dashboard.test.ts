import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { DAY_MS } from '../src/domain/statistics.ts';
import { axe, keepShot, launchBrowser, noBrowser, openPage, settled, signIn } from './support/browser.ts';
import { type TestService, testService } from './support/service.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** One of each kind: good, bad, drained, with many holders of one hand, without a token, and with a row in a register. */
const RATED = ['tidewell', 'hivecoin', 'gonedoor', 'whalepond', 'moonbadger', 'greyharbor', 'plainsong-dollar'];

let world: TestService;
let browser: Browser;
const jobs = new Map<string, { readonly job: string; readonly asset: string }>();

before(async () => {
  // `npm ci --ignore-scripts` leaves them out; a build that is there is not touched, others may be reading it.
  if (!existsSync(join(ROOT, 'web/dist/index.html'))) spawnSync(process.execPath, ['web/build.js'], { cwd: ROOT });
  world = await testService();
  for (const slug of RATED) await rate(slug);
});
after(() => world?.close());

const LOOKS: readonly (readonly [number, 'light' | 'dark'])[] = process.env.ASSAY_SCREENSHOTS
  ? [390, 1024, 1600].flatMap((width) => [[width, 'light'] as const, [width, 'dark'] as const])
  : [
      [390, 'light'],
      [1024, 'dark'],
      [1600, 'light'],
    ];

describe('the built files', () => {
  test('the page may run only our own scripts and connect only to the service', async () => {
    const reply = await world.call('/', { key: null });
    assert.equal(reply.status, 200);
    const policy = reply.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(reply.headers.get('cache-control'), 'no-cache');
    const html = await reply.text();
    assert.doesNotMatch(html, /<script(?![^>]*src=)|style=|https?:\/\//);
  });

  test('hashed files are cached for a year, and the others are revalidated by their tag', async () => {
    const html = await (await world.call('/', { key: null })).text();
    const paths = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    assert.ok(paths.length >= 2);
    for (const path of paths) {
      const reply = await world.call(path, { key: null });
      assert.equal(reply.status, 200);
      assert.match(reply.headers.get('cache-control') ?? '', /immutable/);
      await reply.arrayBuffer();
      const again = await world.call(path, {
        key: null,
        headers: { 'if-none-match': reply.headers.get('etag') ?? '' },
      });
      assert.equal(again.status, 304);
    }
  });

  test('a file that was not built is 404, and no address of the API is hidden', async () => {
    for (const path of [
      '/assets/none.js',
      '/assets/..%2fpackage.json',
      '/assets/%2e%2e%2findex.html',
      '/index',
      '/src/main.tsx',
    ])
      assert.equal((await world.call(path, { key: null })).status, 404, path);
    assert.equal((await world.call('/v1/none')).status, 404);
    assert.equal((await world.call('/v1/chains')).headers.get('content-type')?.split(';')[0], 'application/json');
  });
});

test('the pages know the API only, and put no text from outside into the page as HTML', () => {
  for (const name of readdirSync(join(ROOT, 'web/src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name)) continue;
    const text = readFileSync(join(ROOT, 'web/src', name), 'utf8');
    assert.doesNotMatch(text, /from '(\.\.\/)+(src|sandbox|test|bench)\//, name);
    assert.doesNotMatch(text, /dangerouslySetInnerHTML|innerHTML|document\.write|eval\(/, name);
  }
});

test('Chromium is there when it must be', () => {
  if (process.env.CI) assert.equal(noBrowser, false);
});

describe('the pages in Chromium', { skip: noBrowser }, () => {
  before(async () => {
    browser = await launchBrowser();
    await readChain('moonbadger');
    await makeUse();
  });
  after(() => browser?.close());

  for (const [width, scheme] of LOOKS) {
    test(`each page at ${width} px, ${scheme}: no error, no outside request, no finding of axe`, async () => {
      const { page, complaints } = await openPage(browser, world, width, scheme);
      await thirtyDays(page);
      await keepShot(page, `sign-in-${width}-${scheme}`);
      assert.deepEqual(await axe(page), [], `sign-in at ${width}`);
      await signIn(page, world.key);
      for (const [name, hash] of pages()) {
        await page.goto(`${world.service.url}/#/${hash}`);
        await settled(page);
        if (name === 'asset') await openEvidence(page);
        await keepShot(page, `${name}-${width}-${scheme}`, name !== 'assets');
        assert.equal(await page.locator('h1').count(), 1, `${name} has one heading`);
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok(Number(beyond) <= 0, `${name} scrolls sideways by ${beyond} px at ${width}`);
        assert.deepEqual(await axe(page), [], `${name} at ${width}`);
      }
      await page.context().close();
      assert.deepEqual(complaints, []);
    });
  }
});

function pages(): readonly (readonly [string, string])[] {
  const of = (slug: string, tab = '') =>
    `asset/${encodeURIComponent(jobs.get(slug)?.asset ?? '')}${tab && `?tab=${tab}`}`;
  return [
    ['overview', ''],
    ['assets', 'assets'],
    ['assets-filtered', 'assets?band=BBB,C&trust=40'],
    ['asset', of('tidewell')],
    ...['rating', 'sources', 'peers'].map((tab) => [`asset-${tab}`, of('moonbadger', tab)] as const),
    ['asset-bad', of('hivecoin')],
    ['asset-issued', of('plainsong-dollar')],
    ['registers-issuers', 'registers/issuers'],
    ['asset-forensics', of('gonedoor', 'forensics')],
    ['asset-clusters', of('whalepond', 'clusters')],
    ['asset-no-token', of('greyharbor')],
    ['asset-no-forensics', of('greyharbor', 'forensics')],
    ['asset-none', 'asset/NOSUCH'],
    ['job', `job/${jobs.get('tidewell')?.job}`],
    ['job-none', 'job/posttge_1_none'],
    ['job-bad', `job/${jobs.get('hivecoin')?.job}`],
    ['compare', `compare?assets=TIDE,${encodeURIComponent(jobs.get('hivecoin')?.asset ?? '')}`],
    ['compare-none', 'compare'],
    ['score', 'score'],
    ...[
      'watchlist',
      'alerts',
      'webhooks',
      'exports',
      'disputes',
      'methodology',
      'registers',
      'track-record',
      'status',
      'keys',
    ].map((name) => [name, name] as const),
  ];
}

async function rate(slug: string): Promise<void> {
  const one = world.sandbox.world.assets.find((each) => each.slug === slug);
  assert.ok(one, slug);
  const known = one.address === '' ? {} : { token_address: one.address, blockchain: one.chain };
  const json = { type: one.address === '' ? 'pretge' : 'posttge', project: one.name, project_url: one.url, ...known };
  const reply = await world.call('/v1/score', { json });
  const body = (await reply.json()) as { readonly job_id: string; readonly asset: { readonly id: string } };
  assert.equal(reply.status, 200, JSON.stringify(body).slice(0, 300));
  jobs.set(slug, { job: body.job_id, asset: body.asset.id });
}

/** Has the asset's chain read, and waits for it. */
async function readChain(slug: string): Promise<void> {
  const one = world.sandbox.world.assets.find((each) => each.slug === slug);
  assert.ok(one, slug);
  await world.call(`/v1/${one.chain}/index/${one.address}`, { method: 'PUT', json: { cadence: 'newest' } });
  for (const path of [
    `market/${one.address}/snapshot`,
    `${one.address}/holders/snapshot`,
    `${one.address}/liquidity/pools`,
  ])
    for (const until = Date.now() + 20_000; ; ) {
      if ((await world.call(`/v1/${one.chain}/${path}`)).status === 200) break;
      assert.ok(Date.now() < until, path);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
}

/** Something of the account's own on each page that shows such things. */
async function makeUse(): Promise<void> {
  for (const slug of ['tidewell', 'hivecoin']) {
    const path = `/v1/rms/whitelist/${encodeURIComponent(jobs.get(slug)?.asset ?? '')}`;
    await world.call(path, { method: 'PUT', json: { note: 'in the fund', thresholds: { min_score_change: 0.1 } } });
  }
  await world.call('/v1/webhooks', { json: { url: 'https://hooks.example.com/assay', description: 'the desk' } });
  const claim = 'The mint authority was given up before the rating was made.\nSee the transaction of 1 November.';
  await world.call('/v1/disputes', {
    json: { asset: jobs.get('hivecoin')?.asset, claim, contact: 'desk@example.org' },
  });
  for (const source of ['github', 'goplus', 'coingecko', 'defillama'])
    world.sandbox.faults.add({ source, kind: 'refused' });
  await rate('tidewell');
  world.sandbox.faults.clear();
}

/** A service that has just begun has one day to show: its ratings are shown as if there had been thirty of them. */
async function thirtyDays(page: Page): Promise<void> {
  await page.route('**/history?**interval=1d**', async (route) => {
    const reply = await route.fetch();
    const { data } = (await reply.json()) as { data: { score: number | null; as_of: string }[] };
    const newest = data.at(-1);
    if (!newest) return route.fulfill({ response: reply });
    const days = Array.from({ length: 30 }, (_, index) => 29 - index).map((back) => ({
      ...newest,
      score:
        newest.score === null ? null : Math.round(newest.score * (1 - Math.sin(back / 4) / 25 - back / 400) * 10) / 10,
      as_of: new Date(Date.parse(newest.as_of) - back * DAY_MS).toISOString(),
    }));
    return route.fulfill({ json: { data: days, next_cursor: null, data_mode: 'sandbox' } });
  });
}

/** The receipt of the first factor, opened and closed again. */
async function openEvidence(page: Page): Promise<void> {
  await page.locator('.factor-name .receipted').first().click();
  await page.locator('.receipt-list li').first().waitFor();
  assert.deepEqual(await axe(page), [], 'a receipt');
  await page.keyboard.press('Escape');
}
