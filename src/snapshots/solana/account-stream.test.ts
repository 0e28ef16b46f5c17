import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { balanceAt, SOLANA_KEYS, totalOf } from '../holders/balance-table.ts';
import { type AccountStream, createAccountStream, LEAD_BYTES, MalformedReply } from './account-stream.ts';
import { createOwnerSums } from './owner-sums.ts';

/** Reads the bytes as a piece of their own. */
function push(stream: AccountStream, bytes: Uint8Array): void {
  stream.read(Buffer.concat([Buffer.alloc(LEAD_BYTES), bytes]), bytes.byteLength);
}

const account = fc.record({
  owner: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  amount: fc.bigInt({ min: 0n, max: (1n << 62n) - 1n }),
  extra: fc.dictionary(
    fc.string({ maxLength: 6 }),
    fc.oneof(fc.string(), fc.integer(), fc.constant('data'), fc.constant('"data":["')),
  ),
});
const style = fc.record({
  indent: fc.nat({ max: 3 }),
  dataLast: fc.boolean(),
  slashes: fc.boolean(),
  cuts: fc.array(fc.nat(), { maxLength: 12 }),
});

function bodyOf(
  accounts: readonly { owner: Uint8Array; amount: bigint; extra: Record<string, unknown> }[],
  indent: number,
  dataLast: boolean,
) {
  const rows = accounts.map(({ owner, amount, extra }) => {
    const slice = Buffer.alloc(40);
    slice.set(owner);
    slice.writeBigUInt64LE(amount, 32);
    const data = [slice.toString('base64'), 'base64'];
    const { data: _, ...rest } = extra;
    return { account: dataLast ? { ...rest, data } : { data, ...rest }, pubkey: 'x' };
  });
  return JSON.stringify({ result: { context: { slot: 1 }, value: rows } }, null, indent);
}

test('any formatting of the JSON, split anywhere, gives what JSON.parse would', () => {
  fc.assert(
    fc.property(fc.array(account, { maxLength: 30 }), style, (accounts, { indent, dataLast, slashes, cuts }) => {
      const plain = bodyOf(accounts, indent, dataLast);
      const bytes = Buffer.from(slashes ? plain.replaceAll('/', '\\/') : plain);
      const sums = createOwnerSums(1);
      const stream = createAccountStream((words, count) => sums.add(words, count));
      let from = 0;
      for (const cut of [...cuts.map((one) => one % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
        push(stream, bytes.subarray(from, cut));
        from = cut;
      }
      stream.end();
      const expected = new Map<string, bigint>();
      for (const { owner, amount } of accounts) {
        const key = Buffer.from(owner).toString('hex');
        if (amount > 0n) expected.set(key, (expected.get(key) ?? 0n) + amount);
      }
      const found = new Map<string, bigint>();
      for (const chunk of sums.whole().chunks)
        for (let index = 0; index < chunk.count; index += 1)
          found.set(
            Buffer.from(chunk.keys.subarray(index * 32, index * 32 + 32)).toString('hex'),
            balanceAt(chunk, index, 2),
          );
      assert.deepEqual(found, expected);
      assert.equal(sums.accounts, accounts.length);
    }),
    { numRuns: 300 },
  );
});

test('an account is found anywhere, also behind text that looks like the beginning of its field', () => {
  const field = `,"data":["${Buffer.alloc(40, 7).toString('base64')}","base64"]}`;
  const lookalike = fc.string({ unit: fc.constantFrom('"', 'd', 'a', 't', 'x', '"data', '"data"'), maxLength: 20 });
  fc.assert(
    fc.property(lookalike, (before) => {
      let seen = 0;
      const stream = createAccountStream((_words, count) => {
        seen += count;
      });
      push(stream, Buffer.from(`{${before}${field}`));
      stream.end();
      assert.equal(seen, 1);
    }),
    { numRuns: 1_000 },
  );
});

test('short accounts behind a long one are all read, also where their lengths add up to its own', () => {
  const of = (pad: number) =>
    `{"account":{"data":["${Buffer.alloc(40, 7).toString('base64')}","base64"],"x":"${'y'.repeat(pad)}"}}`;
  const short = of(0).length + 1;
  const body = `{"result":[${[of(0), of(short), of(0), of(0), of(2 * short), of(0), of(0), of(0)].join(',')}]}`;
  let seen = 0;
  const stream = createAccountStream((_words, count) => {
    seen += count;
  });
  push(stream, Buffer.from(body));
  stream.end();
  assert.equal(seen, 8);
});

test('a hundred thousand owners, read twice in different orders, have twice their amounts', () => {
  const sums = createOwnerSums(99);
  const words = new Uint32Array(10 * 1_000);
  const total = 100_000;
  const add = (order: (index: number) => number) => {
    for (let start = 0; start < total; start += 1_000) {
      for (let at = 0; at < 1_000; at += 1) {
        const owner = order(start + at);
        words.fill(0, at * 10, at * 10 + 10);
        words[at * 10 + (owner % 8)] = owner + 1;
        words[at * 10 + 8] = 0xffff_ffff;
        words[at * 10 + 9] = owner % 7;
      }
      sums.add(words, 1_000);
    }
  };
  add((index) => index);
  add((index) => total - 1 - index);
  const { owners, chunks, overflowed } = sums.whole();
  assert.equal(owners, total);
  let expected = 0n;
  for (let owner = 0; owner < total; owner += 1) expected += 2n * (0xffff_ffffn + (BigInt(owner % 7) << 32n));
  assert.equal(totalOf({ count: owners, form: SOLANA_KEYS, chunks }), expected);
  assert.equal(overflowed, false);
});

test('an owner with more than 2^64 is noticed', () => {
  const sums = createOwnerSums(1);
  sums.add(new Uint32Array([1, 2, 3, 4, 5, 6, 7, 8, 0xffff_ffff, 0xffff_ffff, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0]), 2);
  assert.equal(sums.whole().overflowed, true);
});

for (const [name, body] of [
  ['breaks off', '{"result":{"value":[{"account":{"data":["'],
  ['holds data of another length', '{"data":["AAAA","base64"]}'],
  ['holds parsed data', '{"data":{"parsed":{}}}'],
] as const)
  test(`a reply that ${name} is malformed`, () => {
    const stream = createAccountStream(() => undefined);
    assert.throws(() => {
      push(stream, Buffer.from(body));
      stream.end();
    }, MalformedReply);
  });
