import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, address, getProgramDerivedAddress, isOffCurveAddress } from '@solana/kit';
import { getMintDecoder, getMintEncoder, getTokenEncoder } from '@solana-program/token';
import fc from 'fast-check';
import { SYSTEM_PROGRAM } from '../../chains/fixed-addresses.ts';
import {
  METADATA_PROGRAM,
  SQUADS_V4_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/solana-programs.ts';
import { addressBytes, toBase58 } from './base58.ts';
import { classifyAuthority, classifyOwner } from './classify.ts';
import { derivedAddress, isOnCurve } from './derived_address.ts';
import { decodeMetadata, metadataAddress } from './metadata.ts';
import { decodeMint } from './mint.ts';
import { decodeTokenAccount } from './token_account.ts';

const KEY = fc.uint8Array({ minLength: 32, maxLength: 32 });
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

test('addresses survive base58 both ways, and other text is no address', () => {
  fc.assert(
    fc.property(KEY, (bytes) => {
      const text = toBase58(bytes);
      assert.equal(address(text), text);
      assert.deepEqual(addressBytes(text), bytes);
    }),
  );
  for (const text of ['', '0OIl', 'So111', `${MINT}${MINT}`, '1'.repeat(31)])
    assert.equal(addressBytes(text), null, text);
  assert.deepEqual(addressBytes(SYSTEM_PROGRAM), new Uint8Array(32));
});

test('a point of the curve is told from none exactly as the Solana SDK tells it', () => {
  fc.assert(
    fc.property(KEY, (bytes) => {
      assert.equal(isOnCurve(bytes), !isOffCurveAddress(toBase58(bytes) as Address));
    }),
    { numRuns: 60 },
  );
});

test('derived addresses are those of the Solana SDK', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 4 }), async (seeds) => {
      const [expected] = await getProgramDerivedAddress({ programAddress: METADATA_PROGRAM as Address, seeds });
      assert.equal(derivedAddress(seeds, METADATA_PROGRAM), expected);
    }),
    { numRuns: 25 },
  );
  assert.equal(metadataAddress(MINT), '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq');
  assert.equal(metadataAddress('nothing'), null);
});

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

test('no bytes make the decoders throw; what is no mint, account or metadata is null', () => {
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
      mint: address(MINT),
      owner: address(MINT),
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

test('a lying length, a wrong length and an unknown type are unassessed, and what came before is kept', () => {
  const unassessed = (...tail: number[]) =>
    decodeMint(TOKEN_2022_PROGRAM, extended(plainMint(), Uint8Array.from(tail)))?.extensions.unassessed;
  assert.deepEqual(unassessed(9, 0, 0, 0), []);
  assert.deepEqual(unassessed(12, 0, 255, 255, 1), [12]);
  assert.deepEqual(unassessed(12, 0, 1, 0, 7), [12]);
  assert.deepEqual(unassessed(200, 0, 1, 0, 7, 9, 0, 0, 0), [200]);
  assert.deepEqual(unassessed(24, 0, 0, 0), [24]);
  assert.deepEqual(unassessed(9, 0, 0, 0, 9, 0, 0, 0), [9]);
});

test('metadata whose text lengths lie is refused', () => {
  const data = new Uint8Array(400);
  data[0] = 4;
  data.set([255, 255, 255, 255], 65);
  assert.equal(decodeMetadata(METADATA_PROGRAM, data), null);
  data.set([33, 0, 0, 0], 65);
  assert.equal(decodeMetadata(METADATA_PROGRAM, data), null);
  data.set([3, 0, 0, 0], 65);
  assert.notEqual(decodeMetadata(METADATA_PROGRAM, data), null);
});

test('who signs for an authority decides its state', () => {
  const wallet = keyOnCurve();
  const derived = metadataAddress(MINT) ?? '';
  const multisig = (needed: number) => {
    const data = new Uint8Array(355);
    data.set([needed, 3, 1]);
    return { owner: TOKEN_PROGRAM, data, executable: false };
  };
  const state = (key: string, account: Parameters<typeof classifyAuthority>[1]) =>
    classifyAuthority(key, account).state;
  assert.equal(state(wallet, null), 'eoa');
  assert.equal(state(wallet, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }), 'eoa');
  assert.equal(state(derived, null), 'contract');
  assert.equal(state(derived, { owner: SQUADS_V4_PROGRAM, data: new Uint8Array(9), executable: false }), 'multisig');
  assert.equal(state(wallet, multisig(2)), 'multisig');
  assert.equal(state(wallet, multisig(1)), 'eoa');
  assert.equal(state(SYSTEM_PROGRAM, null), 'none');
  assert.equal(
    classifyOwner(derived, { owner: wallet, data: new Uint8Array(), executable: false }).kind,
    'contract_unknown',
  );
  assert.equal(classifyOwner('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1', null).kind, 'amm');
  assert.equal(
    classifyOwner(derived, {
      owner: 'LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn',
      data: new Uint8Array(),
      executable: false,
    }).kind,
    'vesting',
  );
});

function plainMint(): Uint8Array {
  return Uint8Array.from(
    getMintEncoder().encode({
      mintAuthority: null,
      freezeAuthority: null,
      supply: 1n,
      decimals: 6,
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

/** The base point of edwards25519: y = 4/5. */
function keyOnCurve(): string {
  return toBase58(Uint8Array.from([0x58, ...new Array<number>(31).fill(0x66)]));
}
