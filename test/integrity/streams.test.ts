import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Compile } from 'typebox/compile';
import { JobEventView } from '../../src/contract/job.ts';
import { type TestService, testService } from '../support/service.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let world: TestService;
let jobId: string;
let key: string;
before(async () => {
  world = await testService();
  key = await newKey();
  jobId = await scoredBy(key);
});
after(() => world.close());

/** The job of a score, whose events are the accounts' that requested it alone. */
async function scoredBy(key: string): Promise<string> {
  const json = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
  return ((await (await world.call('/v1/score', { json, key })).json()) as { job_id: string }).job_id;
}

async function newKey(): Promise<string> {
  const reply = await world.call('/v1/admin/keys', {
    json: { name: 'reader', scopes: ['score', 'rms:read'], plan: 'RATING' },
  });
  return ((await reply.json()) as { secret: string }).secret;
}

const events = (id: string | null, path = `/v1/jobs/${jobId}/events`, signal?: AbortSignal) =>
  world.call(path, {
    key,
    headers: id === null ? {} : { 'last-event-id': id },
    ...(signal ? { signal } : {}),
  });

test('every event of a job fits its schema', async () => {
  const fits = Compile(JobEventView);
  const seen = [...(await (await events(null)).text()).matchAll(/^id: (.+)\nevent: (.+)\ndata: (.+)$/gm)].map(
    ([, id, type, data = '']) => ({ id, type, ...(JSON.parse(data) as object) }),
  );
  assert.deepEqual([...new Set(seen.map(({ type }) => type))].sort(), ['identified', 'result', 'source', 'state']);
  for (const event of seen) assert.deepEqual(fits.Errors(event), [], JSON.stringify(event));
});

test('a Last-Event-ID that names no event of the stream is refused with an explanation, never an empty stream', async () => {
  const whole = await (await events(null)).text();
  const numbers = [...whole.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
  assert.ok(numbers.length > 3);
  const newest = numbers.at(-1) ?? 0;
  const odd = ['2147483648', '9007199254740993', '999999999999999', String(newest + 1), '1e3', '-1', '1.5', 'x', '0x1'];
  for (const id of [...odd, '9'.repeat(400)]) {
    const reply = await events(id);
    assert.equal(reply.status, 400, id.slice(0, 30));
    assert.equal(((await reply.json()) as { code: string }).code, 'malformed_last_event_id');
  }
  for (const [id, first] of [
    ['0', 1],
    [String(newest - 1), newest],
  ] as const) {
    const [, seen] = /^id: (\d+)$/m.exec(await (await events(id)).text()) ?? [];
    assert.equal(Number(seen), first);
  }
});

test('a stream of alerts continues from its newest when the number is beyond it, and reports so at once', async () => {
  for (const [id, status] of [
    ['2147483648', 200],
    ['999999999999999', 200],
    ['9'.repeat(16), 400],
    ['-1', 400],
    ['x', 400],
  ] as const) {
    const stop = new AbortController();
    const reply = await events(id, '/v1/alerts/stream', stop.signal);
    assert.equal(reply.status, status, id);
    if (status === 200) {
      const { value } = (await reply.body?.getReader().read()) ?? {};
      assert.match(new TextDecoder().decode(value), /^id: 0$/m);
    }
    stop.abort();
  }
});

test('streams of jobs and of alerts count together towards the plan, and one that ends frees its place', async () => {
  const own = await newKey();
  const ownJob = await scoredBy(own);
  const { hostname, port } = new URL(world.service.url);
  const sockets: Socket[] = [];
  const open = async (path: string): Promise<string> => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: assay\r\nX-API-Key: ${own}\r\n\r\n`);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return bytes.toString();
  };
  for (let i = 0; i < 5; i += 1) assert.match(await open('/v1/alerts/stream'), / 200 /);
  const many = await Promise.all(Array.from({ length: 225 }, () => open(`/v1/jobs/${ownJob}/events`)));
  const taken = many.filter((text) => !/ 429 /.test(text)).length;
  assert.equal(taken, 0, `${taken} streams of jobs were opened beside five of alerts, with a plan of five`);
  assert.match(many[0] ?? '', /"code":"too_many_streams"/);
  assert.match(many[0] ?? '', /"limit":"stream_connections"/);
  // One place is free again: a stream of a job takes it, and gives it back when it ends.
  sockets[0]?.destroy();
  for (let i = 0; i < 2; i += 1) {
    let first = '';
    for (let waited = 0; waited < 100 && !/ 200 /.test(first); waited += 1) {
      await pause(50);
      first = await open(`/v1/jobs/${ownJob}/events`);
    }
    assert.match(first, / 200 /);
  }
  for (const socket of sockets) socket.destroy();
  let status = 429;
  for (let waited = 0; status === 429 && waited < 100; waited += 1) {
    await pause(50);
    const again = await world.call(`/v1/jobs/${ownJob}/events`, { key: own });
    status = again.status;
    await again.body?.cancel();
  }
  assert.equal(status, 200);
});

test('clients that never read, on any kind of route, are disconnected and their memory is freed', async () => {
  const { hostname, port } = new URL(world.service.url);
  const paths = ['/openapi.json', `/v1/jobs/${jobId}?output_format=full`, `/v1/jobs/${jobId}/evidence`];
  const AHEAD = 30;
  const before = liveBytes();
  const sockets: Socket[] = [];
  for (let i = 0; i < 40; i += 1) {
    const socket = connect(Number(port), hostname).pause();
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const head = `Host: assay\r\nX-API-Key: ${world.key}\r\nAccept-Encoding: identity\r\n`;
    // As many as are taken ahead of their replies: far more bytes than the kernel keeps for a connection.
    socket.write(`GET ${paths[i % paths.length]} HTTP/1.1\r\n${head}\r\n`.repeat(AHEAD));
    await pause(150);
  }
  await pause(24_000);
  const mebibytes = Math.round((liveBytes() - before) / 2 ** 20);
  // What the kernel had is still there, then the connection is over; who was refused (503) has had all its replies.
  const seen = await Promise.all(
    sockets.map(async (socket) => {
      let replies = 0;
      socket.on('data', (chunk: Buffer) => {
        replies += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
      });
      const isOver = await Promise.race([once(socket.resume(), 'close').then(() => true), pause(8_000)]);
      socket.destroy();
      return { isOver: isOver === true, isWhole: replies === AHEAD };
    }),
  );
  const unread = seen.filter(({ isOver, isWhole }) => isOver || !isWhole);
  const ended = unread.filter(({ isOver }) => isOver).length;
  assert.ok(ended >= 5, `only ${ended} connections of clients that do not read were ended; ${mebibytes} MiB held`);
  assert.equal(ended, unread.length, `${ended} of ${unread.length} were ended`);
  assert.ok(mebibytes <= 100, `${mebibytes} MiB held after their time`);
});

/** Memory that is really held. */
function liveBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
