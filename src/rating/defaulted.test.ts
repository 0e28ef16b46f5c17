import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import { consensusOf, daysAgo, onChain, soundProtocol } from './fixtures/asset.ts';
import { row } from './fixtures/class-cases.ts';
import { rate } from './rate.ts';

const methodology = loadMethodology();

test('a coin far below its peg by price and chart is in default, with or without collections on the last day', () => {
  const band = (price: number, events: number, held: number | null) =>
    rate(
      soundProtocol({
        set: [
          consensusOf('categories', ['USD Stablecoin', 'Algorithmic Stablecoin']),
          consensusOf('peg_target_usd', 1),
          consensusOf('price_usd', price),
          consensusOf('depeg_aged_sum', events),
          ...(held === null ? [] : [consensusOf('peg_deviation_24h_held', held)]),
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

test('a receipt far below its redemption value is in default at once, by a week of its chart or while redemption is suspended', () => {
  const voices = { families: ['alpha', 'beta', 'gamma'] };
  const band = (price: number, ...rows: ReturnType<typeof consensusOf>[]) =>
    rate(
      soundProtocol({
        category: 'wrapped tokens',
        set: [consensusOf('price_usd', price, voices), consensusOf('redemption_value_usd', 100, voices), ...rows],
      }),
      methodology,
    ).band;
  const [week, days] = [consensusOf('redemption_days_below_80', 7), consensusOf('redemption_days_below_80', 6)];
  const [suspended, open] = [consensusOf('redemption_state', 'none'), consensusOf('redemption_state', 'any_holder')];
  assert.equal(band(45, week), 'D');
  assert.equal(band(45, days, suspended), 'D');
  assert.notEqual(band(45, days, open), 'D', 'not for a week, and redeemed');
  assert.notEqual(band(45), 'D', 'neither is known');
  assert.notEqual(band(85, week, suspended), 'D', 'near what it stands for now');
  const alone = [consensusOf('price_usd', 45, { families: ['alpha'], confidence: 0.9 }), week];
  assert.notEqual(band(45, ...alone), 'D', 'one group alone has that price');
});

test('a chain whose repository is not known is not said to withhold it, and immutable code has no operators', () => {
  const feature = (input: Parameters<typeof rate>[0], id: string) =>
    rate(input, methodology)
      .factors.flatMap((factor) => factor.features)
      .find((one) => one.id === id)?.status;
  const silent = ['contributors_90d', 'commits_90d', 'last_commit_at', 'repo_created_at'] as const;
  const coin = soundProtocol({
    set: [row('natives', { symbol: 'HLD' })],
    asset: { address: 'native' },
    without: [...silent],
  });
  assert.equal(feature(coin, 'dv_devs'), 'unknown');
  const wrapper = (control: string) =>
    soundProtocol({ set: [row('protocols', { kind: 'receipt', control, underlying: 'ethereum' })] });
  assert.equal(feature(wrapper('immutable'), 'fu_operators'), 'not_applicable');
  assert.equal(feature(wrapper('multisig'), 'fu_operators'), 'unknown');
});

test('a token of a chain that is not read here is not rated above BBB, unless a register states its powers', () => {
  const token = (states: Parameters<typeof consensusOf>[1] | null) =>
    rate(
      soundProtocol({
        asset: { chain: 'unread' },
        set: [
          consensusOf('categories', ['DeFi']),
          consensusOf('claim_state', 'legal_claim'),
          consensusOf('tvl_usd', 1e10),
          ...(states === null ? [] : [consensusOf('protocol_control_state', states)]),
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

test('a lock counts by its remaining time; one without a stated end decays, and burned tokens do not', () => {
  const locked = (days: number, ...rows: ReturnType<typeof consensusOf>[]) =>
    rate(
      soundProtocol({
        set: [
          consensusOf('categories', ['Meme']),
          ...(['token_created_at', 'first_trade_at'] as const).map((quantity) => onChain(quantity, daysAgo(days))),
          consensusOf('lp_locked_share', 1),
          ...rows,
        ],
        without: ['listed_at', 'lp_locker_known'],
      }),
      methodology,
    )
      .factors.flatMap((factor) => factor.features)
      .find((one) => one.id === 'ts_lp')?.score ?? Number.NaN;
  const { unknownEnd } = methodology.featureRules.locks;
  const known = consensusOf('lp_locker_known', true);
  const young = locked(1, known);
  assert.ok(young < unknownEnd.known && young > unknownEnd.known - 1, `${young}`);
  assert.ok(locked(1) < unknownEnd.unknown);
  const half = unknownEnd.least + (unknownEnd.known - unknownEnd.least) / 2;
  assert.ok(Math.abs(locked(unknownEnd.halfLifeDays, known) - half) < 0.1);
  assert.ok(locked(600) < locked(100) && locked(600) > unknownEnd.least);
  assert.equal(locked(600, consensusOf('lp_burned_share', 1)), 90);
  // Half is burned: the points of that half are kept, whatever becomes of the lock.
  assert.equal(locked(600, consensusOf('lp_burned_share', 0.5)), 50);
  const ends = [-5, 3, 20, 90, 400].map((days) => locked(100, consensusOf('lp_unlock_at', daysAgo(-days))));
  assert.deepEqual(
    ends,
    ends.toSorted((a, b) => a - b),
  );
  assert.ok((ends[1] ?? 100) < methodology.aggregation.prior && ends.at(-1) === 90, ends.join(', '));
});

test('a value or a volume that no list states counts little, not as the middle', () => {
  const { factors } = rate(
    soundProtocol({ without: ['market_cap_usd', 'volume_24h_usd', 'volume_24h_dex_usd'] }),
    methodology,
  );
  for (const id of ['fu_size', 'mq_vol']) {
    const found = factors.flatMap((factor) => factor.features).find((one) => one.id === id);
    const { silence } = methodology.features.find((one) => one.id === id) ?? {};
    assert.deepEqual([found?.status, found?.rest], ['unknown', silence?.points], id);
    assert.ok((silence?.points ?? 100) < methodology.aggregation.prior / 4);
  }
});
