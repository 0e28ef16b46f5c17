import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { consensusKey } from '../domain/consensus.ts';
import type { Observation } from '../domain/observation.ts';
import type { QuantityId } from '../domain/quantities.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import { agree } from './agree.ts';

const methodology = loadMethodology();
const asOf = '2026-01-01T12:00:00.000Z';

function said(
  family: string,
  value: Observation['value'],
  change: Partial<Observation> & { ageSeconds?: number } = {},
): Observation {
  const { ageSeconds = 0, ...rest } = change;
  const observedAt = new Date(Date.parse(asOf) - ageSeconds * 1000).toISOString();
  return {
    quantity: 'price_usd',
    scope: 'asset',
    value,
    unit: 'usd',
    meaning: '',
    source: family,
    endpoint: 'e',
    family,
    tier: 'aggregator',
    observedAt,
    fetchedAt: asOf,
    reliability: 1,
    binding: 1,
    responseId: `${family}#1`,
    ...rest,
  };
}

function about(quantity: QuantityId, ...rows: Observation[]) {
  const found = agree(
    rows.map((row) => ({ ...row, quantity })),
    methodology,
    asOf,
  )[consensusKey(quantity)];
  assert.ok(found);
  return found;
}

test('the reference example gives the printed digits', () => {
  // Families and correlations of the reference arithmetic; the price there is judged as liquid.
  const reference: Methodology = {
    ...methodology,
    consensus: {
      ...methodology.consensus,
      liquidDepthUsd: -1,
      correlations: [
        { families: ['cg', 'cmc'], rho: 0.6 },
        { families: ['cg', 'gt'], rho: 0.4 },
      ],
    },
  };
  const rows = [
    said('cg', 313.22, { source: 'coingecko', ageSeconds: 60, reliability: 0.9 }),
    said('cmc', 313.9, { ageSeconds: 90, reliability: 0.9 }),
    said('cg', 313.22, { source: 'defillama', ageSeconds: 200, reliability: 0.8 }),
    said('dex', 312.6, { ageSeconds: 15 }),
    said('cex', 313.4, { ageSeconds: 5 }),
    said('bad', 313_220, { ageSeconds: 30, reliability: 0.6, binding: 0.7 }),
  ];
  const found = agree(rows, reference, asOf).price_usd;
  assert.ok(found);
  const bad = found.voices.find((voice) => voice.family === 'bad');
  assert.equal(Number(found.value).toFixed(2), '313.22');
  assert.equal(found.effectiveFamilies.toFixed(5), '2.26551');
  assert.equal(found.dispersion.toFixed(5), '0.00085');
  assert.equal(Math.log(Number(found.high) / Number(found.value)).toFixed(5), '0.00443');
  assert.equal(bad?.z?.toFixed(1), '1381.4');
  assert.equal(bad?.unitPower, 3);
  assert.equal(bad?.reason, 'unit_mismatch');
  assert.equal(found.parts.independence.toFixed(5), '0.79202');
  assert.equal(found.parts.agreement.toFixed(5), '0.89561');
  assert.equal(found.parts.freshness.toFixed(5), '0.91844');
  assert.equal(found.confidence.toFixed(4), '0.6798');
  assert.equal(found.voices.find((voice) => voice.source === 'defillama')?.reason, 'same_family');
});

test('a source a thousand times too high does not move the value', () => {
  const honest = ['a', 'b', 'c'].map((family, i) => said(family, 100 + i));
  const before = about('price_usd', ...honest);
  for (const k of [-9, -6, -3, -2, 2, 3, 6, 9, 12]) {
    const after = about('price_usd', ...honest, said('liar', 100 * 10 ** k));
    assert.ok(Math.abs(Math.log(Number(after.value) / Number(before.value))) < 0.03, String(k));
    assert.ok(after.confidence < before.confidence, String(k));
    assert.equal(after.voices.find((voice) => voice.family === 'liar')?.unitPower, k);
  }
});

test('two families that disagree are a dispute, and the nearer one is taken', () => {
  const found = about('price_usd', said('chain:main', 1, { tier: 'chain' }), said('b', 2));
  assert.equal(found.status, 'disputed');
  assert.ok(Math.abs(Number(found.value) - 1) < 1e-9);
  assert.ok(found.confidence <= 0.35);
  assert.equal(found.voices.find((voice) => voice.family === 'b')?.reason, 'lower_tier_in_dispute');
});

test('none, one and two observations have their own status', () => {
  assert.deepEqual(agree([], methodology, asOf), {});
  assert.equal(about('price_usd', said('a', 1)).status, 'single_source');
  assert.ok(about('price_usd', said('a', 1)).confidence <= 0.5);
  assert.equal(about('price_usd', said('a', 1), said('b', 1)).status, 'agreed');
  assert.equal(about('price_usd', said('a', 1, { ageSeconds: 1e6 })).status, 'missing');
});

test('two operators that read the chain have more weight than one, and more than a single registry', () => {
  const one = about('total_supply', said('chain:main', 1e9, { tier: 'chain' }));
  const two = about(
    'total_supply',
    said('chain:main', 1e9, { tier: 'chain' }),
    said('chain:second', 1e9, { tier: 'chain' }),
  );
  assert.equal(one.parts.independence, 0.85);
  assert.equal(two.parts.independence, 0.94);
  assert.ok(two.confidence > one.confidence && one.confidence > 0.5);
});

