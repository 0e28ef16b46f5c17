import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../domain/observation.ts';
import type { FundingRound, PeerRow } from '../../domain/rating.ts';
import { loadMethodology } from '../../methodology/load.ts';
import type { Context } from '../context.ts';
import { AS_OF, consensusOf, daysAgo, inputOf } from '../fixtures/asset.ts';
import { lastRound, vfrBeforeToken } from './rounds.ts';

const methodology = loadMethodology();
const SEED: Json = { date: daysAgo(60), round: 'Seed', amountUsd: 4e6, valuationUsd: 4e7, leadInvestors: [] };

function peers(count: number, change: Partial<FundingRound> = {}): readonly PeerRow[] {
  return Array.from({ length: count }, (_, index) => ({
    assetId: `project-${index}`,
    category: 'defi_protocol',
    asOf: AS_OF,
    marketValueUsd: null,
    drivers: {},
    round: {
      date: daysAgo(30 + index),
      stage: 'seed',
      postMoneyUsd: 2e7 * 1.3 ** ((index % 3) - 1),
      isEstimated: false,
      ...change,
    },
  }));
}

function vfr(raises: readonly Json[], panel: readonly PeerRow[], rating = { score: 50, trust: 70 }) {
  const input = inputOf(raises.length > 0 ? [consensusOf('raises', [...raises])] : [], { peers: panel });
  const context: Context = {
    input,
    methodology,
    class: 'defi_gov',
    category: 'defi_protocol',
    kind: null,
    native: false,
    now: Date.parse(AS_OF),
  };
  return vfrBeforeToken(context, rating);
}

test('twice what rounds of its stage pay is a ratio of two, inside an interval of at least 0.8', () => {
  const found = vfr([SEED], peers(12));
  assert.equal(found.method, 'rounds');
  assert.ok(Math.abs((found.value ?? 0) - 2) < 0.01, `${found.value}`);
  assert.deepEqual([found.sd, found.peers], [0.8, 12]);
  assert.equal(found.zone, 'PREMIUM');
  assert.ok(found.interval && found.interval[0] < 2 && found.interval[1] > 2);
});

test('an amount alone is taken for a fifth of the project, with lower confidence', () => {
  const found = vfr([{ date: daysAgo(60), round: 'Seed', amountUsd: 8e6 }], peers(12));
  assert.ok(Math.abs((found.value ?? 0) - 2) < 0.01);
  assert.ok(Math.abs((found.sd ?? 0) - 1.2) < 1e-9);
  assert.match(found.notes.join(), /20 %/);
});

test('a round older than those it is compared with is marked', () => {
  const old = { ...(SEED as object), date: daysAgo(1_000) };
  assert.match(vfr([old], peers(12)).notes.join(' '), /1000 days old/);
  assert.doesNotMatch(vfr([SEED], peers(12)).notes.join(' '), /days old/);
});

test('a better project is worth more: half a standard deviation for 25 points', () => {
  const at = (score: number) => Math.log(vfr([SEED], peers(12), { score, trust: 70 }).fairValueUsd ?? 0);
  assert.ok(Math.abs(at(75) - at(50) - 0.4) < 1e-3);
  assert.ok(at(20) < at(50));
});

test('no value with a reason: no public round, few rounds, old ones, other stages, little trust', () => {
  const none = (found: ReturnType<typeof vfr>, why: RegExp) => {
    assert.deepEqual([found.value, found.zone], [null, 'INDETERMINATE']);
    assert.match(found.reason ?? '', why);
  };
  none(vfr([], peers(12)), /no public list has a funding round/);
  none(vfr([{ ...(SEED as object), valuationUsd: null, amountUsd: null }], peers(12)), /no public list/);
  none(vfr([{ ...(SEED as object), date: daysAgo(-5) }], peers(12)), /no public list/);
  none(vfr([SEED], peers(7)), /7 rounds of the same stage/);
  none(vfr([SEED], peers(12, { date: daysAgo(900) })), /0 rounds/);
  none(vfr([SEED], peers(12, { stage: 'late' })), /0 rounds/);
  none(vfr([SEED], peers(12, { postMoneyUsd: Number.NaN })), /0 rounds/);
  none(vfr([SEED], peers(12), { score: 50, trust: 30 }), /trust/);
});

test('the currency of all rounds leaves the ratio', () => {
  const scaled = peers(12).map((peer) => ({
    ...peer,
    round: peer.round && { ...peer.round, postMoneyUsd: 1_000 * peer.round.postMoneyUsd },
  }));
  const found = vfr([{ ...(SEED as object), valuationUsd: 4e10, amountUsd: 4e9 }], scaled);
  assert.equal(found.value, vfr([SEED], peers(12)).value);
});

test('a few absurd rounds do not move it', () => {
  const absurd = peers(3, { postMoneyUsd: 9e11 }).map((peer, index) => ({ ...peer, assetId: `absurd-${index}` }));
  const found = vfr([SEED], [...peers(20), ...absurd]);
  assert.ok(Math.abs(Math.log((found.value ?? 1) / 2)) < 0.4, `${found.value}`);
});

test('the last round counts, up to the moment of the rating; an invalid round is skipped', () => {
  const round = (days: number, name: string, valuationUsd: number) => ({
    date: daysAgo(days),
    round: name,
    valuationUsd,
  });
  const last = (...rows: readonly Json[]) => lastRound(consensusOf('raises', [...rows]), AS_OF, methodology.vfr.rounds);
  assert.equal(last(round(90, 'Seed', 1), round(10, 'Series A', 2), round(-1, 'Series B', 3))?.postMoneyUsd, 2);
  assert.equal(last(null, 'x', 7, { valuationUsd: 'many' }, { amountUsd: -1 }, { valuationUsd: 1e300 }), null);
  const stages = ['Pre-seed', 'Seed', 'Series A', 'Series C', 'Strategic', 'Public token sale', 'Grant', ''].map(
    (name) => last(round(1, name, 1))?.stage,
  );
  assert.deepEqual(stages, ['seed', 'seed', 'early', 'late', 'strategic', 'public', 'other', 'other']);
});
