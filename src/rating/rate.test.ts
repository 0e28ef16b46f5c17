import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { agree } from '../consensus/agree.ts';
import type { SourceOutcome } from '../domain/evidence.ts';
import type { Observation } from '../domain/observation.ts';
import type { QuantityId } from '../domain/quantities.ts';
import { QUANTITIES } from '../domain/quantities.ts';
import type { Rating } from '../domain/rating.ts';
import { factorWeights } from '../methodology/classes.ts';
import { loadMethodology } from '../methodology/load.ts';
import {
  AS_OF,
  type Change,
  consensusOf,
  daysAgo,
  fromOneGroup,
  holders,
  onChain,
  outcome,
  pool,
  soundProtocol,
} from './fixtures/asset.ts';
import { FLAG_CASES } from './fixtures/flag-cases.ts';
import { rate } from './rate.ts';

const methodology = loadMethodology();
const rated = (change: Change = {}) => rate(soundProtocol(change), methodology);
const runs = { numRuns: 60 };

function everyCase(): readonly Change[] {
  return [{}, ...FLAG_CASES.flatMap((row) => [row.raises, row.quiet])];
}

function shuffled<Row>(rows: readonly Row[], keys: readonly number[]): Row[] {
  return rows
    .map((row, index) => ({ row, key: keys[index % keys.length] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ row }) => row);
}

test('the order of replies does not change the bytes', () => {
  const conflicts: Change = {
    set: [
      consensusOf('holder_count', null, { status: 'missing' }),
      consensusOf('price_usd', 10, { status: 'disputed' }),
    ],
    sources: ['website', 'goplus', 'github'].map((name) => outcome(name, 'timeout')),
  };
  const input = soundProtocol(conflicts);
  const expected = JSON.stringify(rate(input, methodology));
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 7, maxLength: 90 }), (keys) => {
      const consensus = Object.fromEntries(
        shuffled(Object.entries(input.consensus), keys).map(([key, row]) => [
          key,
          { ...row, voices: shuffled(row.voices, keys) },
        ]),
      );
      const mixed = { ...input, consensus, sources: shuffled(input.sources, keys) };
      assert.equal(JSON.stringify(rate(mixed, methodology)), expected);
    }),
    runs,
  );
});

test('in every case of the catalogue prior and points add up to the uncapped score, and the caps explain the rest', () => {
  for (const change of everyCase()) {
    const rating = rated(change);
    const sum = rating.factors.reduce((total, factor) => total + Math.round(factor.points * 10), 0);
    if (rating.score === null || rating.uncappedScore === null || rating.interval === null) {
      assert.ok(rating.notRatedReasons.length > 0);
      continue;
    }
    assert.equal(Math.round(rating.prior * 10) + sum, Math.round(rating.uncappedScore * 10));
    const binding = rating.caps.filter((cap) => cap.binding);
    assert.equal(rating.score, binding[0]?.cap ?? rating.uncappedScore);
    assert.ok(binding.length <= 1);
    assert.ok(rating.interval[0] <= rating.score && rating.score <= rating.interval[1]);
    assert.ok(rating.interval[1] <= (binding[0]?.cap ?? 100));
  }
});

test('a flag never lifts a score', () => {
  const base = rated().score ?? 0;
  for (const row of FLAG_CASES.filter(({ cap }) => cap !== undefined)) {
    if (row.raises.category === null) continue;
    assert.ok((rated(row.raises).score ?? 0) <= base, row.code);
  }
});

test('good averages do not buy off one knock-out', () => {
  const rating = rated({ set: [onChain('mint_authority_state', 'eoa')] });
  assert.ok((rating.uncappedScore ?? 0) > 65);
  assert.equal(rating.score, 43.9);
  assert.equal(rating.band, 'CCC');
});

/** What each quantity is swapped for: worse or better, with the same witnesses. */
const SWAPS: readonly (readonly [QuantityId, number | string, number | string])[] = [
  ['holder_count', 150, 5_000_000],
  ['volatility_30d', 0.01, 0.2],
  ['fees_30d_usd', 2_000, 90_000_000],
  ['tvl_usd', 200_000, 9e9],
  ['sell_tax', 0, 0.4],
  ['creator_share', 0, 0.4],
  ['contributors_90d', 1, 90],
  ['governance_score', 5, 95],
  ['team_state', 'anonymous', 'named_verifiable'],
  ['circulating_supply', 6e6, 9e7],
  ['audits_count', 1, 5],
];

