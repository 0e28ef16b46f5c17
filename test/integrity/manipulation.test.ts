import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FacadeReply, FacadeRequest } from '../../sandbox/facade.ts';
import type { Fault } from '../../sandbox/faults.ts';
import type { Move } from '../manipulation/adversary.ts';
import { ATTACKS } from '../manipulation/attacks.ts';
import { runCampaign } from '../manipulation/campaign.ts';
import { openStage } from '../manipulation/stage.ts';
import { breaches } from '../manipulation/table.ts';

/** What is known to gain more than it should, with the most points it may (docs/manipulation.md says why). */
const KNOWN: Readonly<Record<string, number>> = { 'repository.own': 4, 'site.reserves': 4 };

/** A small campaign; `npm run test:manipulation` attacks more assets with more seeds. */
test('the texts of a request move nothing, and an adversary gains nothing for free beyond the known list', async () => {
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

/** So much is put into the pools, times what is left in them; the price stays where it is. */
const lent = (times: number): Move => ({
  change(asset) {
    asset.liquidityUsd *= times;
  },
});
const down = (...sources: readonly string[]): Move => ({
  faults: sources.map((source): Fault => ({ source, kind: 'server_error' })),
});

test('neither a loan of a day nor an outage lifts the first rating of a drained token out of default', async () => {
  const stage = await openStage(1);
  try {
    const asset = stage.sandbox.world.tokens.find(({ slug }) => slug === 'gonedoor');
    assert.ok(asset);
    const first = async (move: Move) => {
      await stage.forget();
      return (await stage.act(asset, move))?.band ?? null;
    };
    assert.equal(await first({}), 'D');
    assert.equal(await first(lent(10)), 'D', 'a loan of less than a dollar');
    assert.equal(await first(lent(1_000)), 'D', 'a loan of 310,000 USD');
    const outages = [['rugcheck'], ['goplus', 'rugcheck', 'honeypot_is']];
    for (const sources of outages)
      for (const move of [down(...sources), { ...lent(10), ...down(...sources) }])
        assert.ok(['D', null].includes(await first(move)), sources.join());
    assert.ok(['D', null].includes(await first({ ...lent(10), ...down('geckoterminal') })), 'the chart is down');
  } finally {
    await stage.close();
  }
});

test('one false scanner lowers a token by at most a point while no chart shows a fall', async () => {
  const stage = await openStage(1);
  try {
    const asset = stage.sandbox.world.tokens.find(({ slug }) => slug === 'moonbadger');
    assert.ok(asset);
    await stage.forget();
    const honest = await stage.act(asset, {});
    await stage.forget();
    const reply = (request: FacadeRequest, given: FacadeReply): FacadeReply =>
      request.source === 'rugcheck' && typeof given.json === 'object'
        ? { ...given, json: { ...given.json, rugged: true } }
        : given;
    const accused = await stage.act(asset, { reply });
    assert.ok(honest?.score && accused?.score);
    assert.ok(honest.score - accused.score <= 1, `${honest.band} ${honest.score} to ${accused.band} ${accused.score}`);
  } finally {
    await stage.close();
  }
});
