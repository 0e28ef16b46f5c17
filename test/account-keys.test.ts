import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AccountKeyList, AccountView, NewKeyView } from '../src/contract/api-key.ts';
import { fits } from './support/chain-api-world.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

interface Key {
  readonly id: string;
  readonly secret: string;
  readonly account_id: string;
  readonly scopes: readonly string[];
  readonly plan: string;
  readonly expires_at: string | null;
}
const read = async (reply: Response) => (await reply.json()) as Record<string, unknown>;
async function owner(more: object = {}): Promise<Key> {
  const json = { name: 'owner', plan: 'RATING', scopes: ['score', 'rms:read', 'account'], ...more };
  const made = await world.call('/v1/admin/keys', { json });
  assert.equal(made.status, 201);
  return (await made.json()) as Key;
}
const create = (key: string, json: object) => world.call('/v1/account/keys', { key, json: { name: 'desk', ...json } });

test('an owner makes keys with its scopes or fewer, of its account and plan, and sees each secret once', async () => {
  const { secret, account_id } = await owner();
  const made = await create(secret, { scopes: ['rms:read'] });
  const key = (await read(made)) as unknown as Key;
  assert.equal(made.status, 201);
  fits(NewKeyView, key);
  assert.deepEqual([key.account_id, key.plan, key.scopes], [account_id, 'RATING', ['rms:read']]);
  assert.equal((await world.call('/v1/rms', { key: key.secret })).status, 200);
  assert.equal((await world.call('/v1/score', { key: key.secret, json: {} })).status, 403);
  const list = await read(await world.call('/v1/account/keys', { key: secret }));
  fits(AccountKeyList, list);
  assert.equal((list.data as Key[]).length, 2);
  assert.doesNotMatch(JSON.stringify(list), new RegExp(key.secret));
  const account = await read(await world.call('/v1/account', { key: key.secret }));
  fits(AccountView, account);
  assert.deepEqual([account.account_id, account.keys], [account_id, { used: 2, limit: 100 }]);
  for (const scopes of [['admin'], ['rms:read', 'chain:read'], ['rms:write']]) {
    const refused = await create(secret, { scopes });
    assert.deepEqual([refused.status, (await read(refused)).code], [403, 'more_than_your_scopes'], scopes.join());
  }
  assert.equal((await create(key.secret, { scopes: ['rms:read'] })).status, 403, 'a key without `account` makes none');
});

test('a right that expires is not passed on beyond its expiry', async () => {
  const end = new Date(Date.now() + 3_600_000).toISOString();
  const { secret } = await owner({ expires_at: end });
  assert.equal(((await read(await create(secret, { scopes: ['score'] }))) as unknown as Key).expires_at, end);
  const later = new Date(Date.now() + 7_200_000).toISOString();
  const refused = await create(secret, { scopes: ['score'], expires_at: later });
  assert.deepEqual([refused.status, (await read(refused)).code], [400, 'validation_failed']);
});

test('a key that ends, or was replaced, does not outlive its end by rotating a key that ends later', async () => {
  const lasting = await owner();
  const ending = await owner({
    account_id: lasting.account_id,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const rotate = (by: string, id: string) =>
    world.call(`/v1/account/keys/${id}/rotate`, { key: by, json: { overlap_seconds: 60 } });
  const refused = await rotate(ending.secret, lasting.id);
  assert.deepEqual([refused.status, (await read(refused)).code], [403, 'ends_after_your_key']);
  const successor = (await read(await rotate(lasting.secret, lasting.id))) as unknown as Key;
  const again = await rotate(lasting.secret, successor.id);
  assert.deepEqual([again.status, (await read(again)).code], [403, 'ends_after_your_key'], 'within its overlap');
  const own = await rotate(ending.secret, ending.id);
  assert.deepEqual([own.status, (await read(own)).expires_at], [201, ending.expires_at], 'its own end stays');
  const earlier = (await read(
    await create(successor.secret, { scopes: ['score'], expires_at: ending.expires_at }),
  )) as unknown as Key;
  assert.equal((await rotate(successor.secret, earlier.id)).status, 201);
});

test('a key is replaced with an overlap and revoked at once, and only within its account', async () => {
  const [mine, yours] = [await owner(), await owner()];
  const key = (await read(await create(mine.secret, { scopes: ['rms:read'] }))) as unknown as Key;
  const rotate = (by: string, id: string, seconds: number) =>
    world.call(`/v1/account/keys/${id}/rotate`, { key: by, json: { overlap_seconds: seconds } });
  const revoke = (by: string, id: string) => world.call(`/v1/account/keys/${id}`, { key: by, method: 'DELETE' });
  for (const strange of [await rotate(yours.secret, key.id, 60), await revoke(yours.secret, key.id)])
    assert.deepEqual([strange.status, (await read(strange)).code], [404, 'key_not_found']);
  const next = await rotate(mine.secret, key.id, 60);
  const successor = (await read(next)) as unknown as Key;
  assert.equal(next.status, 201);
  for (const secret of [key.secret, successor.secret])
    assert.equal((await world.call('/v1/rms', { key: secret })).status, 200);
  const again = await rotate(mine.secret, key.id, 60);
  assert.deepEqual([again.status, (await read(again)).code], [409, 'key_already_rotated']);
  assert.equal((await revoke(mine.secret, successor.id)).status, 204);
  assert.equal((await world.call('/v1/rms', { key: successor.secret })).status, 401);
  const own = await revoke(mine.secret, mine.id);
  assert.deepEqual([own.status, (await read(own)).code], [409, 'key_in_use']);
});

test('a key of the account that may do more than its owner is beyond the owner', async () => {
  const mine = await owner();
  const strong = await owner({ account_id: mine.account_id, scopes: ['admin'], plan: 'INTERNAL' });
  const rotated = await world.call(`/v1/account/keys/${strong.id}/rotate`, { key: mine.secret, json: {} });
  assert.deepEqual([rotated.status, (await read(rotated)).code], [403, 'more_than_your_scopes']);
  const revoked = await world.call(`/v1/account/keys/${strong.id}`, { key: mine.secret, method: 'DELETE' });
  assert.equal(revoked.status, 403);
});

test('an account has a hundred keys at most, also with concurrent requests', async () => {
  const { secret } = await owner({ plan: 'INTERNAL' });
  const replies = await Promise.all(Array.from({ length: 105 }, () => create(secret, { scopes: ['score'] })));
  const refused = replies.filter((reply) => reply.status === 409);
  assert.deepEqual([replies.filter((reply) => reply.status === 201).length, refused.length], [99, 6]);
  assert.equal((await read(refused[0] as Response)).code, 'too_many_keys');
});
