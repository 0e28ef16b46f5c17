import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, address } from '@solana/kit';
import { getMintDecoder, getMintEncoder, getTokenEncoder } from '@solana-program/token';
import fc from 'fast-check';
import { toBase58 } from '../codecs/accounts.ts';
import { SYSTEM_PROGRAM } from '../fixed-addresses.ts';
import { METADATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, USDC } from '../solana.ts';
import { decodeMetadata, decodeMint, decodeTokenAccount } from './token-programs.ts';

const KEY = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('a mint is read as the SDK of the token program writes it', () => {
  const option = fc.option(KEY.map((bytes) => toBase58(bytes) as Address));
  fc.assert(
    fc.property(
      option,
      option,
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.nat(255),
      (mintAuthority, freezeAuthority, supply, decimals) => {
        const data = Uint8Array.from(
          getMintEncoder().encode({ mintAuthority, freezeAuthority, supply, decimals, isInitialized: true }),
        );
        const mint = decodeMint(TOKEN_PROGRAM, data);
        assert.deepEqual(
          [mint?.mintAuthority, mint?.freezeAuthority, mint?.supply, mint?.decimals],
          [mintAuthority, freezeAuthority, supply, decimals],
        );
      },
    ),
  );
});

test('no bytes make the decoders throw; bytes of another type are null', () => {
  const owners = fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM, METADATA_PROGRAM, SYSTEM_PROGRAM);
  fc.assert(
    fc.property(owners, fc.uint8Array({ maxLength: 700 }), (owner, data) => {
      const mint = decodeMint(owner, data);
      if (mint !== null && data.length === 82) assert.equal(getMintDecoder().decode(data).supply, mint.supply);
      decodeTokenAccount(owner, data);
      decodeMetadata(owner, data);
    }),
    { numRuns: 300 },
  );
});

test('the same bytes under another program are nothing', () => {
  const data = plainMint();
  assert.notEqual(decodeMint(TOKEN_PROGRAM, data), null);
  assert.equal(decodeMint(SYSTEM_PROGRAM, data), null);
  assert.equal(decodeMint(TOKEN_PROGRAM, data.subarray(0, 81)), null);
});

test('a token account or a multisig is never taken for a mint', () => {
  const account = Uint8Array.from(
    getTokenEncoder().encode({
      mint: address(USDC),
      owner: address(USDC),
      amount: 5n,
      delegate: null,
      state: 1,
      isNative: null,
      delegatedAmount: 0n,
      closeAuthority: null,
    }),
  );
  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    assert.equal(decodeMint(program, account), null);
    assert.equal(decodeMint(program, extended(plainMint(), new Uint8Array(355 - 166))), null);
    assert.equal(decodeTokenAccount(program, account)?.amount, 5n);
  }
  assert.equal(decodeMint(TOKEN_2022_PROGRAM, extended(plainMint(), new Uint8Array(), 2)), null);
});

test('an invalid length and an unknown type are unassessed, and the extensions before are kept', () => {
  const unassessed = (...tail: number[]) =>
    decodeMint(TOKEN_2022_PROGRAM, extended(plainMint(), Uint8Array.from(tail)))?.extensions.unassessed;
  assert.deepEqual(unassessed(9, 0, 0, 0), []);
  assert.deepEqual(unassessed(12, 0, 255, 255, 1), [12]);
  assert.deepEqual(unassessed(12, 0, 1, 0, 7), [12]);
  assert.deepEqual(unassessed(200, 0, 1, 0, 7, 9, 0, 0, 0), [200]);
  assert.deepEqual(unassessed(24, 0, 0, 0), [24]);
  assert.deepEqual(unassessed(9, 0, 0, 0, 9, 0, 0, 0), [9]);
});

test('extensions keep their order, unknown ones are named by number, and one with an invalid length is the last', () => {
  const fee = new Uint8Array(108);
  new DataView(fee.buffer).setUint16(106, 500, true);
  const entries = (tail: readonly number[]) =>
    decodeMint(TOKEN_2022_PROGRAM, extended(plainMint(255), Uint8Array.from(tail)))?.extensions.entries.map(
      ({ name, truncated, value }) => [name, truncated, value.length],
    );
  assert.deepEqual(entries([1, 0, 108, 0, ...fee, 77, 0, 3, 0, 0, 0, 0]), [
    ['transfer_fee', false, 108],
    ['unknown_77', false, 3],
  ]);
  assert.deepEqual(entries([12, 0, 96, 234, 0, 0, 0, 0, 0, 0, 0, 0]), [['permanent_delegate', true, 8]]);
  assert.equal(decodeMint(TOKEN_2022_PROGRAM, extended(plainMint(255), Uint8Array.from([9, 0, 0, 0])))?.decimals, 255);
  assert.equal(decodeMint(TOKEN_PROGRAM, new Uint8Array(355)), null);
});

test('metadata with invalid text lengths is refused', () => {
  const data = new Uint8Array(400);
  data[0] = 4;
  data.set([255, 255, 255, 255], 65);
  assert.equal(decodeMetadata(METADATA_PROGRAM, data), null);
  data.set([33, 0, 0, 0], 65);
  assert.equal(decodeMetadata(METADATA_PROGRAM, data), null);
  data.set([3, 0, 0, 0], 65);
  assert.notEqual(decodeMetadata(METADATA_PROGRAM, data), null);
});

function plainMint(decimals = 6): Uint8Array {
  return Uint8Array.from(
    getMintEncoder().encode({
      mintAuthority: null,
      freezeAuthority: null,
      supply: 1n,
      decimals,
      isInitialized: true,
    }),
  );
}

/** A mint with extensions as Token-2022 lays it out: padded to 165, the kind of account, then `tail`. */
function extended(mint: Uint8Array, tail: Uint8Array, kind = 1): Uint8Array {
  const data = new Uint8Array(166 + tail.length);
  data.set(mint);
  data[165] = kind;
  data.set(tail, 166);
  return data;
}

test('a multisig of the newer token program is neither a mint nor a token account, whatever its keys are', () => {
  // 355 bytes: signers needed, signers, initialised, then eleven keys that its creator chooses, here the bytes of an account with a balance.
  const multisig = new Uint8Array(355);
  multisig.set([1, 11, 1]);
  multisig.fill(7, 3, 64);
  multisig.fill(255, 64, 72);
  multisig[108] = 1;
  for (const type of [1, 2]) {
    multisig[165] = type;
    multisig[45] = 1;
    assert.equal(decodeTokenAccount(TOKEN_2022_PROGRAM, multisig), null);
    assert.equal(decodeMint(TOKEN_2022_PROGRAM, multisig), null);
  }
  const account = new Uint8Array(356);
  account.set(multisig);
  account[165] = 2;
  assert.equal(decodeTokenAccount(TOKEN_2022_PROGRAM, account)?.amount, 2n ** 64n - 1n, 'an account with extensions');
});
