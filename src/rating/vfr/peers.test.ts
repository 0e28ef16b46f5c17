import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PeerRow } from '../../domain/rating.ts';
import { loadMethodology } from '../../methodology/load.ts';
import { againstPeers } from './vfr.ts';

const rules = loadMethodology().vfr;

/** Standard normal numbers, the same ones for a seed (Box-Muller over a linear congruence). */
function normals(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state + 0.5) / 2_147_483_648;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Peers whose value follows from their drivers, but for noise of the given standard deviation. */
function world(count: number, seed: number, noise: number): readonly PeerRow[] {
  const normal = normals(seed);
  return Array.from({ length: count }, (_, index) => {
    const [tvl, fees] = [18 + 2 * normal(), 14 + 2 * normal()];
    return {
      assetId: `peer-${index}`,
      category: 'defi_protocol',
      asOf: '2026-01-01T00:00:00.000Z',
      marketValueUsd: Math.exp(4 + 0.5 * tvl + 0.4 * fees + noise * normal()),
      drivers: { tvl_usd: Math.exp(tvl), fees_30d_usd: Math.exp(fees) },
    };
  });
}

function valued(peer: PeerRow, panel: readonly PeerRow[]) {
  const value = peer.marketValueUsd ?? 0;
  return againstPeers(
    {
      assetId: peer.assetId,
      aliases: [],
      class: 'defi_gov',
      category: peer.category,
      marketValue: { circulating: value, diluted: value, full: null },
      drivers: (['tvl_usd', 'fees_30d_usd'] as const).map((quantity) => ({
        quantity,
        value: peer.drivers[quantity] ?? 0,
        confidence: 1,
        days: 30,
        isWeak: false,
      })),
    },
    panel,
    rules,
  );
}

function times(peer: PeerRow, value: number, driver: number): PeerRow {
  return {
    ...peer,
    marketValueUsd: value * (peer.marketValueUsd ?? 0),
    drivers: {
      tvl_usd: driver * (peer.drivers.tvl_usd ?? 0),
      fees_30d_usd: driver * (peer.drivers.fees_30d_usd ?? 0),
    },
  };
}

test('before its widening the 80 % interval holds 75 to 88 % of assets that are valued by all others; it is published wider', () => {
  const rows = [1, 2, 3, 4].flatMap((seed) => {
    const panel = world(60, seed, 0.8);
    return panel.map((peer) => valued(peer, panel));
  });
  const { intervalZ, clusterWidening } = rules;
  // Four digits are published of z: an end of the interval may be off by one of the last.
  const held = rows.filter(({ z }) => z !== null && Math.abs(z) <= intervalZ + 0.001).length / rows.length;
  assert.ok(held >= 0.75 && held <= 0.88, `${held}`);
  for (const { interval, value, sd } of rows) {
    if (interval === null || value === null || sd === null) continue;
    const half = Math.log(interval[1] / interval[0]) / 2;
    assert.ok(Math.abs(half / (intervalZ * clusterWidening * sd) - 1) < 0.002, `${half} of ${sd}`);
  }
});

test('the order of the panel changes no byte', () => {
  const panel = world(30, 5, 0.6);
  const [asset] = panel as [PeerRow];
  const base = valued(asset, panel);
  fc.assert(
    fc.property(fc.shuffledSubarray([...panel], { minLength: 30, maxLength: 30 }), (shuffled) => {
      assert.deepEqual(valued(asset, shuffled), base);
    }),
    { numRuns: 30 },
  );
});

test('five hostile peers among forty are not read, or move the ratio by less than half its standard deviation', () => {
  const amount = fc.constantFrom(0, -5, Number.NaN, Number.POSITIVE_INFINITY, 1e-300, 1e-9, 1e17, 1e300);
  const hostile = fc.array(fc.record({ value: amount, tvl: amount, fees: amount }), { minLength: 1, maxLength: 5 });
  const panel = world(40, 7, 0.6);
  const [asset] = panel as [PeerRow];
  const base = valued(asset, panel);
  const most = (base.sd ?? 0) / 2;
  fc.assert(
    fc.property(hostile, (rows) => {
      const added = rows.map(({ value, tvl, fees }, index) => ({
        ...asset,
        assetId: `hostile-${index}`,
        marketValueUsd: value,
        drivers: { tvl_usd: tvl, fees_30d_usd: fees },
      }));
      const found = valued(asset, [...panel, ...added]);
      assert.ok(found.value !== null && found.interval?.every(Number.isFinite), JSON.stringify(found));
      assert.ok(Math.abs(Math.log((found.value ?? 1) / (base.value ?? 1))) < most, `${found.value} for ${base.value}`);
    }),
  );
});

test('a currency leaves ratio, interval and zone; only the fair value is in it', () => {
  const panel = world(30, 9, 0.6);
  const [asset] = panel as [PeerRow];
  const base = valued(asset, panel);
  const isSame = (a: number | null, b: number | null) => Math.abs((a ?? 0) / (b ?? 1) - 1) < 2e-3;
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e4, noNaN: true }), (k) => {
      const found = valued(
        times(asset, k, k),
        panel.map((peer) => times(peer, k, k)),
      );
      assert.ok(isSame(found.value, base.value) && isSame(found.sd, base.sd));
      assert.ok(isSame(found.fairValueUsd, k * (base.fairValueUsd ?? 0)));
      assert.equal(found.zone, base.zone);
    }),
  );
});

test('at a higher price the ratio is higher, with more behind it lower', () => {
  const panel = world(30, 11, 0.6);
  const [asset] = panel as [PeerRow];
  const at = (value: number, driver: number) => valued(times(asset, value, driver), panel);
  const [value, z] = [at(1, 1).value ?? 0, at(1, 1).z ?? 0];
  fc.assert(
    fc.property(fc.double({ min: 1.01, max: 1e3, noNaN: true }), (k) => {
      assert.ok((at(k, 1).value ?? 0) > value && (at(1, k).value ?? 0) < value);
      assert.ok((at(k, 1).z ?? 0) >= z, 'also in units of a spread that its own error is part of');
    }),
  );
});

test('without explanatory drivers there is no value', () => {
  const panel = world(40, 13, 0.6);
  const mixed = panel.map((peer, index) => ({
    ...peer,
    marketValueUsd: panel[(index * 17 + 5) % 40]?.marketValueUsd ?? 1,
  }));
  const [asset] = mixed as [PeerRow];
  assert.match(valued(asset, mixed).reason ?? '', /explain too little/);
});
