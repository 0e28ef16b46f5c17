import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readCertificate, readSignature, signerOf, signerOfText, signingKeys } from '../src/openpgp/index.ts';
import { noGpg, openGpg } from './support/gpg.ts';

/** Keys and signatures that GnuPG made. */
const MADE = '2026-01-05T10:00:00Z';
const SIGNED = '2026-11-20T12:00:00Z';
const seconds = (at: string) => Date.parse(at) / 1_000;
const TEXT = 'Assay appeal: I control this asset.\nAsset: eip155:1/erc20:0x1f98\nExpires: 2026-11-22T12:00:00.000Z';
const gpg = noGpg === false ? openGpg() : null;
after(() => gpg?.close());
const tool = () => gpg ?? assert.fail('no gpg');

/** What is decided of a signature: the fingerprint of the key that made it, or why it counts for nothing. */
function verdict(publicKey: string, armored: string, text = TEXT, at = SIGNED): string {
  const certificate = readCertificate(publicKey);
  if (certificate === null) return 'no key';
  const signature = readSignature(armored);
  if (signature === null) return 'no signature';
  const keys = signingKeys(certificate, seconds(at), { expired: 'refused' });
  if (!keys.ok) return keys.detail;
  return signerOfText(keys.value, signature, text)?.fingerprint.toUpperCase() ?? 'not signed by it';
}

const ALGORITHMS = ['rsa2048', 'rsa3072', 'rsa4096', 'ed25519', 'nistp256', 'nistp384', 'nistp521'];
for (const algorithm of ALGORITHMS)
  test(`signatures by ${algorithm}: detached, of text and clear-signed, with each digest; of another text they are none`, {
    skip: noGpg,
  }, () => {
    const name = `of-${algorithm}`;
    const fingerprint = tool().key(name, algorithm, MADE);
    const key = tool().publicKey(name);
    for (const digest of ['SHA256', 'SHA384', 'SHA512']) {
      if (algorithm === 'nistp521' && digest !== 'SHA512') continue;
      if (algorithm === 'nistp384' && digest === 'SHA256') continue;
      const signed = tool().sign(name, TEXT, SIGNED, '--digest-algo', digest);
      assert.equal(verdict(key, signed), fingerprint, digest);
      assert.equal(verdict(key, signed, `${TEXT} `), 'not signed by it', digest);
    }
    assert.equal(verdict(key, tool().sign(name, `${TEXT}\n`, SIGNED)), fingerprint, 'a file with a last line end');
    assert.equal(verdict(key, tool().sign(name, TEXT, SIGNED, '--textmode')), fingerprint, 'text');
    const user = `<${name}@example.com>`;
    const clear = tool().run(['--local-user', user, '--output', '-', '--clear-sign'], SIGNED, `${TEXT}\n`);
    assert.equal(verdict(key, clear), fingerprint, 'clear-signed');
    const other = tool().run(['--local-user', user, '--output', '-', '--clear-sign'], SIGNED, `${TEXT}0\n`);
    assert.equal(verdict(key, other), 'not signed by it', 'another text, clear-signed');
  });

test('fifty signatures of each small key hold, whatever zeros their numbers begin with', { skip: noGpg }, () => {
  for (const name of ['of-ed25519', 'of-nistp256']) {
    const key = tool().publicKey(name);
    for (let count = 0; count < 50; count += 1) {
      const text = `${TEXT} ${count}`;
      assert.match(verdict(key, tool().sign(name, text, SIGNED), text), /^[0-9A-F]{40}$/, `${name} ${count}`);
    }
  }
});

test('SHA-1, short keys, DSA and other curves prove nothing', { skip: noGpg }, () => {
  const weak = tool().sign('of-rsa2048', TEXT, SIGNED, '--digest-algo', 'SHA1');
  assert.equal(verdict(tool().publicKey('of-rsa2048'), weak), 'not signed by it');
  for (const algorithm of ['rsa1024', 'dsa2048', 'brainpoolP256r1', 'secp256k1']) {
    tool().key(`of-${algorithm}`, algorithm, MADE);
    const said = verdict(tool().publicKey(`of-${algorithm}`), tool().sign(`of-${algorithm}`, TEXT, SIGNED));
    assert.match(said, /says nothing of itself/, algorithm);
  }
});

