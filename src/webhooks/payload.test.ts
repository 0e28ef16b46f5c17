import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { AlertMessage, DigestMessage, TestMessage } from '../contract/webhook-message.ts';
import { alertPayload, digestPayload, testPayload } from './payload.ts';

const AT = '2026-03-01T00:00:00.000Z';
const MOST_BYTES = 65_536;
const long = fc.string({ unit: 'binary', maxLength: 60_000, size: 'max' });

test('no body is larger than 64 KiB, and each states its subject', () => {
  const schema = Compile(AlertMessage);
  fc.assert(
    fc.property(long, long, fc.array(long, { maxLength: 3 }), (title, name, titles) => {
      const raised = titles.map((text) => ({ code: 'HONEYPOT', severity: 'low', title: text }));
      const details = { raised, cleared: [], changed: [] };
      const body = JSON.stringify({ title, details, name, symbol: name, rating_as_of: AT, job_id: 'j' });
      const row = { id: 7, account_id: 'acc', asset_id: 'a', kind: 'score_change', cause: '1', severity: 'low' };
      const seen = { created_at: AT, acknowledged_at: null, acknowledged_by: null };
      const payload = alertPayload('alert.score_change', { ...row, ...seen, body });
      assert.ok(Buffer.byteLength(payload) <= MOST_BYTES);
      const { type, data } = JSON.parse(payload) as { type: string; data: { id: number; asset_id: string } };
      assert.deepEqual([type, data.id, data.asset_id], ['alert.score_change', 7, 'a']);
      assert.ok(schema.Check(data));
    }),
    { numRuns: 30 },
  );
});

test('a digest counts all of its alerts, names a hundred at most, and is about some alert', () => {
  assert.equal(digestPayload('alert.digest', []), null);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), (count) => {
      const folded = Array.from({ length: count }, (_, index) => ({
        id: 1e14 + index,
        kind: index % 3 === 0 ? 'score_change' : 'band_transition',
        severity: 'high',
        created_at: AT,
      }));
      const payload = digestPayload('alert.digest', folded) ?? '';
      assert.ok(Buffer.byteLength(payload) <= MOST_BYTES);
      const { data } = JSON.parse(payload) as {
        data: { alerts: number; by_kind: Record<string, number>; alert_ids: number[] };
      };
      assert.equal(data.alerts, count);
      assert.ok(Compile(DigestMessage).Check(data));
      assert.equal(
        Object.values(data.by_kind).reduce((sum, one) => sum + one, 0),
        count,
      );
      assert.equal(data.alert_ids.length, Math.min(100, count));
    }),
    { numRuns: 20 },
  );
});

test('a test message matches the contract', () => {
  const { data } = JSON.parse(testPayload('webhook.test', 'wh_1', AT)) as { data: unknown };
  assert.ok(Compile(TestMessage).Check(data));
});
