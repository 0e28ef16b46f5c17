import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOLANA_KEYS, topHolders, totalOf } from '../holders/balance-table.ts';
import { MalformedReply } from './account-stream.ts';
import { type AccountSums, createAccountSums } from './account-sums.ts';
import type { Sums } from './owner-sums.ts';

const MIB = 1024 * 1024;

/** A reply of about 280 bytes an account; owner i of `owners` has every account whose number leaves i. */
function replyOf(accounts: number, owners: number): Buffer {
  const slice = Buffer.alloc(40);
  const rows = Array.from({ length: accounts }, (_, index) => {
    slice.writeUInt32LE(((index % owners) * 2_654_435_761) >>> 0, 0);
    slice.writeUInt32LE(index % owners, 28);
    slice.writeBigUInt64LE(index % 100 === 0 ? 0n : BigInt(index) << 20n, 32);
    const data = [slice.toString('base64'), 'base64'];
    return { account: { data, lamports: 2_039_280, owner: 'x'.repeat(43), space: 165 }, pubkey: 'y'.repeat(80) };
  });
  return Buffer.from(JSON.stringify({ result: { value: rows } }));
}

async function pushAll(sums: AccountSums, reply: Buffer, step: number): Promise<number> {
  for (let from = 0; from < reply.length; from += step) await sums.push(reply.subarray(from, from + step));
  return sums.endReply();
}

function shown(sums: Sums) {
  const { chunks, owners, ...counts } = sums;
  const table = { count: owners, form: SOLANA_KEYS, chunks };
  return { ...counts, owners, total: totalOf(table), top: topHolders(table, 1_000) };
}

test('a reply read in a thread from any piece on gives what reading it here gives', async () => {
  const [first, second] = [replyOf(20_000, 7_000), replyOf(9_000, 300)];
  const results = [];
  for (const [threadFrom, step] of [
    [Number.POSITIVE_INFINITY, 65_536],
    [0, 65_536],
    [2.5 * MIB, 1_000_003],
    [first.length + 1, 3 * MIB],
  ] as const) {
    const sums = createAccountSums(7, threadFrom);
    const found = [await pushAll(sums, first, step), await pushAll(sums, second, step)];
    assert.deepEqual(found, [20_000, 9_000]);
    results.push(shown(await sums.sums()));
    sums.close();
  }
  const [here, ...inThreads] = results;
  assert.equal(here?.accounts, 29_000);
  assert.equal(here.zeroAccounts, 290);
  for (const there of inThreads) assert.deepEqual(there, here);
});

test('a reply that cannot be read in the thread ends the scan, and so does a thread that is closed', async () => {
  const broken = createAccountSums(7, 0);
  const reply = Buffer.from(replyOf(6_000, 10).toString('latin1').replace('"base64"]', '"base64"],"data":["AAAA"]'));
  await assert.rejects(pushAll(broken, reply, 65_536), MalformedReply);
  broken.close();
  const closed = createAccountSums(7, 0);
  await closed.push(reply.subarray(0, MIB));
  closed.close();
  await assert.rejects(pushAll(closed, reply, 65_536), /ended/);
});
