import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PeerRow } from '../../domain/rating.ts';
import { loadMethodology } from '../../methodology/load.ts';
import { peersFor } from './panel.ts';

const rules = loadMethodology().vfr;

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const rows = fc.record({
  marketValueUsd: fc.constantFrom(null, 1, 2, 2, 3, rules.largestUsd),
  aliases: fc.array(names, { maxLength: 2 }),
  trust: fc.constantFrom(undefined, rules.minimumTrust, rules.minimumTrust - 1),
  class: fc.constantFrom(undefined, 'defi_gov' as const, 'stable_fiat' as const),
  category: fc.constantFrom('defi_protocol' as const, 'stablecoin' as const),
});

const panels = fc.array(rows, { maxLength: 12 }).map((all) =>
  all.map(({ trust, class: of, ...row }, index): PeerRow => {
    const optional = { ...(trust === undefined ? {} : { trust }), ...(of === undefined ? {} : { class: of }) };
    return { ...row, ...optional, assetId: `peer-${index}`, asOf: '2026-01-01T00:00:00.000Z', drivers: {} };
  }),
);

/** The definition: from the largest on, each peer of which no name was taken. */
function bySearch(own: readonly string[], panel: readonly PeerRow[]): readonly string[] {
  const taken = new Set(own);
  const sizeOf = ({ marketValueUsd: size }: PeerRow) => (size !== null && size < rules.largestUsd ? size : 0);
  const isCompared = (peer: PeerRow) =>
    (peer.class === undefined ? peer.category !== 'stablecoin' : rules.drivers[peer.class].length > 0) &&
    (peer.trust ?? rules.minimumTrust) >= rules.minimumTrust;
  return [...panel]
    .sort((a, b) => sizeOf(b) - sizeOf(a) || (a.assetId < b.assetId ? -1 : 1))
    .filter((peer) => {
      const called = [peer.assetId, ...(peer.aliases ?? [])];
      if (!isCompared(peer) || called.some((name) => taken.has(name))) return false;
      for (const name of called) taken.add(name);
      return true;
    })
    .map(({ assetId }) => assetId);
}

test('assets of one panel have the peers that each would have by itself', () => {
  fc.assert(
    fc.property(panels, fc.array(fc.array(names, { maxLength: 2 }), { maxLength: 4 }), (panel, subjects) => {
      for (const aliases of [...subjects, []])
        for (const assetId of ['other', 'peer-0']) {
          const found = peersFor({ assetId, aliases }, panel, rules).map((peer) => peer.assetId);
          assert.deepEqual(found, bySearch([assetId, ...aliases], panel));
        }
    }),
  );
});

test('a copy of an asset is its project once the larger one is the valued asset itself', () => {
  const row: PeerRow = {
    assetId: 'large',
    class: 'defi_gov',
    category: 'defi_protocol',
    asOf: '2026-01-01T00:00:00.000Z',
    marketValueUsd: 2,
    drivers: {},
    aliases: ['coingecko:one'],
  };
  const panel = [row, { ...row, assetId: 'small', marketValueUsd: 1 }];
  const idsFor = (assetId: string, aliases: readonly string[] = []) =>
    peersFor({ assetId, aliases }, panel, rules).map((peer) => peer.assetId);
  assert.deepEqual(idsFor('other'), ['large']);
  assert.deepEqual(idsFor('large'), ['small'], 'known under its own id only');
  assert.deepEqual(idsFor('other', ['coingecko:one']), []);
  assert.deepEqual(idsFor('small'), ['large']);
});
