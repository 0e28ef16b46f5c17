import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { address, getAddressDecoder, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import fc from 'fast-check';
import { USDC } from '../../chains/solana.ts';
import {
  METEORA_DAMM_V2,
  RAYDIUM_AMM_V4,
  RAYDIUM_CPMM,
  TOKEN_PROGRAM,
  WHIRLPOOL,
} from '../../chains/solana-programs.ts';
import { addressBytes, toBase58 } from './base58.ts';
import { associatedTokenAddress, derivedAddress } from './derived-address.ts';

const key = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.nat(32).map((zeros) => new Uint8Array(32).fill(7, zeros)),
);

describe('addresses beside @solana/kit', () => {
  it('are written and read the same', () => {
    fc.assert(
      fc.property(key, (bytes) => {
        const text = toBase58(bytes);
        assert.equal(text, getAddressDecoder().decode(bytes));
        assert.deepEqual(addressBytes(text), Uint8Array.from(getAddressEncoder().encode(address(text))));
      }),
    );
  });

  it('are refused when they are none', () => {
    for (const text of ['', 'x', '0'.repeat(32), 'l'.repeat(44), '1'.repeat(33), 'z'.repeat(44), 'Ж'.repeat(32)]) {
      assert.equal(addressBytes(text), null, text);
    }
  });

  it('are derived the same from any seeds', async () => {
    await fc.assert(
      fc.asyncProperty(key, fc.string({ maxLength: 8 }), async (bytes, text) => {
        const [theirs] = await getProgramDerivedAddress({
          programAddress: address(WHIRLPOOL),
          seeds: [text, bytes],
        });
        assert.equal(derivedAddress([text, bytes], WHIRLPOOL), theirs);
      }),
      { numRuns: 60 },
    );
  });
});

describe('known derived addresses', () => {
  it('are the authorities that the DEXs publish', () => {
    assert.equal(derivedAddress(['amm authority'], RAYDIUM_AMM_V4), '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1');
    assert.equal(
      derivedAddress(['vault_and_lp_mint_auth_seed'], RAYDIUM_CPMM),
      'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
    );
    assert.equal(derivedAddress(['pool_authority'], METEORA_DAMM_V2), 'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC');
  });

  it('need addresses', () => {
    assert.equal(derivedAddress(['x'], 'no program'), null);
    assert.equal(associatedTokenAddress('nobody', USDC, TOKEN_PROGRAM), null);
  });
});
