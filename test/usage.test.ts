import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { sourceVariables } from '../sandbox/settings.ts';
import { ServiceLevelView } from '../src/contract/service.ts';
import { StatementReply, UsageReply } from '../src/contract/usage.ts';
import { databaseVariables } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../bin/assay.js', import.meta.url));
let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

type Body = Record<string, unknown>;
const read = async (reply: Response) => (await reply.json()) as Body;
const fits = (schema: TSchema, body: unknown) => {
  const validator = Compile(schema);
  assert.ok(validator.Check(body), JSON.stringify([...validator.Errors(body)].slice(0, 3)));
};
const flushed = () => new Promise((resolve) => setTimeout(resolve, 1_500));
async function account(plan: string, scopes: readonly string[], accountId?: string) {
  const made = await world.call('/v1/admin/keys', {
    json: { name: plan, plan, scopes, ...(accountId ? { account_id: accountId } : {}) },
  });
  assert.equal(made.status, 201);
  return (await read(made)) as { id: string; account_id: string; secret: string };
}

test('an account reads what its keys used, by day, key, group and plan', async () => {
  const one = await account('RATING', ['rms:read']);
  const two = await account('RATING', ['rms:read'], one.account_id);
  for (let turn = 0; turn < 3; turn += 1) await world.call('/v1/rms/NOBODY', { key: one.secret });
  await world.call('/v1/rms', { key: two.secret });
  await flushed();
  const by = async (groupBy: string) => {
    const reply = await world.call(`/v1/usage?group_by=${groupBy}`, { key: one.secret });
    assert.equal(reply.status, 200);
    const body = await read(reply);
    fits(UsageReply, body);
    return body as { data: Body[]; totals: Body; account_id: string };
  };
  const keys = await by('key');
  assert.equal(keys.account_id, one.account_id);
  assert.deepEqual(
    keys.data.map((row) => [row.key_id, row.billable]).sort(),
    [
      [one.id, 3],
      [two.id, 1],
    ].sort(),
  );
  assert.deepEqual((await by('endpoint_group')).data[0]?.endpoint_group, 'rms');
  assert.deepEqual((await by('plan')).data[0]?.plan, 'RATING');
  assert.equal((await by('day')).data[0]?.day, new Date().toISOString().slice(0, 10));
  assert.ok(Number(keys.totals.bytes) > 0);
});

test('an account never reads another’s usage; an administrator reads any that exists', async () => {
  const own = await account('RATING', ['rms:read']);
  const other = await account('CHAIN-1500', ['chain:read']);
  for (const path of ['/v1/usage', '/v1/usage/statement']) {
    const refused = await world.call(`${path}?account=${other.account_id}`, { key: own.secret });
    assert.deepEqual([refused.status, (await read(refused)).code], [403, 'missing_scope']);
    const allowed = await world.call(`${path}?account=${other.account_id}`);
    assert.deepEqual([allowed.status, (await read(allowed)).account_id], [200, other.account_id]);
    const unknown = await world.call(`${path}?account=acc_nobody`);
    assert.deepEqual([unknown.status, (await read(unknown)).code], [404, 'account_not_found']);
    assert.equal((await world.call(path, { key: null })).status, 401);
  }
});

test('each slip in a question about usage is named with its place', async () => {
  const table: [string, string][] = [
    ['/v1/usage?from=2026-02-30', '/from'],
    ['/v1/usage?from=2026-03-01&to=2026-02-01', '/from'],
    ['/v1/usage?from=2020-01-01&to=2026-02-01', '/from'],
    ['/v1/usage?to=yesterday', '/to'],
    ['/v1/usage?group_by=colour', '/group_by'],
    ['/v1/usage/statement?month=2026-13', '/month'],
    ['/v1/usage/statement?month=2999-01', '/month'],
    ['/v1/usage/statement?format=pdf', '/format'],
  ];
  for (const [path, pointer] of table) {
    const reply = await world.call(path);
    const body = (await read(reply)) as { code: string; errors: { pointer: string }[] };
    assert.deepEqual([reply.status, body.code, body.errors[0]?.pointer], [400, 'validation_failed', pointer], path);
  }
});

test('a statement has a line for each plan, at its price, as JSON and as CSV', async () => {
  const first = await account('CHAIN-7500', ['chain:read']);
  await account('RATING', ['rms:read'], first.account_id);
  await world.call('/v1/chains', { key: first.secret });
  await flushed();
  const reply = await world.call('/v1/usage/statement', { key: first.secret });
  const body = (await read(reply)) as { lines: Body[]; totals: Body; final: boolean };
  fits(StatementReply, body);
  assert.equal(body.final, false);
  assert.deepEqual(
    body.lines.map((line) => [line.plan, line.price_usd, line.billable]),
    [
      ['CHAIN-7500', '7500.00', 1],
      ['RATING', null, 0],
    ],
  );
  const csv = await world.call('/v1/usage/statement?format=csv', { key: first.secret });
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
  const lines = (await csv.text()).trimEnd().split('\r\n');
  assert.equal(lines.length, 4);
  assert.match(lines[0] ?? '', /^account_id,month,final,plan,title,keys,price_usd,credit_usd,due_usd,requests,/);
  assert.match(lines[3] ?? '', /,TOTAL,,,7500\.00,/);
});

test('keys of one account share its limits, and a refusal says which', async () => {
  const one = await account('CHAIN-1500', ['chain:read']);
  const two = await account('CHAIN-1500', ['chain:read'], one.account_id);
  const replies = [];
  for (let turn = 0; turn < 130; turn += 1)
    replies.push(await world.call('/v1/chains', { key: turn % 2 ? one.secret : two.secret }));
  // A minute may end among them, which opens a new window.
  const refused = replies.filter((reply) => reply.status === 429);
  assert.ok(refused.length === 10 || replies.some((reply) => reply.headers.get('x-ratelimit-remaining') === '119'));
  if (refused[0]) assert.equal((await read(refused[0])).limit, 'requests_per_minute');
});

test('the command line shows the plans and the same statements', async () => {
  const env = {
    PATH: process.env.PATH ?? '',
    ...databaseVariables(world.config),
    ASSAY_DATA_MODE: 'sandbox',
    ...sourceVariables(world.config),
  };
  const cli = async (...args: string[]) => (await run(process.execPath, [MAIN, ...args], { env })).stdout;
  assert.match(await cli('plans'), /^CHAIN-7500 {2}.*\$7500\.00 a month$/m);
  const held = await account('CHAIN-3500', ['chain:read']);
  assert.match(
    await cli('usage', '--account', held.account_id),
    /so far {2}due \$3500\.00\n {2}CHAIN-3500 {3}0 requests/,
  );
  const csv = await cli('usage', '--account', held.account_id, '--csv');
  const served = await world.call('/v1/usage/statement?format=csv', { key: held.secret });
  assert.equal(csv.trimEnd().split('\r\n')[2], (await served.text()).trimEnd().split('\r\n')[2]);
  await assert.rejects(cli('usage', '--month', '2026-13'), /--month must be/);
  await assert.rejects(cli('usage', '--account', 'acc_nobody'), /there is no account acc_nobody/);
});

test('the status page states how the service measures itself, and keeps its figures', async () => {
  const body = await read(await world.call('/v1/status', { key: null }));
  assert.ok(Array.isArray(body.chains));
  fits(ServiceLevelView, body.service_level);
  const { plans } = body.service_level as { plans: Body[] };
  assert.deepEqual(
    plans.map((row) => [row.plan, row.credit_pct, row.met]),
    [['CHAIN-7500', 0, true]],
  );
});
