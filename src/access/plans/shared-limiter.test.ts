import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { type TestDatabase, testDatabase } from '../../store/fixtures/database.ts';
import { leaseWindows, takeFromWindow } from '../../store/usage.ts';
import { ownTime } from '../../upstream/fixtures/own-time.ts';
import { dailyQuota } from '../usage/service.ts';
import { loadPlans, type Plan } from './plans.ts';
import { createSharedLimiter, type SharedLimiter } from './shared-limiter.ts';
import type { LeaseRequests } from './window.ts';
import { steadyClock } from './window.ts';

let database: TestDatabase;
const START = Date.parse('2026-03-01T10:00:00.000Z');
let now = START;
before(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  now = START;
  await database.store.db.deleteFrom('limit_windows').execute();
});
after(() => database.close());

const model = loadPlans(null).find('RATING') as Plan;
const plan: Plan = { ...model, requestsPerMinute: 100, requestsPerDay: 150 };
const shared: LeaseRequests = (requested) => leaseWindows(database.store.db, requested);
/** Patient, unless the test is about that: a busy machine is no database that is away. */
const limiterOn = (lease: LeaseRequests | null, patienceMs = 30_000) =>
  createSharedLimiter({ lease, now: () => now, elapsed: () => 0, patienceMs });
const limiters = (count: number) => Array.from({ length: count }, () => limiterOn(shared));
async function admitted(limiter: SharedLimiter, wanted: number, of = plan): Promise<number> {
  const taken = await Promise.all(Array.from({ length: wanted }, () => limiter.take('acc_1', of)));
  return taken.filter((one) => one.refusedBy === null).length;
}
const usedIn = async (kind: string) =>
  (await database.store.db.selectFrom('limit_windows').select('used').where('kind', '=', kind).execute()).map((row) =>
    Number(row.used),
  );

test('four processes that are called at once admit exactly the limit together', async () => {
  const all = limiters(4);
  const passed = await Promise.all(all.map((limiter) => admitted(limiter, 200)));
  assert.equal(
    passed.reduce((sum, one) => sum + one, 0),
    100,
  );
  await Promise.all(all.map((limiter) => limiter.close()));
});

test('however requests are distributed over the processes, together they exceed neither limit and use nearly all of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 40 })), { minLength: 20, maxLength: 40 }),
      async (bursts) => {
        await database.store.db.deleteFrom('limit_windows').execute();
        const all = limiters(4);
        let passed = 0;
        let asked = 0;
        for (const [which, count] of bursts) {
          asked += count;
          passed += await admitted(all[which] as SharedLimiter, count);
        }
        assert.ok(passed <= 100, String(passed));
        // Unused leases of three others: at most a sixteenth of the rest each, and eight at first.
        assert.ok(passed >= Math.min(asked, 100) - 3 * 8, `${passed} of ${asked}`);
        await Promise.all(all.map((limiter) => limiter.close()));
      },
    ),
    { numRuns: 15 },
  );
});

