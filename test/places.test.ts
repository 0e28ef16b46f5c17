import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import canonicalize from 'canonicalize';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parse as parseYaml } from 'yaml';
import { scoreRecord } from '../src/contract/rating.ts';
import { publishedRating } from '../src/monitoring/alerts/fixtures/published.ts';
import { storeRating } from '../src/monitoring/alerts/fixtures/store-rating.ts';
import { openStore } from '../src/store/database.ts';
import { databaseOf } from '../src/store/fixtures/database.ts';
import { insertAlerts } from '../src/store/ratings/alerts.ts';
import { closeRatingDays } from '../src/store/ratings/export-days.ts';
import { type TestService, testService } from './support/service.ts';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);
const DAY_MS = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

let world: TestService;
let key: string;
let url: string;
before(async () => {
  world = await testService({ corsOrigins: ['https://pro.openbb.co'] });
  url = world.service.url;
  const made = await world.call('/v1/admin/keys', { json: { name: 'places', scopes: ['rms:read'], plan: 'RATING' } });
  const { secret, account_id: account } = (await made.json()) as { secret: string; account_id: string };
  key = secret;
  const database = await databaseOf(world.dataDir, 'visitor');
  const store = await openStore(database.url, 'sandbox');
  const put = async (asset: string, days: number, score: number) => {
    const rating = publishedRating(asset, `job ${asset} ${days}`, `${dayBefore(days)}T08:00:00.000Z`, {
      score,
      band: score > 65 ? 'A' : 'BBB',
      flags: [],
    });
    const record = Buffer.from(canonicalize(scoreRecord(rating, 'sandbox')) ?? '');
    await store.db.transaction().execute(async (tx) => {
      const { ratingId } = await storeRating(tx, rating);
      await tx.updateTable('published_ratings').set({ record }).where('id', '=', ratingId).execute();
    });
  };
  for (const [place, score] of [60, 70].entries()) {
    const asset = `eip155:1/erc20:0x${String(place).repeat(40)}`;
    await put(asset, 2, score);
    await put(asset, 1, score - 10);
  }
  await closeRatingDays(store.db, Date.now(), 0);
  const alert = {
    account_id: account,
    asset_id: `eip155:1/erc20:0x${'0'.repeat(40)}`,
    kind: 'band_transition',
    cause: '1:band_transition',
    severity: 'high',
    created_at: new Date().toISOString(),
    body: JSON.stringify({
      title: 'Band down',
      details: { from: 'A', to: 'BBB', action: 'downgrade', reason: null },
      rating_as_of: new Date().toISOString(),
      job_id: 'job',
      symbol: 'A',
      name: 'A',
      trust: 80,
    }),
  };
  await store.db.transaction().execute((tx) => insertAlerts(tx, [alert]));
  await store.close();
  await database.close();
});
after(() => world.close());

const json = async (path: string) => JSON.parse(await readFile(join(ROOT, path), 'utf8')) as unknown;
const rowsAt = async (address: string) => {
  const reply = await fetch(address, { headers: { 'x-api-key': key } });
  const text = await reply.text();
  assert.equal(reply.status, 200, `${address}: ${text}`);
  const { data } = JSON.parse(text) as { data: Readonly<Record<string, unknown>>[] };
  assert.ok(data.length > 0, `${address} has no rows`);
  return data;
};

