import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { ACCOUNT, type WebhookWorld, webhookWorld } from './support/webhook-world.ts';

let world: WebhookWorld;

before(async () => {
  world = await webhookWorld();
});

beforeEach(() => world.reset());
afterEach(() => world.stopWorkers());
after(() => world.close());

async function delivery(id: string) {
  const [one] = (await world.webhooks.deliveries(ACCOUNT, id, { state: null, before: null, limit: 1 })) ?? [];
  assert.ok(one);
  return one;
}

for (const how of ['one delivery', 'all since a time'])
  test(`a replay of ${how} during an attempt is not ended by the outcome of that attempt`, async () => {
    const waiting: ServerResponse[] = [];
    world.answer = (response) => void waiting.push(response);
    const arrived = async (count: number) => {
      for (const until = performance.now() + 10_000; waiting.length < count; ) {
        assert.ok(performance.now() < until, `${waiting.length} of ${count} requests`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    const { id } = await world.hook();
    await world.alert();
    const [first, second] = [world.worker(), world.worker()];
    assert.equal(await first.tick(), 1);
    await arrived(1);

    if (how === 'one delivery') await world.webhooks.replay(ACCOUNT, id, (await delivery(id)).id);
    else await world.webhooks.replaySince(ACCOUNT, id, '2026-01-01T00:00:00.000Z');
    assert.equal(await second.tick(), 1);
    await arrived(2);
    waiting[0]?.writeHead(204).end();
    await first.idle();
    assert.equal((await delivery(id)).state, 'pending', 'the replay is still under way');
    assert.equal(await first.tick(), 0, 'and nothing else sends it meanwhile');

    waiting[1]?.writeHead(500).end();
    await second.idle();
    const after = await delivery(id);
    assert.deepEqual([after.state, after.attempts, after.last_status], ['pending', 1, 500]);
    await world.dueNow();
    world.answer = (response) => void response.writeHead(204).end();
    assert.equal(await second.tick(), 1);
    await second.idle();
    const last = await delivery(id);
    assert.deepEqual([last.state, last.attempts, last.last_status], ['delivered', 2, 204]);
  });
