import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rating } from '../domain/rating.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import { type Change, consensusOf, daysAgo, onChain, outcome, soundProtocol } from './fixtures/asset.ts';
import { row } from './fixtures/class-cases.ts';
import { rate } from './rate.ts';

/** What `featureRules.revision` 3 no longer credits, because the rated party can buy, state or hide it alone. */
const methodology = loadMethodology();
const earlier: Methodology = { ...methodology, featureRules: { ...methodology.featureRules, revision: 2 } };
const before: Methodology = {
  ...methodology,
  caps: methodology.caps.map((cap) =>
    cap.code === 'NATIVE_AA_GATE' ? { ...cap, thresholds: { haltHours: 1, days: 2922 } } : cap,
  ),
};
const rated = (change: Change, by: Methodology = methodology) => rate(soundProtocol(change), by);
const scores = (change: Change) => [rated(change, earlier).score, rated(change).score];
const featureOf = (rating: Rating, id: string) =>
  rating.factors.flatMap(({ features }) => features).find((feature) => feature.id === id);
const capsOf = (rating: Rating) => rating.caps.map(({ code }) => code);

const dated = (...set: NonNullable<Change['set']>): Change => ({ without: ['token_created_at'], set });

const youngPool = consensusOf('pool_created_at', daysAgo(3), { scope: 'pool:0xaa' });
const registered = consensusOf('first_trade_at', daysAgo(2_000), { families: ['paprika'] });

test('the date of one registry does not make a token of three days old', () => {
  const honest = dated(youngPool);
  const bought = dated(youngPool, registered);
  assert.deepEqual(scores(honest), [43.9, 43.9]);
  assert.deepEqual(scores(bought), [69.3, 43.9]);
  assert.equal(rated(bought).uncappedScore, rated(honest).uncappedScore);
  // A second group, or the chain, bears it out.
  const second = consensusOf('listed_at', daysAgo(1_900), { families: ['cmc'] });
  assert.ok((featureOf(rated(dated(youngPool, registered, second)), 'tr_age')?.raw ?? 0) === 1_900);
  assert.ok(!capsOf(rated(dated(youngPool, onChain('token_created_at', daysAgo(1_500))))).includes('AGE_7D'));
});

test('an age that nobody bears out is capped, and one registry that states it earns nothing', () => {
  const [hidden, alone] = [rated(dated()), rated(dated(registered))];
  assert.deepEqual(
    [scores(dated()), scores(dated(registered))],
    [
      [65.4, 54.9],
      [69.3, 54.9],
    ],
  );
  assert.deepEqual([capsOf(hidden)[0], capsOf(alone)[0]], ['AGE_30D', 'AGE_30D']);
  assert.equal(alone.uncappedScore, hidden.uncappedScore);
  assert.equal(featureOf(alone, 'tr_age')?.status, 'unknown');
  // A young age costs, whoever states it.
  const young = rated(dated(consensusOf('first_trade_at', daysAgo(3), { families: ['paprika'] })));
  assert.ok(capsOf(young).includes('AGE_7D') && featureOf(young, 'tr_age')?.status === 'observed');
  assert.ok(young.flags.some(({ code }) => code === 'TOKEN_NEW'));
});

test('a source of the service that failed is no fault of the project: its unknown age is capped as a young one', () => {
  const sources = soundProtocol().sources.map((row) =>
    row.name === 'coingecko' ? { ...outcome('coingecko', 'timeout'), answered: 0 } : row,
  );
  assert.ok(capsOf(rated({ ...dated(), sources })).includes('AGE_180D'));
});

test('a lock without an end gains nothing from a market whose age is hidden', () => {
  const locked = [consensusOf('lp_locker_known', true), consensusOf('categories', ['Meme'])];
  const points = (by: Methodology, ...age: NonNullable<Change['set']>) =>
    Math.round(featureOf(rated(dated(...locked, ...age), by), 'ts_lp')?.score ?? 0);
  const old = onChain('token_created_at', daysAgo(700));
  assert.deepEqual([points(earlier), points(earlier, old)], [50, 13]);
  assert.ok(points(methodology) <= points(methodology, old));
});

