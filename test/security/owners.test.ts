import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TestService, testService } from '../support/service.ts';
import { tally } from './tally.ts';

const tidewell = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
const SCOPES = ['score', 'rms:read', 'rms:write', 'chain:read'];

let world: TestService;
let mine: { readonly secret: string; readonly account_id: string };
let yours: { readonly secret: string; readonly account_id: string };
let asked = 0;

const send = async (key: string, path: string, init: Parameters<TestService['call']>[1] = {}) => {
  asked += 1;
  const reply = await world.call(path, { ...init, key });
  const text = reply.headers.get('content-type')?.startsWith('text/event-stream') ? '' : await reply.text();
  if (text === '') await reply.body?.cancel();
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Readonly<Record<string, unknown>>;
  return { status: reply.status, code: body.code, body, text };
};

before(async () => {
  world = await testService();
  const make = async (name: string) => {
    const reply = await world.call('/v1/admin/keys', { json: { name, scopes: SCOPES, plan: 'INTERNAL' } });
    return (await reply.json()) as typeof mine;
  };
  [mine, yours] = [await make('mine'), await make('yours')];
});
after(async () => {
  await world.close();
  tally({ part: 'authorisation', claim: 'what belongs to one account is not there for another', tried: asked });
});

describe('what belongs to an account', () => {
  test('a pending or failed job is visible to its owner and to those who joined, and to no others', async () => {
    world.sandbox.faults.add({ source: '*', kind: 'latency', ms: 1_500 });
    const json = { ...tidewell, project: 'Tidewell of one account' };
    const async = { json, headers: { prefer: 'respond-async' } };
    const { body } = await send(mine.secret, '/v1/score', async);
    const path = `/v1/jobs/${body.job_id}`;
    assert.equal((await send(mine.secret, path)).status, 200);
    assert.equal((await send(world.key, path)).status, 200, 'an administrator sees it');
    const unknown = await send(yours.secret, '/v1/jobs/posttge_1_aaaaaaaa');
    for (const [place, init] of [
      ['', {}],
      ['', { method: 'DELETE' }],
      ['/events', {}],
      ['/evidence', {}],
    ] as const) {
      const got = await send(yours.secret, path + place, init);
      assert.deepEqual([got.status, got.code], [404, 'job_not_found'], `${JSON.stringify(init)} ${place}`);
      assert.equal(got.body.detail, unknown.body.detail, 'as if there were none');
    }
    const joined = await send(yours.secret, '/v1/score', async);
    assert.equal(joined.body.job_id, body.job_id);
    assert.equal((await send(yours.secret, path)).status, 200, 'who joined it may see it');
    const taken = await send(yours.secret, path, { method: 'DELETE' });
    assert.deepEqual([taken.status, taken.code], [409, 'job_is_shared'], 'and not take it from the other');
    assert.equal((await send(mine.secret, path, { method: 'DELETE' })).status, 200);
    world.sandbox.faults.clear();
  });

  test('a published collection is the receipt of its rating, for all its readers; a score is visible to its owner', async () => {
    const { body } = await send(mine.secret, '/v1/score', { json: tidewell });
    const receipt = `/v1/jobs/${body.collection_id}`;
    assert.equal((await send(yours.secret, `${receipt}/evidence`)).status, 200);
    assert.equal((await send(yours.secret, receipt)).status, 200);
    assert.equal((await send(yours.secret, receipt, { method: 'DELETE' })).status, 409);
    assert.equal((await send(mine.secret, `/v1/jobs/${body.job_id}`)).status, 200);
    for (const place of ['', '/evidence', '/events'])
      assert.equal((await send(yours.secret, `/v1/jobs/${body.job_id}${place}`)).status, 404, place);
  });

  test('a collection under way cannot be cancelled by its waiting callers', async () => {
    for (const source of ['goplus', 'rugcheck', 'solana_rpc'])
      world.sandbox.faults.add({ source, kind: 'latency', ms: 6_000 });
    const json = { ...tidewell, project: 'TIDEWELL' };
    const { body } = await send(mine.secret, '/v1/score', { json, headers: { prefer: 'respond-async' } });
    let collection: unknown = null;
    for (const end = Date.now() + 20_000; collection === null && Date.now() < end; )
      collection = (await send(mine.secret, `/v1/jobs/${body.job_id}`)).body.collection_id;
    const fresh = await send(yours.secret, '/v1/rms/TIDE?fresh=true', { headers: { prefer: 'respond-async' } });
    assert.deepEqual([fresh.status, fresh.body.job_id], [202, collection], 'joined');
    const taken = await send(yours.secret, `/v1/jobs/${collection}`, { method: 'DELETE' });
    assert.deepEqual([taken.status, taken.code], [409, 'job_is_shared']);
    assert.equal((await send(mine.secret, `/v1/jobs/${body.job_id}`, { method: 'DELETE' })).status, 200);
    assert.equal((await send(yours.secret, `/v1/jobs/${collection}`)).body.state, 'running');
    world.sandbox.faults.clear();
  });

  test('an idempotency key of another account has no effect', async () => {
    const headers = { 'idempotency-key': 'shared-by-chance', prefer: 'respond-async' };
    const first = await send(mine.secret, '/v1/score', { json: { ...tidewell, project: 'Tidewell mine' }, headers });
    const other = await send(yours.secret, '/v1/score', { json: { ...tidewell, project: 'Tidewell yours' }, headers });
    assert.notEqual(other.status, 409);
    assert.notEqual(first.body.job_id, other.body.job_id);
  });

  test('watchlists, webhooks and their messages are not there for another', async () => {
    const asset = '/v1/rms/whitelist/TIDE';
    assert.ok([200, 201].includes((await send(mine.secret, asset, { method: 'PUT', json: {} })).status));
    assert.doesNotMatch((await send(yours.secret, '/v1/rms/whitelist')).text, /TIDE|token:/);
    assert.equal((await send(yours.secret, asset, { method: 'DELETE' })).status, 404);
    const json = { url: 'https://tidewell.example/hook', kinds: ['score_change'] };
    const made = await send(mine.secret, '/v1/webhooks', { json });
    assert.equal(made.status, 201, made.text);
    const path = `/v1/webhooks/${made.body.id}`;
    const tested = await send(mine.secret, `${path}/test`, { method: 'POST' });
    const delivery = (tested.body as { id?: string }).id ?? 'none';
    const muted = await send(mine.secret, `${path}/mutes`, { json: { days: 3, kind: 'correction' } });
    assert.equal(muted.status, 201, muted.text);
    assert.doesNotMatch((await send(yours.secret, '/v1/webhooks')).text, /wh_/);
    for (const [method, place, body] of [
      ['GET', '', undefined],
      ['PUT', '', { enabled: false }],
      ['DELETE', '', undefined],
      ['GET', '/deliveries', undefined],
      ['POST', '/test', undefined],
      ['POST', '/rotate', {}],
      ['POST', '/replay', { since: '2026-01-01T00:00:00Z' }],
      ['POST', `/deliveries/${delivery}/replay`, undefined],
      ['GET', '/mutes', undefined],
      ['POST', '/mutes', { days: 3, kind: 'correction' }],
    ] as const) {
      const got = await send(yours.secret, path + place, { method, ...(body ? { json: body } : {}) });
      assert.deepEqual([got.status, got.code], [404, 'webhook_not_found'], `${method} ${place}: ${got.text}`);
    }
    const lifted = await send(yours.secret, `${path}/mutes/${muted.body.id}`, { method: 'DELETE' });
    const none = await send(yours.secret, '/v1/webhooks/wh_none/mutes/mute_none', { method: 'DELETE' });
    assert.deepEqual([lifted.status, lifted.code, lifted.body.detail], [404, none.code, none.body.detail]);
    assert.match((await send(mine.secret, `${path}/mutes`)).text, new RegExp(String(muted.body.id)), 'it still holds');
    assert.equal((await send(mine.secret, path)).status, 200, 'it is still there');
  });

  test('a bulk job and its rows are visible to the account that sent it alone', async () => {
    const made = await send(mine.secret, '/v1/bulk', { json: { rows: ['nosuchcoinatall'] } });
    assert.equal(made.status, 202, made.text);
    const path = `/v1/bulk/${made.body.bulk_id}`;
    const unknown = await send(yours.secret, '/v1/bulk/bulk_1_aaaaaaaa');
    for (const [method, place] of [
      ['GET', ''],
      ['GET', '/rows'],
      ['GET', '/rows?format=csv'],
      ['DELETE', ''],
    ] as const) {
      const got = await send(yours.secret, path + place, { method });
      assert.deepEqual([got.status, got.code], [404, unknown.code], `${method} ${place}: ${got.text}`);
    }
    assert.doesNotMatch((await send(yours.secret, '/v1/bulk')).text, /bulk_/);
    assert.equal((await send(mine.secret, path)).status, 200, 'it is still there');
  });

  test('alerts, usage, statements and disputes are each account’s own', async () => {
    const acknowledged = await send(yours.secret, '/v1/alerts/1/acknowledge', { method: 'POST' });
    assert.equal(acknowledged.status, 404);
    const disputed = await send(mine.secret, '/v1/disputes', { json: { asset: 'TIDE', claim: 'wrong supply' } });
    assert.equal(disputed.status, 201, disputed.text);
    const path = `/v1/disputes/${disputed.body.id}`;
    assert.equal((await send(mine.secret, path)).status, 200);
    assert.deepEqual(
      [(await send(yours.secret, path)).status, (await send(yours.secret, '/v1/disputes/dsp_none')).status],
      [404, 404],
    );
    assert.doesNotMatch((await send(yours.secret, '/v1/disputes')).text, /wrong supply/);
    for (const account of [mine.account_id, 'acc_none']) {
      for (const place of ['usage', 'usage/statement']) {
        const got = await send(yours.secret, `/v1/${place}?account=${account}`);
        assert.deepEqual(
          [got.status, got.code],
          [403, 'missing_scope'],
          'the same whether there is such an account or not',
        );
      }
    }
    const own = await send(yours.secret, '/v1/usage');
    assert.equal(own.body.account_id, yours.account_id);
  });
});
