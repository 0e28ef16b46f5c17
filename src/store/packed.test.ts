import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import records from './dictionaries/record-1.json' with { type: 'json' };
import state from './dictionaries/state-1.json' with { type: 'json' };
import { boundEvidence, packEvidence, unboundEvidence, unpackEvidence, unpackRecord } from './packed-evidence.ts';
import { packRecord, RECORDS, recordOf } from './packed-record.ts';
import { packState, STATES, stateOfRow } from './packed-state.ts';

const words = (text: string) => Buffer.from(text);

test('evidence is returned byte for byte, for any place of its record in the result, or without one', async () => {
  const piece = fc.uint8Array({ maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(piece, piece, piece, fc.boolean(), async (record, before, after, holds) => {
      const result = Buffer.concat(holds ? [before, record, after] : [before, after]);
      const packed = await packEvidence({ record, result });
      const read = await unpackEvidence(packed);
      assert.ok(read.record.equals(record) && read.result.equals(result));
      assert.ok((await unpackRecord(packed.record)).equals(record));
      const bound = unboundEvidence(boundEvidence(packed));
      assert.ok(bound !== null && packed.record.equals(bound.record) && packed.result.equals(bound.result));
    }),
  );
});

test('evidence of earlier versions, each part a zstd frame, is read as before', async () => {
  const [record, result] = [words('{"a":1}'), words('{"evidence":{"a":1},"rating":2}')];
  const read = await unpackEvidence({ record: zstdCompressSync(record), result: zstdCompressSync(result) });
  assert.deepEqual([read.record, read.result], [record, result]);
});

test('a result that repeats its record takes less than half of what each alone takes', async () => {
  const rows = Array.from({ length: 400 }, (_, row) => ({
    source: `s${row % 9}`,
    value: Math.sin(row) * 1e6,
    at: row * 7919,
  }));
  const record = words(JSON.stringify(rows));
  const result = words(
    `{"consensus":${JSON.stringify(rows.map(({ value, source }) => ({ source, value })))},"evidence":${record}}`,
  );
  const packed = await packEvidence({ record, result });
  assert.ok(
    packed.record.length + packed.result.length <
      0.7 * (zstdCompressSync(record).length + zstdCompressSync(result).length),
  );
  assert.ok(packed.result.length < 0.5 * zstdCompressSync(result).length);
});

test('a value that is not an evidence object is not packed as one', () => {
  assert.equal(unboundEvidence(words('')), null);
  assert.equal(unboundEvidence(words('<Error><Code>NoSuchKey</Code></Error>')), null);
  assert.equal(unboundEvidence(boundEvidence({ record: words('record'), result: words('') }).subarray(0, 22)), null);
});

test('a dictionary is never changed: what it packed could not be read any more', () => {
  assert.deepEqual(STATES.hashes(), { 1: 'fc9abc1c7d257c20b060f0b1b34f013709c7d66980067a8a8edff16402306ac2' });
  assert.deepEqual(RECORDS.hashes(), { 1: '0e253dd31e3779bf90da72d1926c166a86949a3ccae4f56554c74e1766b0ad56' });
});

test('a state is returned unchanged, packed or in earlier formats; one of a newer dictionary is refused', () => {
  const text = JSON.stringify(state).replaceAll('0x80af', '0x1234');
  const packed = packState(text);
  assert.ok(packed.length < text.length / 20, `${packed.length} bytes`);
  assert.equal(stateOfRow({ state: null, state_packed: packed }), text);
  assert.equal(stateOfRow({ state: text, state_packed: null }), text);
  const newer = Buffer.concat([Buffer.of(2), packed.subarray(1)]);
  assert.throws(() => stateOfRow({ state: null, state_packed: newer }), /does not have dictionary 2/);
});

test('a record comes back byte for byte, packed or as earlier versions wrote it; one of a newer dictionary is refused', () => {
  const record = words(JSON.stringify(records[0]).replaceAll('a', 'ä'));
  const packed = packRecord(record);
  assert.ok(packed.length < record.length / 2, `${packed.length} of ${record.length} bytes`);
  assert.ok(recordOf(packed).equals(record));
  assert.ok(recordOf(record).equals(record));
  assert.throws(
    () => recordOf(Buffer.concat([Buffer.of(2), packed.subarray(1)])),
    /does not have dictionary 2 of records/,
  );
  fc.assert(
    fc.property(fc.object(), (value) => {
      const text = words(JSON.stringify(value));
      return recordOf(packRecord(text)).equals(text);
    }),
  );
  for (const text of ['', '[]', ' {}']) assert.throws(() => packRecord(words(text)), /is a JSON object/);
});
