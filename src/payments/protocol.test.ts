import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlans, type PlanBook } from '../access/index.ts';
import { openPayments, type PaymentTools } from './payments.ts';
import { unitsOf } from './protocol.ts';

test('a price is units of the token, and one finer than the token has none', () => {
  assert.deepEqual(
    [
      ['0.05', 6],
      ['1', 6],
      ['0.050', 2],
      ['0.001', 2],
      ['999999.999999999999999999', 18],
      ['3', 0],
      ['3.5', 0],
    ].map(([price, decimals]) => unitsOf(String(price), Number(decimals))),
    ['50000', '1000000', '5', null, '999999999999999999999999', '3', null],
  );
});

test('nothing is sold without a facilitator; prices that are missing or too fine stop the start', () => {
  const settings = {
    x402Facilitator: 'http://127.0.0.1:1',
    x402PayTo: `0x${'1'.repeat(40)}`,
    x402Network: 'eip155:8453',
    x402Token: `0x${'2'.repeat(40)}`,
    x402TokenName: 'USD Coin',
    x402TokenVersion: '2',
    x402TokenDecimals: 6,
  };
  const never = () => assert.fail('nothing is asked at the start');
  const toolsWith = (plans: PlanBook): PaymentTools => ({
    db: undefined as unknown as PaymentTools['db'],
    plans,
    upstream: { request: never, setBudget: () => undefined },
    clock: Date.now,
    onError: never,
  });
  const plans = loadPlans(null);
  assert.ok(openPayments(settings, toolsWith(plans)));
  assert.equal(openPayments({ ...settings, x402Facilitator: null }, toolsWith(plans)), undefined);
  assert.throws(() => openPayments(settings, toolsWith({ ...plans, payPerCall: null })), /no pay_per_call/);
  assert.throws(
    () => openPayments({ ...settings, x402TokenDecimals: 1 }, toolsWith(plans)),
    /finer than the 1 decimals/,
  );
});
