import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { killService } from './support/durable-kills.ts';
import { durable, lookInto, processesOn } from './support/durable-service.ts';

const KILLS = Number(process.env.ASSAY_KILLS ?? 3);

test('kill -9 while scoring: every accepted job ends, none is lost, and the next start needs no hand', async (t) => {
  const found = await killService(KILLS);
  t.diagnostic(JSON.stringify(found));
  assert.ok(found.accepted >= KILLS * 4, String(found.accepted));
  assert.ok(found.runningAtKill >= KILLS, String(found.runningAtKill));
  assert.deepEqual([found.lost, found.stuck, found.holes, found.unmatched], [0, 0, 0, 0]);
  assert.deepEqual([found.exitCode, found.leftBehind], [0, 0]);
  for (const state of Object.keys(found.states)) assert.ok(['succeeded', 'failed'].includes(state), state);
  for (const code of Object.keys(found.failures)) assert.equal(code, 'interrupted');
});

test('SIGTERM: running jobs get time to end, the rest is returned, no process stays, and the next start continues', async (t) => {
  const place = await durable();
  // Longer than the moment that a stop gives: no job can end in it.
  place.world.faults.add({ source: '*', kind: 'latency', ms: 15_000 });
  const first = await place.start();
  const accepted = await Promise.all(
    ['Tidewell', 'Marrowstone', 'Brackwater'].map((name) => first.accept(name, 'handed back')),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { code, ms } = await first.end('SIGTERM');
  assert.equal(code, 0);
  assert.ok(ms < 15_000, String(ms));
  assert.deepEqual(processesOn(place.dataDir), []);
  const rows = await lookInto(place.dataDir, ({ db }) =>
    db.selectFrom('jobs').select(['state', 'attempts', 'owner']).execute(),
  );
  assert.deepEqual(
    rows,
    accepted.map(() => ({ state: 'queued', attempts: 0, owner: null })),
  );
  assert.deepEqual(processesOn(place.dataDir), []);
  place.world.faults.clear();
  const next = await place.start();
  const startedAt = performance.now();
  for (const location of accepted) {
    const until = Date.now() + 8_000;
    let state = '';
    while (state !== 'succeeded' && Date.now() < until) {
      state = ((await (await next.call(location ?? '')).json()) as { state: string }).state;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(state, 'succeeded');
  }
  t.diagnostic(
    `stopped in ${Math.round(ms)} ms, handed-back jobs done ${Math.round(performance.now() - startedAt)} ms after the next start`,
  );
  assert.equal((await next.end('SIGTERM')).code, 0);
  assert.deepEqual(processesOn(place.dataDir), []);
  await place.world.close();
  await rm(place.dataDir, { recursive: true, force: true });
});