test('trust depends on the evidence: swapping its values leaves trust unchanged', () => {
  const trust = rated().trust;
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: SWAPS.length, maxLength: SWAPS.length }), (picks) => {
      const set = SWAPS.map(([quantity, bad, good], index) => consensusOf(quantity, picks[index] ? good : bad));
      assert.deepEqual(rated({ set }).trust.score, trust.score);
    }),
    runs,
  );
});

const RISING: readonly QuantityId[] = ['holder_count', 'fees_30d_usd', 'tvl_usd', 'commits_90d', 'disclosure_share'];
const FALLING: readonly QuantityId[] = ['volatility_30d', 'sell_tax', 'creator_share', 'transfer_tax'];

test('more of the good and less of the bad never lowers a rating', () => {
  const pick = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.constantFrom(...RISING, ...FALLING), pick, (quantity, [a, b]) => {
      const value = (u: number) =>
        QUANTITIES[quantity].kind === 'log' && quantity !== 'volatility_30d' ? 10 ** (2 + 7 * u) : u * 0.5;
      const [low, high] = [Math.min(a, b), Math.max(a, b)].map(
        (u) => rated({ set: [consensusOf(quantity, value(u))] }).score ?? 0,
      );
      assert.ok(RISING.includes(quantity) ? (low ?? 0) <= (high ?? 0) : (low ?? 0) >= (high ?? 0), quantity);
    }),
    runs,
  );
});

test('without caps the score is continuous: a change of a thousandth moves it by less than half a point', () => {
  const quantities: QuantityId[] = ['price_usd', 'volume_24h_dex_usd', 'traders_24h', 'holder_count', 'fees_30d_usd'];
  fc.assert(
    fc.property(fc.constantFrom(...quantities), fc.double({ min: 1, max: 9, noNaN: true }), (quantity, power) => {
      const at = (value: number) => rated({ set: [consensusOf(quantity, value)] }).uncappedScore ?? 0;
      assert.ok(Math.abs(at(10 ** power * 1.001) - at(10 ** power)) < 0.5, `${quantity} at 10^${power}`);
    }),
    runs,
  );
});

test('a dust pool moves neither rating nor trust', () => {
  const base = rated();
  const dust = pool('pool:0x00', { liquidity: 20, price: 55, volume: 1 }).map((row) => ({ ...row, confidence: 0.1 }));
  const rating = rated({ set: dust });
  assert.ok(Math.abs((rating.score ?? 0) - (base.score ?? 0)) <= 0.2);
  assert.ok(Math.abs(rating.trust.score - base.trust.score) <= 0.2);
});

test('what is missing is not rated: price, liquidity, supply, identity', () => {
  const reasons = (change: Change): Rating => {
    const rating = rated(change);
    assert.equal(rating.band, 'NR');
    assert.equal(rating.score, null);
    assert.equal(rating.interval, null);
    assert.deepEqual(rating.caps, []);
    assert.ok(rating.notRatedReasons.length > 0);
    return rating;
  };
  assert.match(reasons({ without: ['price_usd'] }).notRatedReasons.join(), /price/);
  assert.match(reasons({ set: [consensusOf('price_usd', 10, { confidence: 0.1 })] }).notRatedReasons.join(), /price/);
  assert.match(reasons({ without: ['total_supply', 'circulating_supply'] }).notRatedReasons.join(), /supply/);
  reasons({
    without: ['liquidity_dex_usd', 'volume_24h_usd', 'venue_depth_up_2pct_usd', 'venue_depth_down_2pct_usd'],
  });
  assert.match(reasons({ identification: { match: 0.29 } }).notRatedReasons.join(), /identity/);
});

test('not rated never hides a proven honeypot or an executed rug', () => {
  const thin: Change = { without: ['price_usd', 'liquidity_dex_usd'], identification: { match: 0.1 } };
  const trap = rated({ ...thin, set: [consensusOf('honeypot', true)] });
  assert.equal(trap.band, 'C');
  assert.equal(trap.score, 8);
  const rug = rated({ ...thin, set: [consensusOf('rug_executed', true)] });
  assert.equal(rug.band, 'D');
  assert.ok((rug.score ?? 99) <= 4.9 && (rug.interval?.[1] ?? 99) <= 4.9);
  assert.equal(rug.caps.find((cap) => cap.binding)?.flag, 'RUG_EXECUTED');
  assert.equal(rated({ ...thin, set: [fromOneGroup('honeypot', true)] }).band, 'NR');
});

