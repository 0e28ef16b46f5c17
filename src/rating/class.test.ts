import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import { classify } from './class.ts';
import { inputOf, soundProtocol } from './fixtures/asset.ts';
import { CLASS_CASES, row } from './fixtures/class-cases.ts';
import { rate } from './rate.ts';

const methodology = loadMethodology();

for (const { is, because, of } of CLASS_CASES)
  test(`evidence makes it ${is}: ${because}`, () => {
    const found = classify(of, methodology);
    assert.equal(found.class, is, found.reason);
    assert.ok(found.reason.toLowerCase().includes(because.toLowerCase()), found.reason);
  });

test('the caller’s statement of its class decides nothing', () => {
  const given = soundProtocol();
  const asked = { ...given, request: { ...given.request, category: 'stablecoin' } };
  assert.deepEqual(rate(asked, methodology), rate(given, methodology));
  assert.equal(classify(inputOf([]), methodology).class, 'default');
});

test('a native coin is the same with its chain and without', () => {
  const coin = (chain: string | null, address: string | null) => {
    const input = soundProtocol({ set: [row('natives', { symbol: 'HLD' })], asset: { chain, address } });
    const { asset: _, ...rest } = input.identification;
    const { name, ...rating } = rate(input, methodology) as ReturnType<typeof rate> & { name?: string };
    return { rest, rating, name };
  };
  assert.deepEqual(coin(null, null), coin('ethereum', 'native'));
  assert.equal(coin(null, null).rating.class, 'native_l1');
});
