import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readLog } from '../evm/reader.ts';
import { takeBack } from './evm/history.ts';
import { coinMovesOf, readReceipt, transactionOf } from './evm/transaction.ts';
import { readTransaction } from './solana/history.ts';
import { fundingIn } from './solana/investigate.ts';

const SIGNATURE = '5h6xBEauJ3PK6SWCZ1PGjBvj8vDdWG3KpwATGy1ARAXFSDwt8GFXM7W5Ncn16wmqokgpiKRLuS83KUxyZyv2sUYv';
const KEYS = [
  'Ab2KfzQmi9PznCt4KogemWXeWoosPVCWg8WZZAZhKuK5',
  'BEa8Ym5jJdDstyhM9svPidTZ7PN5uCRYXFV9LgLPvUYV',
  'ANZpydiYSxF5P8BJGNKBNXwkMMPgwGbNmX7oALgimjJU',
];
const MINT = 'So11111111111111111111111111111111111111112';

function balance(accountIndex: number, owner: string | undefined, amount: string) {
  return {
    accountIndex,
    mint: MINT,
    ...(owner ? { owner } : {}),
    uiTokenAmount: { amount, decimals: 9, uiAmount: 0, uiAmountString: '0' },
  };
}
/** The shape of a `jsonParsed` reply of getTransaction. */
function reply(changes: object = {}) {
  return {
    slot: 300,
    blockTime: 1_700_000_000,
    version: 0,
    meta: {
      err: null,
      fee: 5_000,
      preBalances: [10_000_000, 0, 2_039_280],
      postBalances: [4_995_000, 5_000_000, 1_039_280],
      preTokenBalances: [balance(2, KEYS[0], '1000000')],
      postTokenBalances: [balance(2, KEYS[0], '0')],
      ...changes,
    },
    transaction: {
      signatures: [SIGNATURE],
      message: {
        accountKeys: KEYS.map((pubkey, index) => ({
          pubkey,
          signer: index === 0,
          source: 'transaction',
          writable: true,
        })),
        instructions: [],
      },
    },
  };
}

test('a Solana transaction: coins by owner, tokens by account, a wrapped coin counted once', () => {
  const read = readTransaction(reply(), SIGNATURE);
  assert.ok(read !== null && read !== 'failed');
  assert.deepEqual(
    read.changes.map(({ owner, asset, amount }) => [owner, asset, amount]),
    [
      [KEYS[0], MINT, -1_000_000n],
      [KEYS[0], 'native', -5_005_000n],
      [KEYS[1], 'native', 5_000_000n],
    ],
  );
  assert.deepEqual(read.signers, [KEYS[0]]);
  assert.equal(read.at, '2023-11-14T22:13:20.000Z');
  assert.deepEqual(fundingIn(read, KEYS[1] ?? ''), {
    wallet: KEYS[1],
    funder: KEYS[0],
    transaction: SIGNATURE,
    at: read.at,
    amount: 5_000_000n,
  });
});

test('a failed transaction moves nothing, and a reply about another transaction is rejected', () => {
  assert.equal(readTransaction(reply({ err: { InstructionError: [0, 'Custom'] } }), SIGNATURE), 'failed');
  assert.equal(readTransaction(reply(), SIGNATURE.replace('5h', '5j')), null);
  assert.equal(readTransaction(reply({ preBalances: [1, 2] }), SIGNATURE), null);
  assert.equal(readTransaction(reply({ postTokenBalances: [balance(7, KEYS[0], '1')] }), SIGNATURE), null);
  assert.equal(readTransaction(reply({ postTokenBalances: [balance(2, KEYS[0], '1e9')] }), SIGNATURE), null);
});

test('an old reply that leaves the owner of a token account out names the account itself', () => {
  const read = readTransaction(
    reply({ preTokenBalances: [], postTokenBalances: [balance(2, undefined, '7')] }),
    SIGNATURE,
  );
  assert.ok(read !== null && read !== 'failed');
  assert.deepEqual(read.changes[0], { account: KEYS[2], owner: KEYS[2], asset: MINT, before: 0n, amount: 7n });
});

const HASH = `0x${'ab'.repeat(32)}` as const;
const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const trace = (changes: object, action: object = {}) => ({
  type: 'call',
  action: { callType: 'call', from: address('1'), to: address('2'), value: '0x5', ...action },
  traceAddress: [],
  transactionHash: HASH,
  blockNumber: 7,
  ...changes,
});

