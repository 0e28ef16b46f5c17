import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import fc from 'fast-check';
import { SYSTEM_PROGRAM } from '../fixed-addresses.ts';
import { USDC } from '../solana.ts';
import { addressBytes, toBase58 } from './accounts.ts';

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
        assert.equal(address(text), text);
        assert.deepEqual(addressBytes(text), Uint8Array.from(getAddressEncoder().encode(address(text))));
      }),
    );
    assert.deepEqual(addressBytes(SYSTEM_PROGRAM), new Uint8Array(32));
  });

  it('are refused when they are none', () => {
    for (const text of [
      '',
      'x',
      '0OIl',
      'So111',
      `${USDC}${USDC}`,
      '1'.repeat(31),
      '1'.repeat(33),
      '0'.repeat(32),
      'l'.repeat(44),
      'z'.repeat(44),
      'Ж'.repeat(32),
      `${USDC.slice(0, -1)}\n`,
    ]) {
      assert.equal(addressBytes(text), null, text);
    }
  });

  it('of any text are bytes or nothing', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: 'binary' }), (text) => {
        const bytes = addressBytes(text);
        if (bytes !== null) assert.equal(toBase58(bytes), text);
      }),
    );
  });
});
