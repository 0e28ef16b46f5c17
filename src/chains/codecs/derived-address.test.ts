import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Address, address, getProgramDerivedAddress, isOffCurveAddress } from '@solana/kit';
import fc from 'fast-check';
import { metadataAddress } from '../decoders/token-programs.ts';
import { METEORA_DAMM_V2, RAYDIUM_AMM_V4, RAYDIUM_CPMM, TOKEN_PROGRAM, USDC, WHIRLPOOL } from '../solana.ts';
import { associatedTokenAddress, derivedAddress, isOnCurve, toBase58 } from './accounts.ts';

const KEY = fc.uint8Array({ minLength: 32, maxLength: 32 });
const P = 2n ** 255n - 19n;

describe('derived addresses beside @solana/kit', () => {
  it('are the same from any seeds', async () => {
    const seed = fc.oneof(fc.string({ maxLength: 8 }), fc.uint8Array({ maxLength: 32 }), KEY);
    await fc.assert(
      fc.asyncProperty(fc.array(seed, { maxLength: 4 }), async (seeds) => {
        const [theirs] = await getProgramDerivedAddress({ programAddress: address(WHIRLPOOL), seeds });
        assert.equal(derivedAddress(seeds, WHIRLPOOL), theirs);
      }),
      { numRuns: 100 },
    );
  });

  it('are off the curve exactly where the SDK reports it', () => {
    fc.assert(
      fc.property(KEY, (bytes) => {
        assert.equal(isOnCurve(bytes), !isOffCurveAddress(toBase58(bytes) as Address));
      }),
      { numRuns: 200 },
    );
  });

  it('are decided as in the runtime: y is reduced, and x = 0 may have either sign', () => {
    for (const y of [1n, P - 1n, P, P + 1n, 0n])
      for (const sign of [0, 128]) assert.ok(isOnCurve(littleEndian(y, sign)), `${y} ${sign}`);
    assert.ok(!isOnCurve(littleEndian(2n, 0)));
    assert.ok(!isOnCurve(new Uint8Array(31)));
  });
});

describe('known derived addresses', () => {
  it('are the authorities that the exchanges publish', () => {
    assert.equal(derivedAddress(['amm authority'], RAYDIUM_AMM_V4), '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1');
    assert.equal(
      derivedAddress(['vault_and_lp_mint_auth_seed'], RAYDIUM_CPMM),
      'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
    );
    assert.equal(derivedAddress(['pool_authority'], METEORA_DAMM_V2), 'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC');
    assert.equal(metadataAddress(USDC), '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq');
  });

  it('need addresses', () => {
    assert.equal(derivedAddress(['x'], 'no program'), null);
    assert.equal(associatedTokenAddress('nobody', USDC, TOKEN_PROGRAM), null);
    assert.equal(metadataAddress('nothing'), null);
  });
});

function littleEndian(y: bigint, sign: number): Uint8Array {
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => Number((y >> BigInt(8 * at)) & 255n));
  bytes[31] = (bytes[31] ?? 0) | sign;
  return bytes;
}
