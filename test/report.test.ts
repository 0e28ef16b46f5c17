import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { axe, keepShot, launchBrowser, noBrowser } from './support/browser.ts';
import { type TestService, testService } from './support/service.ts';

/** Ordinary, in default with severe flags, not rated, before its token, pegged. */
const RATED = ['tidewell', 'gonedoor', 'quietpage', 'alderline', 'plainsong-dollar'];
/** Of the class of Tidewell, rated before it. The world moves with the clock: none of them is near a band that needs more evidence. */
const PEERS = ['thornmere-finance', 'harrowgate-protocol', 'quillpond', 'marrowstone', 'fennecswap'];
const LATER_PEER = 'ostrava-lend';
/** CSS pixels at a width of 1440. */
const TALLEST = 6_000;

let world: TestService;
const pages = new Map<string, string>();

before(async () => {
  world = await testService();
  for (const slug of [...PEERS, ...RATED]) pages.set(slug, `/v1/jobs/${await scored(slug)}?output_format=full`);
});
after(() => world?.close());

async function scored(slug: string): Promise<string> {
  const one = world.sandbox.world.assets.find((each) => each.slug === slug);
  assert.ok(one, slug);
  const known = one.address === '' ? {} : { token_address: one.address, blockchain: one.chain };
  const json = { type: one.address === '' ? 'pretge' : 'posttge', project: one.name, project_url: one.url, ...known };
  const reply = await world.call('/v1/score', { json });
  assert.equal(reply.status, 200, slug);
  return ((await reply.json()) as { readonly job_id: string }).job_id;
}

const read = async (slug: string, accept = 'text/html') =>
  (await world.call(pages.get(slug) ?? '', { headers: { accept } })).text();

test('the report of a published rating has the same bytes whenever it is read, as a page and as Markdown', async () => {
  const path = '/v1/rms/TIDE/report';
  const first = await world.call(path, { headers: { accept: 'text/html' } });
  assert.equal(first.status, 200);
  assert.match(first.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(first.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const html = await first.text();
  assert.equal(await (await world.call(path)).text(), html, 'without an Accept header it is a page');
  assert.equal(await read('tidewell'), html, 'the job of the rating gives the same report');
  assert.doesNotMatch(html, /<script|src=|href=/i);
  const markdown = await (await world.call(`${path}?format=markdown`)).text();
  assert.match(markdown, /^> \*\*SANDBOX/);
  for (const part of [
    'Reasons',
    'Factors',
    'Facts',
    'Holders',
    'Depth',
    'What would change the band',
    'What is not known',
  ])
    assert.ok(markdown.includes(`## ${part}`) && html.includes(`>${part}</h2>`), part);
  assert.equal((await world.call('/v1/rms/NOSUCH/report')).status, 404);
});

test('the chart of factors marks the peers as of the rating, and a peer that is rated later changes nothing', async () => {
  const html = await read('tidewell');
  assert.match(html, /Line: median of 5 peers \(Governance of a DeFi protocol\) as they were rated then/);
  const { factors } = (await (await world.call('/v1/rms/TIDE/peers')).json()) as {
    readonly factors: readonly { readonly code: string; readonly median: number | null }[];
  };
  for (const { code, median } of factors.filter((factor) => factor.median !== null)) {
    const title = new RegExp(`>${code} [^<]*median ([\\d.]+)<`).exec(html);
    if (title !== null)
      assert.ok(Math.abs(Number(title[1]) - Number(median)) < 0.06, `${code}: ${title[1]}, ${median}`);
  }
  assert.equal(html.match(/class="median"/g)?.length, 9);
  assert.doesNotMatch(await read('plainsong-dollar'), /class="median"/);
  assert.match(await read('plainsong-dollar'), /No other asset of the class/);
  await scored(LATER_PEER);
  assert.equal(await read('tidewell'), html);
});

test('each missing value states the reason, its cost and the remedy', async () => {
  for (const slug of RATED) {
    const table = /<table class="absences">.*?<tbody>(.*?)<\/tbody>/s.exec(await read(slug))?.[1] ?? '';
    for (const [row] of table.matchAll(/<tr>.*?<\/tr>/gs)) {
      const [name = '', why = '', action = ''] = [...row.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell]) => cell);
      assert.ok(name !== '' && action.length > 10, row);
      assert.match(why, /\. Counts \d+ of 100 points on [\d.]+ % of the score\.|\. Costs no points\.$|…$/, row);
    }
    assert.doesNotMatch(await read(slug), />(null|undefined|NaN|n\/a|-|—)</, slug);
  }
  assert.match(await read('quietpage'), /Not rated: .*Needed first/s);
  assert.match(await read('tidewell'), /14 days with a score within 30 days are needed to see a direction/);
  assert.match(await read('gonedoor'), /a rating of D has none/);
  assert.match(await read('gonedoor'), /In default since/);
  assert.match(await read('alderline'), /There is no token yet/);
});

