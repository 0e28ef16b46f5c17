import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { QUANTITIES, type QuantityId } from '../domain/quantities.ts';
import { FACTOR_CODES } from '../domain/rating.ts';
import { categoryOf } from './category.ts';
import { complaints } from './complaints.ts';
import { loadMethodology, methodologyJson } from './load.ts';
import { bandOf, pointsOf } from './scales.ts';
import type { FeatureDefinition } from './schema.ts';

const methodology = loadMethodology();
const golden: Record<string, [number, number][]> = JSON.parse(
  readFileSync(new URL('./fixtures/value-functions.json', import.meta.url), 'utf8'),
);
const curves = methodology.features.filter((feature) => feature.scale !== 'state');

function featureOf(id: string): FeatureDefinition {
  const found = methodology.features.find((feature) => feature.id === id);
  assert.ok(found, id);
  return found;
}

function points(feature: FeatureDefinition, raw: number): number {
  const found = pointsOf(feature, raw);
  assert.ok(found !== null, `${feature.id} at ${raw}`);
  return found;
}

test('every value function gives the numbers of the reference arithmetic', () => {
  for (const [id, rows] of Object.entries(golden))
    for (const [raw, expected] of rows)
      assert.ok(Math.abs(points(featureOf(id), raw) - expected) < 1e-6, `${id} at ${raw}`);
});

test('value functions are bounded, and monotone in the direction of their first and last anchor', () => {
  const raw = fc.double({ min: 0, max: 1e10, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...curves), raw, raw, (feature, x, y) => {
      const low = points(feature, Math.min(x, y));
      const high = points(feature, Math.max(x, y));
      const falling =
        feature.scale !== 'logistic' && (feature.anchors[0]?.[1] ?? 0) > (feature.anchors.at(-1)?.[1] ?? 0);
      assert.ok(low >= 0 && low <= 100 && high >= 0 && high <= 100);
      assert.ok(falling ? high <= low + 1e-9 : high >= low - 1e-9, `${feature.id} ${x} ${y}`);
    }),
  );
});

test('a value function meets its anchors and does not jump at them', () => {
  for (const feature of curves.filter((row) => row.scale !== 'logistic'))
    for (const [x, expected] of feature.anchors) {
      assert.ok(Math.abs(points(feature, x) - expected) < 1e-9, `${feature.id} at ${x}`);
      for (const near of [x * (1 - 1e-9), x * (1 + 1e-9)])
        assert.ok(Math.abs(points(feature, near) - expected) < 1e-4, `${feature.id} beside ${x}`);
    }
});

test('the file holds together: sums, order of anchors, references', () => {
  assert.deepEqual(complaints(JSON.parse(methodologyJson())), []);
});

test('a file with a wrong sum or an unknown field is refused', () => {
  const file = JSON.parse(methodologyJson());
  assert.notDeepEqual(complaints({ ...file, surplus: 1 }), []);
  file.categories.default.weights.MQ += 1;
  assert.match(complaints(file).join(), /weights of default sum to 101/);
});

test('factor weights of a category sum to 100, feature weights of a factor to 1', () => {
  for (const [name, category] of Object.entries(methodology.categories)) {
    assert.equal(
      FACTOR_CODES.reduce((sum, code) => sum + category.weights[code], 0),
      100,
      name,
    );
    for (const code of FACTOR_CODES) {
      const sum = methodology.features
        .filter((feature) => feature.factor === code)
        .reduce((total, feature) => total + (feature.weight[name as 'default'] ?? feature.weight['*'] ?? 0), 0);
      assert.ok(Math.abs(sum - 1) < 1e-9, `${name} ${code} ${sum}`);
    }
  }
});

test('every quantity has a class, and every class is used or chosen by rule', () => {
  const { classes, classOf } = methodology.consensus;
  for (const quantity of Object.keys(QUANTITIES) as QuantityId[]) assert.ok(classes[classOf[quantity]], quantity);
  assert.deepEqual(Object.keys(classOf).sort(), Object.keys(QUANTITIES).sort());
  const used = new Set([...Object.values(classOf), 'price_liquid']);
  assert.deepEqual(
    Object.keys(classes).filter((name) => !used.has(name)),
    [],
  );
});

test('every score has exactly one band, and D never comes from a score', () => {
  const cut = (score: number) =>
    methodology.bands.filter(
      ({ band, from }, i, rows) => band !== 'D' && score >= from && score < (rows[i - 1]?.from ?? 101),
    );
  for (let tenth = 50; tenth <= 1000; tenth += 1) {
    const score = tenth / 10;
    assert.deepEqual(
      cut(score).map((row) => row.band),
      [bandOf(score, methodology)],
      String(score),
    );
  }
  assert.equal(bandOf(81.94, methodology), 'A');
  assert.equal(bandOf(81.96, methodology), 'AA');
  assert.equal(bandOf(0, methodology), 'C');
});

