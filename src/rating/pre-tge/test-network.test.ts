import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Rating } from '../../domain/rating.ts';
import { consensusOf } from '../fixtures/asset.ts';
import { fact, STATEMENTS } from '../fixtures/project.ts';
import { feature, open, rated } from './fixtures/rated-project.ts';

const CONTRACT = 'testnet:sepolia:0x51c7a0f2d3b84e96a1d05c3f7b2e8849d6170ab3';
const OTHER_CONTRACT = CONTRACT.replace('0x51', '0x52');
const linked = (scope: string) => fact('testnet_contract', { value: scope, link: 'https://sepolia.etherscan.io/x' });
const counted = (scope: string, count: number) =>
  consensusOf('testnet_transactions', count, { scope, families: ['blockscout'] });
const used = (rating: Rating) => feature(rating, 'ct_testnet');

test('use of a test network is read where a contract is linked, and is not known where the explorer is silent', () => {
  assert.deepEqual([used(open).status, used(open).score], ['absent', 5]);
  assert.deepEqual(
    [0, 10, 1_000, 1e7, 1e9].map((count) => {
      const found = used(rated({ add: [linked(CONTRACT)], set: [counted(CONTRACT, count)] }));
      return [found.status, found.raw, found.score];
    }),
    [
      ['observed', 0, 5],
      ['observed', 10, 6.5],
      ['observed', 1_000, 12.5],
      ['observed', 1e7, 30.5],
      ['observed', 1e9, 30.5],
    ],
  );
  const silent = rated({ add: [linked(CONTRACT)] });
  assert.deepEqual([used(silent).status, used(silent).rest], ['unknown', 35], 'it is shown: the explorer is silent');
  const half = rated({ add: [linked(CONTRACT), linked(OTHER_CONTRACT)], set: [counted(CONTRACT, 0)] });
  assert.equal(used(half).status, 'unknown', 'none on one contract says nothing of the other');
  const both = {
    add: [linked(CONTRACT), linked(OTHER_CONTRACT)],
    set: [counted(CONTRACT, 7), counted(OTHER_CONTRACT, 8)],
  };
  assert.equal(used(rated(both)).raw, 15);
});

test('a count of a contract that no page links does not count, and a linked one moves a rating by at most four points', () => {
  const stray = rated({ set: [counted(CONTRACT, 1e6)] });
  assert.deepEqual([used(stray).status, stray.uncappedScore], ['absent', open.uncappedScore]);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e9 }),
      fc.subarray([...new Set(STATEMENTS.map((row) => row.kind))]),
      (count, silent) => {
        const without = rated({ silent });
        const found = rated({ silent, add: [linked(CONTRACT)], set: [counted(CONTRACT, count)] });
        assert.ok(
          Math.abs((found.uncappedScore ?? 0) - (without.uncappedScore ?? 0)) <= 4,
          `${without.uncappedScore} ${found.uncappedScore}`,
        );
      },
    ),
    { numRuns: 60 },
  );
});
