import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS, type ScoreReport } from '../../domain/index.ts';
import { connect } from '../../store/database.ts';
import { type TestDatabase, testDatabase } from '../../store/fixtures/database.ts';
import { notePegs } from '../../store/ratings/peg-watch.ts';
import { ensureDays } from '../../store/snapshots/partitions.ts';
import { alertOnPegs, pegOf } from './peg-alerts.ts';
import { limitsOf, nextPeg, PEG_RULES, type PegEvent, type PegState, QUIET_PEG } from './peg-rule.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const iso = (at: number) => new Date(at).toISOString();
const DOLLAR = limitsOf('USD', PEG_RULES);

function replay(
  prices: readonly number[],
  stepHours = 0.25,
): { readonly events: readonly PegEvent[]; state: PegState } {
  let state = QUIET_PEG;
  const events: PegEvent[] = [];
  for (const [index, price] of prices.entries()) {
    const next = nextPeg(state, { at: iso(START + index * stepHours * HOUR_MS), price }, DOLLAR, PEG_RULES);
    state = next.state;
    if (next.event !== null) events.push(next.event);
  }
  return { events, state };
}
const steady = (price: number, hours: number) => Array.from({ length: hours * 4 }, () => price);

test('a price within the peg’s allowance is never reported, on either side and for any time', () => {
  const price = fc.integer({ min: -DOLLAR.allowanceBps, max: DOLLAR.allowanceBps }).map((bps) => 1 + bps / 10_000);
  fc.assert(
    fc.property(fc.array(price, { maxLength: 400 }), (prices) => {
      const { events, state } = replay(prices);
      assert.deepEqual(events, []);
      assert.ok(state.bpsHours < 1e-6);
    }),
  );
});

test('an alarm is over after a day of prices within the allowance: hours without a price do not count', () => {
  const { state } = replay([1, ...steady(0.9, 1)]);
  const from = Date.parse(state.seenAt ?? '');
  const after = (hours: readonly number[]) => {
    let now = state;
    return hours.flatMap((hour) => {
      const next = nextPeg(now, { at: iso(from + hour * HOUR_MS), price: 1 }, DOLLAR, PEG_RULES);
      now = next.state;
      return next.event === null ? [] : [`${next.event.state} ${hour}`];
    });
  };
  assert.deepEqual(after([0.5, 26]), []);
  assert.deepEqual(after([0.5, 40, ...Array.from({ length: 24 }, (_, index) => 41 + index)]), ['closed 63']);
});

test('a large deviation is reported within the hour, a small one when it lasts, and each once until it is over', () => {
  const far = replay([1, ...steady(0.9, 2)]);
  assert.deepEqual(
    far.events.map((event) => [event.state, event.severity]),
    [
      ['opened', 'medium'],
      ['worsened', 'high'],
    ],
  );
  assert.equal(Date.parse(far.events[0]?.at ?? '') - START, 0.25 * HOUR_MS);
  const near = replay([1, ...steady(0.9935, 12)]);
  assert.deepEqual(
    near.events.map((event) => event.state),
    ['opened'],
  );
  assert.ok(Date.parse(near.events[0]?.at ?? '') - START >= 5 * HOUR_MS);
  const over = replay([1, ...steady(1.02, 3), ...steady(1, 25), ...steady(0.97, 3)]);
  assert.deepEqual(
    over.events.map((event) => event.state),
    ['opened', 'closed', 'opened'],
  );
});

test('a price without time, an older one, and an invalid one change nothing; hours without prices count as one', () => {
  const state: PegState = { seenAt: iso(START), bpsHours: 50, state: 'quiet', since: null };
  for (const price of [
    { at: 'never', price: 0.5 },
    { at: iso(START - 1), price: 0.5 },
    { at: iso(START + HOUR_MS), price: 0 },
    { at: iso(START + HOUR_MS), price: Number.NaN },
  ])
    assert.deepEqual(nextPeg(state, price, DOLLAR, PEG_RULES), { state, event: null });
  const late = nextPeg(state, { at: iso(START + 50 * HOUR_MS), price: 0.996 }, DOLLAR, PEG_RULES);
  assert.equal(Math.round(late.state.bpsHours), 60);
});

test('the peg is what the valuation of a stablecoin divides by: its currency and its gathered yield are in it', () => {
  const report = (category: string, method: string, value: number | null, price: number) =>
    ({
      published: { asset: { id: 'coin' }, category, asOf: iso(START) },
      rating: { vfr: { method, value } },
      consensus: { price_usd: { value: price }, peg_currency: { value: 'EUR' } },
    }) as unknown as ScoreReport;
  assert.deepEqual(pegOf(report('stablecoin', 'peg', 0.5, 0.55)), {
    assetId: 'coin',
    currency: 'EUR',
    targetUsd: 1.1,
    at: iso(START),
  });
  assert.equal(pegOf(report('stablecoin', 'none', null, 1)), null);
  assert.equal(pegOf(report('lst', 'peg', 0.99, 3_000)), null);
});

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

test('watchers of a coin are notified once, whichever process compares, and a coin without watchers causes no alert', async () => {
  const { db, pool } = database.store;
  await ensureDays(pool, 'prices', ['2026-03-01']);
  const thresholds = JSON.stringify({ minScoreChange: 5, flagSeverities: ['high'], bands: null });
  for (const assetId of ['watched', 'alone'])
    await db.transaction().execute(async (transaction) => {
      await notePegs(transaction, [{ assetId, currency: 'USD', targetUsd: 1.25, at: iso(START) }]);
      for (let quarter = 0; quarter <= 8; quarter += 1)
        await transaction
          .insertInto('prices')
          .values({
            asset_id: assetId,
            at: iso(START + quarter * 0.25 * HOUR_MS),
            chain: 'ethereum',
            price_usd: quarter === 0 ? 1.25 : 1.2,
            volume_24h_usd: null,
            market_cap_usd: null,
            liquidity_usd: null,
          })
          .execute();
    });
  for (const account of ['acc_1', 'acc_2'])
    await db
      .insertInto('watchlist')
      .values({
        account_id: account,
        asset_id: 'watched',
        added_at: iso(START),
        note: null,
        thresholds,
        baseline_score: null,
        baseline_band: null,
        baseline_flags: '[]',
      })
      .execute();
  const now = () => START + 2 * HOUR_MS;
  const processes = Array.from({ length: 3 }, () => connect(database.url));
  const made = await Promise.all(processes.map((store) => alertOnPegs(store.db, now, PEG_RULES)));
  await Promise.all(processes.map((store) => store.close()));
  assert.equal(
    made.reduce((sum, one) => sum + one, 0),
    2,
  );
  assert.equal(await alertOnPegs(db, now, PEG_RULES), 0);
  const alerts = await db.selectFrom('alerts').select(['account_id', 'asset_id', 'kind', 'severity', 'body']).execute();
  assert.deepEqual(alerts.map((row) => [row.account_id, row.asset_id, row.kind, row.severity]).sort(), [
    ['acc_1', 'watched', 'peg_stress', 'medium'],
    ['acc_2', 'watched', 'peg_stress', 'medium'],
  ]);
  const { details, title } = JSON.parse(alerts[0]?.body ?? '{}');
  assert.equal(title, 'Off its peg: 0.96 USD, 400 basis points below');
  assert.deepEqual([details.state, details.distance_bps, details.allowed_bps], ['opened', -400, 30]);
  // A peg that no rating has stated for two days is not watched.
  const later = () => START + 60 * HOUR_MS;
  assert.equal(await alertOnPegs(db, later, PEG_RULES), 0);
});
