import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { keepShot, launchBrowser, noBrowser, openPage, settled, signIn } from './support/browser.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
let browser: Browser;
/** Ids by the names of the sandbox. */
const ids = new Map<string, string>();

describe('what stands where, and is not cut', { skip: noBrowser }, () => {
  before(async () => {
    browser = await launchBrowser();
    world = await testService();
    for (const name of ['tidewell', 'hivecoin', 'plainsong-dollar', 'lindenmere-euro']) {
      const one = world.sandbox.world.assets.find(({ slug }) => slug === name) ?? assert.fail(name);
      const named = { project: one.name, project_url: one.url, token_address: one.address, blockchain: one.chain };
      const reply = await world.call('/v1/score', { json: { type: 'posttge', ...named } });
      assert.equal(reply.status, 200);
      ids.set(name, ((await reply.json()) as { asset: { id: string } }).asset.id);
    }
  });
  after(async () => {
    await browser?.close();
    await world?.close();
  });

  test('four assets on a phone: no value runs into the next one, and the factors keep their whole names', async () => {
    const { page, complaints } = await opened(390, `compare?assets=${[...ids.values()].map(encodeURIComponent)}`);
    await page.locator('.facts-panel td').first().waitFor();
    const cut = await page.evaluate(`[...document.querySelectorAll('.facts-panel td')].filter(
      (cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)`);
    assert.deepEqual(cut, []);
    const names = chart(page, 'Factors').locator('text');
    await chart(page, 'Factors').scrollIntoViewIfNeeded();
    await names.first().waitFor();
    await keepShot(page, 'layout-compare-390-light');
    assert.deepEqual(await touching(page, 'Factors'), []);
    assert.equal(await names.filter({ hasText: /^Governance and transparency$/ }).count(), 1);
    await chart(page, 'Value against score').scrollIntoViewIfNeeded();
    await chart(page, 'Value against score').getByText('EURL', { exact: true }).first().waitFor();
    assert.deepEqual(await touching(page, 'Value against score'), []);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('the heads of the sources stay on one line of a phone, as their rows', async () => {
    const { page } = await opened(390, '');
    const heights = await page.evaluate(
      "[...document.querySelectorAll('.source-rows li')].map((row) => [...row.children].filter((cell) => cell.offsetHeight > 0).map((cell) => cell.offsetTop))",
    );
    for (const tops of (heights as number[][]).slice(0, 1))
      assert.equal(Math.max(...tops) - Math.min(...tops) < 8, true, String(tops));
    await page.context().close();
  });

  test('the names of settings are whole on a phone; beside the form the newest ratings are listed', async () => {
    const { page } = await opened(390, 'setup');
    await page.locator('.panel:has(h2:text-is("Keys that would add something")) td code').first().waitFor();
    const beyond = await page.evaluate(
      "[...document.querySelectorAll('.rows')].filter((one) => one.scrollWidth > one.clientWidth + 1).length",
    );
    assert.equal(beyond, 0);
    await page.goto(`${world.service.url}/#/score`);
    const last = page.locator('.panel:has(h2:text-is("Rated last"))');
    await last.getByText('Lindenmere Euro').waitFor();
    assert.equal(await last.locator('tbody tr').count(), ids.size);
    await page.context().close();
  });

  test('amounts of money have two decimals, so that they stand below each other', async () => {
    const { page } = await opened(1440, 'assets');
    const amounts = page.locator('.rows.tall td.r', { hasText: /^\$/ });
    // The rows come one request after the page.
    await amounts.nth(1).waitFor();
    const caps = await amounts.allTextContents();
    assert.ok(caps.length >= 2, String(caps));
    for (const cap of caps) assert.match(cap, /^\$\d+\.\d\d[KMBT]$/);
    await page.context().close();
  });

  test('the matrix begins with what most sources state, in each of its groups', async () => {
    const { page } = await opened(1440, `asset/${encodeURIComponent(ids.get('tidewell') ?? '')}?tab=sources`);
    const rows = page.locator('.matrix tbody tr');
    await rows.first().waitFor();
    assert.match((await rows.first().locator('th').textContent()) ?? '', /^MarketPrice$/);
    const stated: number[] = [];
    for (const row of await rows.all()) {
      if (((await row.getAttribute('class')) ?? '') !== '' && stated.length > 0) break;
      stated.push(Number((await row.locator('td').nth(1).textContent())?.split('/')[1]));
    }
    assert.deepEqual(
      stated,
      stated.toSorted((a, b) => b - a),
    );
    await page.context().close();
  });

  test('what stands in the way of the next band is named by its flag', async () => {
    const { page } = await opened(1440, `asset/${encodeURIComponent(ids.get('hivecoin') ?? '')}`);
    await page.locator('.levers .obstacle', { hasText: 'Cannot be sold ends' }).waitFor();
    await page.context().close();
  });
});

async function opened(width: number, hash: string): Promise<{ page: Page; complaints: string[] }> {
  const { page, complaints } = await openPage(browser, world, width);
  await signIn(page, world.key);
  await page.goto(`${world.service.url}/#/${hash}`);
  await settled(page);
  return { page, complaints };
}

const chart = (page: Page, title: string) => page.locator(`.panel:has(h2:text-is("${title}")) .chart`);

/** Texts of a chart that another one touches, or that its panel cuts. */
function touching(page: Page, title: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const panel = [...document.querySelectorAll('.panel')].find((one) => one.querySelector('h2').textContent === '${title}');
    const box = panel.getBoundingClientRect();
    const all = [...panel.querySelectorAll('svg text')].map((one) => ({ name: one.textContent, at: one.getBoundingClientRect() }));
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
    return all.filter(({ name, at }) => at.left < box.left || at.right > box.right ||
      all.some((other) => other.name !== name && meet(at, other.at))).map(({ name }) => name);
  })()`);
}
