import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { axe, keepShot, launchBrowser, noBrowser, openPage, settled, signIn, until } from './support/browser.ts';
import { type TestService, testService } from './support/service.ts';

const LOOKS = [
  [390, 'light'],
  [390, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
] as const;

let world: TestService;
let browser: Browser;
/** What the owner of the account signs in with: everything but `admin`. */
let owner: string;
/** May read ratings, and nothing else. */
let reader: string;
/** The page of the bulk job that was sent. */
let bulkJob = 'bulk';

/** A key of the owner's account, made by the operator. */
async function keyOf(name: string, scopes: readonly string[], accountId: string | null) {
  const json = { name, scopes, plan: 'INTERNAL', account_id: accountId };
  const reply = await world.call('/v1/admin/keys', { json });
  const made = (await reply.json()) as { readonly secret: string; readonly account_id: string };
  assert.equal(reply.status, 201, JSON.stringify(made));
  return made;
}

const address = (slug: string) => {
  const found = world.sandbox.world.assets.find((each) => each.slug === slug);
  assert.ok(found, slug);
  return found;
};

async function open(page: Page, hash: string): Promise<void> {
  await page.goto(`${world.service.url}/#/${hash}`);
  await settled(page);
}

describe('what an account does for itself in the dashboard', { skip: noBrowser }, () => {
  before(async () => {
    browser = await launchBrowser();
    world = await testService();
    const made = await keyOf('owner', ['score', 'rms:read', 'rms:write', 'chain:read', 'account'], null);
    owner = made.secret;
    reader = (await keyOf('reader', ['rms:read'], made.account_id)).secret;
  });
  after(async () => {
    await browser?.close();
    await world?.close();
  });

  test('an owner makes a key with fewer scopes, replaces it and revokes it; the operator’s scopes are not offered', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, owner);
    await open(page, 'account?tab=keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel(/^admin/).count(), 0);
    assert.deepEqual(await axe(page), []);
    await dialog.getByLabel(/^Name/).fill('Reports of the desk');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    const secret = await page.locator('.secret').textContent();
    assert.match(secret ?? '', /^ak_/);
    const call = (path: string) => world.call(path, { key: secret });
    assert.equal((await call('/v1/rms?limit=1')).status, 200);
    assert.equal((await call('/v1/account/keys')).status, 403, 'it may read ratings alone');
    await page.getByRole('button', { name: 'I have kept it' }).click();

    await page.getByRole('button', { name: 'Replace the key Reports of the desk' }).click();
    await dialog.getByLabel('The old one ends').selectOption('0');
    await dialog.getByRole('button', { name: 'Replace it' }).click();
    const next = await page.locator('.secret').textContent();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    assert.equal((await call('/v1/rms?limit=1')).status, 401, 'the old one ended at once');
    assert.equal((await world.call('/v1/rms?limit=1', { key: next })).status, 200);

    const valid = page.getByRole('row', { name: /Reports of the desk.*● valid/ });
    const revoke = valid.getByRole('button', { name: 'Revoke the key Reports of the desk' });
    await revoke.click();
    await valid.getByRole('button', { name: 'Really? Revoke the key Reports of the desk' }).click();
    await revoke.waitFor({ state: 'detached' });
    assert.equal((await world.call('/v1/rms?limit=1', { key: next })).status, 401);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a key without a scope is told which one it needs, and sees no controls that it may not use', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, reader);
    for (const [hash, scope] of [
      ['account?tab=keys', 'account'],
      ['bulk', 'score'],
      ['score', 'score'],
      ['coverage', 'chain:read'],
      ['webhooks', 'rms:write'],
      ['keys', 'admin'],
    ] as const) {
      await open(page, hash);
      await page.locator('code', { hasText: new RegExp(`^${scope}$`) }).waitFor();
      assert.equal(await page.locator('main form').count(), 0, hash);
    }
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a pasted list is scored as one job: progress, an ambiguous row with its candidates, the results as a file', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, owner);
    await open(page, 'bulk');
    await page.getByLabel('One asset a line').fill('asset,note\ntidewell.example,first\nTwinfin,\nnosuchcoinatall,\n');
    await page.getByRole('button', { name: 'Score 3 assets' }).click();
    await page.getByText('Finished: ').waitFor({ timeout: 60_000 });
    await settled(page);
    const rows = page.locator('table', { hasText: 'Asked for' }).locator('tbody tr');
    assert.equal(await rows.count(), 3);
    await rows.nth(0).getByText('TIDE', { exact: true }).waitFor();
    assert.ok((await rows.nth(1).getByRole('link').count()) >= 3, 'the row, and what it may mean');
    assert.match((await rows.nth(2).textContent()) ?? '', /nosuchcoinatall.*failed/s);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'All results as CSV' }).click(),
    ]);
    const text = await new Response((await file.createReadStream()) as never).text();
    assert.equal(text.trim().split('\r\n').length, 4);
    assert.match(text, /^row,asset,/);
    bulkJob = new URL(page.url()).hash.slice(2);
    await page.getByLabel('State of the rows').selectOption('failed');
    await until(page, "location.hash.includes('state=failed')");
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('an import says of each refused line why, reads semicolons, and axe has nothing to say of it on a phone', async () => {
    assert.equal((await world.call('/v1/score', { json: { asset: 'tidewell.example' }, key: owner })).status, 200);
    const { page, complaints } = await openPage(browser, world, 390);
    await signIn(page, owner);
    await open(page, 'watchlist');
    const { chain, address: of } = address('tidewell');
    const lines = [`${chain}:${of};2.5;core`, 'NOSUCH;;', `${chain}:${of};many;`, `${'x'.repeat(120)};0;`];
    await page.locator('input[type=file]').setInputFiles({
      name: 'watchlist.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`\uFEFFAsset;Min_Score_Change;Note\r\n${lines.join('\r\n')}\r\n`),
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('4 assets, the first').waitFor();
    await dialog.getByRole('button', { name: 'Watch all 4' }).click();
    await dialog.getByText('4 of 4 done: 1 watched, 3 refused.').waitFor();
    const refused = await dialog.getByRole('listitem').allTextContents();
    assert.match(refused[0] ?? '', /^Line 3, NOSUCH: No rated asset has this name\. Score it first/);
    assert.match(refused[1] ?? '', /^Line 4, .*: min_score_change: expected a number from 0\.1 to 100.*got many\.$/);
    assert.match(refused[2] ?? '', /^Line 5, x{60}…: min_score_change: .*got 0\.$/);
    assert.deepEqual(await axe(page), []);
    await keepShot(page, 'watchlist-import-390-light', false);
    await dialog.locator('p.actions').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /^Remove / }).waitFor();
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('the page of a job that failed says what was tried, and offers what may be meant with whole addresses', async () => {
    const json = { type: 'posttge', project: 'Twinfin', project_url: 'https://twinfin.example/' };
    const reply = await world.call('/v1/score', { json, key: owner });
    const { job_id: job } = (await reply.json()) as { readonly job_id: string };
    assert.equal(reply.status, 409);
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, owner);
    await open(page, `job/${job}`);
    await page.getByText('2 tokens tie equally to the project and its website. Choose one below.').waitFor();
    for (const slug of ['twinfin-a', 'twinfin-b'])
      await page.getByText(address(slug).address, { exact: true }).waitFor();
    assert.ok((await page.locator('.tried li').count()) >= 3);
    await page.getByText('Several assets fit.').waitFor();
    assert.deepEqual(await axe(page), []);
    await keepShot(page, 'job-failed-1440-light');
    await page
      .getByRole('button', { name: /^Rate this one/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Rating of this moment' }).waitFor({ timeout: 60_000 });
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('a misspelt name is rated by one click on the asset with a similar one', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, owner);
    await open(page, 'score');
    await page.getByLabel('Address, ticker, site or name').fill('Tidewel');
    await page.getByRole('button', { name: 'Score it' }).click();
    await page.getByText('No asset has this name. These have a similar one.').waitFor();
    assert.deepEqual(await axe(page), []);
    await page.getByRole('button', { name: /^Rate this one.*Tidewell/ }).click();
    await page.getByRole('heading', { name: 'Rating of this moment' }).waitFor({ timeout: 60_000 });
    await page.context().close();
    // The refusal is the one failed request that is meant.
    assert.deepEqual(
      complaints.filter((one) => !one.includes('/v1/score')),
      [],
    );
  });

  test('a webhook takes the format of a chat service, and lists what that service needs', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, owner);
    await open(page, 'webhooks');
    const shape = page.getByLabel('Shape of the messages');
    assert.equal(await page.getByLabel(/^Chat/).count(), 0, 'signed JSON goes to no chat');
    await shape.selectOption('telegram');
    await page.getByLabel('Address').fill('https://api.telegram.org/bot1:secret/sendMessage');
    await page.getByLabel(/^Chat/).fill('@desk_alerts');
    assert.deepEqual(await axe(page), []);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await shape.selectOption('slack');
    assert.equal(await page.getByLabel(/^Chat/).count(), 0);
    await page.getByLabel('Address').fill('https://hooks.slack.com/services/T/B/secret');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('cell', { name: 'Telegram, to @desk_alerts' }).waitFor();
    await page.getByRole('cell', { name: 'Slack', exact: true }).waitFor();
    assert.ok(!(await page.content()).includes('secret/sendMessage'), 'the address of a chat is not shown again');
    const list = (await (await world.call('/v1/webhooks', { key: owner })).json()) as {
      data: readonly { format: string; chat_id: string | null }[];
    };
    assert.deepEqual(list.data.map(({ format, chat_id }) => [format, chat_id]).sort(), [
      ['slack', null],
      ['telegram', '@desk_alerts'],
    ]);
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('an asset is added by its address, its snapshots arrive, and it is removed', async () => {
    const { page, complaints } = await openPage(browser, world, 1440);
    await signIn(page, owner);
    const { chain, address: token } = address('moonbadger');
    await open(page, `coverage?chain=${chain}`);
    await page.getByLabel('Address, or CAIP-19 id').fill(token);
    await page.getByRole('button', { name: 'Ask for it' }).click();
    await page.getByRole('heading', { name: 'Its snapshots' }).waitFor();
    await until(
      page,
      "[...document.querySelectorAll('.also li')].every((li) => li.textContent.includes('made, as of'))",
      30_000,
    );
    await page.getByText('requested 1 of').waitFor();
    await page.getByRole('button', { name: 'Asked for by this account' }).click();
    const back = page.getByRole('button', { name: /^Give back/ });
    await back.click();
    await page.getByRole('button', { name: /^Really\?/ }).click();
    await page.getByText('The account has requested none on this chain').waitFor();
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  test('one field names what is scored; of several that it may mean, one is picked by one press', async () => {
    const { page } = await openPage(browser, world, 1440);
    await signIn(page, owner);
    await open(page, 'score');
    await page.getByLabel('Address, ticker, site or name').fill('tidewell.example');
    await page.getByRole('button', { name: 'Score it' }).click();
    await page.getByRole('heading', { name: 'Tidewell' }).waitFor();
    await open(page, 'score');
    await page.getByLabel('Address, ticker, site or name').fill('Twinfin');
    await page.getByRole('button', { name: 'Score it' }).click();
    const candidates = page.getByRole('list', { name: 'Which one was meant?' });
    await candidates.waitFor({ timeout: 30_000 });
    assert.deepEqual(await axe(page), []);
    await keepShot(page, 'score-ambiguous-1440-light');
    await candidates.getByRole('button').first().click();
    await page.getByText('Rating of this moment').waitFor({ timeout: 60_000 });
    await page.context().close();
  });

  for (const [width, scheme] of LOOKS)
    test(`each page of the account at ${width} px, ${scheme}: no finding of axe, no horizontal scrolling`, async () => {
      const { page, complaints } = await openPage(browser, world, width, scheme);
      for (const [key, names] of [
        [owner, [...PAGES, bulkJob]],
        [world.key, ['keys']],
      ] as const) {
        await page.evaluate('sessionStorage.clear()');
        await page.goto(`${world.service.url}/`);
        await page.reload();
        await signIn(page, key);
        for (const name of names) {
          await open(page, name);
          await keepShot(page, `${name.replaceAll(/[^a-z-]+/g, '-')}-${width}-${scheme}`);
          assert.equal(await page.locator('h1').count(), 1, `${name} has one heading`);
          const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          assert.ok(Number(beyond) <= 0, `${name} scrolls sideways by ${beyond} px at ${width}`);
          assert.deepEqual(await axe(page), [], `${name} at ${width}`);
        }
      }
      await page.context().close();
      assert.deepEqual(complaints, []);
    });
});

const PAGES = [
  'alerts',
  'score',
  'bulk',
  'coverage',
  'account',
  'account?tab=keys',
  'account?tab=plan',
  'webhooks',
  'exports',
  'disputes',
  'methodology',
  'registers',
  'registers/issuers',
];
