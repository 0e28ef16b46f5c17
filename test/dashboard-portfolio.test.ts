import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Download, Locator, Page } from 'playwright-core';
import { axe, keepShot, launchBrowser, noBrowser, openPage, settled, signIn, until } from './support/browser.ts';
import { type TestService, testService } from './support/service.ts';

const LOOKS = [390, 768, 1280, 1920].flatMap((width) => [[width, 'light'] as const, [width, 'dark'] as const]);
/** Three positions; nobody lists the second, which is named by its id. */
let list = '';

let world: TestService;
let browser: Browser;
/** An address of Solana that holds one of the rated tokens. */
let holder: string;

async function open(page: Page, hash: string): Promise<void> {
  await page.goto(`${world.service.url}/#/${hash}`);
  await settled(page);
}

/** Fills the list and waits for the answer. */
async function check(page: Page, given = list): Promise<void> {
  await page.getByLabel(/^CSV with a head/).fill(given);
  await page.getByRole('button', { name: 'Check the portfolio' }).click();
  await page.getByText('The answer is').waitFor();
  await settled(page);
}

const panel = (page: Page, title: string) =>
  page.locator('section.panel', { has: page.getByRole('heading', { name: title }) });
const textOf = async (file: Download) => new Response((await file.createReadStream()) as never).text();

/** Presses Tab until the part has the focus. */
async function tabTo(page: Page, part: Locator): Promise<void> {
  const hasFocus = async () => (await part.and(page.locator(':focus')).count()) === 1;
  for (let tabs = 0; !(await hasFocus()); tabs += 1) {
    assert.ok(tabs < 40, 'Tab reaches it');
    await page.keyboard.press('Tab');
  }
}

