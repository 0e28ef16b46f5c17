import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser, openPage, settled, signIn } from './support/browser.ts';
import { type TestService, testService } from './support/service.ts';

const file = new URL('../docs/nulls.md', import.meta.url);
const HEAD = `# Missing values

The texts that the dashboard and the report show on the sandbox in place of a value that is not known: once for each page, place and reason. Numbers are written as n.
A bare dash, "n/a" or an empty figure on any of these pages fails the test.

<!-- Generated below this line; UPDATE_DOCS=1 node --test test/nulls.test.ts writes it. -->
`;
/** Sound, a scam, drained, without a token, issued, and with nearly nothing known. */
const RATED = ['tidewell', 'hivecoin', 'gonedoor', 'greyharbor', 'plainsong-dollar', 'moonbadger'];

const TABLE = '| page | in place of | shown | words |\n|---|---|---|---|';

type Row = readonly [page: string, place: string, shown: string, words: string];

let world: TestService;
let browser: Browser;
const jobs = new Map<string, { readonly job: string; readonly asset: string }>();

describe('texts for missing values', { skip: noBrowser }, () => {
  before(async () => {
    world = await testService();
    browser = await launchBrowser();
    for (const slug of RATED) {
      const one = world.sandbox.world.assets.find((each) => each.slug === slug);
      assert.ok(one, slug);
      const known = one.address === '' ? {} : { token_address: one.address, blockchain: one.chain };
      const type = one.address === '' ? 'pretge' : 'posttge';
      const reply = await world.call('/v1/score', {
        json: { type, project: one.name, project_url: one.url, ...known },
      });
      const body = (await reply.json()) as { readonly job_id: string; readonly asset: { readonly id: string } };
      assert.equal(reply.status, 200);
      jobs.set(slug, { job: body.job_id, asset: body.asset.id });
    }
    await world.call(`/v1/rms/whitelist/${encodeURIComponent(jobs.get('tidewell')?.asset ?? '')}`, {
      method: 'PUT',
      json: {},
    });
    await world.call('/v1/webhooks', { json: { url: 'https://hooks.example.com/assay' } });
    await world.call('/v1/disputes', {
      json: { asset: jobs.get('hivecoin')?.asset, claim: 'The mint authority was given up.' },
    });
  });
  after(async () => {
    await browser?.close();
    await world?.close();
  });

  test('each reason has its text, and docs/nulls.md lists them (UPDATE_DOCS=1 writes it)', async () => {
    const { page } = await openPage(browser, world, 1440);
    await signIn(page, world.key);
    const rows: Row[] = [];
    const bare: string[] = [];
    for (const [name, hash] of pages()) {
      await page.goto(`${world.service.url}/#/${hash}`);
      // The first reading of a track record takes long on a busy machine.
      await settled(page).catch(() => settled(page));
      await page.waitForTimeout(300);
      rows.push(...(await missingOf(page)).map(([place, shown, words]): Row => [name, place, shown, words]));
      bare.push(...(await bareOf(page)).map((place) => `${name}: ${place}`));
    }
    for (const slug of RATED) {
      const path = `/v1/jobs/${jobs.get(slug)?.job}?output_format=full`;
      await page.setContent(await (await world.call(path, { headers: { accept: 'text/html' } })).text());
      rows.push(...(await absencesOf(page)).map(([name, why, todo]): Row => ['Report', name, why, todo]));
      bare.push(...(await bareOf(page)).map((place) => `Report of ${slug}: ${place}`));
    }
    assert.deepEqual([...new Set(bare)], [], 'a value that is not there says why');
    assert.ok(rows.every((row) => row.every((cell) => cell !== '')));
    const found = linesOf(rows);
    const before = existsSync(file) ? listed() : [];
    if (process.env.UPDATE_DOCS === '1')
      writeFileSync(
        file,
        `${HEAD}\n${TABLE}\n${[...new Set([...found, ...before.filter(byTheMinute)])].sort().join('\n')}\n`,
      );
    const now = listed();
    assert.deepEqual(
      found.filter((line) => !now.includes(line) && !byTheMinute(line)),
      [],
      'what is shown is listed',
    );
    assert.deepEqual(
      now.filter((line) => !found.includes(line) && !byTheMinute(line)),
      [],
      'what is listed is shown',
    );
    await page.context().close();
  });
});

function pages(): readonly (readonly [string, string])[] {
  const asset = (slug: string, tab: string) => `asset/${encodeURIComponent(jobs.get(slug)?.asset ?? '')}?tab=${tab}`;
  return [
    ['Overview', ''],
    ['Assets', 'assets'],
    ['Compare', `compare?assets=TIDE,${encodeURIComponent(jobs.get('hivecoin')?.asset ?? '')}`],
    ...RATED.flatMap((slug) =>
      (['rating', 'sources', 'peers'] as const).map((tab) => [`Asset, ${tab}`, asset(slug, tab)] as const),
    ),
    ...RATED.map((slug) => ['Scoring job', `job/${jobs.get(slug)?.job}`] as const),
    ['Watchlist', 'watchlist'],
    ['Alerts', 'alerts?show=all'],
    ['Bulk', 'bulk'],
    ['Coverage', 'coverage'],
    ['Account', 'account'],
    ['Account, keys', 'account?tab=keys'],
    ['Account, plan', 'account?tab=plan'],
    ['Webhooks', 'webhooks'],
    ['Exports', 'exports'],
    ['Disputes', 'disputes'],
    ['Methodology', 'methodology'],
    ['Registers', 'registers'],
    ['Track record', 'track-record'],
    ['Status', 'status'],
  ];
}

/** Place, short words and sentence of each missing value. The place is its column, its term, or its panel. */
function missingOf(page: Page): Promise<readonly (readonly [string, string, string])[]> {
  return page.evaluate(`[...document.querySelectorAll('.missing')].map((found) => {
    const cell = found.closest('td');
    const column = cell && cell.closest('table').querySelectorAll('thead th')[cell.cellIndex];
    const term = found.closest('dd') && found.closest('dd').previousElementSibling;
    const panel = found.closest('section, main').querySelector('h1, h2');
    const place = (column || term || panel || { textContent: '' }).textContent;
    return [place.trim(), found.textContent.trim(), found.dataset.words || ''];
  })`);
}

/** Cells and figures that hold a dash or nothing that a reader could take for a reason. */
function bareOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('td, dd, dd b, dd strong')]
    .filter((found) => /^([–—-]|n\\/a|null|undefined|NaN)$/i.test(found.textContent.trim()))
    .map((found) => (found.closest('section, main, body').querySelector('h1, h2') || {}).textContent + ': ' + found.parentElement.textContent.slice(0, 120))`);
}

/** What the report says is not known: name, why, what to do. */
function absencesOf(page: Page): Promise<readonly (readonly [string, string, string])[]> {
  return page.evaluate(`[...document.querySelectorAll('.absences tr')]
    .map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim()))
    .filter((cells) => cells.length === 3)`);
}

function linesOf(rows: readonly Row[]): readonly string[] {
  const numbers = (text: string) => text.replaceAll(/[−+]?\d[\d.,]*/g, 'n').replaceAll('|', '/');
  return [...new Set(rows.map((row) => `| ${row.map(numbers).join(' | ')} |`))].sort();
}

function listed(): readonly string[] {
  const [head = '', rows = ''] = readFileSync(file, 'utf8').split(`\n${TABLE}\n`);
  assert.equal(head, HEAD);
  return rows.split('\n').filter((line) => line !== '');
}

/** Which windows of the status page are empty depends on the minute in which it is read. */
const byTheMinute = (line: string) => line.startsWith('| Status |');
