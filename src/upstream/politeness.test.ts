import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { backoffMs, retryAfterSeconds } from './attempt.ts';
import { createBudget } from './budget.ts';
import { ownTime } from './fixtures/own-time.ts';
import { AMPLE_BUDGET, get, reply, startHost, testUpstream, within } from './fixtures/test-host.ts';
import { createBreaker } from './hosts.ts';
import type { UpstreamReply } from './types.ts';

const never = new AbortController().signal;
const reasonOf = (got: UpstreamReply) => (got.ok ? 'ok' : got.reason);

describe('a breaker', () => {
  test('opens after failures in a row, probes once after a rest, and heals by the probe', () => {
    let now = 0;
    const breaker = createBreaker(() => now, 3, 1_000);
    for (let index = 0; index < 3; index += 1) {
      assert.equal(breaker.enter(), true);
      breaker.failed();
    }
    assert.equal(breaker.circuit(), 'open');
    assert.equal(breaker.enter(), false);
    now = 1_000;
    assert.equal(breaker.enter(), true);
    assert.equal(breaker.circuit(), 'half_open');
    assert.equal(breaker.enter(), false, 'one probe at a time');
    breaker.failed();
    assert.equal(breaker.enter(), false, 'a failed probe opens it again');
    now = 2_000;
    assert.equal(breaker.enter(), true);
    breaker.succeeded();
    assert.equal(breaker.circuit(), 'closed');
    assert.equal(breaker.enter(), true);
  });

  test('keeps requests from a dead host, and retries it later', async () => {
    let ahead = 0;
    let alive = false;
    const host = await startHost((_path, socket) => socket.write(reply(alive ? 200 : 500)));
    const upstream = testUpstream({ clock: () => Date.now() + ahead });
    const ask = (path: number) => upstream.request(get(`${host.url}/${path}`));
    try {
      for (let index = 0; index < 5; index += 1) assert.equal(reasonOf(await ask(index)), 'http_error');
      assert.equal(reasonOf(await ask(6)), 'circuit_open');
      assert.equal(host.seen.length, 5);
      assert.equal(upstream.health()[0]?.circuit, 'open');
      alive = true;
      ahead = 31_000;
      assert.equal(reasonOf(await ask(7)), 'ok');
      const [row] = upstream.health();
      assert.equal(row?.circuit, 'closed');
      assert.deepEqual([row?.successes, row?.failures], [1, 6]);
    } finally {
      await upstream.close();
      host.close();
    }
  });
});

describe('a budget', () => {
  test('waits for a token that comes in time and reports at once when none will', async () => {
    const budget = createBudget({ perMinute: 600, burst: 1, concurrency: 5, shareSeconds: 0 }, Date.now);
    assert.equal((await budget.acquire(Date.now() + 1_000, never)).ok, true);
    const startedAt = Date.now();
    assert.equal((await budget.acquire(startedAt + 1_000, never)).ok, true);
    assert.ok(Date.now() - startedAt >= 80);
    const passed = ownTime();
    const turn = await budget.acquire(Date.now() + 50, never);
    assert.equal(turn.ok, false);
    assert.ok(passed() < 40);
  });

  test('never exceeds its concurrency, and frees the place of a request that leaves', async () => {
    const budget = createBudget({ ...AMPLE_BUDGET, concurrency: 1 }, Date.now);
    const first = await budget.acquire(Date.now() + 1_000, never);
    const gone = new AbortController();
    const second = budget.acquire(Date.now() + 1_000, gone.signal);
    const third = budget.acquire(Date.now() + 1_000, never);
    gone.abort();
    assert.deepEqual(await second, { ok: false, cause: 'cancelled', waitMs: null });
    if (first.ok) first.release();
    assert.equal((await third).ok, true);
    assert.equal((await budget.acquire(Date.now() + 30, never)).ok, false);
  });

  test('in any minute lets through at most its burst and its rate', () => {
    return fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 600 }),
        fc.array(fc.nat(2_000), { maxLength: 60 }),
        async (burst, perMinute, gaps) => {
          let now = 0;
          let through = 0;
          const budget = createBudget({ perMinute, burst, concurrency: 1_000, shareSeconds: 0 }, () => now);
          for (const gap of gaps) {
            now += gap;
            const turn = await budget.acquire(now, never);
            if (turn.ok) through += 1;
          }
          assert.ok(through <= burst + (now * perMinute) / 60_000 + 1e-6);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of a label applies to all its requests', async () => {
    const host = await startHost((_path, socket) => socket.write(reply(200)));
    const upstream = testUpstream({}, { perMinute: 1, burst: 2, concurrency: 5, shareSeconds: 0 });
    try {
      const asked = [1, 2, 3].map((path) => upstream.request(get(`${host.url}/${path}`, { deadlines: within(300) })));
      const reasons = (await Promise.all(asked)).map(reasonOf);
      assert.deepEqual(reasons, ['ok', 'ok', 'budget_spent']);
      assert.equal(host.seen.length, 2);
    } finally {
      await upstream.close();
      host.close();
    }
  });
});

