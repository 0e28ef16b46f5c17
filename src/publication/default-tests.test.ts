import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConsensusSet } from '../domain/consensus.ts';
import type { DayPoint, DefaultTest } from '../domain/published.ts';
import type { Category, Flag } from '../domain/rating.ts';
import { loadMethodology } from '../methodology/load.ts';
import { seeDefaults } from './default-tests.ts';

const rules = loadMethodology().publication;
const AS_OF = '2026-06-01T00:00:00.000Z';
const PEAK: readonly DayPoint[] = [{ day: '2026-05-01', score: 60, priceUsd: 10, liquidityUsd: 500_000 }];

interface Scene {
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly confidence?: number;
  readonly flags?: readonly Partial<Flag>[];
  readonly category?: Category;
  readonly days?: readonly DayPoint[];
}

function seen({ facts = {}, confidence = 0.9, flags = [], category = 'default', days = PEAK }: Scene, key: string) {
  const consensus = Object.fromEntries(
    Object.entries(facts).map(([quantity, value]) => [quantity, { quantity, value, confidence }]),
  ) as unknown as ConsensusSet;
  const sights = seeDefaults({ consensus, flags: flags as readonly Flag[], category, days, asOf: AS_OF }, rules);
  return sights.find((sight) => sight.key === key)?.holds;
}

const exploit = { code: 'EXPLOIT_UNRESOLVED', confidence: 0.9, value: 60 };
const rug = { code: 'RUG_EXECUTED', confidence: 0.9 };

/** What is true, what is not, at the very limits; a table of methodology 4.4. */
const CASES: readonly (readonly [DefaultTest['code'] | 'D5 suspended', Scene, boolean | null | undefined])[] = [
  ['D1', { facts: { price_usd: 1, liquidity_dex_usd: 4_999 } }, true],
  ['D1', { facts: { price_usd: 1, liquidity_dex_usd: 5_000 } }, false],
  ['D1', { facts: { price_usd: 1.01, liquidity_dex_usd: 100 } }, false],
  ['D1', { facts: { price_usd: 1 } }, null],
  ['D1', { facts: { price_usd: 1, liquidity_dex_usd: 100 }, confidence: 0.59 }, null],
  ['D1', { facts: { price_usd: 1, liquidity_dex_usd: 100 }, confidence: 0.61 }, true],
  ['D2', { flags: [exploit], facts: { tvl_peak_usd: 100, tvl_usd: 40 } }, true],
  ['D2', { flags: [exploit], facts: { tvl_peak_usd: 100, tvl_usd: 50 } }, false],
  ['D2', { flags: [{ ...exploit, value: 49 }], facts: { tvl_peak_usd: 100, tvl_usd: 40 } }, false],
  ['D2', { flags: [exploit] }, null],
  ['D2', { flags: [{ ...exploit, confidence: 0.5 }], facts: { tvl_peak_usd: 100, tvl_usd: 40 } }, null],
  [
    'D2',
    {
      flags: [{ ...exploit, code: 'EXPLOIT_RECENT', confidence: 0.5 }, exploit],
      facts: { tvl_peak_usd: 100, tvl_usd: 40 },
    },
    true,
  ],
  ['D2', { facts: { incidents: [] } }, false],
  ['D3', { facts: { volume_24h_cex_usd: 10_000, liquidity_dex_usd: 1_000 } }, true],
  ['D3', { facts: { volume_24h_cex_usd: 10_001, liquidity_dex_usd: 1_000 } }, false],
  ['D3', { facts: { volume_24h_cex_usd: 0, liquidity_dex_usd: 1_001 } }, false],
  ['D3', { facts: { liquidity_dex_usd: 0 } }, null],
  ['D4', { facts: { volume_24h_usd: 0 } }, true],
  ['D4', { facts: { volume_24h_usd: 0.01 } }, false],
  ['D4', {}, null],
  ['D5', { category: 'stablecoin', facts: { price_usd: 0.79, peg_target_usd: 1 } }, true],
  ['D5', { category: 'stablecoin', facts: { price_usd: 0.8, peg_target_usd: 1 } }, false],
  ['D5', { category: 'memecoin', facts: { price_usd: 0.1, peg_target_usd: 1 } }, undefined],
  [
    'D5 suspended',
    { category: 'stablecoin', facts: { price_usd: 0.94, peg_target_usd: 1, redemption_route_state: 'none' } },
    true,
  ],
  [
    'D5 suspended',
    { category: 'stablecoin', facts: { price_usd: 0.94, peg_target_usd: 1, redemption_route_state: 'open' } },
    false,
  ],
  ['D6', { flags: [rug] }, true],
  ['D6', { flags: [{ ...rug, confidence: 0.69 }] }, false],
  ['D7', { category: 'lst_wrapped', facts: { price_usd: 79, redemption_value_usd: 100 } }, true],
  ['D7', { category: 'lst_wrapped', facts: { price_usd: 80, redemption_value_usd: 100 } }, false],
];

for (const [key, scene, expected] of CASES)
  test(`${key}: ${JSON.stringify(scene)} is ${expected}`, () => assert.equal(seen(scene, key), expected));

test('a peak older than ninety days is forgotten', () => {
  const days = [{ day: '2026-02-01', score: 60, priceUsd: 10, liquidityUsd: 500_000 }];
  assert.equal(seen({ days, facts: { price_usd: 0.5, liquidity_dex_usd: 10 } }, 'D1'), null);
});
