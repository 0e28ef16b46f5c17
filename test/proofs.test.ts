import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assetHash } from '../src/attestation/claim.ts';
import { attest, revoke } from '../src/attestation/eas.ts';
import { seeded } from './security/seeded.ts';
import { type Anvil, startAnvil } from './support/anvil.ts';
import { ASSET, claimAt, FORGERIES, HERE, presented, SERVICE } from './support/forged-attestations.ts';
import { deployVault, type RatedVault, revocationArgs, tryForgeries } from './support/rated-vault.ts';

let anvil: Anvil;
let world: RatedVault;
let newest: number;
const record = (asOf: number) => presented(attest(claimAt(asOf), HERE, SERVICE));

before(async () => {
  anvil = await startAnvil();
  world = await deployVault(anvil);
});
after(() => anvil.stop());

test('a vault takes a deposit with a fresh rating, again with the same one, and with a newer one', async () => {
  const now = await world.now();
  newest = now * 1000 - 120_000;
  const gas = await world.deposit(record(newest));
  assert.ok(gas < 150_000n, `the first deposit took ${gas}`);
  assert.ok(await world.accepts(record(newest)));
  assert.ok(await world.accepts(record(newest + 60_000)));
  assert.ok((await world.gasOfCheck(record(newest))) < 80_000n);
});

test('forged, stale and transplanted records of any kind are rejected', async () => {
  const count = Object.keys(FORGERIES).length * 6;
  const { tried, accepted, reasons } = await tryForgeries(world, { count, newest, draw: seeded(20261124).next });
  assert.deepEqual(accepted, []);
  assert.deepEqual(Object.values(tried), Object.values(tried).fill(6));
  assert.deepEqual(reasons['for another chain'], ['UntrustedSigner']);
  assert.deepEqual(reasons['expired'], ['Expired']);
  assert.deepEqual(reasons['older than one that was shown'], ['Revoked']);
  assert.deepEqual(reasons['of another asset'], ['WrongAsset']);
  assert.deepEqual(reasons['the other of the two signatures'], ['Malformed']);
  assert.ok(await world.accepts(record(newest)), 'the record that they were made of passes');
});

test('a record of a sandbox is one of another asset for a vault, though the key is trusted', async () => {
  const fictional = presented(attest(claimAt(newest, { asset: assetHash(ASSET, 'sandbox') }), HERE, SERVICE));
  assert.equal(await world.refusal(fictional), 'WrongAsset');
});

test('a revocation delivered by anyone voids earlier records, and cannot be withdrawn or forged', async () => {
  const asset = assetHash(ASSET, 'live');
  const { verifier, verifierAbi } = world;
  const bring = (notBefore: number, signer = SERVICE, target = HERE) =>
    anvil.send(verifier, verifierAbi, 'revokeBefore', revocationArgs(revoke(asset, notBefore, target, signer)));
  await assert.rejects(bring(newest + 1, SERVICE, { ...HERE, chainId: 2 }));
  assert.ok(await world.accepts(record(newest)));
  await bring(newest + 1);
  assert.equal(await world.accepts(record(newest)), false);
  await bring(newest - 1_000);
  assert.equal(await world.accepts(record(newest)), false, 'an older line changes nothing');
  assert.ok(await world.accepts(record(newest + 1)));
});

test('a key removed from trust by the owner is rejected from then on, and no other account may change the keys', async () => {
  const { verifier, verifierAbi } = world;
  const [, stranger] = anvil.accounts;
  const call = { address: verifier, abi: verifierAbi, functionName: 'setSigner', args: [SERVICE.address, false] };
  await assert.rejects(anvil.client.simulateContract({ ...call, account: stranger } as never), /NotOwner/);
  await anvil.send(verifier, verifierAbi, 'setSigner', [SERVICE.address, false]);
  assert.equal(await world.accepts(record(newest + 1)), false);
  await anvil.send(verifier, verifierAbi, 'setSigner', [SERVICE.address, true]);
  assert.ok(await world.accepts(record(newest + 1)));
});

test('what the signer revoked in the EAS contract itself is void too', async () => {
  const { client } = anvil;
  // Code that answers every call with 1, as a time of revocation, or with 0.
  await client.setCode({ address: HERE.contract, bytecode: '0x600160005260206000f3' });
  assert.equal(await world.refusal(record(newest + 1)), 'Revoked');
  await client.setCode({ address: HERE.contract, bytecode: '0x600060005260206000f3' });
  assert.equal(await world.refusal(record(newest + 1)), null);
});

test('the UID that the contract computes is that of the record', async () => {
  const made = attest(claimAt(newest), HERE, SERVICE);
  const uid = await anvil.read(world.verifier, world.verifierAbi, 'uidOf', [presented(made).attestation]);
  assert.equal(uid, made.sig.uid);
});
