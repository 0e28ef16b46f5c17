import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownTime } from './fixtures/own-time.ts';
import {
  expectBody,
  expectFailure,
  get,
  reply,
  startHost,
  type TestHost,
  testUpstream,
  within,
} from './fixtures/test-host.ts';
import type { BatchTerms, RequestPriority, Upstream, UpstreamBudget } from './types.ts';

/** One turn every 200 ms; the first is there at once. */
const SCARCE: UpstreamBudget = { perMinute: 300, burst: 1, concurrency: 10, shareSeconds: 0 };
const TURN_MS = 200;
/** Ids that the host knows nothing of, and one whose part of a shared reply is not what it should be. */
const UNKNOWN = 'unknown';
const ODD = 'odd';

const rowOf = (id: string) => ({ id, price: `price of ${id}` });
/** Answers `/one/a` with a row and `/many/a,b` with those of several. */
function answer(path: string): Buffer {
  const [, kind, ids = ''] = path.split('/');
  if (kind === 'one') return ids === UNKNOWN ? reply(404) : reply(200, JSON.stringify(rowOf(ids)));
  const known = ids.split(',').filter((id) => id !== UNKNOWN);
  const rows = known.map((id) => (id === ODD ? { id, price: 7 } : rowOf(id)));
  return reply(200, JSON.stringify({ rows }), { link: `<${path}>; rel="next"`, 'x-own': path });
}

function terms(host: TestHost, id: string, change: Partial<BatchTerms> = {}): BatchTerms {
  return {
    group: 'chain',
    most: 30,
    item: { id },
    urlOf: (items) => `${host.url}/many/${items.map((item) => item.id).join(',')}`,
    rowOf: (got, item) => (got as { rows: { id: unknown }[] }).rows.find((row) => row.id === item.id) ?? null,
    ...change,
  };
}

interface Scene {
  readonly host: TestHost;
  readonly upstream: Upstream;
  readonly paths: () => readonly string[];
  ask(id: string, more?: Ask): ReturnType<Upstream['request']>;
}

interface Ask {
  readonly signal?: AbortSignal;
  readonly priority?: RequestPriority;
  readonly mostMs?: number;
  readonly batch?: Partial<BatchTerms>;
  readonly key?: string;
  readonly query?: string;
}

/** `play` runs with the budget's only turn already spent. */
async function scarce(
  play: (scene: Scene) => Promise<void>,
  { budget = SCARCE, respond = answer }: { budget?: UpstreamBudget; respond?: typeof answer } = {},
): Promise<void> {
  const host = await startHost((path, socket) => socket.write(respond(path)));
  const upstream = testUpstream({}, budget);
  const scene: Scene = {
    host,
    upstream,
    paths: () => host.seen.map((head) => head.split(' ')[1] ?? '').slice(1),
    ask: (id, { signal, priority = 'critical', mostMs = 3_000, batch = {}, key, query = '' } = {}) =>
      upstream.request(
        get(`${host.url}/one/${id}${query}`, {
          priority,
          secretQuery: ['key'],
          secretHeaders: key === undefined ? {} : { 'x-key': key },
          deadlines: within(1_500),
          turn: { mostMs, overallMs: 4_000 },
          okStatuses: [404],
          batch: terms(host, id, batch),
        }),
        signal,
      ),
  };
  try {
    await upstream.request(get(`${host.url}/one/first`));
    await play(scene);
  } finally {
    await upstream.close();
    host.close();
  }
}

const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);

/** A turn a second: on a busy machine the first request alone may take one of 200 ms. */
const SLOW = { budget: { ...SCARCE, perMinute: 60 } };

test('concurrent requests share a slot: twelve questions, one request, and each gets its own part', async () => {
  await scarce(async ({ ask, paths, host }) => {
    const asked = [];
    for (const id of ids) {
      asked.push(ask(id));
      await sleep(5);
    }
    const got = await Promise.all(asked);
    assert.deepEqual(paths(), [`/many/${ids.join(',')}`]);
    for (const [index, one] of got.entries()) {
      const id = ids[index] as string;
      assert.deepEqual(JSON.parse(expectBody(one)), rowOf(id));
      assert.ok(one.ok);
      assert.deepEqual([one.url, one.together, one.status], [`${host.url}/one/${id}`, 12, 200]);
      assert.equal(one.fetchedAt, got[0]?.fetchedAt);
      const said = JSON.stringify({ ...one, body: expectBody(one) });
      for (const other of ids) if (other !== id) assert.doesNotMatch(said, new RegExp(`\\b${other}\\b`));
    }
    assert.equal(new Set(got.map((one) => one.ok && one.sha256)).size, ids.length);
    assert.deepEqual(got.map((one) => one.ok && one.fromCache).filter((cached) => !cached).length, 1, 'one fetched it');
  }, SLOW);
});

