import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import axeCore from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type TestService, testService } from './support/service.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Without a browser the pages are not tested: said in words here, a failure in CI. */
const noBrowser =
  CHROMIUM === undefined ? 'no Chromium is installed (apt-get install chromium): the pages are not tested' : false;
/** Where screenshots are kept as artefacts; none are taken without it. */
const shots = process.env.ASSAY_SCREENSHOTS;

let world: TestService;
let browser: Browser;
let asset = '';
let job = '';

before(async () => {
  // `npm ci --ignore-scripts` leaves them out; a build that is there is not touched, others may be reading it.
  if (!existsSync(join(ROOT, 'web/dist/index.html'))) spawnSync(process.execPath, ['web/build.js'], { cwd: ROOT });
  world = await testService();
  for (const [project, url] of [
    ['Tidewell', 'https://tidewell.example/'],
    ['Hivecoin', 'https://hivecoin.example/'],
  ]) {
    const reply = await world.call('/v1/score', { json: { type: 'posttge', project, project_url: url } });
    const body = (await reply.json()) as { readonly job_id: string; readonly asset: { readonly id: string } };
    if (project === 'Tidewell') [asset, job] = [body.asset.id, body.job_id];
  }
});
after(() => world?.close());

describe('the built files', () => {
  test('the page may run nothing but our own scripts and reach nobody but us', async () => {
    const reply = await world.call('/', { key: null });
    assert.equal(reply.status, 200);
    const policy = reply.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(reply.headers.get('cache-control'), 'no-cache');
    const html = await reply.text();
    assert.doesNotMatch(html, /<script(?![^>]*src=)|style=|https?:\/\//);
  });

  test('hashed files are kept for a year, and asked about again with their tag', async () => {
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

  test('what was not built is not there, and no address of the API is hidden', async () => {
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
    browser = await chromium.launch({ ...(CHROMIUM ? { executablePath: CHROMIUM } : {}), args: ARGUMENTS });
  });
  after(() => browser?.close());

  for (const width of [390, 1024, 1600]) {
    test(`each page at ${width} px: no error, no outside request, nothing for axe to say`, async () => {
      const { page, complaints } = await open(width, width === 1024 ? 'dark' : 'light');
      await signIn(page);
      for (const [name, hash] of pages()) {
        await page.goto(`${world.service.url}/#/${hash}`);
        await settled(page);
        if (shots) {
          await mkdir(shots, { recursive: true });
          await page.screenshot({ path: join(shots, `${name}-${width}.png`), fullPage: name !== 'assets' });
        }
        assert.equal(await page.locator('h1').count(), 1, `${name} has one heading`);
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok(Number(beyond) <= 0, `${name} scrolls sideways by ${beyond} px at ${width}`);
        assert.deepEqual(await axe(page), [], `${name} at ${width}`);
      }
      await page.context().close();
      assert.deepEqual(complaints, []);
    });
  }

  test('signing in, finding an asset and opening its receipts takes only a keyboard', async () => {
    const { page, complaints } = await open(1024);
    await page.locator('#key').focus();
    await page.keyboard.type('ak_live_wrong_key_of_nobody');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    // The refusal of a wrong key is the one failed request that is meant.
    complaints.length = 0;
    await page.locator('#key').fill(world.key);
    await page.keyboard.press('Enter');
    await page.locator('.rows tr[data-index]').first().waitFor();
    await page.locator('.rows').focus();
    await page.keyboard.press('ArrowDown');
    await until(page, "document.activeElement?.tagName === 'A'");
    await page.keyboard.press('Enter');
    const factor = page.locator('.factor > summary').first();
    await factor.waitFor();
    await factor.focus();
    await page.keyboard.press('Enter');
    const feature = page.locator('.feature > summary').first();
    await feature.focus();
    await page.keyboard.press('Enter');
    await page.locator('.voices').first().waitFor();
    assert.equal(await page.evaluate('localStorage.getItem("assay-key")'), null);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a project is scored with its sources seen at work', async () => {
    const { page, complaints } = await open(1024);
    await signIn(page);
    world.sandbox.faults.add({ source: 'coingecko', kind: 'latency', ms: 1_500 });
    await score(page, /Hivecoin/);
    await page.locator('.sources li').first().waitFor();
    if (shots) await page.screenshot({ path: join(shots, 'progress-1024.png') });
    await page.getByText('Rating of this moment').waitFor();
    assert.equal(await page.locator('.tile.main .band').textContent(), 'C');
    world.sandbox.faults.clear();
    await score(page, /Nowhere Protocol/);
    await page.getByText('The project could not be identified').waitFor();
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('an alert comes in while the page is open, and is acknowledged there', async () => {
    const { page, complaints } = await open(1024);
    await signIn(page);
    await page.goto(`${world.service.url}/#/watchlist`);
    await page.getByLabel('Asset', { exact: true }).fill('TIDE');
    await page.getByLabel('Tell when the score moves').fill('0.1');
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('button', { name: /^Edit/ }).waitFor();
    await page.goto(`${world.service.url}/#/alerts`);
    await page.getByText('● Live').waitFor();
    for (const source of ['github', 'goplus', 'coingecko', 'defillama'])
      world.sandbox.faults.add({ source, kind: 'refused' });
    const json = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
    await (await world.call('/v1/score', { json })).text();
    world.sandbox.faults.clear();
    await page
      .getByRole('button', { name: /^Acknowledge/ })
      .first()
      .waitFor();
    if (shots) await page.screenshot({ path: join(shots, 'alert-1024.png') });
    while ((await page.getByRole('button', { name: /^Acknowledge/ }).count()) > 0) {
      await page
        .getByRole('button', { name: /^Acknowledge/ })
        .first()
        .click();
      await page.waitForTimeout(100);
    }
    await page.getByText('No alert is open').waitFor();
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a hundred thousand rows: few elements, no long stop, the last one reached', { timeout: 120_000 }, async () => {
    const { page, complaints } = await open(1600);
    await page.route('**/v1/rms?**', (route) => {
      const cursor = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const next = cursor + 500;
      return route.fulfill({
        json: { data: rowsFrom(cursor, 500), next_cursor: next < 100_000 ? String(next) : null },
      });
    });
    await page.route('**/history?**', (route) => route.fulfill({ json: { data: [], next_cursor: null } }));
    await signIn(page);
    await page.evaluate(`
      window.longest = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
      }).observe({ entryTypes: ['longtask'] });
    `);
    const frame = page.locator('.rows');
    await until(
      page,
      `(() => { const rows = document.querySelector('.rows'); rows.scrollTop = rows.scrollHeight;
        return document.querySelector('tr[data-index="99999"]') !== null; })()`,
      100_000,
    );
    assert.ok((await frame.locator('tr[data-index]').count()) < 60);
    const longest = Number(await page.evaluate('window.longest'));
    assert.ok(longest < 1_000, `the page stood still for ${longest} ms`);
    // An outside name is text, whatever it looks like.
    assert.equal(await page.evaluate('window.taken'), undefined);
    assert.match((await frame.locator('tr[data-index="99999"]').textContent()) ?? '', /<img src=x onerror=/);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });
});

function pages(): readonly (readonly [string, string])[] {
  const id = encodeURIComponent(asset);
  return [
    ['assets', 'assets'],
    ['asset', `asset/${id}`],
    ...['history', 'holders', 'pools', 'market'].map((tab) => [`asset-${tab}`, `asset/${id}?tab=${tab}`] as const),
    ['job', `job/${job}`],
    ['compare', 'compare?assets=TIDE,HIVC'],
    ...['score', 'watchlist', 'alerts', 'webhooks', 'exports', 'methodology', 'track-record', 'status', 'keys'].map(
      (name) => [name, name] as const,
    ),
  ];
}

/** A page of its own, and everything it complains about. */
async function open(
  width: number,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A snapshot that is not there yet is a 404 by design, shown in words.
    if (message.type() === 'error' && !/snapshot|liquidity\/pools/.test(message.location().url))
      complaints.push(`${page.url()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(world.service.url)) complaints.push(`asked outside: ${request.url()}`);
  });
  await page.goto(`${world.service.url}/`);
  return { page, complaints };
}

async function signIn(page: Page): Promise<void> {
  await page.locator('#key').fill(world.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.rows tr[data-index]').first().waitFor();
}

async function score(page: Page, example: RegExp): Promise<void> {
  await page.goto(`${world.service.url}/#/score`);
  await page.getByRole('button', { name: example }).click();
  await page.getByRole('button', { name: 'Score it' }).click();
}

/** The page that the address names is drawn, and everything it reads has come. */
async function settled(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await until(page, "document.querySelector('h1') !== null && document.querySelector('.waiting') === null");
}

/** Asked by evaluation: the page's own policy forbids what waitForFunction does. */
async function until(page: Page, expression: string, longestMs = 10_000): Promise<void> {
  const end = performance.now() + longestMs;
  while ((await page.evaluate(expression)) !== true) {
    assert.ok(performance.now() < end, `${page.url()}: waited too long for ${expression}`);
    await page.waitForTimeout(20);
  }
}

async function axe(page: Page): Promise<readonly string[]> {
  // By the debugger's way in: the page's own policy lets no script in.
  if (!(await page.evaluate("'axe' in window"))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axeCore.source });
    await session.detach();
  }
  const found = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  );
  return found as readonly string[];
}

function rowsFrom(first: number, count: number): readonly object[] {
  return Array.from({ length: count }, (_, offset) => ({
    asset: {
      id: `eip155:1/erc20:${first + offset}`,
      chain: 'ethereum',
      address: String(first + offset),
      symbol: `A${first + offset}`,
      name: '<img src=x onerror="window.taken=1">',
      category: 'memecoin',
      website: 'javascript:alert(1)',
    },
    band: 'BB',
    score: 60,
    trust_score: 70,
    risk_flags: [],
    watch: null,
    vfr: { value: null, zone: 'INDETERMINATE', interval: null },
    as_of: '2026-11-21T00:00:00.000Z',
  }));
}
