import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rating } from '../domain/rating.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import { type Change, consensusOf, daysAgo, onChain, soundProtocol } from './fixtures/asset.ts';
import { row } from './fixtures/class-cases.ts';
import { rate } from './rate.ts';

/** What the rated party, or one list, could state to end a flag or lift a cap before methodology 1.8.0. */
const methodology = loadMethodology();
const earlier: Methodology = { ...methodology, featureRules: { ...methodology.featureRules, revision: 3 } };
const rated = (change: Change, by: Methodology = methodology) => rate(soundProtocol(change), by);
const hasFlag = (rating: Rating, code: string) => rating.flags.some((flag) => flag.code === code);
const hasCap = (rating: Rating, code: string) => rating.caps.some((cap) => cap.code === code);
/** Scores of the state without the move, of the move by the former rules, and of the move by these. */
const three = (without: Change, moved: Change) => [
  rated(without, earlier).score,
  rated(moved, earlier).score,
  rated(moved).score,
];

/** A list of losses of one group: 310 of 500 million were taken 60 days ago, and 180 million were left. */
const loss = (change: object = {}, days = 60) =>
  consensusOf(
    'incidents',
    [
      {
        name: 'drain',
        date: daysAgo(days).slice(0, 10),
        lossUsd: 310_000_000,
        returnedUsd: 0,
        lockedBeforeUsd: 500_000_000,
        lockedAfterUsd: 180_000_000,
        ...change,
      },
    ],
    { families: ['alpha'] },
  );
const locked = (tvl: number, peak = 500_000_000) => [consensusOf('tvl_usd', tvl), consensusOf('tvl_peak_usd', peak)];

test('value locked that came after the loss does not resolve an exploit, nor does a series that ended', () => {
  const none: Change = { set: [loss(), ...locked(180_000_000)] };
  const raisedSince: Change = { set: [loss(), ...locked(320_000_000)] };
  assert.deepEqual(three(none, raisedSince), [19.9, 64.6, 19.9]);
  const ended: Change = { set: [loss(), consensusOf('tvl_peak_usd', 500_000_000)], without: ['tvl_usd'] };
  assert.ok(!hasCap(rated(ended, earlier), 'EXPLOIT_UNRESOLVED') && hasCap(rated(ended), 'EXPLOIT_UNRESOLVED'));
  // Without the series of those days, the value of today decides as before.
  const unknown = (tvl: number) => rated({ set: [loss({ lockedAfterUsd: null }), ...locked(tvl)] });
  assert.ok(hasCap(unknown(180_000_000), 'EXPLOIT_UNRESOLVED') && !hasCap(unknown(320_000_000), 'EXPLOIT_UNRESOLVED'));
});

test('an exploit that left or gave back as much is not capped as unresolved, nor is one of a year ago', () => {
  const capped = (change: object, days = 60) =>
    hasCap(rated({ set: [loss(change, days), ...locked(320_000_000, 700_000_000)] }), 'EXPLOIT_UNRESOLVED');
  assert.ok(capped({ lockedAfterUsd: 309_000_000 }));
  assert.ok(!capped({ lockedAfterUsd: 311_000_000 }));
  // 100 million came back: 210 are missing, and 280 are left.
  assert.ok(!capped({ returnedUsd: 100_000_000 }));
  assert.ok(!capped({ returnedUsd: 280_000_000, lockedAfterUsd: 0 }));
  assert.ok(capped({}, 364) && !capped({}, 366));
});

test('a peak that came after the loss does not make a recent exploit small', () => {
  const small = { lossUsd: 20_000_000, lockedAfterUsd: 480_000_000 };
  const at = (peak: number, by?: Methodology) =>
    hasFlag(
      rated({ set: [loss(small), ...locked(480_000_000, peak)], without: ['market_cap_usd'] }, by),
      'EXPLOIT_RECENT',
    );
  assert.ok(at(500_000_000, earlier) && at(500_000_000));
  assert.ok(!at(2_100_000_000, earlier) && at(2_100_000_000));
});

