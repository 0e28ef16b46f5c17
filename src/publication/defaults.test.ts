import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConsensusSet } from '../domain/consensus.ts';
import type { DayPoint, DefaultTest, PublicationState } from '../domain/published.ts';
import type { Category, Flag } from '../domain/rating.ts';
import { loadMethodology } from '../methodology/load.ts';
import { seeDefaults } from './defaults.ts';
import { ALIVE, DEAD, last, live } from './fixtures/life.ts';

test('liquidity death takes seven days; a day of added liquidity does not restart the count, and four of seven days do', () => {
  const dead = (days: number) => Array.from({ length: days }, () => ({ score: 30, facts: DEAD }));
  const eight = live([{ score: 60, facts: ALIVE }, ...dead(8)]).ratings;
  assert.deepEqual(
    eight.map((rating) => rating.band === 'D'),
    [false, false, false, false, false, false, false, false, true],
  );
  assert.equal(last(eight).defaultTests[0]?.code, 'D1');
  assert.ok((last(eight).score ?? 100) <= 4.9);
  const lent = { score: 30, facts: { price_usd: 0.02, liquidity_dex_usd: 90_000 } };
  const interrupted = (before: number, days: number) => {
    const loan = Array.from({ length: days }, () => lent);
    return live([{ score: 60, facts: ALIVE }, ...dead(before), ...loan, ...dead(before)]).ratings;
  };
  assert.equal(
    interrupted(6, 1).findIndex((rating) => rating.band === 'D'),
    8,
  );
  assert.ok(interrupted(4, 4).every((rating) => rating.band !== 'D'));
});

test('time without collections counts towards a default for two days at most', () => {
  const { ratings } = live([
    { score: 60, facts: ALIVE, day: 0 },
    { score: 30, facts: DEAD, day: 1 },
    { score: 30, facts: DEAD, day: 30 },
  ]);
  assert.notEqual(last(ratings).band, 'D');
  // What is not known neither counts nor ends the count.
  const blind = live([
    { score: 60, facts: ALIVE, day: 0 },
    ...[1, 2, 3, 4].map((day) => ({ score: 30, facts: DEAD, day })),
    ...[5, 6, 7, 8, 9].map((day) => ({ score: 30, facts: {}, day })),
    ...[10, 11, 12, 13, 14].map((day) => ({ score: 30, facts: DEAD, day })),
  ]).ratings;
  const first = blind.findIndex((rating) => rating.band === 'D');
  assert.ok(first >= 12, String(first));
});

test('an executed rug defaults at once; half a year without a test cures it to CCC at best, and the D stays in the history', () => {
  const rug = { score: 4, flags: [{ code: 'RUG_EXECUTED', severity: 'critical' as const }], facts: DEAD };
  const life = [
    { score: 60, facts: ALIVE },
    rug,
    ...Array.from({ length: 185 }, () => ({ score: 60, facts: { ...ALIVE, volume_24h_usd: 5_000 } })),
  ];
  const { ratings, state } = live(life);
  assert.deepEqual([ratings[1]?.band, ratings[1]?.action], ['D', 'downgrade']);
  const cured = ratings.findIndex((rating, index) => index > 1 && rating.band !== 'D');
  assert.equal(cured, 182);
  assert.deepEqual([ratings[cured]?.band, ratings[cured]?.action, ratings[cured]?.default], ['CCC', 'upgrade', null]);
  assert.equal(state.default, null);
  // From CCC it rises by daily snapshots, however far its score is.
  const after = live(
    [186, 187].map((day) => ({ score: 80, day })),
    live(life.slice(0, cured + 1)).state,
  ).ratings;
  assert.deepEqual(
    after.map((rating) => rating.band),
    ['CCC', 'CCC'],
  );
});

test('a default ends only when its own cause is seen to be over; time without collections does not cure it', () => {
  const dead = Array.from({ length: 9 }, (_, day) => ({ score: 30, facts: day === 0 ? ALIVE : DEAD, day }));
  const blind = Array.from({ length: 200 }, (_, day) => ({ score: 60, facts: { volume_24h_usd: 9 }, day: 9 + day }));
  const unseen = live([...dead, ...blind]).ratings;
  assert.deepEqual([last(unseen).band, last(unseen).default?.curesAt], ['D', null]);
  const alive = (day: number) => ({ score: 60, facts: { ...ALIVE, volume_24h_usd: 9 }, day });
  assert.equal(last(live([...dead, alive(9), alive(200)]).ratings).band, 'D');
});

test('a default for lost liquidity is not cured by the age of the peak, and is by liquidity that stays', () => {
  const dead = Array.from({ length: 9 }, (_, day) => ({ score: 30, facts: day === 0 ? ALIVE : DEAD, day }));
  const DRY = { price_usd: DEAD.price_usd, liquidity_dex_usd: 1_500 };
  const dry = Array.from({ length: 400 }, (_, day) => ({ score: 60, facts: DRY, day: 9 + day }));
  const { ratings, state } = live([...dead, ...dry]);
  assert.deepEqual([last(ratings).band, last(ratings).default?.curesAt], ['D', null]);
  assert.match(last(ratings).defaultTests[0]?.detail ?? '', /liquidity still below/);
  assert.ok((state.default?.liquidityUsd ?? 0) > 1_500);
  const back = Array.from({ length: 190 }, (_, day) => ({ score: 60, facts: ALIVE, day: 409 + day }));
  assert.equal(live(back, state).ratings.find(({ band }) => band !== 'D')?.band, 'CCC');
});

