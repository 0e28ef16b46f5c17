import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  type RatingProof,
  type VerifyingKey,
  verifyCheckpoint,
  verifyConsistency,
  verifyInclusion,
} from '../client/src/index.ts';
import { openStorage, type Storage } from '../src/compose/storage.ts';
import type { Database } from '../src/store/database.ts';
import { packRecord, recordOf } from '../src/store/packed-record.ts';
import { assay, type Ran } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
let storage: Storage;
let folder: string;
let state: string;
let first: Json;
let firstCheckpoint = '';

type Json = Readonly<Record<string, unknown>>;

before(async () => {
  world = await testService();
  storage = await openStorage(world.config, 'visitor', () => undefined);
  folder = await mkdtemp(join(tmpdir(), 'assay-log-'));
  state = join(folder, 'log.json');
  first = await rate('Tidewell', 'TIDE');
  await logged(1);
});
after(async () => {
  await storage.close();
  await world.close();
  await rm(folder, { recursive: true });
});

async function rate(project: string, symbol: string): Promise<Json> {
  const reply = await world.call('/v1/score', {
    json: { type: 'posttge', project, project_url: `https://${project.toLowerCase()}.example/`, token_symbol: symbol },
  });
  assert.equal(reply.status, 200);
  return (await reply.json()) as Json;
}

/** Waits until the newest checkpoint has so many ratings. */
async function logged(size: number): Promise<string> {
  for (let turn = 0; turn < 600; turn += 1) {
    const reply = await world.call('/v1/log/checkpoint', { key: null });
    const note = reply.status === 200 ? await reply.text() : '';
    if (Number(note.split('\n')[1]) >= size) return note;
    await sleep(100);
  }
  throw new Error(`the log never had ${size} ratings`);
}

const idOf = (scored: Json) => encodeURIComponent((scored['asset'] as { readonly id: string }).id);
const read = async (path: string, key?: null) =>
  (await (await world.call(path, key === null ? { key } : {})).json()) as Json;
const keys = async () => (await read('/.well-known/assay-keys.json'))['keys'] as readonly VerifyingKey[];
const verify = (...options: readonly string[]): Promise<Ran> =>
  assay(world.config, ['log', 'verify', '--url', world.service.url, ...options]);

test('a published rating is in the log, and the client proves it without trusting the service', async () => {
  const record = await read(`/v1/rms/${idOf(first)}`);
  const { data } = (await read(`/v1/rms/${idOf(first)}/proofs`)) as { readonly data?: readonly RatingProof[] };
  const [proof] = data ?? [];
  assert.ok(proof && data?.length === 1);
  const verified = await verifyInclusion(record, proof, await keys());
  assert.ok(verified.valid, JSON.stringify(verified));
  firstCheckpoint = proof.checkpoint;
  const forged = await verifyInclusion({ ...record, score: 99 }, proof, await keys());
  assert.deepEqual(forged, { valid: false, reason: 'other_record' });
  assert.deepEqual(await verifyInclusion(record, proof, []), { valid: false, reason: 'unknown_key' });
});

test('the log continues: a newer tree begins with the older one', async () => {
  await rate('Hivecoin', 'HIVC');
  const note = await logged(2);
  const [older, newer] = [
    await verifyCheckpoint(firstCheckpoint, await keys()),
    await verifyCheckpoint(note, await keys()),
  ];
  assert.ok(older.valid && newer.valid);
  const from = `from=${older.checkpoint.size}&to=${newer.checkpoint.size}`;
  const { path } = (await read(`/v1/log/consistency?${from}`, null)) as { readonly path: readonly string[] };
  assert.ok(await verifyConsistency(older.checkpoint, newer.checkpoint, path));
  assert.ok(!(await verifyConsistency({ ...older.checkpoint, root: newer.checkpoint.root }, newer.checkpoint, path)));
  const refused = await world.call('/v1/log/consistency?from=1&to=1000000', { key: null });
  assert.equal(refused.status, 400);
  const body = (await refused.json()) as { readonly errors: readonly Json[] };
  assert.match(JSON.stringify(body.errors), /the size of the newest checkpoint/);
});

test('assay log verify reads the whole log, then what is new, and holds the records to it', async () => {
  const ran = await verify('--state', state, '--records', '--api-key', world.key);
  assert.equal(ran.code, 0, ran.err);
  assert.match(
    ran.out,
    /ratings, [2-9]\d* of them new, under \d+ new checkpoints: nothing was changed, dropped or dated back/,
  );
  assert.match(ran.err, /keep them and pass them with --keys/);
  const again = await verify('--state', state);
  assert.equal(again.code, 0, again.err);
  assert.match(again.out, / 0 of them new, under 0 new checkpoints/);
  assert.equal((await verify('--records')).code, 64);
});

/** Changes the bytes of all records. */
const inRecords = (from: string, to: string) => async (db: Database) => {
  const rows = await db.selectFrom('published_ratings').select(['asset_id', 'id', 'record']).execute();
  for (const { asset_id, id, record } of rows) {
    const changed = packRecord(Buffer.from(recordOf(record).toString().replaceAll(from, to)));
    const row = db.updateTable('published_ratings').set({ record: changed }).where('asset_id', '=', asset_id);
    await row.where('id', '=', id).execute();
  }
};
const inLeaves = (from: string, to: string) => (db: Database) =>
  sql`update log_leaves set input = replace(input, ${from}, ${to})`.execute(db);

for (const [title, change, back, expected] of [
  [
    'a rating that was changed where it is kept',
    inRecords('"band":"BBB"', '"band":"AAA"'),
    inRecords('"band":"AAA"', '"band":"BBB"'),
    /record_changed: .* the rating that the service shows is not the one that was logged/,
  ],
  [
    'a leaf that was written anew',
    inLeaves('"as_of":"20', '"as_of":"19'),
    inLeaves('"as_of":"19', '"as_of":"20'),
    /history_changed at \d+: the ratings do not make the tree that was signed/,
  ],
] as const)
  test(`assay log verify finds ${title}`, async () => {
    await change(storage.store.db);
    try {
      const ran = await verify('--records', '--api-key', world.key);
      assert.equal(ran.code, 1, ran.out);
      assert.match(ran.err, expected);
    } finally {
      await back(storage.store.db);
    }
    assert.equal((await verify('--records', '--api-key', world.key)).code, 0);
  });

test('an invalid state is refused and left unchanged', async () => {
  const wrong = join(folder, 'wrong.json');
  await writeFile(wrong, 'no state');
  const ran = await verify('--state', wrong);
  assert.deepEqual([ran.code, await readFile(wrong, 'utf8')], [65, 'no state']);
});

test('a signature of an unknown witness is refused with a reason', async () => {
  const note = await logged(1);
  const refused = await world.call('/v1/log/cosignatures', { key: null, json: { note } });
  assert.equal(refused.status, 403);
  assert.match(JSON.stringify(await refused.json()), /ASSAY_LOG_WITNESSES/);
});
