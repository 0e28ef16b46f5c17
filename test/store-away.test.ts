import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSharedLimiter } from '../src/access/plans/shared-limiter.ts';
import { JUP, MINT, marketSnapshot } from './support/chain-snapshots.ts';
import { chainWorld } from './support/chain-world.ts';

const away = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

test('without the database limits apply in the process, reads from memory continue, and the rest is 503', async () => {
  const limiter = createSharedLimiter({ lease: away, now: () => 0, elapsed: () => 0 });
  const world = await chainWorld(
    new Date().toISOString(),
    { limiter },
    { exports: { open: away, manifest: away, unreadable: away, read: () => assert.fail('nothing to read') } },
  );
  world.reader.assets.push(JUP);
  world.reader.put(marketSnapshot(JUP, new Date(world.clock.now - 3_600_000).toISOString()));
  const key = await world.key('CHAIN-1500');
  const statuses: number[] = [];
  for (let turn = 0; turn < 125; turn += 1)
    statuses.push((await world.get(`/v1/solana/market/${MINT}/snapshot`, { key })).status);
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [120, 429]);
  const failed = await world.get('/v1/solana/exports/daily');
  const body = (await failed.json()) as { code: string };
  assert.deepEqual([failed.status, body.code, failed.headers.get('retry-after')], [503, 'not_ready', '5']);
  await limiter.close();
  await world.close();
});
