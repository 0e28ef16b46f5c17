import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Compile } from 'typebox/compile';
import { type Dossier, DossierView } from '../src/contract/dossier.ts';
import { QUANTITIES } from '../src/domain/quantities.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { dossierCriteria } from '../src/pages/criteria.ts';
import { openStore } from '../src/store/database.ts';
import { databaseOf } from '../src/store/fixtures/database.ts';
import { storeRatingRestatement } from '../src/store/ratings/disclosures.ts';
import { axe, launchBrowser, noBrowser } from './support/browser.ts';
import { type TestService, testService } from './support/service.ts';

/** An ordinary token, and a stablecoin. */
const RATED = ['tidewell', 'plainsong-dollar'];
let world: TestService;
const addresses = new Map<string, string>();

before(async () => {
  world = await testService();
  for (const slug of RATED) {
    const one = world.sandbox.world.assets.find((each) => each.slug === slug);
    assert.ok(one, slug);
    addresses.set(slug, one.address);
    const json = {
      type: 'posttge',
      project: one.name,
      project_url: one.url,
      token_address: one.address,
      blockchain: one.chain,
    };
    // On a loaded machine a collection may be too weak to be published: then it is asked for once more.
    for (let tries = 0; ; tries += 1) {
      const scored = await world.call('/v1/score', { json });
      assert.equal(scored.status, 200, slug);
      const read = await world.call(path(slug));
      if (read.status === 200) break;
      assert.ok(tries < 5, `${slug}: ${await read.text()}`);
    }
  }
});
after(() => world?.close());

const path = (slug: string) => `/v1/rms/${addresses.get(slug)}/dossier`;
const dossier = async (slug: string) => (await (await world.call(path(slug))).json()) as Dossier;

test('criteria name existing quantities, features and flags, and unchecked requirements are marked', () => {
  const { features, flags } = loadMethodology();
  const known = {
    quantity: new Set(Object.keys(QUANTITIES)),
    feature: new Set(features.map(({ id }) => id)),
    flag: new Set(flags.map(({ code }) => code)),
  };
  for (const { requirements } of dossierCriteria().frameworks)
    for (const { id, evidence, left_to_reader: left } of requirements) {
      for (const { kind, name } of evidence) assert.ok(known[kind].has(name), `${id}: ${kind} ${name}`);
      assert.ok(evidence.length > 0 || left !== null, `${id} asks for nothing and leaves nothing to the reader`);
    }
});

test('each requirement has evidence with date and source, or an explicit gap; a flag that is not raised is no evidence', async () => {
  for (const slug of RATED) {
    const made = await dossier(slug);
    const validator = Compile(DossierView);
    assert.ok(validator.Check(made), JSON.stringify([...validator.Errors(made)].slice(0, 2)));
    for (const { requirements, counts } of made.frameworks) {
      assert.equal(counts.evidence + counts.partial + counts.gap + counts.reader, requirements.length);
      for (const { id, state, gap, evidence, left_to_reader: left } of requirements) {
        const held = evidence.filter(({ status }) => ['stated', 'raised', 'withheld'].includes(status));
        const missing = evidence.filter(({ status }) => ['not_known', 'none_shown'].includes(status));
        const expected =
          evidence.length === 0
            ? 'reader'
            : held.length === 0
              ? 'gap'
              : missing.length > 0 || left !== null
                ? 'partial'
                : 'evidence';
        assert.equal(state, expected, `${slug} ${id}`);
        assert.equal(gap !== null, state === 'gap' || missing.length > 0, `${slug} ${id}`);
        if (state === 'reader') assert.ok(left, `${slug} ${id}`);
        for (const one of held)
          assert.ok(one.kind === 'flag' || one.sources.length === 0 || one.as_of !== null, `${slug} ${id} ${one.name}`);
        for (const one of missing) assert.ok(one.detail, `${slug} ${id} ${one.name} says why`);
      }
    }
  }
  const states = (await dossier('tidewell')).frameworks.flatMap(({ requirements }) => requirements);
  for (const state of ['evidence', 'gap', 'reader'])
    assert.ok(
      states.some((one) => one.state === state),
      state,
    );
});