test('coins move by calls, creations and self-destruction, and not below a call that failed', () => {
  const moves = coinMovesOf([
    trace({}),
    trace({ traceAddress: [0], error: 'Reverted' }),
    trace({ traceAddress: [0, 3] }),
    trace({ traceAddress: [1] }, { callType: 'delegatecall', value: '0x9' }),
    trace({ traceAddress: [2], type: 'create', result: { address: address('3') } }, { value: '0x6' }),
    {
      ...trace({ traceAddress: [3], type: 'suicide' }),
      action: { address: address('3'), refundAddress: address('4'), balance: '0x7' },
    },
    trace({ traceAddress: [4] }, { value: '0x0' }),
  ]);
  assert.ok(moves.ok);
  assert.deepEqual(
    moves.value.map((move) => [move.from, move.to, move.amount]),
    [
      [address('1'), address('2'), 5n],
      [address('1'), address('3'), 6n],
      [address('3'), address('4'), 7n],
    ],
  );
});

test('a wrapped coin that logs its unwrapping as a transfer too is counted once', () => {
  const wrapped = address('e');
  const word = (who: string) => `0x${who.slice(2).padStart(64, '0')}` as const;
  const log = (index: number, topics: readonly `0x${string}`[]) => ({
    address: wrapped,
    topics,
    data: `0x${(9).toString(16).padStart(64, '0')}` as const,
    block: 7,
    blockHash: HASH,
    index,
    transaction: HASH,
  });
  const withdrawal = log(1, ['0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65', word(address('2'))]);
  const transfer = log(0, [
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    word(address('2')),
    word(address('0')),
  ]);
  for (const logs of [[withdrawal], [transfer, withdrawal]]) {
    const receipt = { transaction: HASH, block: 7, position: 0, from: address('1'), to: null, succeeded: true, logs };
    const { transaction } = transactionOf(receipt, null, wrapped, []);
    const lost = transaction.changes.filter((row) => row.asset === wrapped).reduce((sum, row) => sum + row.amount, 0n);
    assert.equal(lost, -9n);
  }
});

test('taking transfers back leads from what is held now to what was held before each', () => {
  const pool = address('a');
  const steps = fc.array(fc.tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 24n })), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (moves) => {
      let held = 0n;
      const logs = [];
      const expected: (readonly [bigint, bigint])[] = [];
      for (const [index, [isIn, options]] of moves.entries()) {
        const amount = isIn || options <= held ? options : held;
        const topics = [address('b'), pool].map((who) => `0x${who.slice(2).padStart(64, '0')}` as const);
        logs.push({
          address: address('c'),
          topics: [
            '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
            ...(isIn ? topics : topics.reverse()),
          ],
          data: `0x${amount.toString(16).padStart(64, '0')}`,
          block: index,
          index: 0,
          transaction: `0x${index.toString(16).padStart(64, '0')}`,
        } as const);
        const after = isIn ? held + amount : held - amount;
        expected.push([held, after]);
        held = after;
      }
      const walked = takeBack(logs as never, pool, held);
      assert.deepEqual(
        walked?.map((step) => [step.before, step.after]),
        expected.toReversed(),
      );
      if (held > 0n)
        assert.equal(takeBack(logs as never, pool, held - 1n)?.every((step) => step.before >= 0n) ?? true, true);
    }),
  );
});

test('no reply of a node makes the readers throw', () => {
  const anything = fc.anything({ withBigInt: true, maxDepth: 5 });
  const bent = fc.tuple(fc.constantFrom('slot', 'blockTime', 'meta', 'transaction'), anything);
  fc.assert(
    fc.property(
      anything,
      bent,
      fc.constantFrom('preBalances', 'postTokenBalances', 'preTokenBalances', 'err'),
      (junk, [name, value], part) => {
        readTransaction(junk, SIGNATURE);
        readTransaction({ ...reply(), [name]: value }, SIGNATURE);
        readTransaction(reply({ [part]: value }), SIGNATURE);
        coinMovesOf(junk);
        coinMovesOf([trace({ [name]: value }), trace({}, { value: junk })]);
        readLog(junk);
        readReceipt(junk, HASH);
        readReceipt({ transactionHash: HASH, blockNumber: '0x1', from: address('1'), logs: [junk] }, HASH);
      },
    ),
  );
});
