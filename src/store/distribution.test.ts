import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { currentRatingJob, ratedSubject } from './collections.ts';
import { connect } from './database.ts';
import { distributionScript, PLACEMENTS } from './distribution.ts';
import { type TestDatabase, testDatabase } from './fixtures/database.ts';
import { brokenRules } from './fixtures/distribution-rules.ts';
import { givenDatabase, NEEDS_CLUSTER, NEEDS_ONE_NODE, NEEDS_OWN_SERVER } from './fixtures/given-server.ts';
import { applyChanges, migrate } from './migrate.ts';
import { CHANGES } from './migrations/all.ts';
import { driverDays, storePeers } from './peers.ts';
import { ratingOfJob } from './ratings/disclosures.ts';
import {
  methodologiesOf,
  newestRatings,
  peerOf,
  ratingAsOf,
  ratingByMethodology,
  ratingsBetween,
} from './ratings/read.ts';
import { lastScore, lockAssets, previousRating, storePublished } from './ratings/write.ts';
import { assetAt, snapshotOf } from './snapshots/fixtures/snapshots.ts';
import { keepScanLedger, scanLedger } from './snapshots/indexed-assets.ts';
import { dailyPrices, lastPoints, priceAt } from './snapshots/prices.ts';
import { latestSnapshot, snapshotAsOf, snapshotHistory } from './snapshots/read.ts';
import { snapshotRow } from './snapshots/snapshot-row.ts';
import { createSnapshotWriter } from './snapshots/write.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const DECISION = await readFile(`${HERE}/../../docs/decisions/0018-distribution.md`, 'utf8');
let database: TestDatabase;
before(async () => {
  database = await testDatabase({ ownServer: NEEDS_OWN_SERVER === false });
});
after(() => database.close());

const ASSET = assetAt(1);
const AT = '2026-11-20T12:00:00.000Z';
const NOW = Date.parse(AT) + 60_000;
const store = (kind: 'market' | 'pools', at = AT) =>
  createSnapshotWriter(database.store.pool).store([snapshotRow(snapshotOf(ASSET, kind, at))], NOW);

test('the tables keep the rules under which PostgreSQL is distributed', { skip: NEEDS_ONE_NODE }, async () => {
  await store('market');
  assert.deepEqual(await brokenRules(database.store.pool, PLACEMENTS), []);
});

test('each violation of a rule is detected', { skip: NEEDS_ONE_NODE }, async () => {
  for (const [statement, word] of [
    ['create table extra (id int primary key)', /extra is not in PLACEMENTS/],
    ['drop table statements', /statements is in PLACEMENTS and not/],
    [
      'create unique index on published_ratings (job_id)',
      /unique key published_ratings_job_id_idx of published_ratings lacks asset_id/,
    ],
    ['create unique index on prices_20261120 (at)', /of prices lacks asset_id/],
    ['create unique index on alerts (id)', /of alerts lacks account_id/],
    ['alter table peers alter column asset_id type text collate "en-x-icu"', /peers.asset_id is text en-x-icu/],
    [
      'alter table peers drop constraint peers_pkey, alter column asset_id drop not null',
      /peers.asset_id may be missing/,
    ],
    [
      'alter table published_ratings add foreign key (job_id) references jobs (id)',
      /published_ratings refers to jobs across/,
    ],
    [
      'alter table index_schedule add foreign key (asset_id) references rated_assets (asset_id)',
      /index_schedule refers to rated_assets/,
    ],
    ['alter table peers add column number int generated always as identity', /peers.number numbers itself/],
    ['create rule quiet as on delete to peers do instead nothing', /peers has the rule quiet/],
  ] as const) {
    const client = await database.store.pool.connect();
    await client.query('begin');
    await client.query(statement);
    const broken = await brokenRules(client, PLACEMENTS);
    await client.query('rollback');
    client.release();
    assert.ok(
      broken.some((one) => word.test(one)),
      `${statement}: ${broken.join('; ')}`,
    );
  }
  const client = await database.store.pool.connect();
  await client.query('begin');
  await client.query(
    'alter table published_ratings add foreign key (asset_id) references rated_assets (asset_id) deferrable',
  );
  assert.deepEqual(await brokenRules(client, PLACEMENTS), [], 'tables that lie together may refer to each other');
  await client.query('rollback');
  client.release();
});