describe('a portfolio in the dashboard', { skip: noBrowser }, () => {
  before(async () => {
    browser = await launchBrowser();
    world = await testService();
    for (const slug of ['tidewell', 'hivecoin']) {
      const one = world.sandbox.world.assets.find((each) => each.slug === slug);
      assert.ok(one, slug);
      const scored = await world.call('/v1/score', { json: { asset: `${one.chain}:${one.address}` } });
      assert.equal(scored.status, 200, await scored.text());
      const [first] = world.sandbox.world.holders(one, Date.now());
      if (slug === 'hivecoin') list = `asset,value_usd\nTIDE,50000\n${one.chain}:${one.address},9000\nNOSUCH,1000\n`;
      if (slug === 'tidewell') holder = first?.owner ?? '';
    }
    assert.notEqual(holder, '');
  });
  after(async () => {
    await browser?.close();
    await world?.close();
  });

  test('a list is judged by position and as a whole, shows joint failures and missing facts, and is saved', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, world.key);
    await open(page, 'portfolio?preset=treasury&seed=7&runs=500');
    await check(page);
    const json = { csv: list, preset: 'treasury', simulation: { seed: 7, runs: 500 } };
    const asked = (await (await world.call('/v1/policy/portfolio', { json })).json()) as {
      readonly outcome: string;
      readonly positions: readonly { readonly fired: readonly { readonly detail: string }[] }[];
      readonly breaks_together: readonly object[];
      readonly simulation: object;
    };
    await page.getByText(`The answer is ${asked.outcome}`).waitFor();
    const rows = panel(page, 'Positions').locator('tbody tr');
    assert.equal(await rows.count(), 3);
    for (const [index, { fired }] of asked.positions.entries()) {
      const shown = (await rows.nth(index).textContent()) ?? '';
      assert.ok(fired.length > 0, 'a treasury has something to say of each');
      // A rating's age is counted to a tenth of an hour: it may turn between the two.
      for (const { detail } of fired)
        if (!/hours/.test(detail)) assert.ok(shown.includes(detail), `${detail}: ${shown}`);
    }
    await rows.nth(2).getByRole('link', { name: 'Have it rated' }).waitFor();
    const broken = panel(page, 'What fails together').locator('tbody tr');
    assert.equal(await broken.count(), asked.breaks_together.length);
    await panel(page, 'A simulated year').getByText('500 runs, seed 7').waitFor();
    const unknown = (await panel(page, 'What is not known').textContent()) ?? '';
    assert.match(unknown, /NOSUCH: There is no rating under this name\..*1\.7 % of the value has no band\./s);

    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      panel(page, 'Positions').getByRole('button', { name: 'Export 3 rows' }).click(),
    ]);
    const lines = (await textOf(csv)).trim().split('\r\n');
    assert.equal(lines.length, 4);
    assert.match(lines[3] ?? '', /^NOSUCH,block,NR,/);
    const [whole] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the whole answer' }).click(),
    ]);
    const saved = JSON.parse(await textOf(whole)) as typeof asked;
    assert.deepEqual(saved.simulation, asked.simulation, 'the same seed gives the same figures');
    assert.equal(saved.positions.length, 3);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('holdings of an address are read; neither the address nor a list is in the link or in the browser’s storage', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, world.key);
    await open(page, 'portfolio');
    await page.getByLabel('What an address holds').check();
    await page.getByLabel('Address', { exact: true }).fill(holder);
    // The choice goes through the address of the page, so it is drawn a moment later.
    await page.getByLabel('Solana', { exact: true }).click();
    await until(page, "location.hash.includes('chains=solana')");
    await page.getByLabel('Rules of').selectOption('agent');
    await page.getByRole('button', { name: 'Check the portfolio' }).click();
    await page.getByText('The answer is').waitFor();
    await settled(page);
    await panel(page, 'Positions').getByRole('link', { name: 'TIDE' }).waitFor();
    await panel(page, 'What is not known').getByText('Assets in pools, stakes, lending').waitFor();
    assert.deepEqual([...new URLSearchParams(page.url().split('?')[1])].sort(), [
      ['by', 'address'],
      ['chains', 'solana'],
      ['preset', 'agent'],
    ]);
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])');
    assert.ok(!String(kept).includes(holder), String(kept));
    await page.reload();
    await settled(page);
    assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), '', 'a link brings no positions');
    assert.ok(await page.getByLabel('Solana', { exact: true }).isChecked());
    assert.equal(await page.getByLabel('Rules of').inputValue(), 'agent');
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('an older reply never replaces a failed one: a refused list, an unreadable chain, a changed form', async () => {
    const { page } = await openPage(browser, world, 1440);
    await signIn(page, world.key);
    await open(page, 'portfolio');
    await page.getByText('Give positions, or an address').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Check the portfolio' }).isDisabled());
    await check(page);
    assert.equal(await page.getByText('The form has changed since').count(), 0);
    await page.getByLabel('Rules of').selectOption('treasury');
    await page.getByText('The form has changed since').waitFor();
    await page.getByLabel(/^CSV with a head/).fill('asset,value_usd\nTIDE,"1,000"\n');
    await page.getByRole('button', { name: 'Check the portfolio' }).click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('expected a number such as 1250.50').waitFor();
    assert.equal(await page.getByText('The answer is').count(), 0);
    assert.equal(await refusal.getByRole('button', { name: 'Try again' }).count(), 0, 'it would be refused again');
    assert.deepEqual(await axe(page), []);
    await page.route('**/v1/policy/portfolio', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: {
          type: 'about:blank',
          title: 'The holdings of the address could not be read',
          status: 503,
          code: 'holdings_not_read',
          detail: 'solana: no node answered',
        },
      }),
    );
    await page.getByRole('button', { name: 'Check the portfolio' }).click();
    await refusal.getByText('solana: no node answered').waitFor();
    assert.equal(await page.getByText('The answer is').count(), 0);
    await keepShot(page, 'portfolio-503-1440-light');
    await page.unroute('**/v1/policy/portfolio');
    await page.getByLabel(/^CSV with a head/).fill(list);
    await page.getByRole('button', { name: 'Check the portfolio' }).click();
    await page.getByText('The answer is').waitFor();
    await page.context().close();
  });

  test('it is found by Ctrl-K and operated by keyboard alone', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, world.key);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Name, symbol, address, page').fill('treasury');
    await page.getByRole('option', { name: 'Portfolio' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Portfolio', level: 1 }).waitFor();
    const text = page.getByLabel(/^CSV with a head/);
    await tabTo(page, text);
    await page.keyboard.type('asset,value_usd\nTIDE,50000');
    const send = page.getByRole('button', { name: 'Check the portfolio' });
    await tabTo(page, send);
    await page.keyboard.press('Enter');
    await page.getByText('The answer is').waitFor();
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('foreign names are shown as text, and a position without a row in the table is reported apart', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, world.key);
    await open(page, 'portfolio');
    await check(page, 'asset,value_usd\n<img src=x onerror=alert(1)>,1\n=HYPERLINK(1),2\nTIDE,3\nTIDE,4\n');
    const rows = panel(page, 'Positions').locator('tbody tr');
    assert.equal(await rows.count(), 4);
    assert.equal(await page.locator('main img').count(), 0);
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      panel(page, 'Positions').getByRole('button', { name: 'Export 4 rows' }).click(),
    ]);
    assert.match(await textOf(csv), /\r\n'=HYPERLINK\(1\),/);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  for (const [width, scheme] of LOOKS)
    test(`the page at ${width} px, ${scheme}: no finding of axe, no horizontal scrolling`, async () => {
      const { page, complaints } = await openPage(browser, world, width, scheme);
      await signIn(page, world.key);
      for (const [name, hash] of [
        ['portfolio', 'portfolio?preset=treasury'],
        ['portfolio-address', 'portfolio?by=address'],
      ] as const) {
        await open(page, hash);
        if (name === 'portfolio') await check(page);
        await keepShot(page, `${name}-${width}-${scheme}`);
        assert.equal(await page.locator('h1').count(), 1);
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok(Number(beyond) <= 0, `${name} scrolls sideways by ${beyond} px at ${width}`);
        assert.deepEqual(await axe(page), [], `${name} at ${width}`);
      }
      await page.context().close();
      assert.deepEqual(complaints, []);
    });
});