describe('identical requests', () => {
  test('under way are joined; one that hangs up does not end it for the others', async () => {
    const host = await startHost((_path, socket) => setTimeout(() => socket.write(reply(200, '{"a":1}')), 80));
    const upstream = testUpstream();
    const leaving = new AbortController();
    try {
      const first = upstream.request(get(host.url), leaving.signal);
      const second = upstream.request(get(host.url));
      const third = upstream.request(get(host.url));
      setTimeout(() => leaving.abort(), 20);
      assert.equal(reasonOf(await first), 'cancelled');
      const replies = await Promise.all([second, third]);
      assert.deepEqual(
        replies.map((got) => got.ok && got.fromCache),
        [true, true],
      );
      assert.equal(host.seen.length, 1);
    } finally {
      await upstream.close();
      host.close();
    }
  });

  test('with other keys, bodies or bounds are not identical', async () => {
    const host = await startHost((_path, socket) => setTimeout(() => socket.write(reply(200)), 30));
    const upstream = testUpstream();
    try {
      const variants = [
        get(host.url),
        get(host.url, { secretHeaders: { 'x-key': 'another-secret' } }),
        get(host.url, { method: 'POST', body: '{}' }),
        get(host.url, { maxBytes: 10 }),
      ];
      await Promise.all(variants.map((request) => upstream.request(request)));
      assert.equal(host.seen.length, variants.length);
    } finally {
      await upstream.close();
      host.close();
    }
  });

  test('are served from a success for its share time and not from a failure', async () => {
    let ahead = 0;
    const host = await startHost((_path, socket, count) => socket.write(reply(count === 1 ? 500 : 200)));
    const upstream = testUpstream({ clock: () => Date.now() + ahead }, { ...AMPLE_BUDGET, shareSeconds: 60 });
    try {
      const asked: boolean[] = [];
      for (let index = 0; index < 4; index += 1) {
        if (index === 3) ahead = 61_000;
        const got = await upstream.request(get(host.url));
        asked.push(got.ok && got.fromCache);
      }
      assert.deepEqual(asked, [false, false, true, false]);
      assert.equal(host.seen.length, 3);
    } finally {
      await upstream.close();
      host.close();
    }
  });

  test('a patient request that joined a hasty one is sent again when the hasty one ran out of time', async () => {
    const host = await startHost((_path, socket) => setTimeout(() => socket.write(reply(200)), 120));
    const upstream = testUpstream();
    try {
      const hasty = upstream.request(get(host.url, { deadlines: within(60) }));
      const patient = upstream.request(get(host.url, { deadlines: within(1_000) }));
      assert.equal(reasonOf(await hasty), 'timeout');
      assert.equal(reasonOf(await patient), 'ok');
    } finally {
      await upstream.close();
      host.close();
    }
  });
});

describe('waiting', () => {
  test('grows, jitters over its whole range and is bounded', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const wait = backoffMs(attempt, () => random);
        assert.ok(wait >= 0 && wait <= 4_000);
      }),
    );
    assert.equal(
      backoffMs(1, () => 0),
      0,
    );
  });

  test('reads Retry-After as seconds or a date and nothing else', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    assert.equal(retryAfterSeconds('120', now), 120);
    assert.equal(retryAfterSeconds('Thu, 01 Jan 2026 00:01:00 GMT', now), 60);
    assert.equal(retryAfterSeconds('Wed, 31 Dec 2025 00:01:00 GMT', now), 0);
    for (const text of [undefined, '', '-5', '1.5', 'soon', '99999999999'])
      assert.equal(retryAfterSeconds(text, now), null);
  });
});
