import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { type Address, address, type Instruction } from '@solana/kit';
import { MESSAGE_BYTES, solanaMessage } from '../src/attestation/solana-message.ts';
import { send, startChain } from '../src/sources/solana-rpc/fixtures/token-programs.ts';
import { claimAt } from './support/forged-attestations.ts';

const PRECOMPILE: Address = address('Ed25519SigVerify111111111111111111111111111');
const GENESIS = new Uint8Array(32).fill(9);
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const KEY = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
const [KEY_AT, SIGNATURE_AT, MESSAGE_AT] = [16, 48, 112];

/** An instruction of the precompile: one signature, with key, signature and message in its own data. */
function instruction(message: Uint8Array, signature: Uint8Array, key: Uint8Array = KEY): Instruction {
  const head = Buffer.alloc(KEY_AT);
  head.writeUInt8(1, 0);
  const HERE = 0xffff;
  for (const [index, value] of [SIGNATURE_AT, HERE, KEY_AT, HERE, MESSAGE_AT, message.length, HERE].entries())
    head.writeUInt16LE(value, 2 + 2 * index);
  return { programAddress: PRECOMPILE, accounts: [], data: Buffer.concat([head, key, signature, message]) };
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
