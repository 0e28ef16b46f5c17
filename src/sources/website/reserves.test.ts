import assert from 'node:assert/strict';
import { test } from 'node:test';
import { observeReserves } from './claims.ts';

const read = (words: string) =>
  Object.fromEntries(observeReserves(words).map(({ quantity, value }) => [quantity, value]));

test('an attestation is read with its firm, its date, its ratio and who may redeem', () => {
  assert.deepEqual(
    read(
      'Monthly attestation by Ledgerlight, dated 2026-10-31: reserves over liabilities 1.02. Redemption at par for all holders.',
    ),
    {
      reserve_attestation_state: 'monthly_by_firm',
      collateral_ratio: 1.02,
      attestation_at: '2026-10-31T00:00:00.000Z',
      redemption_route_state: 'open',
    },
  );
});

test('a ratio in percent is a ratio, and an unclear one is none', () => {
  const ratio = (text: string) => read(`Our reserves over liabilities ${text}`).collateral_ratio;
  assert.equal(ratio('are 100.3 %.'), 1.003);
  assert.equal(ratio('are 99.8%'), 0.998);
  assert.equal(ratio('stand at 1.0213'), 1.0213);
  assert.equal(ratio('stand at 1'), 1);
  for (const unclear of ['5,000 million', '99.8', '12', '1.02345', 'are sound', '3% more'])
    assert.equal(ratio(unclear), undefined, unclear);
});

test('a page that scripts fill in does not show that nothing is attested', () => {
  assert.deepEqual(read('Transparency. Loading...'), {});
  assert.deepEqual(read('You need to enable JavaScript to run this app, which shows all that we have.'), {});
  assert.deepEqual(read('Transparency: we publish who is on our board and how our foundation votes.'), {
    reserve_attestation_state: 'none',
  });
});
