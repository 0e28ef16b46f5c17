import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import { RatingView, SignedRecord } from '../contract/rating.ts';
import { auditRecords, UNSIGNED } from './audit.ts';
import { recordHash } from './tiles.ts';

const SPAN = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
const record = (day: number, score: number) => ({ as_of: `2026-01-${day}T00:00:00.000Z`, score });
const entry = (row: ReturnType<typeof record>) => ({
  asset: 'a',
  asOf: row.as_of,
  recordSha256: recordHash(canonicalize(row) ?? ''),
});
const kinds = (...args: Parameters<typeof auditRecords>) => auditRecords(...args).map(({ kind }) => kind);

test('records that are as they were logged are right, whatever a reply adds to them', () => {
  const rows = [record(10, 50), record(11, 51)];
  assert.deepEqual(
    kinds(
      rows.map(entry),
      rows.map((row) => ({ ...row, age_seconds: 5, standing: 'affirmed', signature: { value: 'x' } })),
      SPAN,
    ),
    [],
  );
});

test('what a reply adds to a record, the correction of a wrong rating among it, is not part of what was signed', () => {
  const { signature: _, ...signed } = SignedRecord.properties;
  const added = Object.keys(RatingView.properties).filter((name) => !(name in signed));
  assert.deepEqual([...UNSIGNED].sort(), added.sort());
  const row = record(10, 50);
  assert.deepEqual(kinds([entry(row)], [{ ...row, correction: { band: 'D', score: 3 } }], SPAN), []);
});

test('a changed, a dropped and an added rating are found', () => {
  const logged = [record(10, 50), record(11, 51)].map(entry);
  assert.deepEqual(kinds(logged, [record(10, 50), record(11, 52)], SPAN), ['not_logged', 'record_changed']);
  assert.deepEqual(kinds(logged, [record(10, 50)], SPAN), ['record_missing']);
  assert.deepEqual(kinds(logged, [record(10, 50), record(11, 51), record(12, 60)], SPAN), ['not_logged']);
});

test('what is younger than the checkpoint, or older than what was read, is not judged', () => {
  const late = { as_of: '2026-02-01T00:00:00.000Z', score: 1 };
  const early = { as_of: '2025-12-31T00:00:00.000Z', score: 1 };
  assert.deepEqual(kinds([], [late, early], SPAN), []);
});