test('another key, even of the same name, did not sign', { skip: noGpg }, () => {
  const signed = tool().sign('of-ed25519', TEXT, SIGNED);
  assert.equal(verdict(tool().publicKey('of-rsa2048'), signed), 'not signed by it');
});

test('a key that is expired, or revoked for whatever reason, signs nothing', { skip: noGpg }, () => {
  const expiring = tool().key('brief', 'ed25519', MADE, 'sign', '2026-06-01');
  const during = '2026-03-01T00:00:00Z';
  const signed = tool().sign('brief', TEXT, during);
  assert.equal(verdict(tool().publicKey('brief'), signed, TEXT, during), expiring);
  assert.equal(verdict(tool().publicKey('brief'), signed), 'the key is expired');
  tool().run(['--quick-set-expire', expiring, '2027-06-01'], during);
  assert.equal(verdict(tool().publicKey('brief'), tool().sign('brief', TEXT, SIGNED)), expiring, 'extended');
  tool().run(['--quick-set-expire', expiring, '2026-07-01'], '2026-03-02T00:00:00Z');
  assert.equal(verdict(tool().publicKey('brief'), signed), 'the key is expired', 'shortened');

  for (const reason of ['0', '1', '3']) {
    const name = `revoked-${reason}`;
    const fingerprint = tool().key(name, 'ed25519', MADE);
    const before = tool().sign(name, TEXT, SIGNED);
    assert.equal(verdict(tool().publicKey(name), before), fingerprint);
    const args = ['--no-batch', '--command-fd', '0', '--output', '-', '--gen-revoke', fingerprint];
    const revocation = tool().run(args, SIGNED, `y\n${reason}\n\ny\n`);
    tool().run(['--import'], SIGNED, revocation);
    assert.equal(verdict(tool().publicKey(name), before), 'the key was revoked', reason);
  }
});

test('a subkey signs for its key while it is bound, in force and unrevoked; a key that may only certify does not', {
  skip: noGpg,
}, () => {
  const primary = tool().key('split', 'ed25519', MADE, 'cert');
  assert.equal(
    verdict(tool().publicKey('split'), tool().sign('of-ed25519', TEXT, SIGNED)),
    'no part of the key may sign',
  );
  tool().run(['--quick-add-key', primary, 'rsa2048', 'sign', '2027-01-05'], MADE);
  tool().run(['--quick-add-key', primary, 'cv25519', 'encr', 'never'], MADE);
  const rows = tool().run(['--with-colons', '--list-keys', primary], SIGNED).split('\n');
  const fingerprints = rows.filter((row) => row.startsWith('fpr:')).map((row) => row.split(':')[9] ?? '');
  const signed = tool().sign('split', TEXT, SIGNED);
  assert.equal(verdict(tool().publicKey('split'), signed), fingerprints[1]);
  assert.equal(verdict(tool().publicKey('split'), signed, TEXT, '2027-02-01T00:00:00Z'), 'no part of the key may sign');
  const past = readCertificate(tool().publicKey('split'));
  assert.ok(past);
  const keys = signingKeys(past, seconds('2027-02-01T00:00:00Z'), { expired: 'taken' });
  const signature = readSignature(signed);
  assert.ok(keys.ok && signature);
  assert.equal(signerOf(keys.value, signature, Buffer.from(TEXT))?.fingerprint.toUpperCase(), fingerprints[1]);
  tool().run(['--no-batch', '--command-fd', '0', '--edit-key', primary], SIGNED, 'key 1\nrevkey\ny\n0\n\ny\nsave\n');
  assert.equal(verdict(tool().publicKey('split'), signed), 'no part of the key may sign', 'revoked');
});

test('two signatures at once, and blocks of other kinds, are not accepted as a signature', { skip: noGpg }, () => {
  const two = tool().sign('of-ed25519', TEXT, SIGNED, '--local-user', '<of-rsa2048@example.com>');
  assert.equal(readSignature(two), null);
  assert.equal(readSignature(tool().publicKey('of-ed25519')), null);
  assert.equal(readCertificate(two), null);
});
