import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, test } from 'node:test';
import { recoverAddress } from 'viem';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { createAttestationSigner } from './digest-signer.ts';
import { createSigner, type PublicKey } from './signer.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

function isGood(bytes: Uint8Array, value: string, key: PublicKey | undefined): boolean {
  if (!key) return false;
  const jwk = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' });
  return verify(null, bytes, jwk, Buffer.from(value, 'base64'));
}

test('two processes that start at once sign with one key, which verifies by the published key', async () => {
  const [one, two] = await Promise.all([
    createSigner(database.store.db, () => 0),
    createSigner(database.store.db, () => 1),
  ]);
  const bytes = new TextEncoder().encode('{"a":1}');
  const [first, second] = [one.sign(bytes), two.sign(bytes)];
  assert.deepEqual(first, second);
  const keys = await two.keys();
  assert.equal(keys.length, 1);
  assert.ok(isGood(bytes, first.value, keys[0]));
  assert.ok(!isGood(new TextEncoder().encode('{"a":2}'), first.value, keys[0]));
});

test('after a rotation new signatures use the new key, and the old signatures still verify', async () => {
  const signer = await createSigner(database.store.db, () => 86_400_000);
  const other = await createSigner(database.store.db, () => 86_400_000);
  const bytes = new TextEncoder().encode('x');
  const before = signer.sign(bytes);
  const fresh = await signer.rotate();
  const after = signer.sign(bytes);
  assert.deepEqual([after.key_id, before.key_id === fresh.kid], [fresh.kid, false]);
  const keys = await signer.keys();
  const find = (id: string) => keys.find((key) => key.kid === id);
  assert.ok(isGood(bytes, before.value, find(before.key_id)));
  assert.ok(isGood(bytes, after.value, find(after.key_id)));
  assert.ok(find(before.key_id)?.retired_at !== null);
  await other.refresh();
  assert.equal(other.sign(bytes).key_id, fresh.kid);
  assert.ok(!JSON.stringify(keys).includes('private'));
});

test('keys of contracts are shared by processes, recovered from their signatures, and rotated; no secret is shown', async () => {
  let clock = 0;
  const [one, two] = await Promise.all([
    createAttestationSigner(database.store.db, () => clock),
    createAttestationSigner(database.store.db, () => 1),
  ]);
  assert.equal(one.current().address, two.current().address);
  const digest = `0x${'ab'.repeat(32)}` as const;
  const { r, s, v } = one.current().sign(digest);
  assert.deepEqual(two.current().sign(digest), { r, s, v });
  const [key] = await two.keys();
  assert.equal(await recoverAddress({ hash: digest, signature: { r, s, v: BigInt(v) } }), key?.address);
  clock = 86_400_000;
  const fresh = await one.rotate();
  await two.refresh();
  assert.equal(two.current().address, fresh.address);
  const keys = await two.keys();
  assert.deepEqual(
    keys.map(({ address, retired_at }) => [address, retired_at === null]),
    [
      [fresh.address, true],
      [key?.address, false],
    ],
  );
  assert.ok(!JSON.stringify(keys).includes('private'));
});
