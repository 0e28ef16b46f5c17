import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockJson, heightAt } from './facades/evm_blocks.ts';
import { birthOf, logsOf } from './facades/evm_logs.ts';
import { crowdAccounts, supplyOf } from './facades/solana_accounts.ts';
import { createScene, type Scene } from './scene.ts';
import { rawSupply } from './world/crowd.ts';
import { createWorld } from './world/world.ts';

const ANCHOR = Date.parse('2026-11-20T00:00:00Z');
const world = createWorld({ seed: 1, anchor: ANCHOR });
const at = (hours: number): Scene => createScene(world, ANCHOR + hours * 3_600_000, () => 1);
const listed = world.tokens.filter((asset) => world.crowd(asset, ANCHOR) !== null);

test('all token accounts of a mint add up to its supply, to the base unit, at any hour', () => {
  const mints = listed.filter((asset) => asset.chain === 'solana');
  assert.ok(mints.length >= 8, String(mints.length));
  for (const scene of [at(0), at(5.3), at(30)])
    for (const asset of mints) {
      const top = world.holders(asset, scene.now).reduce((sum, holder) => sum + holder.amount, 0n);
      const crowd = (crowdAccounts(scene, asset) ?? []).reduce(
        (sum, [, account]) => sum + account.data.readBigUInt64LE(64),
        0n,
      );
      assert.equal(top + crowd, supplyOf(scene, asset), asset.name);
    }
});

/** Balances as whoever reads the logs works them out; fails when somebody sends what he does not have. */
function replay(scene: Scene, chain: string, address: string): ReadonlyMap<string, bigint> {
  const reply = logsOf(scene, chain, { address, fromBlock: '0x0', toBlock: 'latest' });
  assert.ok('result' in reply);
  const balances = new Map<string, bigint>();
  let last = 0;
  for (const log of reply.result as readonly { topics: readonly string[]; data: string; blockNumber: string }[]) {
    const [from = '', to = ''] = log.topics.slice(1).map((topic) => `0x${topic.slice(26)}`);
    const value = BigInt(log.data);
    assert.ok(Number(log.blockNumber) >= last);
    last = Number(log.blockNumber);
    if (BigInt(from) !== 0n) balances.set(from, (balances.get(from) ?? 0n) - value);
    balances.set(to, (balances.get(to) ?? 0n) + value);
    assert.ok((balances.get(from) ?? 0n) >= 0n);
  }
  return balances;
}

test('transfers lead from an empty ledger to the present balances, and logs never change afterwards', () => {
  const tokens = listed.filter((asset) => asset.chain !== 'solana').slice(0, 6);
  assert.ok(tokens.length >= 4);
  for (const asset of tokens) {
    for (const scene of [at(0), at(7), at(26)]) {
      const balances = replay(scene, asset.chain ?? '', asset.address);
      assert.equal(
        [...balances.values()].reduce((sum, value) => sum + value, 0n),
        rawSupply(asset),
      );
      for (const holder of world.holders(asset, scene.now))
        assert.ok((balances.get(holder.owner.toLowerCase()) ?? 0n) >= holder.amount);
    }
    const early = logsOf(at(7), asset.chain ?? '', { address: asset.address, fromBlock: '0x0', toBlock: 'latest' });
    const late = logsOf(at(26), asset.chain ?? '', {
      address: asset.address,
      fromBlock: '0x0',
      toBlock: `0x${heightAt(at(7).now).toString(16)}`,
    });
    assert.deepEqual(late, early);
    assert.ok(birthOf(at(0), asset) < heightAt(ANCHOR));
  }
});

test('blocks name their parents, and no block is served before its time', () => {
  const scene = at(1);
  const newest = blockJson('ethereum', 'latest', scene.now);
  assert.ok(newest);
  const parent = blockJson('ethereum', `0x${(Number(newest.number) - 1).toString(16)}`, scene.now);
  assert.equal(parent?.hash, newest.parentHash);
  assert.equal(blockJson('ethereum', `0x${(Number(newest.number) + 1).toString(16)}`, scene.now), null);
  assert.notEqual(blockJson('base', 'latest', scene.now)?.hash, newest.hash);
});

test('a history of very many holders is refused, as public nodes refuse it', () => {
  const crowded = world.tokens.find((asset) => asset.chain === 'ethereum' && world.crowd(asset, ANCHOR) === null);
  assert.ok(crowded);
  assert.ok('error' in logsOf(at(0), 'ethereum', { address: crowded.address, fromBlock: '0x0', toBlock: '0x1' }));
});
