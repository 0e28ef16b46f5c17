import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import { type Change, consensusOf, soundProtocol } from './fixtures/asset.ts';
import { rate } from './rate.ts';

const methodology = loadMethodology();
const rated = (change: Change) => rate(soundProtocol(change), methodology);

/** A stablecoin at this price, as far off one dollar as sources measure it. */
function stablecoin(price: number, ...others: Change['set'] & object) {
  const distance = Math.abs(price - 1);
  return rated({
    category: null,
    set: [
      consensusOf('price_usd', price, { families: ['alpha', 'beta', 'gamma'] }),
      consensusOf('peg_deviation_24h_held', distance),
      consensusOf('peg_deviation_90d_max', distance),
      ...others,
    ],
  });
}

const pegFlags = (rating: ReturnType<typeof rated>) =>
  rating.flags.map((flag) => flag.code).filter((code) => code.startsWith('DEPEG'));
const pegFeature = (rating: ReturnType<typeof rated>) =>
  rating.factors.flatMap((factor) => factor.features).find((feature) => feature.id === 'fu_peg');

test('a stablecoin of another currency is not off its peg for not being worth a dollar', () => {
  // Euros, Singapore dollars, yen.
  for (const price of [1.16, 0.74, 0.0066]) {
    const rating = stablecoin(price, consensusOf('categories', ['Stablecoins', 'EUR Stablecoin']));
    assert.equal(rating.category, 'stablecoin');
    assert.deepEqual(pegFlags(rating), []);
    assert.deepEqual(
      rating.caps.filter((cap) => cap.code.startsWith('DEPEG')),
      [],
    );
    assert.equal(rating.vfr.zone, 'INDETERMINATE');
    assert.match(rating.vfr.reason ?? '', /pegged to the dollar/);
    assert.equal(pegFeature(rating)?.status, 'unknown');
  }
});

test('a stablecoin that registries file among those of the dollar is measured by it, also while no other source states its peg', () => {
  const rating = stablecoin(0.93, consensusOf('categories', ['Stablecoins', 'USD Stablecoin']));
  assert.deepEqual(pegFlags(rating), ['DEPEG_SEVERE']);
  assert.equal(rating.vfr.zone, 'DEEP_DISCOUNT');
  assert.equal(pegFeature(rating)?.status, 'observed');
});

test('a stablecoin that gathers its yield in its price is not off its peg for being worth more than a dollar', () => {
  const words = consensusOf('categories', ['Stablecoins', 'USD Stablecoin', 'Yield-Bearing Stablecoins']);
  for (const rating of [stablecoin(1.21, words), stablecoin(1.21, words, consensusOf('peg_target_usd', 1))]) {
    assert.deepEqual(pegFlags(rating), []);
    assert.equal(rating.vfr.zone, 'INDETERMINATE');
  }
  const redeemed = stablecoin(
    1.21,
    words,
    consensusOf('redemption_value_usd', 1.21, { families: ['alpha', 'beta', 'gamma'] }),
  );
  assert.equal(redeemed.vfr.zone, 'FAIR');
});

test('a stablecoin by the request alone has no peg', () => {
  const rating = rated({ category: 'stablecoin', set: [consensusOf('price_usd', 0.5)], without: ['categories'] });
  assert.deepEqual(pegFlags(rating), []);
  assert.equal(rating.vfr.zone, 'INDETERMINATE');
});
