import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { armor, keyHashed, packetOf, type SandboxKey, sandboxKey, subpacket } from '../sandbox/openpgp.ts';
import { readCertificate, readSignature, signerOf, signerOfText, signingKeys } from '../src/openpgp/index.ts';
import { packetsOf } from '../src/openpgp/packets.ts';

/** Keys and signatures that somebody bent. */
const MADE = Date.parse('2026-01-05T10:00:00Z');
const SIGNED = Date.parse('2026-11-20T12:00:00Z');
const TEXT = 'Assay appeal: I control this asset.\nAsset: eip155:1/erc20:0x1f98';
const victim = sandboxKey('victim', MADE);
const thief = sandboxKey('thief', MADE);
const bytesOf = (armored: string) => Buffer.from(armored.split('\n').slice(2, -2).join(''), 'base64');
const KEY = bytesOf(victim.armored());
const SIGNATURE = bytesOf(victim.signed(TEXT, SIGNED));

/** The fingerprint of the key that made the signature of the text, null: it counts for nothing. */
function decided(publicKey: string, signature: string, text = TEXT): string | null {
  const certificate = readCertificate(publicKey);
  const read = readSignature(signature);
  if (certificate === null || read === null) return null;
  const keys = signingKeys(certificate, SIGNED / 1_000, { expired: 'refused' });
  return keys.ok ? (signerOfText(keys.value, read, text)?.fingerprint ?? null) : null;
}
const ofKey = (bytes: Buffer) => armor('PUBLIC KEY BLOCK', [bytes]);
const ofSignature = (bytes: Buffer) => armor('SIGNATURE', [bytes]);

test('Ed25519 as GnuPG writes it and as RFC 9580 does', () => {
  for (const form of [22, 27] as const) {
    const key = sandboxKey('form', MADE, form);
    for (let count = 0; count < 300; count += 1) {
      const text = `${TEXT} ${count}`;
      assert.equal(decided(key.armored(), key.signed(text, SIGNED), text), key.fingerprint, `${form} ${count}`);
    }
    assert.equal(decided(key.armored(SIGNED), key.signed(TEXT, SIGNED)), null, 'revoked');
  }
});

test('with any single bit turned, a signature or a key proves nothing', () => {
  assert.equal(decided(ofKey(KEY), ofSignature(SIGNATURE)), victim.fingerprint);
  for (const [name, whole] of [
    ['signature', SIGNATURE],
    ['key', KEY],
  ] as const)
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const bent = Buffer.from(whole);
      bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const found =
        name === 'key' ? decided(ofKey(bent), ofSignature(SIGNATURE)) : decided(ofKey(KEY), ofSignature(bent));
      assert.equal(found, null, `${name}, bit ${bit}`);
    }
});

test('a revocation of the key counts wherever it stands', () => {
  const packets = packetsOf(bytesOf(victim.armored(SIGNED))) ?? [];
  const revocation = packets.find(({ tag, body }) => tag === 2 && body[1] === 0x20);
  assert.ok(revocation);
  const others = packets.filter((one) => one !== revocation);
  for (let at = 1; at <= others.length; at += 1) {
    const whole: Buffer[] = others
      .toSpliced(at, 0, revocation)
      .map(({ tag, body }) => packetOf(tag, Buffer.from(body)));
    assert.equal(decided(ofKey(Buffer.concat(whole)), ofSignature(SIGNATURE)), null, `behind packet ${at}`);
  }
});

test('cut off anywhere, a signature or a key proves nothing', () => {
  for (let length = 0; length < SIGNATURE.length; length += 1)
    assert.equal(decided(ofKey(KEY), ofSignature(SIGNATURE.subarray(0, length))), null, `signature of ${length}`);
  for (let length = 0; length < KEY.length; length += 1)
    assert.equal(decided(ofKey(KEY.subarray(0, length)), ofSignature(SIGNATURE)), null, `key of ${length}`);
});

test('no bytes and no text raise an exception or count', () => {
  const packet = fc
    .record({ tag: fc.integer({ min: 0, max: 63 }), body: fc.uint8Array({ maxLength: 300 }) })
    .map(({ tag, body }) => packetOf(tag, Buffer.from(body)));
  const versioned = fc
    .tuple(fc.constantFrom(2, 6, 13, 14), fc.uint8Array({ minLength: 8, maxLength: 200 }))
    .map(([tag, body]) => packetOf(tag, Buffer.concat([Buffer.from([4]), body])));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }).map((some) => Buffer.from(some)),
    fc.array(fc.oneof(packet, versioned), { maxLength: 12 }).map((packets) => Buffer.concat(packets)),
    fc.array(versioned, { maxLength: 6 }).map((packets) => Buffer.concat([KEY, ...packets, SIGNATURE])),
  );
  fc.assert(
    fc.property(bytes, fc.string({ maxLength: 400 }), (some, text) => {
      decided(ofKey(some), ofSignature(SIGNATURE));
      assert.equal(decided(ofKey(KEY), ofSignature(some)), null);
      assert.equal(decided(text, text), null);
      assert.equal(decided(ofKey(KEY), `-----BEGIN PGP SIGNATURE-----\n\n${text}\n-----END PGP SIGNATURE-----`), null);
    }),
    { numRuns: 2_000 },
  );
});