test('reading aids are for stablecoins alone, and state that they are not that agency’s rating', async () => {
  const kinds = async (slug: string) => (await dossier(slug)).frameworks.map(({ id }) => id);
  assert.deepEqual(await kinds('tidewell'), ['mica_76', 'cbb_cra_4_3_14']);
  assert.deepEqual(await kinds('plainsong-dollar'), ['mica_76', 'cbb_cra_4_3_14', 'sp_ssa', 'bluechip_smidge']);
  const aids = (await dossier('plainsong-dollar')).frameworks.filter(({ kind }) => kind === 'reading_aid');
  for (const { notice } of aids) assert.match(notice, /It is not a .*states none/);
});

test('the dossier is JSON, a page or Markdown, with the same requirements, and runs nothing', async () => {
  const { frameworks } = await dossier('tidewell');
  const page = await world.call(path('tidewell'), { headers: { accept: 'text/html' } });
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const [html, markdown] = [await page.text(), await (await world.call(`${path('tidewell')}?format=markdown`)).text()];
  assert.match(markdown, /^# Listing dossier: Tidewell/);
  for (const text of [html, markdown]) assert.match(text, /SANDBOX/);
  for (const { reference } of frameworks.flatMap(({ requirements }) => requirements.slice(0, 3)))
    assert.ok(html.includes(`<h3>${reference} ·`), reference);
  assert.equal(markdown.match(/^### /gm)?.length, frameworks.flatMap(({ requirements }) => requirements).length);
  assert.doesNotMatch(html, /<script|src=/i);
  assert.equal((await world.call('/v1/rms/NOSUCH/dossier')).status, 404);
});

describe('in Chromium', { skip: noBrowser }, () => {
  test('the dossier fits a phone, without findings of axe', async () => {
    const html = await (await world.call(`${path('plainsong-dollar')}?format=html`)).text();
    const browser = await launchBrowser();
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      await page.setContent(html);
      const beyond = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
      assert.ok(beyond <= 0, `it scrolls sideways by ${beyond} px at ${width}`);
      assert.deepEqual(await axe(page), [], `at ${width}`);
      await context.close();
    }
    await browser.close();
  });
});

test('the dossier and the report of a rating that was corrected say so first, in every form', async () => {
  const { id } = (await dossier('tidewell')).asset;
  const database = await databaseOf(world.dataDir, 'visitor');
  const store = await openStore(database.url, 'sandbox');
  try {
    const { id: rating } = await store.db
      .selectFrom('published_ratings')
      .select('id')
      .where('asset_id', '=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    await store.db.transaction().execute((transaction) =>
      storeRatingRestatement(transaction, {
        asset_id: id,
        rating_id: rating,
        made_at: new Date().toISOString(),
        reason: 'a figure <b>was</b> read in the wrong unit',
        body: JSON.stringify({ after: { band: 'CC', score: 21.5 } }),
        record: Buffer.from('{}'),
        signature: '{}',
      }),
    );
  } finally {
    await store.close();
    await database.close();
  }
  // A rating that was just read is kept in memory for a moment.
  for (let turn = 0; turn < 100 && (await dossier('tidewell')).correction === undefined; turn += 1) await sleep(100);
  const words = /This rating was wrong: it should have been CC \(21\.5 of 100\)\. a figure/;
  for (const room of ['dossier', 'report'])
    for (const format of ['html', 'markdown']) {
      const page = await (await world.call(`/v1/rms/${addresses.get('tidewell')}/${room}?format=${format}`)).text();
      assert.match(page.slice(0, 12_000), words, `${room} ${format}`);
      assert.doesNotMatch(page, /figure <b>/);
    }
  const made = await dossier('tidewell');
  assert.deepEqual([made.correction?.band, made.correction?.score], ['CC', 21.5]);
  assert.ok(Compile(DossierView).Check(made));
  assert.equal((await dossier('plainsong-dollar')).correction, undefined);
});
