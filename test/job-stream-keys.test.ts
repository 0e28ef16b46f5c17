import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../src/store/database.ts';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { testService } from './support/service.ts';

test('an open stream of a job ends within seconds of the revocation of its key', async () => {
  const database = await testDatabase();
  const world = await testService({ databaseUrl: database.url, logLevel: 'silent' });
  const store = await openStore(database.url, 'sandbox');
  try {
    const made = await world.call('/v1/admin/keys', { json: { name: 'reader', plan: 'RATING', scopes: ['score'] } });
    const key = (await made.json()) as { readonly id: string; readonly secret: string };
    const scored = await world.call('/v1/score', {
      key: key.secret,
      json: { type: 'PostTGE', project: 'Tidewell', project_url: 'https://tidewell.example/' },
    });
    const id = scored.headers.get('assay-job-id') ?? '';
    await store.pool.query(
      `update jobs set state = 'running', owner = 'nobody', lease_until = now() + interval '1 day' where id = $1`,
      [id],
    );
    const gone = AbortSignal.timeout(15_000);
    const stream = await world.call(`/v1/jobs/${id}/events`, { key: key.secret, signal: gone });
    assert.equal(stream.status, 200);
    assert.equal((await world.call(`/v1/admin/keys/${key.id}`, { method: 'DELETE' })).status, 204);
    const text = await stream.text();
    assert.match(text, /event: end\ndata: \{"reason":"the key or its plan no longer allows this stream"\}\n\n$/);
  } finally {
    await store.close();
    await world.close();
    await database.close();
  }
});