test('absence and presence are decided by vote', () => {
  assert.equal(about('volume_24h_usd', said('a', 0), said('b', 0), said('c', 5_000)).value, 0);
  const found = about('volume_24h_usd', said('a', 0), said('b', 5_000), said('c', 5_100));
  assert.ok(Number(found.value) > 4_000);
});

test('a loosely bound number does not vote', () => {
  const found = about('price_usd', said('a', 10), said('b', 10.1), said('c', 900, { binding: 0.1 }));
  assert.equal(found.voices.find((voice) => voice.family === 'c')?.reason, 'weak_binding');
  assert.equal(found.families, 2);
});

test('votes: the heavier side wins, the other stays visible; a chain read cannot be outvoted by scanners', () => {
  const scanners = about('honeypot', said('a', true), said('b', true), said('c', false));
  assert.equal(scanners.value, true);
  assert.equal(scanners.voices.find((voice) => voice.family === 'c')?.accepted, false);
  const chain = about(
    'mint_authority_state',
    said('chain:main', 'none', { tier: 'chain' }),
    said('a', 'eoa'),
    said('b', 'eoa'),
  );
  assert.equal(chain.value, 'none');
});

test('the earliest credible date counts, and for newest dates the latest', () => {
  const rows = [said('a', '2024-05-01T00:00:00Z'), said('b', '2023-01-01T00:00:00Z'), said('c', 'soon')];
  assert.equal(about('first_trade_at', ...rows).value, '2023-01-01T00:00:00.000Z');
  assert.equal(about('last_commit_at', ...rows).value, '2024-05-01T00:00:00.000Z');
});

test('a failing identity lowers the weaker member and is named', () => {
  const rows = [
    ...['a', 'b', 'c'].map((family) => said(family, 2)),
    ...['a', 'b', 'c'].map((family) => said(family, 1e6, { quantity: 'circulating_supply' })),
    said('a', 9e6, { quantity: 'market_cap_usd' }),
  ];
  const set = agree(rows, methodology, asOf);
  assert.deepEqual(set.market_cap_usd?.failedIdentities, ['mcap_price_circulating']);
});

const price = fc.double({ min: 1e-9, max: 1e9, noNaN: true });
const voices = fc.array(
  fc.record({
    family: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    value: price,
    age: fc.integer({ min: 0, max: 20_000 }),
    reliability: fc.double({ min: 0.1, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 9 },
);
const toRows = (rows: readonly { family: string; value: number; age: number; reliability: number }[]) =>
  rows.map((row, i) =>
    said(row.family, row.value, { ageSeconds: row.age, reliability: row.reliability, source: `${row.family}${i}` }),
  );

test('the order of observations does not matter', () => {
  fc.assert(
    fc.property(voices, fc.infiniteStream(fc.nat()), (rows, random) => {
      const given = toRows(rows);
      const shuffled = given
        .map((row) => ({ row, at: random.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ row }) => row);
      assert.deepEqual(agree(shuffled, methodology, asOf), agree(given, methodology, asOf));
    }),
  );
});

test('all values times k give the value times k with the same confidence', () => {
  fc.assert(
    fc.property(voices, fc.double({ min: 0.01, max: 100, noNaN: true }), (rows, k) => {
      const a = agree(toRows(rows), methodology, asOf).price_usd;
      const b = agree(toRows(rows.map((row) => ({ ...row, value: row.value * k }))), methodology, asOf).price_usd;
      if (a?.value === null || b?.value === null) return assert.equal(a?.value, b?.value);
      assert.ok(Math.abs(Number(b?.value) / (Number(a?.value) * k) - 1) < 1e-6);
      assert.ok(Math.abs((a?.confidence ?? 0) - (b?.confidence ?? 0)) < 1e-6);
    }),
  );
});

test('repeating a source changes nothing', () => {
  fc.assert(
    fc.property(voices, fc.integer({ min: 1, max: 5 }), (rows, times) => {
      const given = toRows(rows);
      const [first] = given;
      if (!first) return;
      const repeated = [...given, ...Array.from({ length: times }, (_, i) => ({ ...first, responseId: `again${i}` }))];
      const a = agree(given, methodology, asOf).price_usd;
      const b = agree(repeated, methodology, asOf).price_usd;
      assert.equal(a?.value, b?.value);
      assert.equal(a?.confidence, b?.confidence);
    }),
  );
});

test('one observation moved to infinity moves the value by at most one order statistic', () => {
  fc.assert(
    fc.property(fc.uniqueArray(price, { minLength: 3, maxLength: 6 }), (values) => {
      const rows = values.map((value, i) => said(`f${i}`, value));
      const sorted = [...values].sort((a, b) => a - b);
      const wild = rows.map((row, i) => (i === 0 ? { ...row, value: 1e14 } : row));
      const after = Number(agree(wild, methodology, asOf).price_usd?.value);
      assert.ok(after <= (sorted.at(-1) ?? 0) * (1 + 1e-9) || values.length < 3, `${after} within the others`);
    }),
  );
});

test('older evidence never raises confidence, and a lost source never does', () => {
  const rows = ['a', 'b', 'c', 'd'].map((family, i) => said(family, 100 + i * 0.2));
  const fresh = about('price_usd', ...rows).confidence;
  const aged = about(
    'price_usd',
    ...rows.map((row) => ({ ...row, observedAt: new Date(Date.parse(row.observedAt) - 900_000).toISOString() })),
  ).confidence;
  const fewer = about('price_usd', ...rows.slice(1)).confidence;
  assert.ok(aged < fresh && fewer < fresh);
});
