import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Life, liveThrough } from './support/life.ts';

// Sound until a plain key may mint (day 6), drained on day 9, rebuilt on day 30 (sandbox/world/specs-eventful.ts).
const DAYS = [0, 1, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 30, 58, 86, 114, 142, 170, 198, 211, 239];
let life: Life;
before(async () => {
  life = await liveThrough({ name: 'Emberlight', domain: 'emberlight.example', symbol: 'EMBR' }, DAYS);
});
const on = (day: number) => {
  const found = life.ratings.findLast((rating) => rating.day === day);
  assert.ok(found);
  return found;
};

test('an asset lives: new, affirmed, downgraded and watched, in default after seven days without liquidity, cured after 180', (t) => {
  for (const { day, score, band, rating_action, action_reason } of life.ratings)
    t.diagnostic(`day ${day}: ${score} ${band} ${rating_action}: ${action_reason}`);
  assert.deepEqual([on(0).rating_action, on(1).rating_action], ['new', 'affirm']);
  assert.equal(on(0).band, on(1).band);
  assert.ok(life.ratings.some((rating) => rating.day === 6 && rating.rating_action === 'downgrade'));
  assert.equal(on(6).watch?.reason, 'authority_change');
  assert.ok(on(6).risk_flags.some((flag) => flag.code === 'MINT_AUTHORITY_EOA'));
  assert.ok(on(9).risk_flags.some((flag) => flag.code === 'LIQUIDITY_CRITICAL'));
  assert.ok((on(9).score ?? 100) < (on(6).score ?? 0));
  assert.notEqual(on(15).band, 'D', 'six days are not seven');
  // A day on which too few indexers answered does not count: the default comes that much later, never earlier.
  const defaulted = life.ratings.find((rating) => rating.band === 'D');
  assert.ok(defaulted && defaulted.day >= 16 && defaulted.day <= 19, String(defaulted?.day));
  assert.ok((defaulted.score ?? 100) <= 4.9);
  for (const day of [19, 30, 58, 198]) assert.equal(on(day).band, 'D', `day ${day}`);
  const cured = life.ratings.find((rating) => rating.rating_action === 'upgrade');
  assert.ok(cured && cured.day >= 210, String(cured?.day));
  assert.equal(cured.band, 'CCC');
});

test('a rating that changes states what moved it, in points', () => {
  const index = life.ratings.findIndex((rating) => rating.rating_action === 'downgrade');
  const [before, after] = [life.ratings[index - 1], life.ratings[index]];
  assert.ok(before && after && after.drivers.length > 0);
  const moved = after.drivers.reduce((sum, driver) => sum + driver.points, 0);
  assert.ok(Math.abs(moved - ((after.score ?? 0) - (before.score ?? 0))) < 0.051, `${moved}`);
});

test('its actions are kept in their order, and nothing but them', () => {
  assert.deepEqual(
    life.history.map(({ rating_action, band }) => `${rating_action} ${band}`),
    life.ratings
      .filter((rating) => rating.rating_action !== 'affirm')
      .map(({ rating_action, band }) => `${rating_action} ${band}`),
  );
});

test('each watcher is notified of each change once, by the list and by a signed message', () => {
  const { alerts, delivered, badSignatures } = life;
  assert.equal(badSignatures, 0);
  assert.equal(alerts.length, new Set(alerts.map((alert) => alert.id)).size);
  const transitions = alerts.filter((alert) => alert.kind === 'band_transition');
  const actions = life.history.filter((rating) => rating.rating_action !== 'new');
  assert.equal(transitions.length, actions.length);
  assert.ok(alerts.some((alert) => alert.kind === 'risk_flag_change' && alert.severity === 'high'));
  assert.ok(alerts.some((alert) => alert.kind === 'score_change'));
  const told = delivered
    .filter(({ type }) => type !== 'alert.digest')
    .map(({ data }) => Number(data.alert_id ?? data.id));
  assert.deepEqual(
    told.sort((a, b) => a - b),
    alerts.map((alert) => alert.id).sort((a, b) => a - b),
  );
});
