import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { isAllowedFrom } from '../domain/ip-range.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { createAccess } from './access.ts';
import type { NewApiKey } from './keys.ts';
import { isKeyText, newKeyText } from './keys.ts';

let database: TestDatabase;
let clock = Date.parse('2026-01-01T00:00:00Z');
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const open = () =>
  createAccess(
    database.store.db,
    () => clock,
    randomBytes,
    () => clock,
  );
const wanted: NewApiKey = {
  name: 'desk',
  scopes: ['score'],
  plan: 'RATING',
  expiresAt: null,
  accountId: null,
  allowedIps: [],
};

test('the first admin key is made once, however many processes start at the same time', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => open().bootstrap()));
  assert.equal(made.filter((secret) => secret !== null).length, 1);
  const secret = made.find((row) => row !== null) ?? '';
  const seen = await open().authenticate(secret, '127.0.0.1');
  assert.ok(seen.ok && seen.key.scopes.includes('admin'));
});

test('a key is accepted, expires, and is refused once revoked', async () => {
  const access = open();
  const { key, secret } = await access.create({ ...wanted, expiresAt: new Date(clock + 60_000).toISOString() });
  assert.equal((await access.authenticate(secret, '10.0.0.1')).ok, true);
  clock += 61_000;
  const late = await access.authenticate(secret, '10.0.0.1');
  assert.equal(!late.ok && late.code, 'expired_api_key');
  const second = await access.create(wanted);
  assert.equal(await access.revoke(second.key.id), true);
  const gone = await access.authenticate(second.secret, '10.0.0.1');
  assert.equal(!gone.ok && gone.code, 'invalid_api_key');
  assert.equal(await access.revoke(second.key.id), false);
  assert.equal(
    (await access.list()).some((row) => row.id === key.id),
    true,
  );
});

test('only the hash of a key is stored', async () => {
  const { secret } = await open().create(wanted);
  const rows = JSON.stringify(await database.store.db.selectFrom('api_keys').selectAll().execute());
  assert.equal(rows.includes(secret), false);
});

test('a rotated key works beside its successor until the overlap ends', async () => {
  const access = open();
  const old = await access.create(wanted);
  const fresh = await access.rotate(old.key.id, 100);
  assert.ok(fresh.ok);
  assert.equal(fresh.key.rotatedFrom, old.key.id);
  assert.equal((await access.authenticate(old.secret, '::1')).ok, true);
  clock += 101_000;
  assert.equal((await access.authenticate(old.secret, '::1')).ok, false);
  assert.equal((await access.authenticate(fresh.secret, '::1')).ok, true);
  assert.deepEqual(await access.rotate('key_nope', 1), { ok: false, code: 'key_not_found' });
});

test('a key may be limited to addresses', async () => {
  const access = open();
  const { secret } = await access.create({ ...wanted, allowedIps: ['10.1.0.0/16', '2001:db8::/32'] });
  assert.equal((await access.authenticate(secret, '10.1.2.3')).ok, true);
  assert.equal((await access.authenticate(secret, '::ffff:10.1.2.3')).ok, true);
  assert.equal((await access.authenticate(secret, '2001:db8::7')).ok, true);
  const outside = await access.authenticate(secret, '10.2.0.1');
  assert.equal(!outside.ok && outside.code, 'ip_not_allowed');
  assert.equal(isAllowedFrom('not an address', ['10.0.0.0/8']), false);
});

test('every typo of one letter is caught without asking the store', () => {
  const key = newKeyText(randomBytes);
  assert.ok(isKeyText(key), key);
  fc.assert(
    fc.property(fc.integer({ min: 8, max: key.length - 1 }), fc.constantFrom(...'0aZ_-9'), (at, letter) => {
      if (key[at] === letter) return;
      assert.equal(isKeyText(key.slice(0, at) + letter + key.slice(at + 1)), false);
    }),
  );
  assert.equal(isKeyText(key.slice(0, -1)), false);
});

test('a missing key and a wrong key give different errors', async () => {
  const access = open();
  const none = await access.authenticate(null, '::1');
  const other = await access.authenticate(newKeyText(randomBytes), '::1');
  assert.equal(!none.ok && none.code, 'missing_api_key');
  assert.equal(!other.ok && other.code, 'invalid_api_key');
});

test('a key revoked in one process is refused by another within a second, and known keys cost no question', async () => {
  const [here, there] = [open(), open()];
  const { key, secret } = await here.create(wanted);
  assert.equal((await there.authenticate(secret, '::1')).ok, true);
  assert.equal(there.authenticate(secret, '::1') instanceof Promise, false);
  await here.revoke(key.id);
  assert.equal((await here.authenticate(secret, '::1')).ok, false);
  clock += 1_000;
  assert.equal((await there.authenticate(secret, '::1')).ok, false);
});

test('while the store is away a known key is accepted for a minute, and an unknown one is rejected', async () => {
  const own = await testDatabase();
  const access = createAccess(
    own.store.db,
    () => clock,
    randomBytes,
    () => clock,
  );
  const { secret } = await access.create({ ...wanted, expiresAt: new Date(clock + 30_000).toISOString() });
  const lasting = await access.create(wanted);
  for (const text of [secret, lasting.secret]) assert.equal((await access.authenticate(text, '10.0.0.1')).ok, true);
  await own.close();
  clock += 31_000;
  const expired = await access.authenticate(secret, '10.0.0.1');
  assert.equal(!expired.ok && expired.code, 'expired_api_key', 'what is known of the key still counts');
  assert.equal((await access.authenticate(lasting.secret, '10.0.0.1')).ok, true);
  await assert.rejects(async () => access.authenticate(newKeyText(randomBytes), '10.0.0.1'));
  clock += 31_000;
  await assert.rejects(async () => access.authenticate(lasting.secret, '10.0.0.1'));
});
