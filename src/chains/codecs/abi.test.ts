import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeAbiParameters, encodeFunctionData, encodeFunctionResult, parseAbi, toHex } from 'viem/utils';
import {
  abiText,
  addressAt,
  addressOf,
  aggregateResults,
  callData,
  ERC20,
  flagOf,
  type Hex,
  intAt,
  uintAt,
  uintOf,
} from './abi.ts';

const HEX = fc.uint8Array({ maxLength: 400 }).map((bytes) => toHex(bytes));

test('text survives the ABI, and any other bytes give text or nothing', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60, unit: 'grapheme' }), (text) => {
      assert.equal(abiText(encodeAbiParameters([{ type: 'string' }], [text]), 1_000), text === '' ? null : text);
    }),
  );
  fc.assert(fc.property(HEX, (bytes) => abiText(bytes, 100) === null || typeof abiText(bytes, 100) === 'string'));
});

test('a name in bytes32 ends at its first zero; what is not UTF-8, too long or not hex gives no text', () => {
  assert.equal(abiText(`0x${'4d4b52'.padEnd(64, '0')}`, 100), 'MKR');
  assert.equal(abiText(`0x${'4d0052'.padEnd(64, '0')}`, 100), 'M');
  assert.equal(abiText(`0x${'ff'.padEnd(64, '0')}`, 100), null);
  assert.equal(abiText(`0x${'0'.repeat(64)}`, 100), null);
  assert.equal(abiText(encodeAbiParameters([{ type: 'string' }], ['longer']), 5), null);
  for (const none of ['0x', '0x4', 'name', null, undefined]) assert.equal(abiText(none, 100), null);
});

test('an invalid length gives no text', () => {
  const lying = `0x${'20'.padStart(64, '0')}${'ff'.padStart(64, '0')}${'41'.padEnd(64, '0')}`;
  assert.equal(abiText(lying, 100), null);
  assert.equal(abiText(`0x${'20'.padStart(64, '0')}${'f'.repeat(64)}`, 100), null);
});

test('only a full word is a number, and only a padded one an address', () => {
  assert.equal(uintOf('0x'), null);
  assert.equal(uintOf('0x01'), null);
  assert.equal(uintOf(`0x${'f'.repeat(64)}`), 2n ** 256n - 1n);
  assert.equal(addressOf(`0x01${'0'.repeat(62)}`), null);
});

test('words are decoded as viem encodes them', () => {
  const key = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes));
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.maxSafeInteger(), key, (whole, signed, account) => {
      const data = encodeAbiParameters(
        [{ type: 'uint256' }, { type: 'int128' }, { type: 'address' }, { type: 'bool' }],
        [whole, BigInt(signed), account, true],
      );
      assert.deepEqual(
        [uintAt(data, 0), intAt(data, 1, 128), addressAt(data, 2), uintAt(data, 3), uintAt(data, 4)],
        [whole, BigInt(signed), account, 1n, null],
      );
      const word = (index: number) => `0x${data.slice(2 + index * 64, 66 + index * 64)}`;
      assert.deepEqual([uintOf(word(0)), addressOf(word(2)), flagOf(word(3))], [whole, account, true]);
    }),
  );
  assert.equal(intAt(`0x${'0'.repeat(63)}8`, 0, 3), null);
  assert.equal(flagOf(`0x${'0'.repeat(63)}2`), null);
});

test('calldata is that of viem', () => {
  const abi = parseAbi(['function balanceOf(address) view returns (uint256)']);
  const account: Hex = '0x00000000000000000000000000000000000000ab';
  assert.equal(
    callData(ERC20.balanceOf, account),
    encodeFunctionData({ abi, functionName: 'balanceOf', args: [account] }),
  );
});

test('Multicall3 gives the result of each call, null where it failed or returned nothing, and null for any other reply', () => {
  const abi = parseAbi([
    'struct Result { bool success; bytes returnData; }',
    'function aggregate3() returns (Result[] returnData)',
  ]);
  const reply = encodeFunctionResult({
    abi,
    functionName: 'aggregate3',
    result: [
      { success: true, returnData: '0x01' },
      { success: false, returnData: '0x02' },
      { success: true, returnData: '0x' },
    ],
  });
  assert.deepEqual(aggregateResults(reply, 3), ['0x01', null, null]);
  assert.equal(aggregateResults(reply, 2), null);
  fc.assert(fc.property(HEX, (hex) => aggregateResults(hex, 3) === null));
});