const HOLDING = ['hd_top1', 'hd_top10', 'hd_neff'];

test('a list of few small holders says nothing good about those that it does not list', () => {
  const listed = Array.from({ length: 6 }, (_, index) => ({ owner: `0xdust${index}`, sharePct: 0.1 }));
  const meme = consensusOf('categories', ['Meme']);
  const few: Change = { set: [meme, consensusOf('top_holders', listed)] };
  const points = (by: Methodology) => HOLDING.map((id) => featureOf(rated(few, by), id)?.score);
  assert.deepEqual(scores(few), [60.7, 57.3]);
  assert.ok(points(earlier).every((score) => (score ?? 0) >= 90));
  assert.deepEqual(points(methodology), [null, null, null]);
  const none = rated({ set: [meme], without: ['top_holders'] });
  assert.ok((rated(few).uncappedScore ?? 0) <= (none.uncappedScore ?? 0));
  // What is listed still costs, and a list of the twenty largest is believed.
  const large = consensusOf('top_holders', [{ owner: '0xlarge', sharePct: 45 }]);
  const costly = featureOf(rated({ set: [meme, large] }), 'hd_top1');
  assert.ok((costly?.score ?? 100) < methodology.aggregation.prior);
  const long = { set: [meme] };
  assert.equal(featureOf(rated(long), 'hd_top10')?.score, featureOf(rated(long, earlier), 'hd_top10')?.score);
});

test('an outage of four years ago keeps a chain from AA, although its hours have aged', () => {
  const native = (hours: number, days: number, kind?: string): Change => ({
    asset: { address: 'native', chain: null },
    set: [
      row('natives', { symbol: 'HLD' }),
      row('outages', { outages: [{ date: daysAgo(days), hours, ...(kind === undefined ? {} : { kind }) }] }),
      onChain('token_created_at', daysAgo(4_000)),
      consensusOf('consensus_entry_state', 'permissionless'),
      consensusOf('consensus_control_state', 'many_teams'),
      consensusOf('consensus_nakamoto', 8),
      consensusOf('outage_hours', hours * 2 ** (-days / 730)),
    ],
  });
  const old = native(3, 1_460);
  assert.ok(capsOf(rated(old)).includes('NATIVE_AA_GATE'));
  assert.ok(!capsOf(rated(old, before)).includes('NATIVE_AA_GATE'));
  for (const change of [native(3, 1_830), native(0.5, 100), native(3, 1_460, 'finality')])
    assert.ok(!capsOf(rated(change)).includes('NATIVE_AA_GATE'));
});

test('a memecoin that one list of protocols takes in is still a memecoin', () => {
  const meme = consensusOf('categories', ['Meme']);
  const listed: Change = { set: [meme, consensusOf('protocol_category', 'Dexs', { families: ['defillama'] })] };
  assert.deepEqual([rated(listed, earlier).class, rated(listed).class], ['defi_gov', 'memecoin']);
  assert.equal(rated(listed).score, rated({ set: [meme] }).score);
  assert.equal(rated({ set: [meme, consensusOf('protocol_category', 'Dexs')] }).class, 'defi_gov');
});

test('a part of a mix that is not rated is worth no more than an unproven backing', () => {
  const mixed = (mix: Readonly<Record<string, number>>, by: Methodology = methodology) => {
    const underlyings = [{ name: 'USDC', share: mix.USDC ?? 0, score: 85 }];
    const input = soundProtocol({ category: 'wrapped tokens', set: [consensusOf('underlying_assets', mix)] });
    return rate({ ...input, underlyings }, by);
  };
  const capOf = (rating: Rating) => rating.caps.find(({ code }) => code === 'UNDERLYING')?.cap;
  const unproven = methodology.caps.find(({ code }) => code === 'BACKING_UNPROVEN')?.cap;
  const junk = { USDC: 0.4, JUNK: 0.6 };
  assert.deepEqual([capOf(mixed(junk, earlier)), capOf(mixed(junk))], [82, unproven]);
  assert.equal(capOf(mixed({ USDC: 1 })), 82);
  // A small part lowers the mean alone.
  assert.equal(capOf(mixed({ USDC: 0.95, JUNK: 0.05 })), 80.6);
});
