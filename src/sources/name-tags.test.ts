import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOfTag } from './name-tags.ts';

test('a tag names a kind by whole words, joined or not', () => {
  for (const [tag, kind] of [
    ['UNCX: Token Lockers', 'locker'],
    ['PinkLock02', 'locker'],
    ['Team Vesting', 'locker'],
    ['TokenVestingVault', 'locker'],
    ['TimelockController', 'timelock'],
    ['Null: 0x000...dEaD', 'burn'],
    ['BurnAddress', 'burn'],
    ['L1StandardBridge', 'bridge'],
    ['Arbitrum: L1 ERC20 Gateway', 'bridge'],
    ['Binance 14', 'exchange'],
    ['KuCoin 6', 'exchange'],
    ['PINKLOCK', 'locker'],
    ['Uniswap V2: PEPE', 'amm'],
    ['PancakeSwap: LP', 'amm'],
  ] as const)
    assert.equal(kindOfTag(tag), kind, tag);
});

test('a part of another word is no kind: a holder stays a holder', () => {
  for (const tag of ['Blockchain.com', 'BlockFi', 'Seed Investor', 'Harvest Finance', 'Unlock Protocol'])
    assert.equal(kindOfTag(tag), null, tag);
  for (const tag of ['Gamma Strategies', 'Scammer', 'Program authority', 'Burnham Capital', 'Cambridge Associates'])
    assert.equal(kindOfTag(tag), null, tag);
});