test('a project that withholds its development gets its worst; a failed source of ours leaves the default', () => {
  const silent: Change = { without: ['contributors_90d', 'commits_90d', 'last_commit_at'] };
  const score = (change: Change) => rated({ ...silent, ...change }).factors.find((row) => row.code === 'DV')?.score;
  const asked = (github: 'ok' | 'rate_limited' | 'timeout') => [
    outcome('coingecko'),
    outcome('website'),
    outcome('github', github),
  ];
  assert.ok(Math.abs((score({ sources: asked('ok') }) ?? 0) - 5) < 1e-9);
  assert.equal(score({ sources: asked('rate_limited') }), 40);
  assert.equal(score({ sources: asked('timeout') }), 40);
});

test('the last adverse value of a third party counts while it states nothing, for 180 days', () => {
  const silent: Change = { without: ['buy_tax', 'sell_tax'] };
  const rest = (days: number, points: number) =>
    rate({ ...soundProtocol(silent), lastAdverse: { ts_tax: { points, at: daysAgo(days) } } }, methodology)
      .factors.flatMap((factor) => factor.features)
      .find((feature) => feature.id === 'ts_tax')?.rest;
  assert.deepEqual([rest(179, 5), rest(181, 5), rest(10, 90)], [5, 40, 40]);
});

test('an unpublished schedule of unlocks is bounded by the supply not yet in circulation', () => {
  const rest = (circulating: number) =>
    rated({ set: [consensusOf('circulating_supply', circulating)] })
      .factors.flatMap((factor) => factor.features)
      .find((feature) => feature.id === 'sd_unlock')?.rest;
  assert.ok((rest(95_000_000) ?? 0) > 75);
  assert.equal(rest(20_000_000), 40);
});

test('a refusal, a time-out and an open circuit of its own host count as withheld; a spent budget of ours does not', () => {
  const docs = (result: SourceOutcome['outcome']) => {
    const site = { ...outcome('website', result), failures: [{ endpoint: 'home', outcome: result }] };
    return rated({
      category: 'meme',
      without: ['disclosure_share'],
      sources: [site, outcome('coingecko'), outcome('goplus')],
    })
      .factors.flatMap((factor) => factor.features)
      .find((feature) => feature.id === 'gt_docs');
  };
  for (const theirs of ['timeout', 'circuit_open', 'http_error', 'unreachable', 'deadline', 'rate_limited'] as const)
    assert.deepEqual([docs(theirs)?.rest, docs(theirs)?.silent], [0, true], theirs);
  for (const ours of ['budget_spent', 'disabled', 'cancelled'] as const)
    assert.deepEqual([docs(ours)?.rest, docs(ours)?.silent], [40, false], ours);
  assert.match(docs('timeout')?.rationale ?? '', /^The project shows none/);
});

test('searched and not found is a value where the source replied, and a gap where it failed', () => {
  const audit = (change: Change) =>
    rated({ without: ['audits_count'], ...change })
      .factors.flatMap((factor) => factor.features)
      .find((feature) => feature.id === 'ts_audit');
  assert.equal(audit({})?.status, 'absent');
  const failing = audit({ sources: [outcome('website', 'timeout'), outcome('defillama', 'http_error')] });
  assert.equal(failing?.status, 'unknown');
  assert.deepEqual(
    [failing?.silent, failing?.rest],
    [false, 40],
    'with nobody else to hear, our own network may be down',
  );
});

test('what has no meaning on a chain leaves the denominator', () => {
  const status = (change: Change, id: string) =>
    rated(change)
      .factors.flatMap((factor) => factor.features)
      .find((feature) => feature.id === id)?.status;
  assert.equal(status({ asset: { chain: 'solana' } }, 'ts_proxy'), 'not_applicable');
  assert.equal(status({ asset: { chain: 'solana' }, category: 'meme' }, 'ts_verified'), 'not_applicable');
  assert.equal(status({ category: 'stablecoin' }, 'sd_unlock'), undefined, 'not a feature of its class');
});

test('every class is rated by its own factors and by no other', () => {
  const words = [
    'defi',
    'algorithmic',
    'layer 2',
    'meme',
    'liquid staking',
    'tokenized gold',
    'gaming',
    'oracle',
    null,
  ];
  for (const category of words) {
    const rating = rated({ category });
    const own = factorWeights(rating.class, methodology).map(({ code }) => code);
    assert.deepEqual(
      rating.factors.map((factor) => factor.code),
      own,
      rating.class,
    );
    assert.ok(rating.score !== null && rating.score >= 5 && rating.score <= 100, String(category));
  }
});

