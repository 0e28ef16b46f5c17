import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createSigner, type Signer } from '../signing/index.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { queueForLog } from '../store/index.ts';
import {
  cosignatureLine,
  cosignatureOf,
  cosignedText,
  type NoteKey,
  readCheckpoint,
  readWitnessKey,
  witnessKeyText,
} from './checkpoint.ts';
import { openLog, type TransparencyLog } from './log.ts';
import { hashLeaf, isConsistent, isIncluded } from './merkle.ts';
import { recordHash } from './tiles.ts';
import { type LogReader, type VerifierState, verifyLog } from './verify.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const HOUR = 3_600_000;
const ASSETS = ['eip155:1/slip44:60', 'project:example.com', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/slip44:501'];

let database: TestDatabase;
let signer: Signer;
let clock = START;
let number = 0;
let log: TransparencyLog;
const pair = generateKeyPairSync('ed25519');
const witness: NoteKey = {
  name: 'witness.example/w1',
  x: String(pair.publicKey.export({ format: 'jwk' }).x),
};

before(async () => {
  database = await testDatabase();
  signer = await createSigner(database.store.db, () => clock);
  log = openLog({ db: database.store.db, signer, witnesses: [witness], now: () => clock });
});
after(() => database.close());

/** Publishes so many ratings, one a second. */
function rate(many: number, asOf = clock): Promise<void> {
  return database.store.db.transaction().execute(async (transaction) => {
    for (let index = 0; index < many; index += 1) {
      number += 1;
      const rating = {
        assetId: ASSETS[number % ASSETS.length] ?? '',
        ratingId: number,
        asOf: new Date(asOf + index * 1000).toISOString(),
        recordSha256: recordHash(`record ${number}`),
      };
      await queueForLog(transaction, [rating]);
    }
  });
}

/** The log as another machine reads it: by its replies alone. */
const reader = (of: TransparencyLog = log): LogReader => ({
  checkpoints: async (from) => (await of.checkpoints(from, 2)).map(({ note }) => note),
  entries: async (from) => (await of.entries(from, 100)).entries.map(({ input }) => input),
});

const verify = async (state: VerifierState | null = null) => verifyLog(reader(), await signer.keys(), state);

test('ratings that two processes add at once have one place each, and the log verifies', async () => {
  assert.equal(await log.checkpoint(), null);
  await rate(700);
  clock += HOUR;
  const other = openLog({ db: database.store.db, signer, witnesses: [], now: () => clock });
  const added = await Promise.all([log.integrate(), other.integrate(), log.integrate()]);
  assert.equal(
    added.reduce((sum, many) => sum + many, 0),
    700,
  );
  const { complaints, state, checkpoints } = await verify();
  assert.deepEqual(complaints, []);
  assert.deepEqual([state?.size, checkpoints], [700, 1]);
  await rate(1);
  clock += HOUR;
  await log.integrate();
  const next = await verify(state);
  assert.deepEqual([next.complaints, next.added, next.state?.size], [[], 1, 701]);
});

test('each rating of an asset is proved in the newest tree, and older trees are proved to be its beginning', async () => {
  const found = await log.inclusions(ASSETS[1] ?? '', { after: -1, limit: 1000 });
  assert.equal(found.length, 234);
  for (const { index, input, size, path, checkpoint } of found.slice(0, 50)) {
    const read = readCheckpoint(checkpoint);
    assert.equal(read?.checkpoint.size, size);
    assert.ok(isIncluded(hashLeaf(Buffer.from(input)), index, size, path, read?.checkpoint.root ?? Buffer.of()));
  }
  const [first, second] = (await log.checkpoints(0, 10)).map(({ note }) => readCheckpoint(note)?.checkpoint);
  assert.ok(first && second);
  const path = await log.consistency(first.size, second.size);
  assert.ok(isConsistent(first, second, path ?? []));
  assert.equal(await log.consistency(1, 702), null);
});

test('a rotated key signs on, and the name of the log stays', async () => {
  const { state } = await verify();
  clock += 1;
  await signer.rotate();
  await rate(3);
  clock += HOUR;
  await log.integrate();
  const { complaints, state: now } = await verify(state);
  assert.deepEqual(complaints, []);
  assert.equal(now?.origin, state?.origin);
  const { complaints: strange } = await verifyLog(reader(), (await signer.keys()).slice(1), state);
  assert.deepEqual(
    strange.map(({ kind }) => kind),
    ['wrong_signature'],
  );
});

test('a witness that is known puts its line under a checkpoint; others, and other checkpoints, do not', async () => {
  const note = await log.checkpoint();
  const text = readCheckpoint(note ?? '')?.text ?? '';
  const at = 1_800_000_000;
  const line = cosignatureLine(witness, at, sign(null, Buffer.from(cosignedText(text, at)), pair.privateKey));
  assert.equal(await log.witness(`${text}\n${line}`), 'kept');
  assert.equal(await log.witness(`${text}\n${line}`), 'kept');
  const signed = readCheckpoint((await log.checkpoint()) ?? '');
  assert.equal(signed?.signatures.length, 2);
  assert.equal(signed && cosignatureOf(signed, witness)?.at, at);
  const strange = { ...witness, name: 'witness.example/w2' };
  const wrong = cosignatureLine(strange, at, sign(null, Buffer.from(cosignedText(text, at)), pair.privateKey));
  assert.equal(await log.witness(`${text}\n${wrong}`), 'unknown_witness');
  const forged = cosignatureLine(witness, at + 1, sign(null, Buffer.from(cosignedText(text, at)), pair.privateKey));
  assert.equal(await log.witness(`${text}\n${forged}`), 'unknown_witness');
  const other = text.replace(/\n\d+\n/, '\n7\n');
  assert.equal(await log.witness(`${other}\n${line}`), 'unknown_checkpoint');
  assert.equal(await log.witness('nothing'), 'unreadable');
});

test('a bogus line of a witness before its true one does not replace what the witness signed', async () => {
  const text = readCheckpoint((await log.checkpoint()) ?? '')?.text ?? '';
  const at = 1_800_000_001;
  const line = cosignatureLine(witness, at, sign(null, Buffer.from(cosignedText(text, at)), pair.privateKey));
  const bogus = cosignatureLine(witness, at, Buffer.alloc(64, 7));
  assert.equal(await log.witness(`${text}\n${bogus}${line}`), 'kept');
  const signed = readCheckpoint((await log.checkpoint()) ?? '');
  assert.equal(signed && cosignatureOf(signed, witness)?.at, at);
  assert.equal(await log.witness(`${text}\n${bogus}`), 'unknown_witness');
});

test('a witness key is read as signed notes write it', () => {
  assert.deepEqual(readWitnessKey(witnessKeyText(witness)), witness);
  assert.equal(readWitnessKey('witness.example/w1+00000000+AAAA'), null);
  // The example key of the C2SP documents is of a log (kind 1), not of a witness.
  assert.equal(readWitnessKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'), null);
});

test('a rating that is dated back is found', async () => {
  const { state } = await verify();
  await rate(1, clock - 48 * HOUR);
  clock += HOUR;
  await log.integrate();
  const { complaints } = await verify(state);
  assert.deepEqual(
    complaints.map(({ kind, at }) => [kind, at]),
    [['dated_back', 704]],
  );
});

for (const [title, change, kind] of [
  [
    'changed',
    sql`update log_leaves set input = replace(input, ':60', ':61') where leaf_index = 200`,
    'history_changed',
  ],
  ['dropped', sql`delete from log_leaves where leaf_index = 703`, 'history_changed'],
  ['dropped at the end', sql`delete from log_leaves where leaf_index = 704`, 'entry_missing'],
] as const)
  test(`a rating that was ${title} after it was logged is found`, async () => {
    const { db } = database.store;
    await db
      .transaction()
      .execute(async (transaction) => {
        await change.execute(transaction);
        const inside = openLog({ db: transaction, signer, witnesses: [], now: () => clock });
        const { complaints } = await verifyLog(reader(inside), await signer.keys(), null);
        assert.ok(
          complaints.some((one) => one.kind === kind),
          JSON.stringify(complaints),
        );
        throw new Error('taken back');
      })
      .catch((error: Error) => assert.equal(error.message, 'taken back'));
  });

for (const [title, many] of [
  ['rewritten and signed again', 800],
  ['cut off and signed again', 300],
] as const)
  test(`a history ${title} is detected by a holder of the earlier checkpoint`, () => detected(many));

/** A log of so many other ratings under the same key, read with the state of the true one. */
async function detected(many: number): Promise<void> {
  const { state } = await verify();
  const fresh = await testDatabase();
  try {
    const forger = openLog({ db: fresh.store.db, signer, witnesses: [], now: () => clock });
    await fresh.store.db.transaction().execute(async (transaction) => {
      const forged = Array.from({ length: many }, (_, index) => ({
        assetId: ASSETS[0] ?? '',
        ratingId: index + 1,
        asOf: new Date(clock).toISOString(),
        recordSha256: recordHash(`another record ${index + 1}`),
      }));
      await queueForLog(transaction, forged);
    });
    await forger.integrate();
    const { complaints } = await verifyLog(reader(forger), await signer.keys(), state);
    assert.deepEqual(
      complaints.map((one) => one.kind),
      ['history_changed'],
    );
  } finally {
    await fresh.close();
  }
}

test('a clock that is set back, or of another process, makes no checkpoint older than the one before it', async () => {
  const { state } = await verify();
  const present = clock;
  await rate(1, present - HOUR);
  clock -= 2_000;
  await log.integrate();
  clock = present;
  const { complaints, state: now } = await verify(state);
  assert.deepEqual(complaints, []);
  assert.equal(now?.at, state?.at);
});