test('a repayment that one list alone states lifts a loss of more than was left to a cap of its own', () => {
  const state = (families: readonly string[], returnedUsd: number, days = 60): Change => ({
    set: [
      consensusOf(
        'incidents',
        [
          {
            name: 'drain',
            date: daysAgo(days).slice(0, 10),
            lossUsd: 310_000_000,
            returnedUsd,
            lockedAfterUsd: 180_000_000,
          },
        ],
        { families },
      ),
      ...locked(180_000_000),
    ],
  });
  const one = ['alpha'];
  assert.deepEqual(three(state(one, 0), state(one, 310_000_000)), [19.9, 69.3, 54.9]);
  assert.deepEqual(three(state(one, 0), state(one, 280_000_000)), [19.9, 67.5, 54.9]);
  const repaid = rated(state(one, 310_000_000));
  assert.ok(hasCap(repaid, 'EXPLOIT_REPAID') && hasFlag(repaid, 'EXPLOIT_RECENT'));
  assert.equal(repaid.flags.find(({ code }) => code === 'EXPLOIT_UNRESOLVED')?.severity, 'high');
  const [two, old] = [rated(state(['alpha', 'beta'], 310_000_000)), rated(state(one, 310_000_000, 366))];
  for (const { caps, flags } of [two, old])
    assert.ok(![...caps, ...flags].some(({ code }) => code.startsWith('EXPLOIT')));
  // A loss of less than was left needs no word.
  const small = rated({
    set: [loss({ lossUsd: 100_000_000, returnedUsd: 95_000_000 }, 100), ...locked(400_000_000)],
  });
  assert.ok(!hasFlag(small, 'EXPLOIT_UNRESOLVED'));
});

/** Twice the tokens of the day before, under these words of registries. */
const minted = (words: readonly string[], ...set: NonNullable<Change['set']>): Change => ({
  set: [consensusOf('categories', [...words]), ...set],
  history: { supply: { dayAgo: { at: daysAgo(1), totalSupply: 50_000_000, isOnChain: true }, oldest: null } },
});
const MINT = 'SUPPLY_UNEXPECTED_MINT';

test('no word of a registry for receipts or shares of assets hides new tokens: what was deposited must be shown', () => {
  const severity = (change: Change) => rated(change).flags.find(({ code }) => code === MINT)?.severity ?? null;
  assert.equal(severity(minted(['DeFi'])), 'critical');
  assert.deepEqual(three(minted(['DeFi']), minted(['Wrapped-Tokens'])), [69.5, 54.9, 54.9]);
  for (const category of ['lst_wrapped', 'rwa_sec', 'commodity'] as const)
    for (const word of methodology.classes[category].keywords.filter((name) => !name.startsWith('bridged'))) {
      const change = minted([word]);
      if (rated(change).category === 'lst_wrapped' || rated(change).category === 'rwa')
        assert.deepEqual([hasFlag(rated(change, earlier), MINT), severity(change)], [false, 'high'], word);
    }
  for (const proof of [
    onChain('backing_ratio', 1),
    row('protocols', { kind: 'receipt' }),
    row('issuers', { kind: 'wrapped', issuer: 'Tide' }),
    onChain('redemption_value_usd', 10),
  ])
    assert.equal(severity(minted(['Wrapped-Tokens'], proof)), null);
  const own = consensusOf('collateral_ratio', 1, { families: ['website'], tier: 'self_reported', confidence: 0.5 });
  assert.equal(severity(minted(['Wrapped-Tokens'], own)), 'high');
  // The word for a pegged coin costs more than it hides.
  const pegged = rated(minted(['Stablecoin']));
  assert.ok(!hasFlag(pegged, MINT) && pegged.score === 43.9);
});

test('a circulating supply that is overstated does not make a cliff or a low float disappear: what is locked does not circulate', () => {
  const locks = (circulating: number, ...rest: NonNullable<Change['set']>): Change => ({
    set: [
      consensusOf('circulating_supply', circulating),
      onChain('unlock_30d_tokens', 8_000_000),
      onChain('locked_tokens', 91_000_000),
      ...rest,
    ],
  });
  const [honest, overstated] = [locks(9_000_000), locks(100_000_000)];
  assert.deepEqual(three(honest, overstated), [65.4, 71.6, 65.4]);
  for (const code of ['UNLOCK_CLIFF', 'LOW_FLOAT']) {
    assert.ok(hasFlag(rated(honest, earlier), code) && !hasFlag(rated(overstated, earlier), code), code);
    assert.ok(hasFlag(rated(overstated), code), code);
  }
  assert.deepEqual(rated(locks(8_500_000)).score, rated(locks(8_500_000), earlier).score);
  // Of a token on several chains, the tokens on the others circulate too.
  const all = consensusOf('total_supply', 500_000_000, { scope: 'chains:all' });
  assert.ok(!hasFlag(rated(locks(400_000_000, all)), 'UNLOCK_CLIFF'));
});