test('a question that waits alone is sent as it would be without a batch, and one that need not wait waits for no other', async () => {
  await scarce(async ({ ask, paths }) => {
    const got = await ask('t1');
    assert.ok(got.ok);
    assert.equal(got.together, undefined);
    assert.deepEqual(paths(), ['/one/t1']);
  });
  await scarce(
    async ({ ask, paths }) => {
      const passed = ownTime();
      for (const id of ids.slice(0, 3)) await ask(id);
      assert.ok(passed() < 150, `${passed()} ms`);
      assert.deepEqual(paths(), ['/one/t0', '/one/t1', '/one/t2']);
    },
    { budget: { ...SCARCE, burst: 20 } },
  );
});

test('a part missing in the shared reply is requested alone, and an invalid part fails only its own question', async () => {
  await scarce(async ({ ask, paths, host }) => {
    const got = await Promise.all([ask('t1'), ask(UNKNOWN), ask(ODD)]);
    assert.deepEqual(paths(), [`/many/t1,${UNKNOWN},${ODD}`, `/one/${UNKNOWN}`]);
    assert.deepEqual(
      got.map((one) => one.ok && [one.status, one.url]),
      [
        [200, `${host.url}/one/t1`],
        [404, `${host.url}/one/${UNKNOWN}`],
        [200, `${host.url}/one/${ODD}`],
      ],
    );
    assert.deepEqual(JSON.parse(expectBody(got[2])), { id: ODD, price: 7 });
  });
});

test('a batch that is refused, or cannot be read, is requested one by one', async () => {
  const spoilt = [
    reply(400),
    reply(404),
    reply(200, 'no JSON'),
    reply(200, '{"rows":5}'),
    reply(200, '<', { 'content-type': 'text/html' }),
  ];
  for (const bad of spoilt) {
    await scarce(
      async ({ ask, paths }) => {
        const got = await Promise.all([ask('t1'), ask('t2')]);
        for (const [index, one] of got.entries()) assert.deepEqual(JSON.parse(expectBody(one)), rowOf(`t${index + 1}`));
        assert.deepEqual([...paths()].sort(), ['/many/t1,t2', '/one/t1', '/one/t2']);
      },
      { respond: (path) => (path.startsWith('/many') ? bad : answer(path)) },
    );
  }
});

test('a failing source is not requested again for each member, and no failure names another’s question', async () => {
  await scarce(
    async ({ ask, paths, host }) => {
      const got = await Promise.all([ask('t1'), ask('t2')]);
      for (const [index, one] of got.entries()) {
        const failure = expectFailure(one, 'http_error');
        assert.deepEqual([failure.status, failure.body, failure.url], [500, null, `${host.url}/one/t${index + 1}`]);
      }
      assert.deepEqual(paths(), ['/many/t1,t2']);
    },
    { respond: (path) => (path.startsWith('/many') ? reply(500, `trouble with ${path}`) : answer(path)) },
  );
});

test('a member that leaves while it waits is not requested, and when all leave no request is sent and no slot is used', async () => {
  await scarce(async ({ ask, paths }) => {
    const gone = new AbortController();
    const all = [ask('t1', { signal: gone.signal }), ask('t2', { signal: gone.signal })];
    gone.abort();
    for (const one of await Promise.all(all)) expectFailure(one, 'cancelled');
    await sleep(TURN_MS + 50);
    assert.deepEqual(paths(), []);
    const passed = ownTime();
    assert.ok((await ask('t3')).ok);
    assert.ok(passed() < TURN_MS / 2, 'the turn was still there');
    const left = new AbortController();
    const [one, two, three] = [ask('t4', { signal: left.signal }), ask('t5'), ask('t6')];
    left.abort();
    expectFailure(await one, 'cancelled');
    assert.ok((await two).ok && (await three).ok);
    assert.deepEqual(paths(), ['/one/t3', '/many/t5,t6']);
  });
});

