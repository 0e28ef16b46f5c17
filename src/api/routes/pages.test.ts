import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { dashboardRoutes } from './pages.ts';

let folder: string;
let server: FastifyInstance;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-pages-'));
  server = Fastify();
  dashboardRoutes(server, `${join(folder, 'dist')}/`);
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (url: string) => server.inject({ url });

test('pages that are built while the service runs are served without a restart, and a newer build in their place', async () => {
  const before = await get('/');
  assert.equal(before.statusCode, 503);
  assert.match(before.body, /npm run build:web/);
  await mkdir(join(folder, 'dist', 'assets'), { recursive: true });
  await writeFile(join(folder, 'dist', 'index.html'), 'first');
  await writeFile(join(folder, 'dist', 'assets', 'page-a1.js'), 'one');
  assert.deepEqual([(await get('/')).body, (await get('/assets/page-a1.js')).body], ['first', 'one']);
  await writeFile(join(folder, 'dist', 'index.html'), 'second build');
  await rm(join(folder, 'dist', 'assets', 'page-a1.js'));
  await writeFile(join(folder, 'dist', 'assets', 'page-b2.js'), 'two');
  assert.deepEqual([(await get('/')).body, (await get('/assets/page-b2.js')).body], ['second build', 'two']);
  // A page that was open before asks for its own files.
  assert.equal((await get('/assets/page-a1.js')).body, 'one');
});

test('a name leads to no file but a built one', async () => {
  await writeFile(join(folder, 'secret.js'), 'secret');
  await writeFile(join(folder, 'dist', '.env.js'), 'secret');
  await writeFile(join(folder, 'dist', 'assets', 'notes.txt'), 'secret');
  for (const name of ['..%2F..%2Fsecret.js', '..%2F.env.js', '.env.js', 'notes.txt', 'none-c3.js', '%00.js']) {
    const { statusCode, body } = await get(`/assets/${name}`);
    assert.ok(statusCode >= 400, `${name}: ${statusCode}`);
    assert.doesNotMatch(body, /secret(?!\.js)/, name);
  }
});
