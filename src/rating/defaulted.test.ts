import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import { daysAgo, onChain, said, sound } from './fixtures/asset.ts';
import { row } from './fixtures/class-cases.ts';
import { rate } from './rate.ts';

const methodology = loadMethodology();

test('a coin far below its peg by price and chart is in default, whether or not somebody watched the last day', () => {
  const band = (price: number, events: number, held: number | null) =>
    rate(
      sound({
        set: [
          said('categories', ['USD Stablecoin', 'Algorithmic Stablecoin']),
          said('peg_target_usd', 1),
          said('price_usd', price),
          said('depeg_aged_sum', events),
          ...(held === null ? [] : [said('peg_deviation_24h_held', held)]),
        ],
      }),
      methodology,
    ).band;
  assert.equal(band(0.01, 0.9, 0.98), 'D');
  assert.equal(band(0.01, 0.9, null), 'D');
  assert.notEqual(band(0.01, 0.9, 0.1), 'D', 'it was near its peg within the day');
  assert.notEqual(band(0.01, 0.1, null), 'D', 'the chart holds no such departure');
  assert.notEqual(band(0.9, 0.9, null), 'D', 'it has recovered');
});

test('of a chain of which we read no repository nobody is said to show none, and of fixed code nobody operates it', () => {
  const feature = (input: Parameters<typeof rate>[0], id: string) =>
    rate(input, methodology)
      .factors.flatMap((factor) => factor.features)
      .find((one) => one.id === id)?.status;
  const silent = ['contributors_90d', 'commits_90d', 'last_commit_at', 'repo_created_at'] as const;
  const coin = sound({ set: [row('natives', { symbol: 'HLD' })], asset: { address: 'native' }, without: [...silent] });
  assert.equal(feature(coin, 'dv_devs'), 'unknown');
  const wrapper = (control: string) =>
    sound({ set: [row('protocols', { kind: 'receipt', control, underlying: 'ethereum' })] });
  assert.equal(feature(wrapper('immutable'), 'fu_operators'), 'not_applicable');
  assert.equal(feature(wrapper('multisig'), 'fu_operators'), 'unknown');
});

test('a token of a chain that nobody here reads is not rated above BBB, unless a register knows its powers', () => {
  const token = (states: Parameters<typeof said>[1] | null) =>
    rate(
      sound({
        asset: { chain: 'unread' },
        set: [
          said('categories', ['DeFi']),
          said('claim_state', 'legal_claim'),
          said('tvl_usd', 1e10),
          ...(states === null ? [] : [said('protocol_control_state', states)]),
        ],
      }),
      methodology,
    );
  const kept = token('immutable');
  assert.ok((kept.score ?? 0) >= 74, `the case must be above BBB: ${kept.score}`);
  const unread = token(null);
  assert.equal(unread.band, 'NR');
  assert.match(unread.notRatedReasons.join(), /nobody here reads its chain/);
});

test('liquidity under a lock of which nobody states the end is worth what one under an unknown locker is', () => {
  const locked = (...rows: ReturnType<typeof said>[]) =>
    rate(
      sound({
        set: [
          said('categories', ['Meme']),
          onChain('token_created_at', daysAgo(100)),
          said('lp_locked_share', 1),
          ...rows,
        ],
      }),
      methodology,
    )
      .factors.flatMap((factor) => factor.features)
      .find((one) => one.id === 'ts_lp')?.score;
  const { unknownLockerPoints } = methodology.featureRules;
  assert.equal(locked(), unknownLockerPoints);
  assert.ok((locked(said('lp_burned_share', 1)) ?? 0) > unknownLockerPoints);
  assert.ok((locked(said('lp_unlock_at', daysAgo(-400))) ?? 0) > unknownLockerPoints);
});
