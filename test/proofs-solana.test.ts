import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { type Address, address, type Instruction } from '@solana/kit';
import { MESSAGE_BYTES, solanaMessage } from '../src/attestation/solana-message.ts';
import { send, startChain } from '../src/sources/solana-rpc/fixtures/token-programs.ts';
import { seeded } from './security/seeded.ts';
import { claimAt } from './support/forged-attestations.ts';
import {
  byStranger,
  onAnotherCluster,
  precompileData,
  record,
  revocation,
  SOLANA_FORGERIES,
  startSolanaVault,
  trySolanaForgeries,
} from './support/solana-vault.ts';

const PRECOMPILE: Address = address('Ed25519SigVerify111111111111111111111111111');
const GENESIS = new Uint8Array(32).fill(9);
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const KEY = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);

/** An instruction of the precompile: one signature, with key, signature and message in its own data. */
function instruction(message: Uint8Array, signature: Uint8Array, key: Uint8Array = KEY): Instruction {
  return { programAddress: PRECOMPILE, accounts: [], data: precompileData(message, signature, key) };
}

test('the Ed25519 precompile passes a transaction with a record, and none with an altered one', async () => {
  const { svm, payer } = await startChain();
  const message = solanaMessage(claimAt(Date.UTC(2026, 10, 24)), { genesis: GENESIS });
  assert.equal(message.length, MESSAGE_BYTES);
  const signature = sign(null, message, privateKey);
  const run = (one: Instruction) => send(svm, payer, [one], [payer]);
  await run(instruction(message, signature));
  for (let at = 0; at < MESSAGE_BYTES; at += 1) {
    const altered = Buffer.from(message);
    altered.writeUInt8(altered.readUInt8(at) ^ (1 << (at % 8)), at);
    await assert.rejects(run(instruction(altered, signature)), /the chain refused/, `byte ${at}`);
  }
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  await assert.rejects(run(instruction(message, signature, other)), /the chain refused/);
});

test('a program lets a deposit pass with a fresh record, again with the same one, and with a newer one', async () => {
  const vault = await startSolanaVault();
  assert.equal(await vault.deposit(record(vault.now - 120)), null);
  assert.ok(vault.units() < 1_000n, `the deposit took ${vault.units()} compute units`);
  assert.equal(await vault.deposit(record(vault.now - 120)), null);
  assert.equal(await vault.deposit(record(vault.now - 60)), null);
  assert.equal(await vault.deposit(record(vault.now - 120)), 'custom 11', 'an older one than was shown');
  assert.deepEqual(vault.state(), { deposits: 3n, notBefore: BigInt((vault.now - 60) * 1000) });
});

test('a program refuses what is forged, stale, transplanted or below its terms, each kind for its reason', async () => {
  const vault = await startSolanaVault();
  assert.equal(await vault.deposit(record(vault.now - 300)), null);
  const kinds = Object.keys(SOLANA_FORGERIES);
  const { tried, accepted, reasons } = await trySolanaForgeries(vault, {
    count: kinds.length * 6,
    newest: (vault.now - 300) * 1000,
    draw: seeded(20261126).next,
  });
  assert.deepEqual(accepted, []);
  assert.deepEqual(Object.keys(tried), kinds);
  const reasonOf = (kind: string) => reasons[kind];
  assert.deepEqual(reasonOf('signed by somebody else'), ['custom 5']);
  assert.deepEqual(reasonOf('for another cluster'), ['custom 7']);
  assert.deepEqual(reasonOf('of another asset'), ['custom 8']);
  assert.deepEqual(reasonOf('of the asset in a sandbox'), ['custom 8']);
  assert.deepEqual(reasonOf('of a worse band'), ['custom 9']);
  assert.deepEqual(reasonOf('from the future'), ['custom 12']);
  assert.deepEqual(reasonOf('with an end that is over'), ['custom 13']);
  assert.deepEqual(reasonOf('signed parts that are those of another instruction'), ['custom 4']);
  assert.deepEqual(reasonOf('bytes of a record in another program'), ['custom 3']);
  assert.match(reasonOf('under the key of the service, signed by somebody else')?.join() ?? '', /^the chain/);
  assert.equal(await vault.deposit(record(vault.now - 300)), null, 'the record that they were made of passes');
});

test('a new program refuses records that are expired or too old by its own clock', async () => {
  const vault = await startSolanaVault();
  assert.equal(await vault.deposit(record(vault.now - 36 * 3_600)), 'custom 13');
  const long = { expiresAt: vault.now + 1_000 };
  assert.equal(await vault.deposit(record(vault.now - 36 * 3_600 - 1, long)), 'custom 14');
  assert.equal(await vault.deposit(record(vault.now - 36 * 3_600 + 1)), null);
});

test('a revocation delivered by anyone voids earlier records in a program, and cannot be forged, moved or withdrawn', async () => {
  const vault = await startSolanaVault();
  const at = (vault.now - 100) * 1000;
  for (const [data, reason] of [
    [revocation(at, byStranger), 'custom 5'],
    [revocation(at, undefined, onAnotherCluster), 'custom 7'],
    [revocation(at, undefined, undefined, Buffer.alloc(32)), 'custom 8'],
    [record(vault.now - 100), 'custom 4'],
  ] as const)
    assert.equal(await vault.revoke(data), reason);
  assert.equal(await vault.deposit(record(vault.now - 120)), null, 'none of these voids anything');
  assert.equal(await vault.revoke(revocation(at)), null);
  assert.equal(await vault.deposit(record(vault.now - 120)), 'custom 11');
  assert.equal(await vault.revoke(revocation(at - 50_000)), null, 'an older line changes nothing');
  assert.equal(vault.state().notBefore, BigInt(at));
  assert.equal(await vault.deposit(record(vault.now - 90)), null);
});

test('a program takes no other account for a sysvar', async () => {
  const vault = await startSolanaVault();
  const good = { programAddress: PRECOMPILE, accounts: [], data: record(vault.now - 60) };
  const [state, instructions, clock] = vault.call('deposit').accounts?.map((one) => one.address) ?? [];
  assert.ok(state && instructions && clock);
  for (const accounts of [
    [state, clock, instructions],
    [state, instructions, instructions],
    [state, PRECOMPILE, clock],
    [state, instructions],
  ])
    assert.equal(await vault.attempt([good, vault.call('deposit', accounts)]), 'custom 1');
  assert.equal(await vault.attempt([good, vault.call('deposit')]), null);
});
