import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { QUANTITIES, type QuantityId } from '../domain/quantities.ts';
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
  file.weightTables.launch.MQ += 1;
  file.featureTables.claim.fu_claim = 0.85;
  file.classes.gaming.features.FU = 'record';
  assert.match(complaints(file).join(), /weights of launch sum to 101/);
  assert.match(complaints(file).join(), /feature weights of claim sum to 1.15/);
  assert.match(complaints(file).join(), /record of gaming is no table of FU/);
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

test('the 73 flags are numbered without holes and each cap names a flag that exists', () => {
  assert.deepEqual(
    methodology.flags.map((flag) => flag.number),
    Array.from({ length: 73 }, (_, i) => i + 1),
  );
  assert.equal(new Set(methodology.caps.map((cap) => cap.code)).size, methodology.caps.length);
});

test('the hash is that of the canonical file and does not change between loads', () => {
  assert.match(methodology.hash, /^[0-9a-f]{64}$/);
  assert.equal(loadMethodology().hash, methodology.hash);
  assert.equal(methodologyJson(), methodologyJson());
});
