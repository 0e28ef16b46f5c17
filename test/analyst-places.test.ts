import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import Type from 'typebox';
import { Parse } from 'typebox/value';
import { parse } from 'yaml';
import { createClient } from '../client/src/index.ts';
import type { ApiContext } from '../src/api/context.ts';
import { openRatingExports } from '../src/compose/exports.ts';
import type { Config } from '../src/config/types.ts';
import { exportsRoot } from '../src/config/types.ts';
import { createExportService } from '../src/exports/published-days.ts';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const NAMES = [
  ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP'],
  ['mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So', '=HYPERLINK("http://x")'],
  ['7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'a\'; DROP TABLE day; --\n"é😀'],
] as const;
let world: RatingWorld;
let folder: string;
let key: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-analyst-'));
  const config = { dataDir: folder, dataMode: 'sandbox' } as Config;
  const exports = createExportService(exportsRoot(config));
  const unused = new Proxy({}, { get: () => () => () => undefined });
  world = await ratingWorld('2026-11-20T12:00:00.000Z', {
    chain: { reader: unused, index: unused, exports } as unknown as ApiContext['chain'],
  });
  for (const [index, [address, symbol]] of NAMES.entries())
    await world.put(
      ratingOf(solanaAsset(address, symbol), '2026-11-20T11:00:00.000Z', { score: 60 + index, action: 'new' }),
    );
  const none = { score: null, smoothedScore: null, scoreInterval: null, band: 'NR', indicativeBand: 'NR' } as const;
  const thin = solanaAsset('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', null);
  await world.put(ratingOf(thin, '2026-11-20T11:30:00.000Z', { ...none, action: 'new' }));
  world.clock.now = Date.parse('2026-11-21T00:06:00.000Z');
  const onError = (error: unknown) => {
    throw error;
  };
  const publisher = openRatingExports({ config, store: world.store, exports, now: () => world.clock.now, onError });
  assert.deepEqual(await publisher.publishDue(), ['rms 2026-11-20']);
  await publisher.close();
  key = await world.key('RATING', ['rms:read']);
});
after(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

test('DuckDB reads the Parquet file that the client downloads, hostile names and all', async () => {
  const assay = createClient({ baseUrl: world.url, apiKey: key });
  const reply = await assay.fetch('GET /v1/exports/rms/daily', { query: { format: 'parquet' } });
  const file = join(folder, 'day.parquet');
  await writeFile(file, Buffer.from(await reply.arrayBuffer()));
  const json = (await (await assay.fetch('GET /v1/exports/rms/daily', { query: { format: 'json' } })).json()) as {
    readonly asset_id: string;
  }[];
  const connection = await (await DuckDBInstance.create()).connect();
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
  assert.deepEqual(
    await rows(`SELECT band, count(*)::INTEGER, avg(score) FROM read_parquet('${file}') GROUP BY band ORDER BY band`),
    [
      ['BBB', 3, 61],
      ['NR', 1, null],
    ],
  );
  assert.deepEqual(
    await rows(`SELECT symbol FROM read_parquet('${file}') WHERE symbol IS NOT NULL ORDER BY score`),
    NAMES.map(([, symbol]) => [symbol]),
  );
  assert.deepEqual(
    await rows(`SELECT asset_id FROM read_parquet('${file}')`),
    json.map(({ asset_id }) => [asset_id]),
  );
  const types = await rows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet('${file}'))`);
  const typeOf = new Map(types.map(([name, type]) => [name, type]));
  assert.deepEqual(
    ['date', 'score', 'key_flags', 'flags', 'as_of'].map((name) => typeOf.get(name)),
    ['VARCHAR', 'DOUBLE', 'VARCHAR[]', 'BIGINT', 'TIMESTAMP WITH TIME ZONE'],
  );
  connection.closeSync();
});

const Seeds = Type.Object({
  seeds: Type.Array(
    Type.Object({
      name: Type.String(),
      columns: Type.Array(
        Type.Object({
          name: Type.String(),
          data_tests: Type.Optional(
            Type.Array(
              Type.Union([
                Type.Literal('unique'),
                Type.Literal('not_null'),
                Type.Object({ accepted_values: Type.Object({ values: Type.Array(Type.String()) }) }),
              ]),
            ),
          ),
        }),
      ),
    }),
  ),
});
const Project = Type.Object({
  seeds: Type.Object({
    assay: Type.Object({
      assay_ratings: Type.Object({ '+column_types': Type.Record(Type.String(), Type.String()) }),
    }),
  }),
});

test('the dbt seed has the columns, types and values of the file that its command fetches', async () => {
  const documented = await readFile(join(ROOT, 'docs/exports.md'), 'utf8');
  const [, command = ''] = /^```sh dbt\n(.*?)^```$/ms.exec(documented) ?? [];
  await mkdir(join(folder, 'integrations/dbt/seeds'), { recursive: true });
  await run('bash', ['-euc', command], {
    cwd: folder,
    env: { PATH: process.env.PATH, ASSAY_URL: world.url, ASSAY_API_KEY: key },
  });
  const csv = join(folder, 'integrations/dbt/seeds/assay_ratings.csv');
  const header = (await readFile(csv, 'utf8')).split('\r\n')[0]?.split(',');
  const read = async (file: string): Promise<unknown> =>
    parse(await readFile(join(ROOT, 'integrations/dbt', file), 'utf8'));
  const { seeds } = Parse(Seeds, await read('seeds/assay_ratings.yml'));
  const types = Parse(Project, await read('dbt_project.yml')).seeds.assay.assay_ratings['+column_types'];
  const [seed] = seeds;
  assert.equal(seed?.name, 'assay_ratings');
  assert.deepEqual(
    seed.columns.map(({ name }) => name),
    header,
  );
  assert.deepEqual(Object.keys(types), header);
  // What `dbt seed` and `dbt test` would say, by the same types and by the queries that the tests stand for.
  const connection = await (await DuckDBInstance.create()).connect();
  const columns = Object.entries(types).map(([name, type]) => `'${name}': '${type}'`);
  await connection.run(
    `CREATE TABLE seed AS SELECT * FROM read_csv('${csv}', header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n', columns = {${columns.join(', ')}})`,
  );
  const count = async (sql: string) => Number((await connection.runAndReadAll(sql)).getRowsJson()[0]?.[0]);
  assert.equal(await count('SELECT count(*) FROM seed'), 4);
  let tests = 0;
  for (const { name, data_tests: wanted = [] } of seed.columns)
    for (const one of wanted) {
      tests += 1;
      const failing =
        one === 'not_null'
          ? `SELECT count(*) FROM seed WHERE "${name}" IS NULL`
          : one === 'unique'
            ? `SELECT count(*) FROM (SELECT 1 FROM seed WHERE "${name}" IS NOT NULL GROUP BY "${name}" HAVING count(*) > 1)`
            : `SELECT count(*) FROM seed WHERE "${name}" NOT IN (${one.accepted_values.values.map((value) => `'${value}'`).join(', ')})`;
      assert.equal(await count(failing), 0, `${name}: ${JSON.stringify(one)}`);
    }
  assert.ok(tests > 15);
  connection.closeSync();
});

test('the values that the dbt seed accepts are those of the published schema', async () => {
  const document = (await (await world.get('/openapi.json')).json()) as {
    readonly components: {
      readonly schemas: {
        readonly RatingExportRow: { readonly properties: Record<string, { readonly enum?: readonly string[] }> };
      };
    };
  };
  const { properties } = document.components.schemas.RatingExportRow;
  const text = await readFile(join(ROOT, 'integrations/dbt/seeds/assay_ratings.yml'), 'utf8');
  const columns = Parse(Seeds, parse(text)).seeds[0]?.columns ?? [];
  for (const { name, data_tests: wanted = [] } of columns) {
    const values = wanted.flatMap((one) => (typeof one === 'string' ? [] : one.accepted_values.values));
    const known = properties[name]?.enum;
    if (known !== undefined) assert.deepEqual(values, known, name);
  }
});