const db = () => database.store.db;
const range = { from: '2026-11-01T00:00:00.000Z', to: AT };
const page = { ...range, intervalSeconds: null, limit: 10, cursor: null };
const ratings = { ...range, intervalSeconds: null, actionsOnly: false, after: null, limit: 10 };
const rating = {
  asset_id: ASSET.id,
  as_of: AT,
  stored_at: AT,
  job_id: 'job_1',
  band: 'A',
  indicative_band: 'A',
  score: 70,
  smoothed_score: 70,
  trust: 80,
  vfr: null,
  vfr_zone: 'INDETERMINATE',
  action: 'new',
  reversal: false,
  flags: [],
  methodology: '1',
  record: Buffer.from('{}'),
  signature: 's',
};
const head = {
  ...{ chain: 'ethereum', address: ASSET.address, symbol: 'T', symbol_folded: 't', name: 'T', category: 'defi' },
  ...{ asset: '{}', request: '{}', state: '{"last":{}}', band: 'A', band_rank: 1, score: 70, trust: 80, vfr: null },
  ...{ market_cap_usd: 1, liquidity_usd: 1, flags: [], methodology: '1', action: 'new' },
};

/** What is done for each request or each rating, by name. */
const HOT: Readonly<Record<string, () => Promise<unknown>>> = {
  'a snapshot is stored': () => store('market', '2026-11-20T12:05:00.000Z'),
  'the newest snapshot is read': () => latestSnapshot(db(), ASSET.id, 'market'),
  'a snapshot of a time is read': () => snapshotAsOf(db(), ASSET.id, 'market', AT),
  'a history is read': () => snapshotHistory(db(), ASSET.id, 'market', page),
  'a history is read by the hour': () => snapshotHistory(db(), ASSET.id, 'market', { ...page, intervalSeconds: 3600 }),
  'points are read': () => lastPoints(db(), ASSET.id, AT, { step: 'hour', count: 24 }),
  'a price of a time is read': () => priceAt(db(), ASSET.id, AT, 600),
  'daily prices are read': () => dailyPrices(db(), ASSET.id, AT, 30),
  'a rating is stored': () =>
    db()
      .transaction()
      .execute(async (transaction) => {
        await lockAssets(transaction, [ASSET.id]);
        await storePublished(transaction, [{ rating, head }]);
      }),
  'a peer is stored': () =>
    db()
      .transaction()
      .execute((transaction) =>
        storePeers(transaction, [
          {
            peer: { assetId: ASSET.id, asOf: AT, category: 'defi_protocol', marketValueUsd: 1, drivers: {} },
            readings: {},
          },
        ]),
      ),
  'the newest rating is read': () => newestRatings(db(), [ASSET.id]),
  'the rating before is read': () => previousRating(db(), ASSET.id),
  'the last score is read': () => lastScore(db(), ASSET.id),
  'a rating of a time is read': () => ratingAsOf(db(), ASSET.id, AT),
  'a rating of a methodology is read': () => ratingByMethodology(db(), ASSET.id, '1', null),
  'methodologies are read': () => methodologiesOf(db(), ASSET.id),
  'ratings are read': () => ratingsBetween(db(), ASSET.id, ratings),
  'ratings are read by the day': () => ratingsBetween(db(), ASSET.id, { ...ratings, intervalSeconds: 86_400 }),
  'actions are read': () => ratingsBetween(db(), ASSET.id, { ...ratings, actionsOnly: true }),
  'a rating of a job is read': () => ratingOfJob(db(), ASSET.id, 'job_1'),
  'what it is collected by is read': () => ratedSubject(db(), ASSET.id),
  'the job of the newest rating is read': () => currentRatingJob(db(), ASSET.id),
  'a standing is read': () => peerOf(db(), ASSET.id),
  'driver days are read': () => driverDays(db(), ASSET.id, AT, 30),
  'a scan ledger is kept': () => keepScanLedger(db(), ASSET.id, [Buffer.from('x')], AT),
  'a scan ledger is read': () => scanLedger(db(), ASSET.id),
};