test('most requests are decided from memory, with an occasional query of the store', async () => {
  let questions = 0;
  const limiter = limiterOn((requested) => {
    questions += 1;
    return shared(requested);
  });
  const roomy = { ...plan, requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 };
  assert.equal(limiter.takeNow('acc_1', roomy), null);
  await limiter.take('acc_1', roomy);
  let atOnce = 0;
  for (let turn = 0; turn < 5_000; turn += 1) {
    if (limiter.takeNow('acc_1', roomy)) atOnce += 1;
    else await limiter.take('acc_1', roomy);
    if (turn % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(atOnce > 4_500, String(atOnce));
  assert.ok(questions < 100, String(questions));
  await limiter.close();
});

test('what a process set aside and did not use is there for the others', async () => {
  const [one, two] = limiters(2) as [SharedLimiter, SharedLimiter];
  assert.equal(await admitted(one, 1), 1);
  assert.ok((await usedIn('minute')).every((used) => used > 1));
  now += 1_500;
  await one.settle();
  assert.deepEqual(await usedIn('minute'), [1]);
  assert.equal(await admitted(two, 120), 99);
  await one.close();
  await two.close();
});

test('a minute ends for all processes at once and the day continues; a refused request costs none of the day', async () => {
  const [one, two] = limiters(2) as [SharedLimiter, SharedLimiter];
  assert.equal(await admitted(one, 130), 100);
  await one.close();
  now += 60_000;
  assert.equal(await admitted(two, 80), 50);
  const last = await two.take('acc_1', plan);
  assert.equal(last.refusedBy, 'day');
  assert.deepEqual(last.day, { limit: 150, remaining: 0, resetSeconds: 13 * 3600 + 59 * 60 });
  await two.close();
});

test('a refunded request costs no quota of the day, and the minute stays counted', async () => {
  const [one, two] = limiters(2) as [SharedLimiter, SharedLimiter];
  const taken = await Promise.all(Array.from({ length: 10 }, () => one.take('acc_1', plan)));
  for (const each of taken) one.giveBack('acc_1', plan, each);
  await one.close();
  assert.deepEqual([await usedIn('minute'), await usedIn('day')], [[10], [0]]);
  assert.equal((await two.take('acc_1', plan)).day?.remaining, 149);
  await two.close();
});

test('a request of yesterday that is given back after midnight adds nothing to the quota of today', async () => {
  const small = { ...plan, requestsPerMinute: null, requestsPerDay: 5 };
  now = Date.parse('2026-03-01T23:59:59.000Z');
  const limiter = limiterOn(null);
  const yesterday = [];
  for (let turn = 0; turn < 5; turn += 1) yesterday.push(await limiter.take('acc_1', small));
  now += 2_000;
  assert.equal(await admitted(limiter, 9, small), 5);
  for (const taken of yesterday) limiter.giveBack('acc_1', small, taken);
  assert.equal(await admitted(limiter, 9, small), 0);
});

test('without the store each process keeps the limit by itself, and reports it when the store is back', async () => {
  let away = true;
  const limiter = limiterOn((requested) => (away ? Promise.reject(new Error('away')) : shared(requested)));
  assert.equal(await admitted(limiter, 130), 100);
  away = false;
  now += 2_000;
  await limiter.settle();
  assert.deepEqual(await usedIn('minute'), [100]);
  const other = limiterOn(shared);
  assert.equal(await admitted(other, 5), 0);
  await limiter.close();
  await other.close();
});

test('a store that hangs delays no request for long, and its late reply admits none twice', async () => {
  const hung: (() => void)[] = [];
  const late: Promise<unknown>[] = [];
  let hangs = true;
  const limiter = limiterOn((requested) => {
    if (!hangs) return shared(requested);
    const answer = new Promise<void>((resolve) => hung.push(resolve)).then(() => shared(requested));
    late.push(answer);
    return answer;
  }, 300);
  const passed = ownTime();
  assert.equal(await admitted(limiter, 10), 10);
  assert.ok(passed() < 1_500);
  hangs = false;
  for (const release of hung) release();
  await Promise.all(late);
  now += 2_000;
  await limiter.settle();
  // The ten it was asked for meanwhile were set aside, and are lost; alone again, on a slow machine, it counts its own ten.
  assert.ok([80, 90].includes(await admitted(limiter, 200)));
  await limiter.close();
});

test('a clock that steps back neither reopens a window nor blocks an account', async () => {
  let ticks = 0;
  const limiter = createSharedLimiter({ lease: null, now: () => now, elapsed: () => ticks });
  assert.equal(await admitted(limiter, 130), 100);
  now -= 3_600_000;
  assert.equal(await admitted(limiter, 5), 0);
  // A minute passes while the wall clock is still an hour behind.
  now += 61_000;
  ticks += 61_000;
  assert.equal(await admitted(limiter, 5), 5);
});

test('a wall clock that catches up with the reported time skips no time', () => {
  let [wall, ticks] = [START, 0];
  const clock = steadyClock(
    () => wall,
    () => ticks,
  );
  assert.equal(clock(), START);
  wall -= 2;
  assert.equal(clock(), START);
  wall += 2;
  ticks += 7;
  assert.equal(clock(), START + 7);
});

test('steady time never goes back and keeps the pace of elapsed time', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: -9_000, max: 9_000 }), fc.nat(5_000))), (steps) => {
      let wall = START;
      let ticks = 0;
      const clock = steadyClock(
        () => wall,
        () => ticks,
      );
      let before = clock();
      for (const [jump, elapsed] of steps) {
        // A step back by just what elapsed looks like no time at all until the next millisecond.
        if (jump === -elapsed) continue;
        wall += jump + elapsed;
        ticks += elapsed;
        const at = clock();
        assert.ok(at >= before + elapsed && at >= wall);
        before = at;
      }
    }),
  );
});

test('a daily quota that was not used is refunded, once', async () => {
  const options = { accountId: 'acc_1', kind: 'fresh_ratings', limit: 2 };
  const [one, two, three] = [1, 2, 3].map(() => dailyQuota(database.store.db, options, () => now));
  assert.equal(await one?.take(), null);
  assert.equal(await two?.take(), null);
  assert.deepEqual(await three?.take(), { limit: 2, resetSeconds: 14 * 3600 });
  await three?.giveBack();
  await one?.giveBack();
  await one?.giveBack();
  assert.equal(await three?.take(), null);
  assert.notEqual(await one?.take(), null);
  assert.equal(await dailyQuota(database.store.db, { ...options, limit: null }, () => now).take(), null);
});

test('hard quotas are taken one by one: forty at once take exactly the limit', async () => {
  const window = { owner: 'acc_1', kind: 'fresh_ratings', startsAt: '2026-03-01T00:00:00.000Z' };
  const taken = await Promise.all(Array.from({ length: 40 }, () => takeFromWindow(database.store.db, window, 25)));
  assert.equal(taken.filter((one) => one !== null).length, 25);
  assert.equal(await takeFromWindow(database.store.db, { ...window, owner: 'acc_2' }, 0), null);
});
