import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createAccess, createWrongKeys } from '../../src/access/access.ts';
import { hashOfKey, isKeyText, newKeyText } from '../../src/access/keys.ts';
import { loadConfig } from '../../src/config/load.ts';
import { testDatabase } from '../../src/store/fixtures/database.ts';
import { newSecret, signedHeaders } from '../../src/webhooks/payload.ts';
import { tally } from './tally.ts';

const ALPHABET = 62;
const RANDOM_LETTERS = 26;

describe('an API key', () => {
  test('holds more than 128 random bits, evenly spread, and is kept as a hash alone', () => {
    assert.ok(RANDOM_LETTERS * Math.log2(ALPHABET) > 128);
    const counts = new Map<string, number>();
    const keys = new Set<string>();
    for (let i = 0; i < 2_000; i += 1) {
      const key = newKeyText(randomBytes);
      keys.add(key);
      for (const letter of key.slice(8, 8 + RANDOM_LETTERS)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
      assert.ok(!hashOfKey(key).toString('latin1').includes(key.slice(8, 20)));
    }
    assert.deepEqual([keys.size, counts.size], [2_000, ALPHABET]);
    const expected = (2_000 * RANDOM_LETTERS) / ALPHABET;
    for (const [letter, count] of counts)
      assert.ok(Math.abs(count - expected) < expected * 0.25, `${letter}: ${count}`);
  });

  test('with one letter changed is no key, at any position', () => {
    const key = newKeyText(randomBytes);
    for (let i = 8; i < key.length; i += 1) {
      const other = `${key.slice(0, i)}${key[i] === 'a' ? 'b' : 'a'}${key.slice(i + 1)}`;
      assert.equal(isKeyText(other), false, `letter ${i}`);
    }
    tally({ part: 'keys', claim: 'a changed letter makes a key none', tried: key.length - 8 });
  });
});

describe('repeated wrong keys', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.close());

  test('silence the address that sends them, not known keys and not other addresses', async () => {
    let now = 1_000_000;
    const access = createAccess(
      database.store.db,
      () => now,
      randomBytes,
      () => now,
    );
    const { secret } = await access.create({
      name: 'good',
      accountId: null,
      scopes: ['score'],
      plan: 'RATING',
      expiresAt: null,
      allowedIps: [],
    });
    assert.equal((await access.authenticate(secret, '203.0.113.9')).ok, true);
    const codes: Record<string, number> = {};
    for (let i = 0; i < 1_000; i += 1) {
      const outcome = await access.authenticate(newKeyText(randomBytes), '203.0.113.9');
      assert.equal(outcome.ok, false);
      if (!outcome.ok) codes[outcome.code] = (codes[outcome.code] ?? 0) + 1;
    }
    assert.deepEqual(codes, { invalid_api_key: 300, too_many_wrong_keys: 700 });
    assert.equal((await access.authenticate(secret, '203.0.113.9')).ok, true, 'a known key goes on');
    // Whatever is revoked or tried, all that is believed is looked up anew.
    await access.revoke('key_none');
    assert.equal((await access.authenticate(secret, '203.0.113.9')).ok, true, 'also when it has to be looked up again');
    const other = await access.authenticate(newKeyText(randomBytes), '203.0.113.10');
    assert.equal(!other.ok && other.code, 'invalid_api_key');
    now += 61_000;
    const later = await access.authenticate(newKeyText(randomBytes), '203.0.113.9');
    assert.equal(!later.ok && later.code, 'invalid_api_key');
    tally({ part: 'keys', claim: 'guesses are silenced by address, known keys are not', tried: 1_000, counts: codes });
  });

  test('is counted by network where one customer has a whole one, and the count is bounded', () => {
    const wrong = createWrongKeys(() => 0);
    for (let i = 0; i < 300; i += 1) wrong.note(`2001:db8:1:2::${i.toString(16)}`);
    assert.notEqual(wrong.blockedSeconds('2001:db8:1:2:ffff::1'), null);
    assert.equal(wrong.blockedSeconds('2001:db8:1:3::1'), null);
    for (let i = 0; i < 20_000; i += 1) wrong.note(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    assert.equal(wrong.blockedSeconds('2001:db8:1:2::1'), null, 'the oldest was forgotten');
  });

  test('a revoked key and an unknown one give the same error', async () => {
    const access = createAccess(database.store.db, Date.now, randomBytes);
    const made = await access.create({
      name: 'gone',
      accountId: null,
      scopes: ['score'],
      plan: 'RATING',
      expiresAt: null,
      allowedIps: [],
    });
    await access.revoke(made.key.id);
    const [gone, never] = await Promise.all([
      access.authenticate(made.secret, '::1'),
      access.authenticate(newKeyText(randomBytes), '::1'),
    ]);
    assert.deepEqual(gone, never);
  });
});

describe('a webhook message', () => {
  const secret = newSecret(randomBytes);
  const body = '{"type":"alert.score_change","data":{"id":1}}';
  const headers = { ...signedHeaders({ id: 'msg_1', body }, [secret], Date.now()) };
  const verifies = (given: Record<string, string>, text = body, by = secret) => {
    try {
      new Webhook(by).verify(text, given);
      return true;
    } catch {
      return false;
    }
  };

  test('of ours is accepted; with any change, another secret, or an old date, it is not', () => {
    assert.equal(verifies(headers), true);
    let tried = 0;
    const refused = (given: Record<string, string>, text?: string, by?: string) => {
      tried += 1;
      assert.equal(verifies(given, text, by), false, JSON.stringify([given, text]));
    };
    for (let i = 0; i < body.length; i += 1)
      refused(headers, `${body.slice(0, i)}${body[i] === 'x' ? 'y' : 'x'}${body.slice(i + 1)}`);
    refused(headers, `${body} `);
    refused(headers, '');
    refused({ ...headers, 'webhook-id': 'msg_2' });
    refused({ ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) });
    refused({ ...headers, 'webhook-signature': 'v1,' });
    refused({ ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v0,') });
    refused({ ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, -4) });
    refused(headers, body, newSecret(randomBytes));
    for (const minutes of [-6, 6, 60 * 24]) {
      const at = Date.now() - minutes * 60_000;
      refused({ ...signedHeaders({ id: 'msg_1', body }, [secret], at) });
    }
    tally({
      part: 'webhooks',
      claim: 'an altered, replayed or forged message is refused by the standard verifier',
      tried,
    });
  });

  test('carries both signatures while a secret is being replaced', () => {
    const newer = newSecret(randomBytes);
    const both = { ...signedHeaders({ id: 'msg_1', body }, [newer, secret], Date.now()) };
    assert.ok(verifies(both) && verifies(both, body, newer));
  });
});

test('settings with names of the prototype are unknown settings, and change nothing', () => {
  const hostile = JSON.parse('{"ASSAY___PROTO__":"1","__proto__":"x","ASSAY_CONSTRUCTOR":"1"}') as Record<
    string,
    string
  >;
  const read = loadConfig(hostile, []);
  assert.ok(!read.ok && read.errors.length >= 2);
  assert.equal(({} as { readonly polluted?: unknown }).polluted, undefined);
});
