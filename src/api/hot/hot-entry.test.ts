import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiContext } from '../context.ts';
import { bodyEntry, type HotParts, hotEntry } from './hot-entry.ts';

test('a key that cannot be looked up is left to the route, and the failed lookup ends no process', async (t) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  const away = () => Promise.reject(new Error('the store is away'));
  const context = { access: { authenticate: away }, clientAddress: () => '127.0.0.1' } as unknown as ApiContext;
  const parts = { context, plans: { find: () => null } } as unknown as HotParts;
  const path = { scope: 'chain:read', targetOf: () => ({}), chainOf: () => null } as const;
  const rest = { routeOf: () => '/', operationOf: () => 'read', find: () => undefined };
  const get = { method: 'GET', url: '/x', headers: { 'x-api-key': 'k' } } as unknown as IncomingMessage;
  assert.equal(
    hotEntry(parts, { ...path, ...rest })(get, {} as ServerResponse, () => undefined),
    false,
  );

  const body = { path: '/b', scope: 'rms:read', operationId: 'batch', mostBytes: 100 } as const;
  const headers = { 'x-api-key': 'k', 'content-type': 'application/json', 'content-length': '2' };
  const post = { method: 'POST', url: '/b', headers } as unknown as IncomingMessage;
  const entry = bodyEntry(parts, { ...body, find: () => undefined, onSent: () => undefined });
  assert.equal(
    entry(post, {} as ServerResponse, () => undefined),
    false,
  );
  await nextTurn();
  await nextTurn();
  assert.deepEqual(unhandled, []);
});