/** What is stored again takes no value that a function gives only now, and keeps its asset. */
const UNFIT_UPSERT =
  /\bdo update set\b.*(\b(clock_timestamp|now|random|gen_random_uuid)\(|[\s,]"?asset_id"? = (excluded|\$))/is;

test('every statement of a request or a rating names its asset: one node replies to it', {
  skip: NEEDS_OWN_SERVER,
}, async () => {
  await store('market', '2026-11-20T11:00:00.000Z');
  for (const [name, work] of Object.entries(HOT)) {
    const statements = await statementsOf(work);
    assert.ok(statements.length > 0, `${name}: nothing was asked`);
    for (const statement of statements) assert.doesNotMatch(statement, UNFIT_UPSERT, name);
    for (const statement of statements)
      for (const scan of await scansOf(statement))
        assert.match(scan.condition, /\basset_id = /, `${name}: ${scan.table} is read over all nodes by\n${statement}`);
  }
});

test('a statement without the asset is detected', { skip: NEEDS_OWN_SERVER }, async () => {
  const [statement = ''] = await statementsOf(() =>
    sql`select * from prices where at > ${AT}::timestamptz`.execute(db()),
  );
  const scans = await scansOf(statement);
  assert.ok(scans.length > 0 && scans.every((scan) => !/\basset_id = /.test(scan.condition)));
});

/** Statements on distributed tables that the work sends. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const spy = mock.method(pg.Client.prototype, 'query');
  await work();
  const texts = spy.mock.calls.flatMap(({ arguments: [first] }): string[] => {
    const given: unknown = first;
    if (typeof given === 'string') return [given];
    const text = (given as { readonly text?: unknown } | undefined)?.text;
    return typeof text === 'string' ? [text] : [];
  });
  spy.mock.restore();
  const cut = Object.keys(PLACEMENTS).filter((table) => PLACEMENTS[table]?.kind === 'distributed');
  return [...new Set(texts)].filter(
    (text) => /^\s*(select|insert|update|delete|with)\b/i.test(text) && cut.some((table) => text.includes(table)),
  );
}

interface Scan {
  readonly table: string;
  readonly condition: string;
}

/** Which distributed tables the server reads for a statement, and by what. */
async function scansOf(statement: string): Promise<readonly Scan[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `explain (generic_plan, format json) ${statement}`,
    );
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => scans(Plan)));
  } finally {
    await client.end();
  }
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
  readonly [key: string]: unknown;
}

function scans(node: PlanNode): readonly Scan[] {
  const name = node['Relation Name']?.replace(/_\d{8}$/, '') ?? '';
  const isScan = node['Node Type'] !== 'ModifyTable' && PLACEMENTS[name]?.kind === 'distributed';
  const condition = ['Index Cond', 'Recheck Cond', 'Filter'].map((key) => String(node[key] ?? '')).join(' ');
  return [...(isScan ? [{ table: name, condition }] : []), ...(node.Plans ?? []).flatMap(scans)];
}

/** Statements that read all of a cut table onto the coordinator on purpose, to put it beside one that lies there. */
const GATHERED = ['measureFreshness'];

test('no statement puts tables that are cut and tables that are not together, but those that the decision page names', async () => {
  const found = new Set<string>();
  for (const file of await readdir(HERE, { recursive: true })) {
    if (!file.endsWith('.ts') || /test\.ts$|fixtures|migrations|distribution/.test(file)) continue;
    const text = await readFile(`${HERE}/${file}`, 'utf8');
    let read = 0;
    for (const statement of text.split(/(?<=;\n)/)) {
      read += statement.length;
      const kinds = new Set(tablesOf(statement).map((table) => PLACEMENTS[table]?.kind));
      if (kinds.size > 1) found.add([...text.slice(0, read).matchAll(/function\*? (\w+)/g)].at(-1)?.[1] ?? file);
    }
  }
  assert.deepEqual([...found].sort(), GATHERED);
  for (const name of GATHERED) assert.ok(DECISION.includes(`\`${name}\``), name);
});

