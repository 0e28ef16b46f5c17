import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTACKS } from '../manipulation/attacks.ts';
import { runCampaign } from '../manipulation/campaign.ts';
import { breaches } from '../manipulation/table.ts';

/** What is known to gain more than it should, with the most points it may (docs/manipulation.md says why). */
const KNOWN: Readonly<Record<string, number>> = { 'repository.own': 4, 'site.reserves': 4 };

/** A small campaign; `npm run test:manipulation` attacks more assets with more seeds. */
test('the words of a request move nothing, and an adversary gains nothing that is free but what is known', async () => {
  const trials = await runCampaign({ seed: 7, assets: 2, tarpits: 0 });
  for (const { code } of ATTACKS)
    assert.ok(
      trials.some((trial) => trial.attack === code),
      `${code} was not tried`,
    );
  assert.ok(
    trials.some((trial) => trial.gain !== 0),
    'no attack moved anything: the adversary does not reach the world',
  );
  const single = trials.filter((trial) => !trial.attack.startsWith('together') && trial.costUsd === 0);
  assert.deepEqual(breaches(single.filter(({ attack }) => KNOWN[attack] === undefined)), []);
  for (const { attack, asset, gain } of single)
    assert.ok(gain <= (KNOWN[attack] ?? 1), `${attack} on ${asset} gains ${gain}`);
});