test('a coin that is no longer listed as pegged stays in default for the broken peg', () => {
  const pegged = (price: number, day: number, category: Category = 'stablecoin') => ({
    score: 50,
    day,
    category,
    facts: { ...ALIVE, price_usd: price, ...(category === 'stablecoin' && { peg_target_usd: 1 }) },
  });
  const broken = Array.from({ length: 9 }, (_, day) => pegged(0.3, day));
  const renamed = Array.from({ length: 250 }, (_, day) => pegged(0.3, 9 + day, 'default'));
  const mended = Array.from({ length: 190 }, (_, day) => pegged(1, 9 + day));
  assert.equal(last(live(broken).ratings).defaultTests[0]?.code, 'D5');
  assert.deepEqual([last(live([...broken, ...renamed]).ratings).band], ['D']);
  assert.equal(
    live([...broken, ...mended])
      .ratings.slice(9)
      .find(({ band }) => band !== 'D')?.band,
    'CCC',
  );
});

test('a cause that was not seen to be over remains when another test is met', () => {
  const dead = Array.from({ length: 9 }, (_, day) => ({ score: 30, facts: day === 0 ? ALIVE : DEAD, day }));
  const rug = { score: 4, flags: [{ code: 'RUG_EXECUTED', severity: 'critical' as const }], facts: {}, day: 9 };
  const { state } = live([...dead, rug]);
  assert.deepEqual(
    state.default?.tests.map(({ code }) => code),
    ['D6', 'D1'],
  );
});

test('a default of an asset that cannot be rated any more is published with its points', () => {
  const flags = [{ code: 'RUG_EXECUTED', severity: 'critical' as const }];
  const { ratings, state } = live([{ score: 60 }, { score: null, flags }, { score: null, flags }]);
  assert.deepEqual([ratings[1]?.band, ratings[1]?.score, ratings[1]?.action], ['D', 4.9, 'downgrade']);
  assert.deepEqual(
    ratings[1]?.drivers.map(({ code, points }) => [code, points]),
    [['DEFAULT', -55.1]],
  );
  assert.deepEqual([state.last.band, state.last.score, ratings[2]?.action], ['D', 4.9, 'affirm']);
});

const rules = loadMethodology().publication;
const AS_OF = '2026-06-01T00:00:00.000Z';
const PEAK: readonly DayPoint[] = [{ day: '2026-05-01', score: 60, priceUsd: 10, liquidityUsd: 500_000 }];

interface Scene {
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly confidence?: number;
  readonly families?: number;
  readonly flags?: readonly Partial<Flag>[];
  readonly category?: Category;
  readonly days?: readonly DayPoint[];
  readonly standing?: PublicationState['default'];
}

function seen(
  { facts = {}, confidence = 0.9, families = 1, flags = [], category = 'default', days = PEAK, standing = null }: Scene,
  key: string,
) {
  const consensus = Object.fromEntries(
    Object.entries(facts).map(([quantity, value]) => [quantity, { quantity, value, confidence, families }]),
  ) as unknown as ConsensusSet;
  const sights = seeDefaults(
    { consensus, flags: flags as readonly Flag[], category, days, asOf: AS_OF, standing },
    rules,
  );
  return sights.find((sight) => sight.key === key)?.isTrue;
}

const exploit = { code: 'EXPLOIT_UNRESOLVED', confidence: 0.9, value: 60 };
const rug = { code: 'RUG_EXECUTED', confidence: 0.9 };

const EURO = { peg_currency: 'EUR', 'currency_usd@currency:EUR': 1.15 };
const YEN = { peg_currency: 'JPY', 'currency_usd@currency:JPY': 0.0069 };
const GOLD = { peg_currency: 'XAU', 'currency_usd@currency:XAU': 4_000 };

/** A receipt at less than half of what it stands for. */
const LOST = { price_usd: 45, redemption_value_usd: 100 };

