import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import canonicalize from 'canonicalize';
import { type VerifyingKey, verifyRecord } from '../client/src/index.ts';
import { openExportTools } from '../src/compose/exports.ts';
import { openStorage, type Storage } from '../src/compose/storage.ts';
import { noObjectStore } from '../src/store/moved.ts';
import { boundsNow, ratedDayRows } from '../src/store/ratings/export-days.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
let storage: Storage;

before(async () => {
  world = await testService();
  storage = await openStorage(world.config, 'visitor', () => undefined);
});
after(async () => {
  await storage.close();
  await world.close();
});

interface Scored {
  readonly job_id: string;
  readonly as_of: string;
  readonly asset: { readonly id: string };
}

test('a rating is corrected by rating its evidence again without what was wrong; what was published stays', async () => {
  const scored = await world.call('/v1/score', {
    json: { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/', token_symbol: 'TIDE' },
  });
  assert.equal(scored.status, 200);
  const { job_id: jobId, as_of: asOf, asset } = (await scored.json()) as Scored;
  const day = asOf.slice(0, 10);
  const tools = openExportTools(world.config, storage.store, noObjectStore, () => Date.parse(asOf) + 60_000);
  const published = await (await world.call(`/v1/rms/${encodeURIComponent(asset.id)}`)).json();

  const same = await tools.restateRating({ jobId, without: [], reason: 'nothing is wrong' });
  assert.match(same.ok ? '' : same.detail, /a restatement needs another band or two points/);
  const unknown = await tools.restateRating({ jobId, without: ['nobody'], reason: 'x' });
  assert.match(unknown.ok ? '' : unknown.detail, /holds nothing of nobody/);
  assert.equal((await tools.restateRating({ jobId: 'posttge_1_none', without: [], reason: 'x' })).ok, false);

  const evidence = (await (await world.call(`/v1/jobs/${jobId}/evidence`)).json()) as {
    observations: readonly { source: string }[];
  };
  const sources = [...new Set(evidence.observations.map((one) => one.source))];
  const without = sources.slice(0, sources.length - 1);
  const breakdown = await (await world.call(`/v1/rms/${encodeURIComponent(asset.id)}/breakdown`)).json();
  assert.equal('correction' in (breakdown as object), false);
  const corrected = await tools.restateRating({ jobId, without, reason: 'these sources were wrong' });
  assert.ok(corrected.ok, corrected.ok ? '' : corrected.detail);

  const stored: string[] = [];
  for await (const row of ratedDayRows(storage.store.db, day, await boundsNow(storage.store.db)))
    stored.push(Buffer.from(row.record).toString('utf8'));
  const record = JSON.parse(stored[0] ?? '{}') as { band: string; restated: { reason: string; without: string[] } };
  assert.deepEqual(
    [stored.length, record.band, record.restated.reason, record.restated.without],
    [1, corrected.value.after.band, 'these sources were wrong', without],
  );
  const read = async (query = '') =>
    (await (await world.call(`/v1/rms/${encodeURIComponent(asset.id)}${query}`)).json()) as Record<string, unknown>;
  // The notice of the correction reaches the service on its own connection.
  const until = async (isSo: (reply: Record<string, unknown>) => boolean) => {
    let reply = await read();
    for (let turn = 0; turn < 200 && !isSo(reply); turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      reply = await read();
    }
    return reply;
  };
  const { correction, ...now } = await until((reply) => 'correction' in reply);
  assert.deepEqual({ ...now, age_seconds: 0 }, { ...(published as object), age_seconds: 0 });
  const { made_at: madeAt, ...what } = correction as Record<string, unknown>;
  const { restatementId, after: right } = corrected.value;
  assert.deepEqual(what, { restatement_id: restatementId, reason: 'these sources were wrong', ...right });
  for (const query of ['?view=digest', `?as_of=${asOf}`, '/breakdown'])
    assert.deepEqual((await read(query)).correction, correction, query);
  const listed = (await (await world.call('/.well-known/assay-keys.json', { key: null })).json()) as {
    readonly keys: readonly VerifyingKey[];
  };
  const verified = await verifyRecord({ ...now, correction }, listed.keys);
  assert.equal(verified.valid, true, 'it is not part of the signed record');
  const policy = (await (await world.call('/v1/policy/check', { json: { asset: asset.id } })).json()) as {
    readonly fired: readonly { readonly rule: string; readonly detail: string }[];
  };
  assert.match(policy.fired.find(({ rule }) => rule === 'corrected')?.detail ?? '', new RegExp(String(madeAt)));
  const feed = (await (await world.call('/v1/restatements', { key: null })).json()) as {
    data: { subject: string; asset_id: string; detail: { job_id: string; before: unknown; after: unknown } }[];
  };
  assert.deepEqual(
    feed.data.map((one) => [one.subject, one.asset_id, one.detail.job_id, one.detail.after]),
    [['rating', asset.id, jobId, corrected.value.after]],
  );

  const row = await storage.store.db
    .selectFrom('restatements')
    .select(['record', 'signature'])
    .executeTakeFirstOrThrow();
  const { value, key_id } = JSON.parse(row.signature ?? '{}') as { value: string; key_id: string };
  const key = (await tools.keys()).find((one) => one.kid === key_id);
  const bytes = Buffer.from(canonicalize(JSON.parse(row.record?.toString('utf8') ?? '{}')) ?? '');
  assert.ok(ed25519.verify(Buffer.from(value, 'base64'), bytes, Buffer.from(key?.x ?? '', 'base64url')));

  const repeated = await tools.restateRating({ jobId, without, reason: 'the same again' });
  assert.equal(repeated.ok, false, 'the standing correction says so already');
  const undone = await tools.restateRating({ jobId, without: [], reason: 'the sources were right after all' });
  assert.ok(undone.ok, undone.ok ? '' : undone.detail);
  assert.deepEqual([undone.value.before, undone.value.after], [corrected.value.after, corrected.value.before]);
  assert.equal('correction' in (await until((reply) => !('correction' in reply))), false);
});
