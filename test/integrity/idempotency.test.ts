import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestService, testService } from '../support/service.ts';

let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

interface Sent {
  readonly status: number;
  readonly code: string | undefined;
  readonly job: string | undefined;
}

async function send(body: object, idempotencyKey: string, key = world.key): Promise<Sent> {
  const reply = await world.call('/v1/score', {
    json: { type: 'posttge', project_url: 'https://tidewell.example/', ...body },
    key,
    headers: { prefer: 'respond-async', 'idempotency-key': idempotencyKey },
  });
  const { code, job_id: job } = (await reply.json()) as { code?: string; job_id?: string };
  return { status: reply.status, code, job };
}

test('five requests at once with one key and five bodies: one job, and the others are refused', async () => {
  const bodies = Array.from({ length: 5 }, (_, index) => ({ project: `Tidewell ${index}` }));
  const sent = await Promise.all(bodies.map((body) => send(body, 'five-bodies')));
  assert.equal(sent.filter(({ status }) => status === 202).length, 1, JSON.stringify(sent));
  for (const { status, code } of sent.filter((one) => one.status !== 202))
    assert.deepEqual([status, code], [409, 'idempotency_key_reused']);
});

test('five requests at once with one key and one body: one job', async () => {
  const sent = await Promise.all(Array.from({ length: 5 }, () => send({ project: 'Tidewell' }, 'one-body')));
  assert.deepEqual([...new Set(sent.map(({ status }) => status))], [202]);
  assert.equal(new Set(sent.map(({ job }) => job)).size, 1);
});

test('the body is compared as a whole: another format is another request', async () => {
  const first = await send({ project: 'Tidewell', output_format: 'full' }, 'whole-body');
  assert.equal(first.status, 202);
  assert.equal((await send({ output_format: 'full', project: 'Tidewell' }, 'whole-body')).job, first.job);
  assert.equal((await send({ project: 'Tidewell', output_format: 'minimal' }, 'whole-body')).status, 409);
});

test('after a rotation of the key its idempotency keys count as before', async () => {
  const made = await world.call('/v1/admin/keys', {
    json: { name: 'to be rotated', scopes: ['score'], plan: 'INTERNAL' },
  });
  const old = (await made.json()) as { readonly id: string; readonly secret: string };
  const first = await send({ project: 'Tidewell' }, 'before-rotation', old.secret);
  assert.equal(first.status, 202);
  const rotated = await world.call(`/v1/admin/keys/${old.id}/rotate`, { method: 'POST', json: {} });
  const { secret } = (await rotated.json()) as { readonly secret: string };
  assert.notEqual(secret, old.secret);
  // Another body first: one that is equal could also be joined to the job under way.
  assert.equal((await send({ project: 'Marrowstone' }, 'before-rotation', secret)).status, 409);
  assert.equal((await send({ project: 'Tidewell' }, 'before-rotation', secret)).job, first.job);
});
