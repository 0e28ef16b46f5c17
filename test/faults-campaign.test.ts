import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLAIMS, runCampaign } from './faults/campaign.ts';
import { SHORT } from './faults/sizes.ts';

/** Most of the time is spent waiting for leases and circuits, so that several faults fit beside each other. */
const TOGETHER = 4;
/** What no other test breaks; `npm run test:faults` breaks everything, and many times. */
const HERE = [
  'kill-roles',
  'failover',
  'full-disk',
  'cut-database',
  'cut-webhook',
  'overload',
  'slow-heads',
  'poison-job',
];

test('a few of each fault of the campaign: every promise is kept', async (t) => {
  const names = CLAIMS.map((claim) => claim.name);
  for (const name of HERE) assert.ok(names.includes(name), name);
  const rows = await runCampaign(SHORT, { only: HERE, together: TOGETHER });
  assert.equal(rows.length, HERE.length);
  for (const { claim, finding, seconds } of rows) {
    t.diagnostic(`${claim.name}: ${finding.skipped ?? `${finding.times} times`}, ${seconds} s`);
    await t.test(`${claim.name}: ${claim.promise}`, { skip: finding.skipped ?? false }, () => {
      assert.deepEqual(finding.broken, []);
      assert.ok(finding.times > 0);
    });
  }
});