/** What is true, what is not, at the very limits; a table of methodology 4.4. */
const CASES: readonly (readonly [
  DefaultTest['code'] | 'D5 suspended' | 'D5 chart' | 'D7 chart' | 'D7 suspended',
  Scene,
  boolean | null | undefined,
])[] = [
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
  ['D5', { category: 'memecoin', facts: { price_usd: 0.1, peg_target_usd: 1 } }, true],
  ['D5', { category: 'memecoin', facts: { price_usd: 0.1 } }, undefined],
  [
    'D5',
    { category: 'lst_wrapped', facts: { price_usd: 0.1, peg_target_usd: 1, underlying_asset: 'ethereum' } },
    undefined,
  ],
  ['D5 chart', { families: 2, facts: { peg_days_below_80: 7, peg_target_usd: 1 } }, true],
  ['D5 chart', { families: 2, facts: { peg_days_below_80: 6, peg_target_usd: 1 } }, false],
  ['D5 chart', { families: 1, facts: { peg_days_below_80: 90, peg_target_usd: 1 } }, null],
  ['D5 chart', { families: 2, facts: { peg_days_below_80: 90, price_usd: 0.02, peg_target_usd: 1 } }, true],
  ['D5 chart', { families: 1, facts: { peg_days_below_80: 90, price_usd: 0.02, peg_target_usd: 1 } }, null],
  ['D5 chart', { families: 2, facts: { peg_days_below_80: 90, peg_currency: 'JPY' } }, null],
  ['D5 chart', { families: 2, facts: { peg_days_below_80: 90, price_usd: 0.02 } }, undefined],
  ['D5 chart', { families: 2, facts: { ...EURO, 'peg_days_below_80@currency:EUR': 7 } }, true],
  ['D5 chart', { families: 2, facts: { ...EURO, 'peg_days_below_80@currency:EUR': 6 } }, false],
  // No rate of the day; a chart in dollars; a gram of gold.
  ['D5 chart', { families: 2, facts: { peg_currency: 'EUR', 'peg_days_below_80@currency:EUR': 90 } }, null],
  ['D5 chart', { families: 2, facts: { ...YEN, peg_days_below_80: 90 } }, null],
  ['D5 chart', { families: 2, facts: { ...GOLD, 'peg_days_below_80@currency:XAU': 90 } }, null],
  ['D5', { facts: { ...YEN, price_usd: 0.0069 } }, false],
  ['D5', { facts: { ...YEN, price_usd: 0.0035 } }, true],
  ['D5', { facts: { peg_currency: 'JPY', price_usd: 0.0069 } }, null],
  ['D5', { facts: { ...GOLD, price_usd: 130 } }, null],
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
  ['D8', { facts: { insolvency_state: 'extinguished' } }, true],
  ['D8', { facts: { insolvency_state: 'extinguished' }, confidence: 0.69 }, null],
  ['D8', { facts: { insolvency_state: 'proceedings' } }, false],
  ['D8', {}, null],
  ['D7', { category: 'lst_wrapped', facts: { price_usd: 79, redemption_value_usd: 100 } }, true],
  ['D7', { category: 'lst_wrapped', facts: { price_usd: 80, redemption_value_usd: 100 } }, false],
  ['D7 chart', { category: 'lst_wrapped', families: 2, facts: { ...LOST, redemption_days_below_80: 7 } }, true],
  ['D7 chart', { category: 'lst_wrapped', families: 2, facts: { ...LOST, redemption_days_below_80: 6 } }, false],
  ['D7 chart', { category: 'lst_wrapped', families: 1, facts: { ...LOST, redemption_days_below_80: 30 } }, null],
  [
    'D7 chart',
    { category: 'lst_wrapped', families: 2, facts: { ...LOST, price_usd: 95, redemption_days_below_80: 30 } },
    false,
  ],
  ['D7 chart', { category: 'defi_protocol', families: 2, facts: { ...LOST, redemption_days_below_80: 30 } }, undefined],
  ['D7 suspended', { category: 'lst_wrapped', families: 2, facts: { ...LOST, redemption_state: 'none' } }, true],
  ['D7 suspended', { category: 'lst_wrapped', families: 2, facts: { ...LOST, redemption_state: 'any_holder' } }, false],
  ['D7 suspended', { category: 'lst_wrapped', families: 2, facts: LOST }, null],
  ['D7 suspended', { category: 'lst_wrapped', families: 1, facts: { ...LOST, redemption_state: 'none' } }, null],
];

for (const [key, scene, expected] of CASES)
  test(`${key}: ${JSON.stringify(scene)} is ${expected}`, () => assert.equal(seen(scene, key), expected));

test('a coin whose chart shows a broken peg is in default at its first rating, and so is a token whose claim was extinguished', () => {
  const broken = { price_usd: 0.02, peg_target_usd: 1, peg_days_below_80: 90 };
  assert.deepEqual(
    live([{ score: 30, facts: broken }]).ratings.map((rating) => [rating.band, rating.defaultTests[0]?.code]),
    [['D', 'D5']],
  );
  const extinguished = { price_usd: 1, insolvency_state: 'extinguished' };
  assert.deepEqual(
    live([{ score: 30, facts: extinguished }]).ratings.map((rating) => [rating.band, rating.defaultTests[0]?.code]),
    [['D', 'D8']],
  );
});

test('a peak older than ninety days is forgotten', () => {
  const days = [{ day: '2026-02-01', score: 60, priceUsd: 10, liquidityUsd: 500_000 }];
  assert.equal(seen({ days, facts: { price_usd: 0.5, liquidity_dex_usd: 10 } }, 'D1'), null);
});
