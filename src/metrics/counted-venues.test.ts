import assert from 'node:assert/strict';
import { test } from 'node:test';
import kept from '../../registers/counted-exchanges.json' with { type: 'json' };
import { EXCHANGES } from '../domain/venues.ts';
import { loadMethodology } from '../methodology/load.ts';
import { consensusOf, inputOf, pool } from '../rating/fixtures/asset.ts';
import { countedVenues, effectiveVenues, gradedVolumeShare, venuesOf, type WashEstimate } from './venues.ts';

type Rows = Parameters<typeof inputOf>[0];
const venuesIn = (...rows: Rows) => venuesOf(inputOf(rows).consensus);
const market = (exchange: string, volume: number) =>
  consensusOf('venue_volume_24h_usd', volume, { scope: `venue:${exchange}:TIDE-USDT` });
const washed = (share: number): WashEstimate => ({ share, confidence: 0.5, support: [], method: 'test' });
const near = (got: number | null | undefined, want: number) =>
  assert.ok(Math.abs((got ?? -1) - want) < 1e-12, `${got}`);
const COUNTED = new Set(['kraken', 'binance']);

test('volume counts on counted exchanges, in pools less what is wash trading, and nowhere else', () => {
  const venues = venuesIn(
    market('kraken', 300),
    market('lbank', 500),
    market('unlisted.neverheard', 100),
    ...pool('pool:a', { liquidity: 1e6, price: 1, volume: 100 }),
  );
  const found = gradedVolumeShare(venues, COUNTED, washed(0.25));
  near(found?.share, 0.375);
  near(found?.dexShare, 0.2);
  assert.equal(found?.volumeUsd, 375);
  near(gradedVolumeShare(venues, COUNTED, null)?.share, 0.4);
});

test('volume that an uncounted exchange makes up lowers the share and leaves DEX share and venues as they are', () => {
  const honest = [market('kraken', 100), ...pool('pool:a', { liquidity: 1e6, price: 1, volume: 100 })];
  const [before, after] = [venuesIn(...honest), venuesIn(...honest, market('lbank', 1e9))];
  near(gradedVolumeShare(before, COUNTED, null)?.dexShare, 0.5);
  near(gradedVolumeShare(after, COUNTED, null)?.dexShare, 0.5);
  assert.ok((gradedVolumeShare(after, COUNTED, null)?.share ?? 1) < 1e-6);
  assert.equal(effectiveVenues(countedVenues(before, COUNTED))?.count, 2);
  assert.equal(effectiveVenues(countedVenues(after, COUNTED))?.count, 2);
});

test('without volume nothing is known; with volume that does not count, the share is nothing and not unknown', () => {
  assert.equal(gradedVolumeShare(venuesIn(market('kraken', 0)), COUNTED, null), null);
  assert.deepEqual(
    [market('lbank', 10)]
      .map((row) => gradedVolumeShare(venuesIn(row), COUNTED, null))
      .map((row) => [row?.share, row?.dexShare]),
    [[0, null]],
  );
});

test('an exchange is counted with two lists behind it, and each row is an exchange of the table with dated sources', () => {
  const counted = kept.exchanges.filter(({ lists }) => lists.length >= kept.least).map(({ exchange }) => exchange);
  assert.deepEqual(loadMethodology().metrics.countedExchanges.toSorted(), counted.toSorted(), 'one list is not enough');
  const ids = new Set(EXCHANGES.map((row) => row.id));
  for (const { exchange, lists } of kept.exchanges) {
    assert.ok(ids.has(exchange), exchange);
    assert.equal(new Set(lists.map(({ list }) => list)).size, lists.length, `${exchange}: a list counts once`);
    for (const { date, source } of lists) assert.match(`${date} ${source}`, /^\d{4}-\d{2}(-\d{2})? https:\/\//);
  }
});
