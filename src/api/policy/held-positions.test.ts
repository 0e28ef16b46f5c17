import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiContext } from '../context.ts';
import { snapshotPrice } from './held-positions.ts';

const snapshot = (asOf: string, price: number) => ({ asOf, body: Buffer.from(JSON.stringify({ price_usd: price })) });
const stored = [snapshot('2026-05-01T09:00:00.000Z', 1), snapshot('2026-05-01T10:00:00.000Z', 2)];
const reader = {
  latest: async () => stored.at(-1),
  asOf: async (_assetId: string, _kind: string, at: string) => stored.findLast(({ asOf }) => asOf <= at) ?? null,
};
const context = { chain: { reader } } as unknown as ApiContext;

test('a price is the newest one, or that of the plan’s grid point, unless the rating is newer', async () => {
  assert.equal(await snapshotPrice(context, 'a', null, null), 2);
  assert.equal(await snapshotPrice(context, 'a', null, '2026-05-01T09:30:00.000Z'), 1);
  assert.equal(await snapshotPrice(context, 'a', null, '2026-05-01T08:30:00.000Z'), null);
  assert.equal(await snapshotPrice(context, 'a', '2026-05-01T09:10:00.000Z', '2026-05-01T09:30:00.000Z'), null);
});
