import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { axe, keepShot, launchBrowser, noBrowser, openPage, settled, signIn, until } from './support/browser.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
let browser: Browser;
/** Id of Gonedoor, which no registry of tokens lists, so that its symbol does not name it. */
let drained: string;
const isRating = ({ pathname }: URL) => decodeURIComponent(pathname) === `/v1/rms/${drained}`;

describe('what is on one screen, and what is set on an asset', { skip: noBrowser }, () => {
  before(async () => {
    browser = await launchBrowser();
    world = await testService();
    for (const asset of ['tidewell.example', 'gonedoor.example']) {
      const reply = await world.call('/v1/score', { json: { asset } });
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

  test('an asset in default with five severe flags fits one screen of 900 px, with all five explained', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await page.route(isRating, async (route) => {
      const rating = (await (await route.fetch()).json()) as { risk_flags: { severity: string }[] };
      const severe = rating.risk_flags.filter(({ severity }) => severity === 'critical' || severity === 'high');
      const others = rating.risk_flags.filter((flag) => !severe.includes(flag));
      const five = Array.from({ length: 5 }, (_, at) => ({ ...severe[at % severe.length], code: `SEVERE_${at}` }));
      return route.fulfill({ json: { ...rating, risk_flags: [...five, ...others] } });
    });
    await signIn(page, world.key);
    for (const [name, severe] of [
      ['TIDE', 0],
      ['GDOR', 5],
    ] as const) {
      await page.goto(`${world.service.url}/#/asset/${encodeURIComponent(name === 'GDOR' ? drained : name)}`);
      await settled(page);
      await page.locator('.row.third .rows td').first().waitFor();
      assert.equal((await page.locator('.flag-banner li:has(.flag-facts)').count()) >= severe, true, name);
      await keepShot(page, `one-screen-${name}-1440-light`);
      assert.ok((await height(page)) <= 900, `${name}: ${await height(page)} px`);
      await keepShot(page, `one-screen-${name}-1440-light`);
    }
    const cut = await page.evaluate(
      "[...document.querySelectorAll('.address')].some((one) => one.offsetWidth > 0 && one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right + 1)",
    );
    assert.equal(cut, false, 'an address of a holder is cut');
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('default tests with severe flags and their sources fit one screen of 900 px too', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await page.route(isRating, async (route) => {
      const rating = (await (await route.fetch()).json()) as {
        readonly default: object;
        readonly risk_flags: readonly { readonly severity: string }[];
        readonly as_of: string;
      };
      const severe = rating.risk_flags.filter(({ severity }) => severity === 'critical' || severity === 'high');
      const risk_flags = Array.from({ length: 6 }, (_, at) => ({
        ...severe[at % severe.length],
        code: `SEVERE_${at}`,
      }));
      const detail = 'trading has ended on the largest venue, and depth at 2 % is below 100 USD';
      const tests = ['D1', 'D2', 'D3', 'D4'].map((code) => ({ code, detail, since: rating.as_of }));
      return route.fulfill({ json: { ...rating, risk_flags, default: { ...rating.default, tests } } });
    });
    await signIn(page, world.key);
    for (const [hash, drawn] of [
      ['asset/GDOR', '.row.third .rows td'],
      ['asset/GDOR?tab=sources', '.matrix td'],
      ['asset/TIDE?tab=sources', '.matrix td'],
    ] as const) {
      await page.goto(`${world.service.url}/#/${hash.replace('GDOR', encodeURIComponent(drained))}`);
      await settled(page);
      await page.locator(drawn).first().waitFor();
      if (hash.includes('GDOR')) assert.equal(await page.locator('.flag-banner li:has(.flag-facts)').count(), 10);
      assert.ok((await height(page)) <= 900, `${hash}: ${await height(page)} px`);
      assert.deepEqual(await axe(page), [], hash);
      await keepShot(page, `one-screen-${hash.replace(/\W+/g, '-')}-1440-light`);
    }
    const cut = await page.evaluate(
      "[...document.querySelectorAll('.matrix-frame')].some((one) => one.clientHeight < 300 || one.scrollHeight <= one.clientHeight)",
    );
    assert.equal(cut, false, 'the matrix has room, and scrolls in its frame');
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('the overview is one screen of 900 px however many classes and troubles there are', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await page.route('**/v1/overview', async (route) => {
      const reply = (await (await route.fetch()).json()) as Overview;
      const [asset] = reply.severe_flags.newest;
      const named = (at: number) => ({
        id: `solana:x/token:${at}`,
        symbol: `S${at}`,
        name: `Asset ${at}`,
        class: null,
      });
      const many = <Row>(length: number, of: (at: number) => Row) => Array.from({ length }, (_, at) => of(at));
      return route.fulfill({
        json: {
          ...reply,
          movers_7d: many(12, (at) => ({
            asset: named(at),
            band: 'B',
            band_before: 'BB',
            change: -at,
            reason: 'Fundamentals: 35.9 to 34.1 of 100, and market quality',
            as_of: reply.as_of,
          })),
          severe_flags: { ...reply.severe_flags, newest: many(12, (at) => ({ ...asset, asset: named(at) })) },
          classes: many(13, (at) => ({ ...reply.classes[0], class: `class_${at}` })),
          defaults: many(14, (at) => ({ asset: named(at), since: reply.as_of, detail: 'liquidity is gone' })),
        },
      });
    });
    await signIn(page, world.key);
    await settled(page);
    assert.equal(await page.locator('.defaults tr[data-index]').count(), 14);
    assert.ok((await height(page)) <= 900, `${await height(page)} px`);
    assert.deepEqual(await axe(page), []);
    await keepShot(page, 'overview-full-1440-light');
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a drawer that is opened by keyboard takes the focus, and Escape gives it back', async () => {
    const { page } = await openPage(browser, world, 1440);
    await signIn(page, world.key);
    await page.goto(`${world.service.url}/#/asset/TIDE`);
    await settled(page);
    for (const opener of [
      page.locator('.factor-name .receipted').first(),
      page.getByRole('button', { name: 'Thresholds' }),
    ]) {
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await until(page, "document.activeElement.closest('[role=dialog]') !== null");
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await until(page, 'document.activeElement !== document.body');
      assert.equal(await opener.evaluate((one) => one === one.ownerDocument.activeElement), true);
    }
    await page.context().close();
  });

  test('mutes made from a message are listed on the page of webhooks, and end there', async () => {
    const made = await world.call('/v1/webhooks', { json: { url: 'https://hooks.example.com/assay' } });
    const { id } = (await made.json()) as { readonly id: string };
    const muted = await world.call(`/v1/webhooks/${id}/mutes`, { json: { kind: 'score_change', days: 7 } });
    assert.equal(muted.status, 201);
    const { page, complaints } = await openPage(browser, world, 390);
    await signIn(page, world.key);
    await page.goto(`${world.service.url}/#/webhooks?of=${id}`);
    await page.getByText(/Score change until .* UTC/).waitFor();
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0);
    assert.deepEqual(await axe(page), []);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText(/Score change until/).waitFor({ state: 'detached' });
    const left = (await (await world.call(`/v1/webhooks/${id}/mutes`)).json()) as { readonly data: readonly object[] };
    assert.deepEqual(left.data, []);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  for (const width of [390, 1440])
    test(`thresholds are set on an asset’s page and removed, at ${width} px`, async () => {
      const { page } = await openPage(browser, world, width);
      await signIn(page, world.key);
      await page.goto(`${world.service.url}/#/asset/TIDE`);
      await page.getByRole('button', { name: 'Thresholds' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByText('None is set').waitFor();
      await drawer.getByLabel('Value, USD').fill('0.01');
      await drawer.getByLabel('Severity of the alert').selectOption('high');
      await drawer.getByRole('button', { name: 'Add' }).click();
      await drawer.getByText('Price is below $0.01000').waitFor();
      await drawer.getByLabel('Tell me when').selectOption('liquidity_usd');
      await drawer.getByLabel('Condition').selectOption('falls');
      await drawer.getByLabel('Value, %').fill('20');
      await drawer.getByRole('button', { name: 'Add' }).click();
      await drawer.getByText('Liquidity falls by 20.0 % within 60 min').waitFor();
      assert.deepEqual(await axe(page), []);
      await keepShot(page, `thresholds-${width}-light`, false);
      assert.deepEqual(
        (await kept()).map(({ figure, severity, window_seconds: window }) => [figure, severity, window]),
        [
          ['price_usd', 'high', null],
          ['liquidity_usd', 'medium', 3600],
        ],
      );
      await drawer.getByRole('button', { name: 'Remove: Price is below $0.01000' }).click();
      await drawer.getByText('Price is below').waitFor({ state: 'detached' });
      assert.deepEqual(
        (await kept()).map(({ figure }) => figure),
        ['liquidity_usd'],
      );
      await drawer.getByRole('button', { name: /Remove: Liquidity/ }).click();
      await drawer.getByText('None is set').waitFor();
      assert.deepEqual(await kept(), []);
      await page.context().close();
    });

  test('a removed column leaves the chosen ones unchanged; if it was the only one, all have their default', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, world.key);
    const heads = async () => {
      await page.reload();
      await page.goto(`${world.service.url}/#/assets`);
      await settled(page);
      return page.locator('.rows.tall th').allTextContents();
    };
    const usual = await heads();
    assert.ok(usual.includes('Trust') && usual.includes('Market cap'));
    const keep = (value: unknown) =>
      page.evaluate(`localStorage.setItem('assay-columns Rated assets', ${JSON.stringify(JSON.stringify(value))})`);
    await keep({ old_name: true, trust: false });
    assert.deepEqual(
      await heads(),
      usual.filter((title) => title !== 'Trust'),
    );
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByLabel('Market cap').uncheck();
    await until(page, "!localStorage.getItem('assay-columns Rated assets').includes('old_name')");
    const stored = JSON.parse(String(await page.evaluate("localStorage.getItem('assay-columns Rated assets')")));
    assert.equal(stored.trust, false, 'what was chosen is still kept');
    await keep(Object.fromEntries([['old_name', true], ...Object.keys(stored).map((id) => [id, false])]));
    assert.deepEqual(await heads(), usual);
    await keep(null);
    assert.deepEqual(await heads(), usual);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });
});

interface Overview {
  readonly as_of: string;
  readonly severe_flags: { readonly newest: readonly object[] };
  readonly classes: readonly object[];
}

async function height(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollHeight'));
}

/** The thresholds on Tidewell, as the service keeps them; none when there are none. */
async function kept() {
  const tide = world.sandbox.world.assets.find(({ slug }) => slug === 'tidewell');
  const reply = await world.call(`/v1/${tide?.chain}/thresholds/${tide?.address}`);
  const body = (await reply.json()) as {
    readonly thresholds?: readonly { figure: string; severity: string; window_seconds: number | null }[];
  };
  assert.ok(reply.status === 200 || reply.status === 404, JSON.stringify(body));
  return body.thresholds ?? [];
}
