import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadMethodology } from '../../methodology/load.ts';
import { type Change, consensusOf, soundProtocol } from '../fixtures/asset.ts';
import { rate } from '../rate.ts';

const methodology = loadMethodology();
type Said = ReturnType<typeof consensusOf>;
const rated = (...set: readonly Said[]) => rate(soundProtocol({ set } as Change), methodology);
const rateOf = (currency: string, usd: number) =>
  consensusOf('currency_usd', usd, { scope: `currency:${currency}`, confidence: 0.5 });
const euro = (price: number, ...others: readonly Said[]) =>
  rated(
    consensusOf('peg_currency', 'EUR'),
    consensusOf('peg_mechanism', 'fiat_backed'),
    consensusOf('price_usd', price),
    ...others,
  );
const gold = (price: number, ...others: readonly Said[]) =>
  rated(
    consensusOf('peg_currency', 'XAU'),
    consensusOf('categories', ['Tokenized Gold']),
    consensusOf('price_usd', price),
    ...others,
  );

test('a coin of another currency is compared with that currency by the rate of the day', () => {
  const found = euro(1.1481, rateOf('EUR', 1.15));
  assert.equal(found.category, 'stablecoin');
  assert.deepEqual([found.vfr.method, found.vfr.value, found.vfr.zone], ['peg', 0.9983, 'FAIR']);
  assert.match(found.vfr.notes.join(), /one EUR is taken for 1.15 USD/);
  assert.equal(euro(1.13, rateOf('EUR', 1.15)).vfr.zone, 'DISCOUNT');
  assert.match(euro(1.15).vfr.reason ?? '', /no source has a rate of the currency of its peg \(EUR\)/);
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 5, noNaN: true }),
      fc.double({ min: 0.9, max: 1.1, noNaN: true }),
      (usd, ratio) => {
        const { vfr } = euro(usd * ratio, rateOf('EUR', usd));
        assert.ok(Math.abs((vfr.value ?? 0) - ratio) < 1e-3, 'whatever the currency is worth');
      },
    ),
    { numRuns: 50 },
  );
});

test('gold is compared with an ounce; without an ounce, or a price of the metal, there is no value', () => {
  const found = gold(4_012, rateOf('XAU', 4_000));
  assert.equal(found.class, 'commodity');
  assert.deepEqual([found.vfr.value, found.vfr.zone, found.vfr.method], [1.003, 'FAIR', 'peg']);
  assert.match(gold(130, rateOf('XAU', 4_000)).vfr.reason ?? '', /no ounce/);
  assert.match(gold(4_012).vfr.reason ?? '', /no source has a price of the metal \(XAU\)/);
});

test('a coin of another currency that lost its peg is in default by that currency, and never for the currency’s exchange rate', () => {
  const lost = [consensusOf('peg_deviation_24h_held', 0.6), consensusOf('depeg_aged_sum', 0.6)];
  assert.equal(euro(0.46, rateOf('EUR', 1.15), ...lost).band, 'D');
  assert.notEqual(euro(0.46, ...lost).band, 'D', 'without a rate nobody knows');
  const yen = [consensusOf('peg_currency', 'JPY'), consensusOf('peg_mechanism', 'fiat_backed'), rateOf('JPY', 0.0069)];
  assert.notEqual(rated(...yen, consensusOf('price_usd', 0.0069), ...lost).band, 'D');
});