test('a stated peg makes a stablecoin, for any request', () => {
  assert.equal(rated({ category: 'meme', set: [consensusOf('peg_target_usd', 1)] }).category, 'stablecoin');
});

test('a young token cannot be rated high', () => {
  const score = (days: number) => rated({ set: [onChain('token_created_at', daysAgo(days))] }).score ?? 99;
  assert.ok(score(2) <= 43.9 && score(20) <= 54.9 && score(100) <= 73.9);
});

test('large unlabelled holders lower confidence and set no cap', () => {
  const set = [consensusOf('top_holders', holders([{ owner: '0xwhale', sharePct: 60 }], 0.5))];
  const rating = rated({ set, without: ['holder_labels'] });
  assert.ok(!rating.caps.some((cap) => cap.code === 'HOLDER_MAJORITY'));
  const confidence = (row: Rating) => row.factors.find((factor) => factor.code === 'HD')?.confidence ?? 1;
  assert.ok(confidence(rating) < confidence(rated({ set })));
});

test('the summary is three to five sentences, names the band, and states its limits', () => {
  for (const change of everyCase()) {
    const rating = rated(change);
    const sentences = rating.summary.split(/\.\s+(?=[A-Z0-9])/).length;
    assert.ok(sentences >= 3 && sentences <= 5, `${sentences}: ${rating.summary}`);
    assert.match(rating.limitations.join(' '), /unsolicited.*not a credit rating.*investment advice/);
  }
});

/** Four lineage groups state the same of everything. */
function heard(families: readonly string[]): readonly Observation[] {
  return Object.values(soundProtocol().consensus).flatMap((row) =>
    families.map((family, index) => ({
      quantity: row.quantity,
      scope: row.scope,
      value:
        typeof row.value === 'number' && QUANTITIES[row.quantity].kind === 'log'
          ? row.value * (1 + 0.001 * index)
          : row.value,
      unit: row.unit,
      meaning: '',
      source: family,
      endpoint: 'token',
      family,
      tier: 'aggregator' as const,
      observedAt: AS_OF,
      fetchedAt: AS_OF,
      reliability: 0.9,
      binding: 1,
      responseId: `${family}.token#00000000`,
    })),
  );
}

test('fewer sources mean less trust, and nearly the same score', () => {
  // The chain is read by the service itself: an age that one source alone states would not be borne out.
  const read = { token_created_at: onChain('token_created_at', daysAgo(1_500)) };
  const with_ = (families: readonly string[]) =>
    rate({ ...soundProtocol(), consensus: { ...agree(heard(families), methodology, AS_OF), ...read } }, methodology);
  const steps = [['a', 'b', 'c', 'd'], ['a', 'b', 'c'], ['a', 'b'], ['a']].map(with_);
  for (let i = 1; i < steps.length; i += 1) {
    assert.ok((steps[i]?.trust.score ?? 99) < (steps[i - 1]?.trust.score ?? 0));
    assert.ok(Math.abs((steps[i]?.uncappedScore ?? 0) - (steps[i - 1]?.uncappedScore ?? 0)) < 5);
  }
});

test('no known incident earns credit only with time', () => {
  const confidence = (days: number) =>
    rated({ set: [onChain('token_created_at', daysAgo(days))] }).factors.find((row) => row.code === 'SI')?.confidence ??
    1;
  assert.ok(confidence(3.65) < 0.01);
  assert.ok(Math.abs(confidence(182.5) - confidence(365) / 2) < 1e-9);
  assert.equal(confidence(365), confidence(1_500));
});

test('authors beyond three count by the commits with a signature of their time', () => {
  const points = (authors: number, signed?: number) =>
    rated({
      set: [
        consensusOf('contributors_90d', authors),
        ...(signed === undefined ? [] : [consensusOf('signed_authors_90d', signed)]),
      ],
    })
      .factors.flatMap((factor) => factor.features)
      .find((row) => row.id === 'dv_devs')?.raw;
  assert.equal(points(40), 40);
  assert.equal(points(40, 0), 3);
  assert.equal(points(40, 4), 15);
  assert.equal(points(12, 4), 12);
});