/** Tables that a piece of source reads or writes, in SQL or by the query builder. */
function tablesOf(source: string): readonly string[] {
  return Object.keys(PLACEMENTS).filter((table) =>
    new RegExp(
      `(from|join|into|update|table|,)\\s+(only\\s+)?${table}\\b|(From|Into|Table|[jJ]oin)\\(\\s*'${table}'`,
    ).test(source),
  );
}

/** Changes up to here are older than the first cluster. */
const LAST_BEFORE = '0006-ratings';

/** What Citus takes of ALTER TABLE on a table that is cut ("alter table command is currently unsupported" for the rest). */
const FIT_ALTER =
  /^(add column|drop column|(add|drop|validate) constraint|alter column \S+ ((set|drop) (not null|default)|type))\b|^set \(/i;

test('no change of the tables does to one that is cut what a cluster refuses', () => {
  const since = CHANGES.slice(CHANGES.findIndex(({ name }) => name === LAST_BEFORE) + 1);
  assert.ok(since.length > 0 && since.length < CHANGES.length);
  const unfit = since.flatMap(({ name, statements }) =>
    statements.flatMap((statement) => {
      const [, table = '', work = ''] = /^alter table (\w+)\s+(.*)$/is.exec(statement) ?? [];
      if (PLACEMENTS[table]?.kind !== 'distributed') return [];
      return work
        .split(/,\s*(?=(?:add|drop|alter|set|rename|validate)\b)/i)
        .filter((part) => !FIT_ALTER.test(part))
        .map((part) => `${name}: ${table} ${part}`);
    }),
  );
  assert.deepEqual(unfit, []);
  for (const part of ['alter column state set storage main', 'rename column a to b', 'set unlogged'])
    assert.doesNotMatch(part, FIT_ALTER);
});

for (const from of [LAST_BEFORE, '0015-source-drift-alerts', '0026-moved-evidence'])
  test(`a cluster that was made at ${from} is brought up to date, and the script cuts what is new`, {
    skip: NEEDS_CLUSTER,
  }, async () => {
    const cluster = await givenDatabase(`upgrade of ${from} ${process.pid}`, { empty: true });
    assert.ok(cluster);
    const { db, pool, close } = connect(cluster.url);
    const cut = async () => {
      const { rows } = await pool.query<{ name: string }>('select logicalrelid::text as name from pg_dist_partition');
      return rows.map(({ name }) => name).filter((name) => name in PLACEMENTS);
    };
    const wanted = Object.keys(PLACEMENTS).filter((table) => PLACEMENTS[table]?.kind === 'distributed');
    try {
      await applyChanges(db, CHANGES, from);
      const { rows } = await pool.query<{ name: string }>(
        'select name from unnest($1::text[]) as name where to_regclass(name) is null',
        [wanted],
      );
      const script = distributionScript().split(/(?<=;\n)/);
      for (const statement of script.filter((one) => !rows.some(({ name }) => one.includes(`'${name}'`))))
        await pool.query(statement);
      await migrate(db);
      assert.deepEqual((await cut()).sort(), wanted.filter((table) => !rows.some(({ name }) => name === table)).sort());
      await pool.query(distributionScript());
      assert.deepEqual((await cut()).sort(), wanted.toSorted());
    } finally {
      await close();
      await cluster.drop();
    }
  });

test('the page of the decision names every table', () => {
  for (const table of Object.keys(PLACEMENTS)) assert.ok(DECISION.includes(`\`${table}\``), table);
});

test('the script of the decision page is the one that the tables give', () => {
  assert.ok(DECISION.includes(`\`\`\`sql\n${distributionScript()}\`\`\``));
});
