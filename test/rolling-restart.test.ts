import assert from 'node:assert/strict';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { RunningService } from '../src/compose/service.ts';
import { openRoles } from './support/roles.ts';

const LOOK_MS = 100;
/** As long as it takes to notice, on a machine that has much else to do. */
const DRAIN = { drainSeconds: 5 };

/** What a load balancer does: looks at /readyz, and sends each request to one that is ready. */
async function balancer() {
  const backends = new Map<RunningService, boolean>();
  let turn = 0;
  const looking = setInterval(() => {
    for (const backend of backends.keys())
      fetch(`${backend.url}/readyz`).then(
        (reply) => backends.has(backend) && backends.set(backend, reply.status === 200),
        () => backends.has(backend) && backends.set(backend, false),
      );
  }, LOOK_MS);
  const server = createServer((incoming, outgoing) => {
    const ready = [...backends].filter(([, isReady]) => isReady).map(([backend]) => backend);
    turn += 1;
    const backend = ready[turn % Math.max(1, ready.length)];
    if (backend === undefined) return outgoing.writeHead(502).end();
    const { hostname, port } = new URL(backend.url);
    const { method, url: path, headers } = incoming;
    const passed = send({ hostname, port, method, path, headers: { ...headers, connection: 'close' } }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    passed.on('error', () => outgoing.headersSent || outgoing.writeHead(502).end());
    return incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (backend: RunningService) => backends.set(backend, true),
    remove: (backend: RunningService) => backends.delete(backend),
    async close() {
      clearInterval(looking);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('every process is replaced, one after the other, and no request fails', async () => {
  const roles = await openRoles();
  const door = await balancer();
  try {
    const first = await roles.api(DRAIN);
    const key = first.adminKey ?? '';
    const second = await roles.api(DRAIN);
    const worker = await roles.worker({ shutdownSeconds: 20 });
    door.add(first);
    door.add(second);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const asked = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
    const score = (category: string) =>
      fetch(`${door.url}/v1/score`, {
        method: 'POST',
        headers: { ...headers, prefer: 'respond-async' },
        body: JSON.stringify({ ...asked, category }),
      });
    const jobs: string[] = [];
    const statuses = new Map<number, number>();
    let stopped = false;
    const readers = Array.from({ length: 2 }, async () => {
      while (!stopped) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        const reply = await fetch(`${door.url}/v1/methodology`, { headers });
        await reply.arrayBuffer();
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      }
    });
    const writer = (async () => {
      for (let round = 0; !stopped; round += 1) {
        const reply = await score(`round ${round}`);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        jobs.push(((await reply.json()) as { readonly job_id: string }).job_id);
        await new Promise((resolve) => setTimeout(resolve, 1_500));
      }
    })();

    /** Goes on after so many more reads, however slow the machine is. */
    const moreReads = async (count: number) => {
      const until = (statuses.get(200) ?? 0) + count;
      while ((statuses.get(200) ?? 0) < until) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    };

    const third = await roles.api(DRAIN);
    door.add(third);
    await moreReads(20);
    await first.close();
    door.remove(first);
    await moreReads(20);
    const fourth = await roles.api(DRAIN);
    door.add(fourth);
    await second.close();
    door.remove(second);
    await moreReads(20);
    await roles.worker();
    await worker.close();
    stopped = true;
    await Promise.all([...readers, writer]);

    assert.deepEqual([...statuses.keys()].sort(), [200, 202], JSON.stringify([...statuses]));
    assert.ok((statuses.get(200) ?? 0) > 50 && jobs.length > 2, JSON.stringify([...statuses]));
    for (const jobId of jobs) {
      const events = await fetch(`${door.url}/v1/jobs/${jobId}/events`, { headers });
      assert.match(await events.text(), /"state":"succeeded"/, jobId);
    }
  } finally {
    await door.close();
    await roles.close();
  }
});
