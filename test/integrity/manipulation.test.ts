import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTACKS } from '../manipulation/attacks.ts';
import { runCampaign } from '../manipulation/campaign.ts';
import { breaches } from '../manipulation/table.ts';

/** A small campaign; `npm run test:manipulation` attacks twenty assets. */
test('an adversary gains nothing that is free, and no band for less than 1,000 USD', async () => {
  const trials = await runCampaign({ seed: 7, assets: 2, tarpits: 0 });
  for (const { code } of ATTACKS)
    assert.ok(
      trials.some((trial) => trial.attack === code),
      `${code} was not tried`,
    );
  assert.ok(
    trials.some((trial) => trial.gain < 0 || trial.gain > 0),
    'no attack moved anything: the adversary does not reach the world',
  );
  assert.deepEqual(breaches(trials), []);
});
