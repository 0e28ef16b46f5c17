import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RunningService } from '../src/compose/service.ts';
import { openRoles, type Roles } from './support/roles.ts';

let roles: Roles;
let api: RunningService;
let key = '';

before(async () => {
  roles = await openRoles();
  api = await roles.api();
  key = api.adminKey ?? '';
});
after(() => roles.close());

const project = {
  type: 'posttge',
  project: 'Tidewell',
  project_url: 'https://tidewell.example/',
  token_symbol: 'TIDE',
};
const call = (service: RunningService, path: string, init: RequestInit = {}) =>
  fetch(service.url + path, {
    ...init,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...init.headers },
  });
const submit = (service: RunningService, category: string, prefer: string) =>
  call(service, '/v1/score', {
    method: 'POST',
    body: JSON.stringify({ ...project, category }),
    headers: { prefer },
  });
type Said = { readonly job_id: string; readonly state: string; readonly rating?: { readonly band: string } };

test('without a worker a job waits, and a new worker runs it', async () => {
  const asked = await submit(api, 'defi 1', 'respond-async');
  assert.equal(asked.status, 202);
  const { job_id: jobId } = (await asked.json()) as Said;
  await new Promise((resolve) => setTimeout(resolve, 700));
  const waiting = (await (await call(api, `/v1/jobs/${jobId}`)).json()) as Said;
  assert.equal(waiting.state, 'queued');
  await roles.worker();
  const events = await call(api, `/v1/jobs/${jobId}/events`, { headers: { accept: 'text/event-stream' } });
  assert.match(await events.text(), /"state":"succeeded"/);
});

test('a job requested at one process is collected by a second, and its result read at a third', async () => {
  const second = await roles.api();
  const scored = await submit(api, 'defi 2', 'wait=30');
  assert.equal(scored.status, 200);
  const asset = await call(second, '/v1/rms/TIDE');
  assert.equal(asset.status, 200);
});

test('a new rating is served at once by every process', async () => {
  const second = await roles.api();
  const asOf = async (service: RunningService) =>
    ((await (await call(service, '/v1/rms/TIDE')).json()) as { readonly as_of: string }).as_of;
  // Both hold it in memory now.
  const before = await asOf(second);
  assert.equal(await asOf(api), before);
  assert.equal((await submit(api, 'defi 3', 'wait=30')).status, 200);
  for (let i = 0; i < 100 && (await asOf(second)) === before; i += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.notEqual(await asOf(second), before);
  assert.equal(await asOf(second), await asOf(api));
});

test('a process that only replies is ready, one that works reports so on its own port', async () => {
  const worker = await roles.worker({ metricsPort: 0 });
  const ask = (path: string) => fetch(`http://127.0.0.1:${worker.metricsPort}${path}`);
  assert.equal((await ask('/readyz')).status, 200);
  assert.equal((await ask('/healthz')).status, 200);
  assert.equal((await ask('/v1/score')).status, 404);
  const metrics = await (await ask('/metrics')).text();
  assert.match(metrics, /assay_processes\{role="api",version="[\d.]+"\} [1-9]/);
  assert.match(metrics, /assay_processes\{role="worker",version="[\d.]+"\} [1-9]/);
  await worker.close();
  await assert.rejects(ask('/readyz'));
});

test('a process that drains reports that it is not ready and still replies', async () => {
  const leaving = await roles.api({ drainSeconds: 2 });
  const closed = leaving.close();
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal((await call(leaving, '/readyz')).status, 503);
  assert.equal((await call(leaving, '/v1/rms/TIDE')).status, 200);
  assert.equal((await submit(leaving, 'defi 4', 'respond-async')).status, 202);
  await closed;
  await assert.rejects(call(leaving, '/readyz'));
});