test('the report lists exactly the gaps of the record, with the texts of the dashboard', async () => {
  const VALUE = 'Value against peers (vfr)';
  // The result of Quietpage is not published, so that there is no record to compare with.
  for (const slug of RATED.filter((one) => one !== 'quietpage')) {
    const { asset } = (
      (await (await world.call(pages.get(slug) ?? '')).json()) as { result: { asset: { id: string } } }
    ).result;
    const path = `/v1/rms/${encodeURIComponent(asset.id)}`;
    const record = (await (await world.call(path)).json()) as { gaps: readonly { feature: string }[]; vfr: Vfr };
    const { factors } = (await (await world.call(`${path}/breakdown`)).json()) as { factors: readonly Explained[] };
    const missing = factors.flatMap(({ features }) => features).filter(({ absence }) => absence !== null);
    assert.deepEqual(
      missing.map(({ id }) => id).toSorted(),
      record.gaps.map(({ feature }) => feature).toSorted(),
      slug,
    );
    const html = await read(slug);
    const table = /<table class="absences">.*?<tbody>(.*?)<\/tbody>/s.exec(html)?.[1] ?? '';
    const rows = [...table.matchAll(/<tr><td>(.*?)<\/td><td>.*?<\/td><td>(.*?)<\/td><\/tr>/gs)];
    const shown = rows.filter(([, name]) => name !== VALUE);
    assert.equal(rows.length - shown.length, record.vfr.value === null ? 1 : 0, slug);
    const more = Number(/(\d+) more with less weight are in the appendix/.exec(html)?.[1] ?? 0);
    assert.equal(shown.length + more, missing.length, slug);
    for (const [, name, action] of shown)
      assert.ok(
        missing.some((one) => one.name === name && one.absence?.action === action),
        `${slug}: ${name}: ${action}`,
      );
    assert.equal(/Every feature that the methodology uses/.test(html), rows.length === 0, slug);
  }
});
interface Vfr {
  readonly value: number | null;
}
interface Explained {
  readonly features: readonly {
    readonly id: string;
    readonly name: string;
    readonly absence: { action: string } | null;
  }[];
}

test('a flag of a score states when it was first raised, as the published rating does', async () => {
  const flagsOf = async (path: string, member: 'result' | null) => {
    const body = (await (await world.call(path)).json()) as Readonly<Record<string, never>>;
    const { risk_flags: flags } = (member === null ? body : body[member]) as unknown as {
      readonly risk_flags: readonly { readonly code: string; readonly since: string | null }[];
    };
    return Object.fromEntries(flags.map(({ code, since }) => [code, since]));
  };
  const scored = await flagsOf(pages.get('tidewell') ?? '', 'result');
  assert.ok(scored.HOLDERS_UNLABELLED);
  assert.deepEqual(scored, await flagsOf('/v1/rms/TIDE', null));
});

describe('in Chromium', { skip: noBrowser }, () => {
  test('every report is two sheets of A4, fits a phone, without findings of axe', async () => {
    const browser = await launchBrowser();
    for (const slug of RATED) {
      const html = await read(slug);
      for (const [width, colorScheme] of [
        [1440, 'light'],
        [390, 'dark'],
      ] as const) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
        const page = await context.newPage();
        await page.setContent(html);
        await keepShot(page, `report-${slug}-${width}-${colorScheme}`);
        const [beyond, tall] = (await page.evaluate(
          '[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight]',
        )) as [number, number];
        assert.ok(beyond <= 0, `${slug} scrolls sideways by ${beyond} px at ${width}`);
        if (width === 1440) {
          assert.ok(tall < TALLEST, `${slug} is ${tall} px tall`);
          const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
          assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g)?.length, 2, slug);
        }
        await page.locator('summary').click();
        assert.deepEqual(await axe(page), [], `${slug} at ${width}`);
        await context.close();
      }
    }
    await browser.close();
  });
});