test('the 71 flags are numbered without holes and each cap names a flag that exists', () => {
  assert.deepEqual(
    methodology.flags.map((flag) => flag.number),
    Array.from({ length: 71 }, (_, i) => i + 1),
  );
  assert.equal(new Set(methodology.caps.map((cap) => cap.code)).size, methodology.caps.length);
});

test('the hash is that of the canonical file and does not change between loads', () => {
  assert.match(methodology.hash, /^[0-9a-f]{64}$/);
  assert.equal(loadMethodology().hash, methodology.hash);
  assert.equal(methodologyJson(), methodologyJson());
});

test('free text finds its category, the more specific one first, and unknown words none', () => {
  const of = (...words: string[]) => categoryOf(words, null, methodology).category;
  assert.equal(of('Yield-bearing stablecoin'), 'stablecoin');
  assert.equal(of('AI Meme'), 'memecoin');
  assert.equal(of('Smart Contract Platform'), 'l1_l2');
  assert.equal(of('governance'), 'default');
  assert.equal(categoryOf([], 'lending', methodology).category, 'defi_protocol');
});

test('a token is not what its protocol issues, nor the chain it lives on', () => {
  const of = (...words: string[]) => categoryOf(words, null, methodology).category;
  // As CoinGecko files AAVE, LDO, QI, EIGEN and a token of no other kind on BNB Chain.
  assert.equal(of('Decentralized Finance (DeFi)', 'Lending/Borrowing Protocols', 'Stablecoin Issuer'), 'defi_protocol');
  assert.equal(of('Liquid Staking Governance Tokens', 'Liquid Staking', 'Ethereum Ecosystem'), 'defi_protocol');
  assert.equal(of('Yield Farming', 'Liquid Staking Governance Tokens', 'Liquid Staking'), 'defi_protocol');
  assert.equal(of('Liquid Staking', 'Decentralized Finance (DeFi)'), 'defi_protocol');
  assert.equal(of('Decentralized Stablecoin', 'Decentralized Finance (DeFi)'), 'defi_protocol');
  assert.equal(of('Restaking', 'Infrastructure'), 'default');
  assert.equal(of('BNB Chain Ecosystem', 'Alameda Research Portfolio', 'FTX Holdings'), 'default');
  // What is issued is what it is, whatever else is said of who issues it.
  assert.equal(of('Stablecoins', 'USD Stablecoin', 'Stablecoin Issuer'), 'stablecoin');
  assert.equal(of('Liquid Staking Tokens', 'Liquid Staked ETH'), 'lst_wrapped');
  assert.equal(of('Liquid Restaking Tokens', 'Restaking'), 'lst_wrapped');
  assert.equal(of('Tokenized BTC', 'Solana Ecosystem'), 'lst_wrapped');
  assert.equal(of('Wrapped-Tokens', 'Arbitrum Ecosystem'), 'lst_wrapped');
  assert.equal(of('Layer 1 (L1)', 'BNB Chain Ecosystem'), 'l1_l2');
  assert.equal(of('Governance', 'Meme'), 'memecoin');
});

test('a theme that many share says what an asset is only where nothing else does', () => {
  const of = (...words: string[]) => categoryOf(words, null, methodology).category;
  // As CAKE, BNB and NEAR are filed.
  assert.equal(of('Decentralized Exchange (DEX)', 'Exchange-based Tokens', 'BNB Chain Ecosystem'), 'defi_protocol');
  assert.equal(of('Layer 1 (L1)', 'Exchange-based Tokens', 'Centralized Exchange (CEX) Token'), 'exchange_token');
  assert.equal(of('Exchange-based Tokens'), 'exchange_token');
  assert.equal(of('Liquid Staking'), 'lst_wrapped');
  assert.equal(of('Blockchain Service', 'Artificial Intelligence (AI)'), 'gaming_ai');
  assert.equal(of('Chain'), 'l1_l2');
  assert.equal(of('Artificial Intelligence (AI)', 'Layer 1 (L1)', 'Smart Contract Platform'), 'l1_l2');
  assert.equal(of('Real World Assets (RWA)', 'Smart Contract Platform'), 'l1_l2');
  assert.equal(of('Real World Assets (RWA)', 'Decentralized Finance (DeFi)'), 'defi_protocol');
  assert.equal(of('Real World Assets (RWA)', 'Tokenized Treasury Bills (T-Bills)'), 'rwa');
  assert.equal(of('Real World Assets (RWA)'), 'rwa');
  assert.equal(of('Artificial Intelligence (AI)'), 'gaming_ai');
});