/** A key that says that another is its subkey, which `back` is to agree to. */
function stolen(back: Buffer | null): string {
  const both = Buffer.concat([keyHashed(thief.body), keyHashed(victim.body)]);
  const more = [subpacket(27, Buffer.from([2])), ...(back === null ? [] : [subpacket(32, back)])];
  const parts = [bytesOf(thief.armored()), packetOf(14, victim.body), thief.packet(0x18, both, MADE, more)];
  return armor('PUBLIC KEY BLOCK', parts);
}
const bodyOf = (packet: Buffer) => packet.subarray(6);

test('a key of another owner as a subkey needs that key’s confirmation', () => {
  const both = Buffer.concat([keyHashed(thief.body), keyHashed(victim.body)]);
  const signed = victim.signed(TEXT, SIGNED);
  assert.equal(decided(stolen(null), signed), null, 'no word of the subkey');
  assert.equal(decided(stolen(bodyOf(thief.packet(0x19, both, MADE))), signed), null, 'the thief’s own word');
  assert.equal(decided(stolen(bodyOf(victim.packet(0x18, both, MADE))), signed), null, 'another kind of word');
  const elsewhere = Buffer.concat([keyHashed(victim.body), keyHashed(victim.body)]);
  assert.equal(decided(stolen(bodyOf(victim.packet(0x19, elsewhere, MADE))), signed), null, 'a word for another key');
  assert.equal(decided(stolen(bodyOf(victim.packet(0x19, both, MADE))), signed), victim.fingerprint, 'it agrees');
});

test('a name that another certified, a critical part that is unknown, and a certificate’s signature do not count', () => {
  const signed = victim.signed(TEXT, SIGNED);
  const id = Buffer.from('victim');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(id.length);
  const certified = Buffer.concat([keyHashed(victim.body), Buffer.from([0xb4]), size, id]);
  const withName = (by: SandboxKey, more: readonly Buffer[] = []) =>
    armor('PUBLIC KEY BLOCK', [packetOf(6, victim.body), packetOf(13, id), by.packet(0x13, certified, MADE, more)]);
  assert.equal(decided(withName(victim), signed), victim.fingerprint);
  assert.equal(decided(withName(thief), signed), null);
  assert.equal(decided(withName(victim, [subpacket(0x80 | 20, Buffer.alloc(8))]), signed), null);
  assert.equal(decided(withName(victim, [subpacket(20, Buffer.alloc(8))]), signed), victim.fingerprint);
  assert.equal(readSignature(armor('SIGNATURE', [victim.packet(0x13, certified, MADE)])), null);
  const future = armor(
    'PUBLIC KEY BLOCK',
    [packetOf(6, victim.body), packetOf(13, id)].concat(victim.packet(0x13, certified, SIGNED + 60_000)),
  );
  assert.equal(decided(future, signed), null, 'said later than now');
});

test('a key of many signatures or of many bytes is refused at once', () => {
  const started = performance.now();
  const id = Buffer.from('victim');
  const many = Array.from({ length: 590 }, () => victim.packet(0x13, id, MADE));
  const packets = [packetOf(6, victim.body), packetOf(13, id), ...many];
  assert.equal(decided(armor('PUBLIC KEY BLOCK', packets), victim.signed(TEXT, SIGNED)), null);
  assert.equal(readCertificate(ofKey(Buffer.concat([KEY, packetOf(17, Buffer.alloc(150_000))]))), null);
  assert.equal(readSignature(ofSignature(Buffer.concat([SIGNATURE, packetOf(2, Buffer.alloc(4_000))]))), null);
  const line = '-----BEGIN PGP SIGNATURE-----\n'.repeat(20_000);
  assert.equal(readSignature(`${line}-----END PGP SIGNATURE-----`), null);
  assert.ok(performance.now() - started < 5_000);
});

test('a signature of bytes is of exactly these bytes', () => {
  const certificate = readCertificate(victim.armored());
  const signature = readSignature(victim.signed(TEXT, SIGNED));
  assert.ok(certificate && signature);
  const keys = signingKeys(certificate, SIGNED / 1_000, { expired: 'refused' });
  assert.ok(keys.ok);
  assert.equal(signerOf(keys.value, signature, Buffer.from(TEXT))?.fingerprint, victim.fingerprint);
  assert.equal(signerOf(keys.value, signature, Buffer.from(`${TEXT}\n`)), null);
});
