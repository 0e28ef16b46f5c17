import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evmSearch } from './evm/investigate.ts';

const WALLET = `0x${'a'.repeat(40)}`;
const FUNDER = `0x${'b'.repeat(40)}`;

/** A chain whose node does not tell its newest block at the first `failures` requests. */
function search(failures: number) {
  let left = failures;
  const ranges: number[] = [];
  const reader = {
    async block(which: number | 'latest') {
      if (which !== 'latest') return { ok: true, value: { number: which, timestamp: 1_700_000_000 } };
      left -= 1;
      return left >= 0
        ? { ok: false, reason: 'unreachable', detail: 'no reply' }
        : { ok: true, value: { number: 5_000, timestamp: 1_700_000_000 } };
    },
    code: async () => ({ ok: true, value: '0x' }),
  };
  const history = {
    async coinsOf({ toBlock }: { readonly toBlock: number }) {
      ranges.push(toBlock);
      const move = { from: FUNDER, to: WALLET, amount: 5n, transaction: `0x${'1'.repeat(64)}`, block: 100 };
      return { ok: true, value: toBlock >= 100 ? [move] : [] };
    },
    logs: async () => ({ ok: true, value: [] }),
  };
  const tools = { reader, history, explorer: null, wrappedCoin: null, blocksPerDay: 7_200 };
  return { found: evmSearch(tools as unknown as Parameters<typeof evmSearch>[0]), ranges };
}

test('a first payment is not called none when the node did not tell its newest block, and is found once it does', async () => {
  const { found, ranges } = search(1);
  const first = await found.firstFunding(WALLET);
  assert.deepEqual(first.ok ? first.value : first.limit, {
    code: 'node_failed',
    detail: 'who first paid the wallets is not known: no reply',
  });
  const second = await found.firstFunding(WALLET);
  assert.equal(second.ok && second.value?.funder, FUNDER);
  assert.deepEqual(ranges, [5_000]);
});

test('money is not called unmoved when the node did not tell its newest block', async () => {
  const { found } = search(9);
  const pool = { quote: `0x${'c'.repeat(40)}` } as Parameters<typeof found.follow>[0];
  const first = { height: 50 } as Parameters<typeof found.follow>[1][number]['first'];
  const followed = await found.follow(pool, [{ wallet: WALLET, amount: 5n, first }], () => false);
  assert.deepEqual(followed, {
    hops: [],
    limits: [{ code: 'node_failed', detail: 'where the money went was not read: no reply' }],
  });
});
