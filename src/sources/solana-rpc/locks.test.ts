import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseBody } from '../fixtures/drive.ts';
import { locksEndpoint, releasedBetween } from './locks.ts';

const NOW = BigInt(Date.parse('2026-11-20T12:00:00.000Z') / 1000);
const DAY = 86_400n;
const endpoint = locksEndpoint;

interface Schedule {
  readonly cliff: bigint;
  readonly frequency?: bigint;
  readonly cliffAmount?: bigint;
  readonly perPeriod?: bigint;
  readonly periods?: bigint;
  readonly cancelled?: bigint;
}

function bytes(given: Schedule): Buffer {
  const { cliff, frequency = 0n, cliffAmount = 0n, perPeriod = 0n, periods = 0n, cancelled = 0n } = given;
  const data = Buffer.alloc(64);
  for (const [index, value] of [cliff, frequency, cliffAmount, perPeriod, periods, 0n, 0n, cancelled].entries())
    data.writeBigUInt64LE(value, index * 8);
  return data;
}

function say(...locks: readonly Schedule[]) {
  const result = locks.map((one) => ({ account: { data: [bytes(one).toString('base64'), 'base64'] } }));
  const params = { base: 'main', mint: 'm', supply: '1000000000', decimals: 6 };
  const heard = parseBody(endpoint, params, { jsonrpc: '2.0', id: 1, result });
  return heard.outcome === 'ok' ? heard.drafts.map(({ quantity, value }) => `${quantity} ${value}`) : heard.outcome;
}

test('what comes free within thirty days counts, of all locks together, in whole tokens', () => {
  assert.deepEqual(
    say(
      { cliff: NOW + 10n * DAY, cliffAmount: 50_000_000n },
      { cliff: NOW - 5n * DAY, frequency: DAY, cliffAmount: 9_000_000n, perPeriod: 1_000_000n, periods: 20n },
    ),
    ['unlock_30d_tokens 65', 'locked_tokens 65'],
  );
});

test('tokens that are free already, come later, were cancelled, or cannot be released, do not count', () => {
  assert.deepEqual(say({ cliff: NOW - DAY, cliffAmount: 50_000_000n }), []);
  assert.deepEqual(say({ cliff: NOW + 31n * DAY, cliffAmount: 50_000_000n }), ['locked_tokens 50']);
  assert.deepEqual(say({ cliff: NOW + DAY, cliffAmount: 50_000_000n, cancelled: NOW - DAY }), []);
  assert.deepEqual(say({ cliff: NOW + DAY, cliffAmount: 1_000_000_001n }), [], 'more than there is');
  assert.equal(say(), 'empty');
  assert.equal(releasedBetween(new Uint8Array(63), NOW, NOW + DAY), 0n);
});

test('any way of cutting the time releases the same, and never more than was locked', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
  const schedule = fc.record({
    cliff: fc.bigInt({ min: NOW - 100n * DAY, max: NOW + 100n * DAY }),
    frequency: fc.bigInt({ min: 0n, max: 90n * DAY }),
    cliffAmount: amount,
    perPeriod: amount,
    periods: fc.bigInt({ min: 0n, max: 1_000n }),
  });
  const later = fc.bigInt({ min: 0n, max: 1_000n * DAY });
  fc.assert(
    fc.property(schedule, later, later, (given, a, b) => {
      const data = bytes(given);
      const whole = releasedBetween(data, NOW, NOW + a + b);
      const parts = releasedBetween(data, NOW, NOW + a) + releasedBetween(data, NOW + a, NOW + a + b);
      assert.equal(whole, parts);
      assert.ok(whole >= 0n && whole <= given.cliffAmount + given.periods * given.perPeriod);
    }),
  );
});

test('it is requested once the existing supply is known, from one operator', () => {
  const plan = (learned: object) =>
    endpoint.plan({ chain: { kind: 'solana' }, address: 'Mint', learned } as never).map((params) => params.supply);
  assert.deepEqual(plan({}), []);
  assert.deepEqual(plan({ 'solana_rpc.mint': { supply: '5', decimals: 0 } }), ['5']);
});

test('what is not released yet counts as locked, whenever it will be', () => {
  const daily = { cliff: NOW - 5n * DAY - 1n, frequency: DAY, cliffAmount: 9_000_000n, perPeriod: 1_000_000n };
  assert.deepEqual(say({ ...daily, periods: 100n }), ['unlock_30d_tokens 30', 'locked_tokens 95']);
  assert.deepEqual(say({ cliff: NOW + 900n * DAY, cliffAmount: 400_000_000n }, { ...daily, periods: 5n }), [
    'locked_tokens 400',
  ]);
});