test('the Google Sheets script writes every page of ratings and changes, with numbers as numbers', async () => {
  const sheet = async (name: string, properties: object) => {
    const script = ['integrations/google-sheets/Assay.gs', name, JSON.stringify(properties)];
    const { stdout } = await run(process.execPath, [join(ROOT, 'test/support/apps-script.ts'), ...script], {
      cwd: ROOT,
    });
    return JSON.parse(stdout) as { sheets: Record<string, unknown[][]>; error?: string };
  };
  const ratings =
    (await sheet('refreshRatings', { ASSAY_URL: `${url}/`, ASSAY_KEY: key, PAGE: '1' })).sheets['Assay ratings'] ?? [];
  const [header = [], ...rows] = ratings;
  const expected = await rowsAt(`${url}/v1/exports/rms/current`);
  const column = (name: string) => rows.map((row) => row[header.indexOf(name)]);
  assert.deepEqual(
    column('asset_id'),
    expected.map((row) => row.asset_id),
  );
  assert.deepEqual(
    column('score'),
    expected.map((row) => row.score),
  );
  assert.deepEqual(column('score'), [50, 60]);
  const changes = (await sheet('refreshChanges', { ASSAY_URL: url, ASSAY_KEY: key })).sheets['Assay changes'] ?? [];
  assert.equal(changes.length, 3);
  assert.match(
    (await sheet('refreshRatings', { ASSAY_URL: url, ASSAY_KEY: 'ak_live_wrong' })).error ?? '',
    /Assay: .*\(401\)/,
  );
  assert.match((await sheet('refreshRatings', {})).error ?? '', /Set the script properties/);
  const chosen = { ASSAY_URL: url, ASSAY_KEY: key, ASSAY_LIST: 'sort=-score', PAGE: '1' };
  const [names = [], ...list] = (await sheet('refreshChosen', chosen)).sheets['Assay chosen'] ?? [];
  assert.deepEqual(names, header);
  assert.deepEqual(
    list.map((row) => row[names.indexOf('score')]),
    [60, 50],
  );
  const none = await sheet('refreshChosen', { ...chosen, ASSAY_LIST: 'band=ZZ' });
  assert.match(none.error ?? '', /Assay: .*\(400\)/);
});

const Target = Type.Object({
  type: Type.Literal('json'),
  source: Type.Literal('url'),
  format: Type.Literal('table'),
  parser: Type.Literal('backend'),
  url: Type.String(),
  url_options: Type.Object({ method: Type.Literal('GET') }),
  root_selector: Type.Literal('data'),
  columns: Type.Array(
    Type.Object({
      selector: Type.String(),
      text: Type.String(),
      type: Type.Union([Type.Literal('string'), Type.Literal('number'), Type.Literal('timestamp')]),
    }),
    { minItems: 1 },
  ),
});
const Dashboard = Type.Object({
  uid: Type.String(),
  schemaVersion: Type.Integer(),
  templating: Type.Object({ list: Type.Array(Type.Object({ name: Type.Literal('assay') })) }),
  panels: Type.Array(
    Type.Object({
      datasource: Type.Object({ type: Type.Literal('yesoreyeram-infinity-datasource'), uid: Type.String() }),
      targets: Type.Array(Target, { minItems: 1 }),
    }),
  ),
});

/** A cell of this type, or one that is not known. */
const fits = (value: unknown, type: string) =>
  value === null ||
  (type === 'number'
    ? typeof value === 'number'
    : typeof value === 'string' && (type !== 'timestamp' || !Number.isNaN(Date.parse(value))));

test('each panel of the Grafana dashboard reads an address and fields that the service has', async () => {
  const dashboard = await json('integrations/grafana/dashboard.json');
  const check = Compile(Dashboard);
  assert.ok(check.Check(dashboard), JSON.stringify([...check.Errors(dashboard)].slice(0, 3)));
  const source = parseYaml(await readFile(join(ROOT, 'integrations/grafana/datasource.yaml'), 'utf8')) as {
    datasources: {
      uid: string;
      type: string;
      jsonData: Record<string, unknown>;
      secureJsonData: Record<string, string>;
    }[];
  };
  const [settings] = source.datasources;
  assert.deepEqual([settings?.jsonData.auth_method, settings?.jsonData.apiKeyType], ['apiKey', 'header']);
  assert.equal(settings?.jsonData.apiKeyKey, 'X-API-Key');
  assert.match(settings?.secureJsonData.apiKeyValue ?? '', /^\$\{\w+\}$/);
  for (const { datasource, targets } of dashboard.panels) {
    assert.deepEqual([datasource.uid, datasource.type], [settings?.uid, settings?.type]);
    for (const target of targets)
      for (const row of await rowsAt(target.url.replace(/^\$\{assay\}/, url)))
        for (const { selector, type } of target.columns)
          assert.ok(
            selector in row && fits(row[selector], type),
            `${target.url}: ${selector} of ${JSON.stringify(row)}`,
          );
  }
});

