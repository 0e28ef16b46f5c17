import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../config/load.ts';
import { EvidenceUnavailable } from '../domain/evidence.ts';
import { openMovedEvidence } from './moved-evidence.ts';

test('requests to the object store are dated by the system clock, also in a sandbox whose clock is days off', async () => {
  const loaded = loadConfig(
    {
      ASSAY_DATA_MODE: 'sandbox',
      ASSAY_SANDBOX_CLOCK_SECONDS: '-259200',
      ASSAY_OBJECT_STORE_URL: 'http://127.0.0.1:9',
      ASSAY_OBJECT_STORE_BUCKET: 'evidence',
      ASSAY_OBJECT_STORE_KEY_ID: 'key',
      ASSAY_OBJECT_STORE_SECRET: 'secret',
    },
    [],
  );
  assert.ok(loaded.ok, JSON.stringify(loaded));
  const dates: string[] = [];
  const { bucket } = openMovedEvidence(loaded.value, {
    setBudget: () => undefined,
    async request({ headers }) {
      dates.push(headers['x-amz-date'] ?? '');
      return {
        ok: false,
        reason: 'unreachable',
        status: null,
        detail: 'nothing listens here',
        retryAfterSeconds: null,
        body: null,
      } as never;
    },
  });
  assert.ok(bucket);
  await assert.rejects(bucket.get('sandbox/body/a', 100), EvidenceUnavailable);
  const [date = ''] = dates;
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // S3 refuses a request that is 15 minutes off.
  assert.ok(Math.abs(at - Date.now()) < 60_000, date);
});