test('a member that leaves during the request does not end it; the last one does', async () => {
  let ended = 0;
  const host = await startHost((path, socket) => {
    socket.on('close', () => (ended += 1));
    setTimeout(() => socket.write(answer(path)), path.startsWith('/many') ? 150 : 0);
  });
  const upstream = testUpstream({}, SCARCE);
  const ask = (id: string, signal: AbortSignal) =>
    upstream.request(get(`${host.url}/one/${id}`, { batch: terms(host, id) }), signal);
  try {
    for (const leavers of [1, 2]) {
      await upstream.request(get(`${host.url}/one/${leavers}`));
      const gone = new AbortController();
      const before = ended;
      const all = ['t1', 't2'].map((id, index) =>
        ask(id, index < leavers ? gone.signal : new AbortController().signal),
      );
      await sleep(TURN_MS + 60);
      assert.match(host.seen.at(-1) ?? '', /many/);
      gone.abort();
      const [first, second] = await Promise.all(all);
      assert.equal(first?.ok, false);
      assert.equal(second?.ok, leavers === 1);
      await sleep(30);
      assert.equal(ended > before, leavers === 2, 'the connection is ended when nobody is left');
    }
  } finally {
    await upstream.close();
    host.close();
  }
});

test('a batch is served as its most urgent member would be, and each member waits no longer than its own time', async () => {
  await scarce(async ({ ask, paths, upstream, host }) => {
    const background = ask('t1', { priority: 'background' });
    const others = ['a', 'b'].map((id) =>
      upstream.request(get(`${host.url}/one/${id}`, { priority: 'normal', turn: { mostMs: 3_000, overallMs: 4_000 } })),
    );
    const hurried = ask('t2', { priority: 'background', mostMs: 100 });
    const critical = ask('t3');
    expectFailure(await hurried, 'budget_spent');
    assert.ok((await critical).ok && (await background).ok);
    assert.equal(paths()[0], '/many/t3,t1', 'before those that came earlier');
    await Promise.all(others);
    assert.deepEqual(paths().length, 3);
  });
});

test('so many as fit are put together, the others in the next turn', async () => {
  await scarce(async ({ ask, paths }) => {
    const got = await Promise.all(ids.map((id) => ask(id, { batch: { most: 5 } })));
    assert.ok(got.every((one) => one.ok));
    assert.deepEqual(
      paths().map((path) => path.split(',').length),
      [5, 5, 2],
    );
  });
});

test('other groups and other keys are not put together', async () => {
  await scarce(async ({ ask, paths }) => {
    const got = await Promise.all([
      ask('t1'),
      ask('t2'),
      ask('t3', { batch: { group: 'other' } }),
      ask('t4', { key: 'secret-one' }),
      ask('t5', { key: 'secret-two' }),
      ask('t6', { query: '?key=secret-one' }),
      ask('t7', { query: '?key=secret-two' }),
    ]);
    assert.ok(got.every((one) => one.ok));
    assert.deepEqual([...paths()].sort(), [
      '/many/t1,t2',
      '/one/t3',
      '/one/t4',
      '/one/t5',
      '/one/t6?key=secret-one',
      '/one/t7?key=secret-two',
    ]);
  });
});

test('two callers with one question are one member, and later ones share its part as they would a reply', async () => {
  await scarce(
    async ({ ask, paths }) => {
      const got = await Promise.all([ask('t1'), ask('t1'), ask('t2')]);
      assert.ok(got.every((one) => one.ok));
      const again = await ask('t2');
      assert.ok(again.ok && again.fromCache);
      assert.deepEqual(JSON.parse(expectBody(again)), rowOf('t2'));
      assert.deepEqual(paths(), ['/many/t1,t2']);
    },
    { budget: { ...SCARCE, shareSeconds: 60 } },
  );
});

test('a group takes one turn of those that all processes share', async () => {
  const taken: number[] = [];
  const host = await startHost((path, socket) => socket.write(answer(path)));
  const turns = {
    async take() {
      taken.push(taken.length);
      return { taken: true, waitMs: 100 };
    },
    pause: () => undefined,
  };
  const upstream = testUpstream({ turns }, { ...SCARCE, perMinute: 60_000, burst: 100 });
  try {
    const asked = [];
    for (const id of ids) {
      asked.push(upstream.request(get(`${host.url}/one/${id}`, { batch: terms(host, id) })));
      await sleep(2);
    }
    assert.ok((await Promise.all(asked)).every((one) => one.ok));
    assert.equal(taken.length, 1);
    assert.equal(host.seen.length, 1);
  } finally {
    await upstream.close();
    host.close();
  }
});
