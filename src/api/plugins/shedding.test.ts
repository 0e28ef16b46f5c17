import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { shedding } from './shedding.ts';

const PATHS = ['/healthz', '/v1/admin/keys', '/v1/alerts/stream', '/v1/score'];

test('excess requests are refused with Retry-After, essential ones are not, and places are free again afterwards', async () => {
  const server = fastify();
  await server.register(shedding, { scoringPath: '/v1/score', mostWaiting: 3 });
  let release = Promise.withResolvers<void>();
  server.get('/v1/rms/whitelist', async () => {
    await release.promise;
    return 'answered';
  });
  for (const path of PATHS) server.get(path, async () => 'answered');
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const read = () => fetch(`${address}/v1/rms/whitelist`);
  for (let round = 0; round < 2; round += 1) {
    const waiting = [read(), read(), read()];
    await new Promise((resolve) => setTimeout(resolve, 100));
    const refused = await read();
    const { code } = (await refused.json()) as { readonly code: string };
    assert.deepEqual([refused.status, code, refused.headers.get('retry-after')], [503, 'overloaded', '1']);
    for (const path of PATHS) assert.equal((await fetch(address + path)).status, 200, path);
    release.resolve();
    for (const reply of await Promise.all(waiting)) assert.equal(await reply.text(), 'answered');
    release = Promise.withResolvers<void>();
  }
  await server.close();
});

test('a caller that disconnects frees its place', async () => {
  const server = fastify();
  await server.register(shedding, { scoringPath: '/v1/score', mostWaiting: 1 });
  server.get('/v1/never', () => new Promise(() => undefined));
  server.get('/v1/quick', async () => 'answered');
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  await assert.rejects(fetch(`${address}/v1/never`, { signal: AbortSignal.timeout(100) }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal((await fetch(`${address}/v1/quick`)).status, 200);
  server.server.closeAllConnections();
  await server.close();
});

test('a route that replies from memory continues while too many requests wait, and is refused when it has to wait', async () => {
  const server = fastify();
  await server.register(shedding, { scoringPath: '/v1/score', mostWaiting: 1 });
  server.get('/v1/never', () => new Promise(() => undefined));
  server.get<{ Querystring: { cold?: string } }>('/v1/hot', { config: { isHot: true } }, async (request, reply) =>
    request.query.cold === undefined || reply.mayWait() ? 'answered' : reply,
  );
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const statusOf = async (path: string) => (await fetch(address + path)).status;
  assert.equal(await statusOf('/v1/hot?cold=1'), 200);
  const waiting = fetch(`${address}/v1/never`).catch(() => null);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual([await statusOf('/v1/hot'), await statusOf('/v1/hot?cold=1')], [200, 503]);
  server.server.closeAllConnections();
  await waiting;
  await server.close();
});