interface Widget {
  readonly type: string;
  readonly endpoint: string;
  readonly data: {
    readonly dataKey: string;
    readonly table: { readonly columnsDefs: readonly { field: string; cellDataType: string }[] };
  };
  readonly params: readonly { paramName: string; type: string; value: string | number }[];
}

test('each widget of OpenBB reads an endpoint and columns that the service has, from its pages', async () => {
  const origin = 'https://pro.openbb.co';
  const served = async (path: string) => {
    const reply = await fetch(`${url}${path}`, { headers: { origin } });
    assert.deepEqual([reply.status, reply.headers.get('access-control-allow-origin')], [200, origin], path);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
    return (await reply.json()) as unknown;
  };
  const widgets = (await served('/widgets.json')) as Readonly<Record<string, Widget>>;
  assert.deepEqual(widgets, await json('integrations/openbb/widgets.json'));
  const apps = (await served('/apps.json')) as { tabs: Record<string, { layout: { i: string; w: number }[] }> }[];
  assert.deepEqual(apps, await json('integrations/openbb/apps.json'));
  for (const { i, w } of apps.flatMap(({ tabs }) => Object.values(tabs).flatMap(({ layout }) => layout)))
    assert.ok(i in widgets && w <= 40, i);
  for (const [name, { type, endpoint, data, params }] of Object.entries(widgets)) {
    assert.deepEqual([type, data.dataKey], ['table', 'data'], name);
    // As Workspace fills in a date that is counted back from today.
    const filledIn = (value: string | number) =>
      String(value).replace(/^\$currentDate-(\d+)d$/, (_, days: string) => dayBefore(Number(days)));
    const query = new URLSearchParams(params.map(({ paramName, value }) => [paramName, filledIn(value)]));
    const preflight = await fetch(`${url}/${endpoint}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' },
    });
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /X-API-Key/i);
    for (const row of await rowsAt(`${url}/${endpoint}?${query}`))
      for (const { field, cellDataType } of data.table.columnsDefs)
        assert.ok(
          field in row && fits(row[field], cellDataType === 'dateString' ? 'timestamp' : cellDataType),
          `${name}: ${field} of ${JSON.stringify(row)}`,
        );
  }
});

test('llms-full.txt holds the documents and every operation, is named with its size, and is kept by its tag', async () => {
  const reply = await fetch(`${url}/llms-full.txt`);
  const text = await reply.text();
  assert.equal(reply.status, 200);
  assert.match(reply.headers.get('content-type') ?? '', /^text\/plain/);
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> };
  for (const [path, item] of Object.entries(document.paths))
    for (const method of Object.keys(item)) assert.ok(text.includes(`\n## ${method.toUpperCase()} ${path}\n`), path);
  for (const title of ['# Deprecation', '# Service level', '# Watchlists, alerts and webhooks'])
    assert.ok(text.includes(`\n${title}\n`), title);
  const short = await (await fetch(`${url}/llms.txt`)).text();
  assert.ok(
    short.includes(
      `(/llms-full.txt): the documents for callers and every operation with its fields, ${Math.ceil(Buffer.byteLength(text) / 1_000)} kB`,
    ),
  );
  const tag = reply.headers.get('etag') ?? '';
  assert.equal((await fetch(`${url}/llms-full.txt`, { headers: { 'if-none-match': tag } })).status, 304);
});
