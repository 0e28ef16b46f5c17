import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { keepShot, launchBrowser, noBrowser, openPage, settled, signIn, until } from './support/browser.ts';
import { type TestService, testService } from './support/service.ts';

const RATED = [
  ['Tidewell', 'https://tidewell.example/'],
  ['Gonedoor', 'https://gonedoor.example/'],
] as const;
/** An outside text that would be taken for a part of the page. */
const HOSTILE = '<img src=x onerror="window.taken=1">';

let world: TestService;
let browser: Browser;
/** Id of Gonedoor, which no registry of tokens lists, so that its symbol does not name it. */
let drained: string;
const isRating = ({ pathname }: URL) => decodeURIComponent(pathname) === `/v1/rms/${drained}`;

describe('the dashboard in use', { skip: noBrowser }, () => {
  before(async () => {
    browser = await launchBrowser();
    world = await testService();
    for (const [project, project_url] of RATED) {
      const reply = await world.call('/v1/score', { json: { type: 'posttge', project, project_url } });
      assert.equal(reply.status, 200);
      await reply.text();
    }
    const found = await world.call('/v1/rms?search=gonedoor');
    drained = ((await found.json()) as { data: { asset: { id: string } }[] }).data[0]?.asset.id ?? assert.fail();
  });
  after(async () => {
    await browser?.close();
    await world?.close();
  });

  test('signing in, finding an asset and opening its receipts takes only a keyboard', async () => {
    const { page, complaints } = await openPage(browser, world, 1024);
    await page.locator('#key').focus();
    await page.keyboard.type('ak_live_wrong_key_of_nobody');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    // The refusal of a wrong key is the one failed request that is meant.
    complaints.length = 0;
    await page.locator('#key').fill(world.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Name, symbol, address, page').fill('assets');
    await page.getByRole('option', { name: 'Assets' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Assets' }).waitFor();
    await page.locator('.rows tr[data-index]').first().waitFor();
    await page.locator('.rows').focus();
    await page.keyboard.press('j');
    await until(page, "document.activeElement?.getAttribute('data-index') === '0'");
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Compare 1' }).waitFor();
    await page.keyboard.press('Enter');
    const decider = page.locator('.decides .receipted').first();
    await decider.waitFor();
    await decider.focus();
    await page.keyboard.press('Enter');
    await page.locator('.receipt-list li').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.receipt-list').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Sources' }).focus();
    await page.keyboard.press('Enter');
    const cell = page.locator('.matrix [data-at][tabindex="0"]');
    await cell.waitFor();
    assert.equal(await cell.count(), 1, 'one cell of the matrix is in the order of the tabulator');
    const opened = () => page.locator('.cell-opened').textContent();
    const before = await opened();
    await cell.focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    assert.notEqual(await opened(), before);
    assert.match((await opened()) ?? '', /Evidence[0-9a-f]{4}…[0-9a-f]{4}/);
    assert.equal(await page.evaluate('localStorage.getItem("assay-key")'), null);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('the first page with all it loads stays under 150 kB in brotli', async () => {
    const { page } = await openPage(browser, world, 1440);
    const paths = new Set(['/']);
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(assets\/|icon)/.test(pathname)) paths.add(pathname);
    });
    await page.reload();
    await signIn(page, world.key);
    await settled(page);
    await page.context().close();
    const sizes = new Map<string, number>();
    for (const path of paths) {
      const reply = await world.call(path, { key: null, headers: { 'accept-encoding': 'br' } });
      assert.equal(reply.headers.get('content-encoding'), 'br', path);
      sizes.set(path, Number(reply.headers.get('content-length')));
      await reply.arrayBuffer();
    }
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    assert.ok(sizes.size > 5 && bytes > 50_000, 'the files were seen');
    assert.ok(bytes < 150_000, `${bytes} bytes: ${JSON.stringify([...sizes])}`);
  });

  test('a view of several bands, and assets chosen for a comparison, are in the address', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, world.key);
    await page.goto(`${world.service.url}/#/assets`);
    await settled(page);
    await page.getByRole('button', { name: 'CCC and worse' }).click();
    await until(page, "location.hash.includes('band=CCC,CC,C,D')");
    await page.goto(`${world.service.url}/#/assets`);
    await settled(page);
    for (const row of [1, 2]) await page.getByLabel(`Select row ${row}`, { exact: true }).check();
    await page.getByRole('button', { name: 'Compare 2' }).click();
    await until(page, '/compare[?]assets=[^,]+,.+/.test(location.hash)');
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('ages follow the clock of the service, which may be days off the clock of the browser', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await page.clock.setFixedTime(Date.now() + 40 * 86_400_000);
    await signIn(page, world.key);
    await page.goto(`${world.service.url}/#/assets`);
    await settled(page);
    assert.match((await page.locator('tr[data-index="0"] .c-as_of').textContent()) ?? '', /^\d+ (s|min)$/);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a pending snapshot shows its place in the queue at once, instead of a snapshot', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, world.key);
    const detail = 'The asset is indexed; its first holders snapshot is number 7 in the queue.';
    await page.route('**/holders/snapshot', (route) =>
      route.fulfill({
        status: 202,
        headers: { 'retry-after': '20' },
        json: { code: 'no_snapshot_yet', title: 'There is no snapshot yet', status: 202, detail, place_in_queue: 7 },
      }),
    );
    await page.goto(`${world.service.url}/#/asset/TIDE`);
    await page.getByText(detail).waitFor({ timeout: 10_000 });
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a project is scored while the progress of its sources is shown', async () => {
    const { page, complaints } = await openPage(browser, world, 1024);
    await signIn(page, world.key);
    world.sandbox.faults.add({ source: 'coingecko', kind: 'latency', ms: 1_500 });
    await score(page, /Hivecoin/);
    await page.locator('.lanes li').first().waitFor();
    await keepShot(page, 'progress-1024-light');
    await page.getByText('Rating of this moment').waitFor();
    assert.equal(await page.locator('.verdict-top .band').textContent(), 'C');
    world.sandbox.faults.clear();
    await score(page, /Nowhere Protocol/);
    await page.getByText('The project could not be identified').waitFor();
    await page.getByRole('heading', { name: 'What was tried' }).waitFor();
    await page.getByRole('button', { name: 'Try once more' }).waitFor();
    await page.context().close();
    // The refusal of the second one is meant; where it comes before the page has moved to the job, it is a reply of the form.
    assert.deepEqual(
      complaints.filter((text) => !/status of 422 .*\/v1\/score$/.test(text)),
      [],
    );
  });

  test('an alert comes in while the page is open, and is acknowledged there', async () => {
    const { page, complaints } = await openPage(browser, world, 1024);
    await signIn(page, world.key);
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
    await keepShot(page, 'alert-1024-light');
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

  test('a search asks the service for matching prefixes, and states when there are none', async () => {
    const { page, complaints } = await openPage(browser, world, 1024);
    await signIn(page, world.key);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/v1/rms' && searchParams.has('search')) asked.push(searchParams.get('search') ?? '');
    });
    await page.goto(`${world.service.url}/#/assets`);
    await page.locator('.rows tr[data-index]').first().waitFor();
    await settled(page);
    await page.keyboard.press('/');
    await until(page, `document.activeElement?.id === 'search'`);
    await page.keyboard.type('goned');
    const shown = page.getByRole('status');
    for (let tries = 0; (await shown.textContent()) !== '1 asset' && tries < 100; tries += 1) await setTimeout(100);
    assert.equal(await shown.textContent(), '1 asset');
    assert.match((await page.locator('tr[data-index="0"]').textContent()) ?? '', /GDOR/);
    assert.deepEqual(asked, ['goned'], 'asked once the typing has stopped');
    await page.locator('#search').fill(HOSTILE);
    await page.getByText(`begins with “${HOSTILE}”`).waitFor();
    assert.equal(await page.evaluate('window.taken'), undefined);
    await page.locator('#search').fill('');
    await page.getByText(/^[23] assets$/).waitFor();
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a drained pool: the search shows its progress, then the recipients; an address is copied by keyboard', async () => {
    const { page, complaints } = await openPage(browser, world, 1024);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, world.key);
    let first = true;
    await page.route('**/forensics', async (route) => {
      if (!first) return route.fulfill({ response: await route.fetch() });
      first = false;
      return route.fulfill({
        status: 202,
        json: { state: 'searching', started_at: '', detail: '', data_mode: 'sandbox' },
      });
    });
    await page.goto(`${world.service.url}/#/asset/${encodeURIComponent(drained)}?tab=forensics`);
    await page.getByText('so far; usually under half a minute').waitFor();
    await keepShot(page, 'searching-1024-light');
    await page.getByRole('heading', { name: 'Drained by wallets tied to the creator' }).waitFor({ timeout: 20_000 });
    const creator = world.sandbox.world.assets.find(({ slug }) => slug === 'gonedoor')?.creator;
    await page.locator('.forensics .address').first().focus();
    await page.keyboard.press('Enter');
    await page.getByText(', address copied').waitFor({ state: 'attached' });
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), creator);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('foreign texts in a search are shown as text; a search that must wait says so', async () => {
    const { page, complaints } = await openPage(browser, world, 390);
    await signIn(page, world.key);
    await page.route('**/forensics', async (route) => {
      const reply = await route.fetch();
      const found = (await reply.json()) as Record<string, unknown> & { events?: { actor_labels: object[] }[] };
      if (!found.events) return route.fulfill({ response: reply });
      const label = { kind: HOSTILE, name: HOSTILE, source: HOSTILE, confidence: 1 };
      const events = found.events.map((event) => ({ ...event, dex: HOSTILE, actor_labels: [label] }));
      return route.fulfill({ json: { ...found, summary: HOSTILE, limits: [{ code: 'x', detail: HOSTILE }], events } });
    });
    const endless = 'W'.repeat(180) + HOSTILE;
    await page.route(isRating, async (route) => {
      const rating = (await (await route.fetch()).json()) as { asset: object };
      return route.fulfill({
        json: { ...rating, asset: { ...rating.asset, name: endless, symbol: endless, website: endless } },
      });
    });
    await page.goto(`${world.service.url}/#/asset/${encodeURIComponent(drained)}?tab=forensics`);
    await page.getByRole('heading', { name: 'What this search cannot see' }).waitFor({ timeout: 20_000 });
    assert.ok((await page.getByText(HOSTILE).count()) >= 5);
    assert.equal(await page.evaluate('window.taken'), undefined);
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok(Number(beyond) <= 0, `a long name pushes the page ${beyond} px aside`);
    await keepShot(page, 'hostile-390-light');
    await page.route('**/clusters', (route) =>
      route.fulfill({
        status: 503,
        json: { code: 'searches_busy', title: 'Other searches are running', detail: 'Ask again in 10 seconds.' },
      }),
    );
    await page.getByRole('tab', { name: 'Wallet clusters' }).click();
    await page.getByText('Other searches are running').waitFor();
    await page.unroute('**/clusters');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: /of wallets$|No two of the largest holders/ }).waitFor({ timeout: 20_000 });
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a rating is disputed from its page by keyboard; the claim and its resolution stay readable', async () => {
    const { page, complaints } = await openPage(browser, world, 1024);
    await signIn(page, world.key);
    await page.goto(`${world.service.url}/#/asset/TIDE`);
    await page.getByRole('link', { name: 'Dispute', exact: true }).focus();
    await page.keyboard.press('Enter');
    const claim = page.getByLabel('What is wrong, and what shows it');
    await claim.focus();
    await page.keyboard.type(`The value locked is wrong: ${HOSTILE}`);
    await page.keyboard.press('Tab');
    await page.keyboard.type('desk@example.org');
    await page.keyboard.press('Enter');
    await page.getByText('Your dispute was received').waitFor();
    const list = page.locator('table', { hasText: 'Your disputes' });
    await list.getByText(HOSTILE).waitFor();
    assert.equal(await page.evaluate('window.taken'), undefined);
    const listed = (await (await world.call('/v1/disputes')).json()) as {
      data: { id: string; rating: object; contact: string }[];
    };
    assert.equal(listed.data.length, 1);
    assert.equal(listed.data[0]?.contact, 'desk@example.org');
    await world.call(`/v1/admin/disputes/${listed.data[0]?.id}/resolve`, {
      json: { state: 'rejected', resolution: 'The value is that of both sources.' },
    });
    await page.reload();
    await list.getByText('✕ rejected').waitFor();
    await list.getByText('The value is that of both sources.').waitFor();
    await page.getByLabel('Asset', { exact: true }).fill('NOSUCH');
    await page.getByLabel('What is wrong, and what shows it').fill('It is not there.');
    await page.getByRole('button', { name: 'Send the dispute' }).click();
    await page.getByRole('alert').getByText('not rated').first().waitFor();
    await page.context().close();
    // The refusal of the last one is meant.
    assert.deepEqual(
      complaints.filter((text) => !text.includes('/v1/disputes')),
      [],
    );
  });

  test('without a key the corrections are open to everybody, and nothing else is', async () => {
    const { page, complaints } = await openPage(browser, world, 390);
    await page.route('**/v1/restatements?**', (route) =>
      route.fulfill({
        json: {
          data: [
            {
              id: 2,
              subject: 'rating',
              date: null,
              revision: null,
              asset_id: 'eip155:1/erc20:0x1f9840a85d5af5bf1d1762f925bdaddc4201f984',
              made_at: '2026-11-20T10:00:00.000Z',
              reason: HOSTILE,
              detail: { before: { band: 'A', score: 75.1 }, after: { band: 'BB', score: 58 } },
            },
            {
              id: 1,
              subject: 'rms',
              date: '2026-11-19',
              revision: 2,
              asset_id: null,
              made_at: '2026-11-20T09:00:00.000Z',
              reason: 'a late reply',
              detail: { changed_rows: 3, before: 7 },
            },
          ],
          next_cursor: null,
          data_mode: 'sandbox',
        },
      }),
    );
    await page.goto(`${world.service.url}/#/disputes`);
    await page.getByText('A dispute needs an API key').waitFor();
    await page.getByText('75.1 →').waitFor();
    await page.getByText('3 rows').waitFor();
    assert.equal(await page.locator('form').count(), 0);
    assert.equal(await page.evaluate('window.taken'), undefined);
    await keepShot(page, 'corrections-390-light');
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a hundred thousand rows: few elements, no long task, the last one reached', { timeout: 120_000 }, async () => {
    const { page, complaints } = await openPage(browser, world, 1600);
    await page.route('**/v1/rms?**', (route) => {
      const cursor = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const next = cursor + 500;
      return route.fulfill({
        json: { data: rowsFrom(cursor, 500), next_cursor: next < 100_000 ? String(next) : null },
      });
    });
    await page.route('**/history?**', (route) => route.fulfill({ json: { data: [], next_cursor: null } }));
    await signIn(page, world.key);
    await page.goto(`${world.service.url}/#/assets`);
    await page.locator('.rows tr[data-index]').first().waitFor();
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

async function score(page: Page, example: RegExp): Promise<void> {
  await page.goto(`${world.service.url}/#/score`);
  await page.getByRole('button', { name: example }).click();
  await page.getByRole('button', { name: 'Score it' }).click();
}

function rowsFrom(first: number, count: number): readonly object[] {
  return Array.from({ length: count }, (_, offset) => ({
    asset: {
      id: `eip155:1/erc20:${first + offset}`,
      chain: 'ethereum',
      address: String(first + offset),
      symbol: `A${first + offset}`,
      name: HOSTILE,
      category: 'memecoin',
      website: 'javascript:alert(1)',
    },
    band: 'BB',
    score: 60,
    trust_score: 70,
    risk_flags: [],
    watch: null,
    vfr: { value: null, zone: 'INDETERMINATE', interval: null },
    market_cap_usd: null,
    score_interval: [55, 65],
    outlook: 'stable',
    gaps: [],
    previous: null,
    as_of: '2026-11-21T00:00:00.000Z',
  }));
}
