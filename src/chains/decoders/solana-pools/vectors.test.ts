import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountsOf, VECTOR_PROTOCOLS, vectorsOf } from './fixtures/vectors.ts';
import { openPool } from './index.ts';
import type { Accounts } from './program.ts';

for (const protocol of VECTOR_PROTOCOLS) {
  const vectors = vectorsOf(protocol);

  describe(`${protocol} gives what ${vectors.package} ${vectors.version} gives`, () => {
    for (const [index, vector] of vectors.pools.entries()) {
      it(`pool ${index + 1}: ${vector.swaps.length} swaps, to the unit`, () => {
        const accounts = accountsOf(vector);
        const pool = accounts.get(vector.pool);
        assert(pool);
        const opened = openPool(pool, vector.mint === undefined ? [] : [vector.mint]);
        assert(opened.ok, opened.ok ? '' : opened.detail);
        const missing = opened.value.needs.filter((address) => !accounts.has(address));
        const all: Accounts = new Map([...missing.map((address) => [address, null] as const), ...accounts]);
        const reading = opened.value.read(all, 1);
        assert(reading.ok, reading.ok ? '' : reading.detail);
        const ours = vector.swaps.map(({ zeroForOne, in: amountIn }) => {
          const swap = reading.value.curve.swapExactIn(BigInt(amountIn), zeroForOne);
          return swap === null ? null : swap.amountOut.toString();
        });
        assert.deepEqual(
          ours,
          vector.swaps.map((swap) => swap.out),
        );
      });
    }
  });
}
