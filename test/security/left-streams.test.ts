import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { type TestService, testService } from '../support/service.ts';
import { tally } from './tally.ts';

let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('readers of a job’s events who disconnect at once, at any moment, leave nothing running', async () => {
  const json = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
  const { job_id: id } = (await (await world.call('/v1/score', { json })).json()) as { readonly job_id: string };
  const { hostname, port } = new URL(world.service.url);
  const before = timers();
  const readers = 60;
  for (let i = 0; i < readers; i += 1)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`GET /v1/jobs/${id}/events HTTP/1.1\r\nHost: assay\r\nX-API-Key: ${world.key}\r\n\r\n`);
        setTimeout(() => socket.resetAndDestroy(), i % 12);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
  for (let i = 0; i < 40 && timers() > before + 10; i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  tally({ part: 'streams', claim: 'readers who leave leave nothing running', tried: readers });
  assert.ok(timers() <= before + 10, `${timers() - before} more timers than before`);
});
