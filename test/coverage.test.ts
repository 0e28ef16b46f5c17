import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadPlans } from '../src/access/plans/plans.ts';
import { IndexAddedReply, IndexEntryReply, IndexList } from '../src/contract/chain.ts';
import { AwaitedReply } from '../src/contract/snapshot.ts';
import { fits } from './support/chain-api-world.ts';
import { type TestService, testService } from './support/service.ts';

/** Indexing on request, of the whole service on PostgreSQL: two accounts, the operator, and what is rated. */
let world: TestService;
let folder: string;
type Listed = { readonly name: string; readonly chain: string; readonly address: string };
let listed: readonly Listed[];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-plans-'));
  const plans = JSON.parse(JSON.stringify(loadPlans(null).plans)) as Record<string, unknown>[];
  const snake = (row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        value,
      ]),
    );
  const file = plans.map(snake).map((row) => ({
    ...row,
    sla: null,
    ...(row.name === 'CHAIN-3500' ? { indexed_assets: 2 } : {}),
  }));
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify({ plans: file }));
  world = await testService({ plansFile });
  listed = (await (await fetch(`${world.sandbox.url}/__control/world`)).json()) as readonly Listed[];
});
after(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

type Body = Record<string, unknown> & { readonly coverage: { readonly used: number; readonly limit: number | null } };
const read = async (reply: Response) => (await reply.json()) as Body;
const named = (name: string) => listed.find((row) => row.name === name) ?? assert.fail(name);
const pathOf = (name: string, rest = '') => `/v1/${named(name).chain}/index/${named(name).address}${rest}`;
const marketOf = (name: string) => `/v1/${named(name).chain}/market/${named(name).address}/snapshot`;
async function keyOf(plan: string, scopes: readonly string[] = ['chain:read']): Promise<string> {
  const made = await world.call('/v1/admin/keys', { json: { name: plan, plan, scopes } });
  return ((await made.json()) as { secret: string }).secret;
}
const put = (key: string, name: string, body: unknown = {}) =>
  world.call(pathOf(name), {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    key,
  });
const drop = (key: string, name: string) => world.call(pathOf(name), { method: 'DELETE', key });

test('an account adds an asset within its plan, and its first snapshot is there within seconds', async () => {
  const key = await keyOf('CHAIN-3500');
  const before = await world.call(marketOf('Tidewell'), { key });
  const unknown = await read(before);
  assert.deepEqual([before.status, unknown.code], [404, 'asset_not_indexed']);
  assert.deepEqual(unknown.how_to_index, { method: 'PUT', path: pathOf('Tidewell'), body: {} });
  const began = performance.now();
  const added = await put(key, 'Tidewell');
  const entry = await read(added);
  assert.equal(added.status, 201, JSON.stringify(entry));
  fits(IndexAddedReply, entry);
  assert.deepEqual([entry.added_by, entry.cadence, entry.is_yours], ['account', 'five_minutes', true]);
  assert.deepEqual(entry.coverage, { used: 1, limit: 2 });
  for (;;) {
    const reply = await world.call(marketOf('Tidewell'), { key });
    const body = await read(reply);
    if (reply.status === 200) break;
    assert.equal(reply.status, 202);
    fits(AwaitedReply, body);
    assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    // The plan is served what lies on its grid: that the snapshot is there is said.
    if (body.state === 'next_grid_point') break;
    assert.ok(performance.now() - began < 15_000, JSON.stringify(body));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const again = await put(key, 'Tidewell');
  assert.deepEqual([again.status, (await read(again)).coverage], [200, { used: 1, limit: 2 }]);
});

test('a request over the plan is refused with the numbers, and a freed place can be used again', async () => {
  const key = await keyOf('CHAIN-3500');
  // At the same time: the limit holds whichever come first.
  const names = ['Moonbadger', 'Ashgrove Yield', 'Bullionbridge', 'Kilofault'];
  const replies = await Promise.all(names.map((name) => put(key, name)));
  assert.deepEqual(replies.map((reply) => reply.status).toSorted(), [201, 201, 403, 403]);
  const refused = await read(replies.find((reply) => reply.status === 403) as Response);
  assert.deepEqual([refused.code, refused.limit, refused.used], ['index_full', 2, 2]);
  const mine = names.filter((_, at) => replies[at]?.status === 201);
  const left = names.filter((_, at) => replies[at]?.status === 403);
  assert.equal((await drop(key, mine[0] ?? '')).status, 204);
  const next = await put(key, left[0] ?? '');
  assert.deepEqual([next.status, (await read(next)).coverage], [201, { used: 2, limit: 2 }]);
  const gone = await world.call(pathOf(mine[0] ?? ''), { key });
  assert.equal(gone.status, 404);
});

test('the end of one account’s request ends nothing for another, for the operator, or for a rating', async () => {
  const [one, two] = [await keyOf('CHAIN-3500'), await keyOf('CHAIN-7500')];
  assert.equal((await put(one, 'Hivecoin', { kinds: ['market', 'holders'], cadence: 'newest' })).status, 201);
  const widened = await read(await put(two, 'Hivecoin', { kinds: ['market', 'pools'], cadence: 'newest' }));
  assert.deepEqual([widened.kinds, widened.cadence], [['market', 'holders', 'pools'], 'newest']);
  assert.equal((await drop(two, 'Hivecoin')).status, 204);
  const left = await world.call(pathOf('Hivecoin'), { key: one });
  const entry = await read(left);
  fits(IndexEntryReply, entry);
  assert.deepEqual([entry.kinds, entry.cadence, entry.is_yours], [['market', 'holders'], 'five_minutes', true]);
  const strangers = await drop(two, 'Hivecoin');
  assert.deepEqual([strangers.status, (await read(strangers)).code], [404, 'not_asked_for']);
  // The operator wants it too, and less of it.
  assert.equal((await put(world.key, 'Hivecoin', { kinds: ['market'], cadence: 'hourly' })).status, 200);
  assert.equal((await drop(one, 'Hivecoin')).status, 204);
  const operators = await read(await world.call(pathOf('Hivecoin')));
  assert.deepEqual(
    [operators.kinds, operators.cadence, operators.added_by, operators.wanted_until, operators.is_yours],
    [['market'], 'hourly', 'api', null, false],
  );
  assert.equal((await drop(world.key, 'Hivecoin')).status, 204);
  assert.equal((await world.call(pathOf('Hivecoin'))).status, 404);
  // What was rated stays for its time, with all its kinds.
  const scored = await world.call('/v1/score', {
    json: { asset: `${named('Hivecoin').chain}:${named('Hivecoin').address}` },
  });
  assert.equal(scored.status, 200, await scored.text());
  assert.equal((await put(two, 'Hivecoin', { kinds: ['market'] })).status, 200);
  assert.equal((await read(await world.call(pathOf('Hivecoin')))).wanted_until, null);
  assert.equal((await drop(two, 'Hivecoin')).status, 204);
  const rated = await read(await world.call(pathOf('Hivecoin')));
  assert.deepEqual([rated.added_by, rated.cadence, rated.kinds], ['rated', 'hourly', ['market', 'holders', 'pools']]);
  assert.ok(Date.parse(String(rated.wanted_until)) > Date.now() + 29 * 86_400_000);
});

test('any key that reads chains lists the index in pages; one without the right gets the plans that have it', async () => {
  const key = await keyOf('CHAIN-7500');
  await put(key, 'Tidewell');
  const { chain } = named('Tidewell');
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await read(await world.call(`/v1/${chain}/index?limit=1${cursor}`, { key }));
    fits(IndexList, page);
    ids.push(...(page.data as { asset: { id: string } }[]).map((row) => row.asset.id));
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  assert.deepEqual(ids, [...new Set(ids)].toSorted());
  for (const text of ['abc', 'eip155:999/erc20:0x1', 'eip155:1/erc20:0x', 'project:tidewell.example']) {
    const reply = await world.call(`/v1/${chain}/index?cursor=${Buffer.from(text).toString('base64url')}`, { key });
    assert.equal(reply.status, 400, `${text} is no place in this list, and not its end`);
  }
  const mine = await read(await world.call(`/v1/${chain}/index?mine=true`, { key }));
  assert.deepEqual(
    (mine.data as { is_yours: boolean }[]).map((row) => row.is_yours),
    [true],
  );
  const text = JSON.stringify(mine);
  assert.doesNotMatch(text, /acc_/, 'an account is named');
  const rating = await keyOf('RATING', ['score', 'rms:read']);
  const refused = await world.call(`/v1/${chain}/index`, { key: rating });
  assert.deepEqual([refused.status, (await read(refused)).code], [403, 'missing_scope']);
  const cheap = await keyOf('CHAIN-1500');
  const elsewhere = listed.find((row) => row.chain === 'ethereum') ?? assert.fail('no EVM asset');
  const other = await world.call(`/v1/ethereum/index/${elsewhere.address}`, {
    method: 'PUT',
    body: '{}',
    headers: { 'content-type': 'application/json' },
    key: cheap,
  });
  assert.deepEqual([other.status, (await read(other)).code], [403, 'plan_does_not_include']);
});
