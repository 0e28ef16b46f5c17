import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import { AS_OF, type Change, consensusOf, daysAgo, soundProtocol } from '../rating/fixtures/asset.ts';
import { rate } from '../rating/rate.ts';
import { peerOf } from './peers.ts';

const methodology = loadMethodology();

function entryOf(change: Change = {}) {
  const input = soundProtocol(change);
  const { identification, asOf, consensus, driverDays = [] } = input;
  const report = { evidence: { identification, asOf, driverDays }, consensus, rating: rate(input, methodology) };
  return peerOf(report, methodology.vfr);
}

test('a rating keeps its market value with scheduled unlocks, its drivers as medians, and its names', () => {
  const entry = entryOf({
    set: [consensusOf('unlock_next_12m_share', 0.25), consensusOf('price_usd', 10), consensusOf('tvl_usd', 9e9)],
    driverDays: [1, 2].map((days) => ({ day: daysAgo(days).slice(0, 10), readings: { tvl_usd: 3e8 } })),
  });
  assert.equal(entry?.peer.marketValueUsd, 10 * 80e6 * 1.25);
  assert.deepEqual([entry?.peer.drivers.tvl_usd, entry?.readings.tvl_usd], [3e8, 9e9]);
  assert.equal(entry?.peer.asOf, AS_OF);
  assert.ok((entry?.peer.trust ?? 0) > 40);
  assert.ok(entry?.peer.aliases?.includes('coingecko:holdfast'));
});

test('ratings unfit as peers are not kept: not rated, defaulted, honeypots, pegged, without a market value', () => {
  assert.notEqual(entryOf(), null);
  for (const change of [
    { identification: { match: 0.2 } },
    { set: [consensusOf('rug_executed', true)] },
    { set: [consensusOf('honeypot', true)] },
    { set: [consensusOf('peg_target_usd', 1), consensusOf('price_usd', 1)] },
    { without: ['circulating_supply', 'market_cap_usd'] },
    { set: [consensusOf('price_usd', 0)] },
  ] as const satisfies readonly Change[])
    assert.equal(entryOf(change), null, JSON.stringify(Object.keys(change)));
});

test('readings of little confidence are not kept', () => {
  assert.equal(entryOf({ set: [consensusOf('tvl_usd', 3e8, { confidence: 0.3 })] })?.peer.drivers.tvl_usd, undefined);
});

test('a dozen ratings make a panel that the next one is valued by', () => {
  const asset = (index: number): Change => ({
    asset: { id: `eip155:1/erc20:0x${index}`, address: `0x${index}` },
    identification: {
      keys: { ...soundProtocol().identification.keys, coingeckoId: `coin-${index}`, cmcId: `${index}` },
    },
    set: [
      consensusOf('price_usd', (1 + index) * (index % 2 ? 1.2 : 0.9)),
      consensusOf('fees_30d_usd', 3e5 * (1 + index)),
      consensusOf('tvl_usd', 3e7 * (1 + index) * (index % 3 ? 1 : 1.1)),
      consensusOf('active_addresses_24h', 400 * (1 + index)),
    ],
  });
  const panel = Array.from({ length: 12 }, (_, index) => entryOf(asset(index))?.peer ?? assert.fail('no row'));
  const { vfr } = rate(soundProtocol({ ...asset(12), peers: panel }), methodology);
  assert.equal(vfr.peers, 12);
  assert.ok(vfr.value !== null && vfr.value > 0.5 && vfr.value < 2, `${vfr.value} ${vfr.reason}`);
});
