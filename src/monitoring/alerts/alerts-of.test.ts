import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BANDS, type Band, type Severity } from '../../domain/rating.ts';
import type { Thresholds } from '../types.ts';
import { alertsOf, type Baseline } from './alerts.ts';
import { flag, publishedRating } from './fixtures/published.ts';

const SEVERITIES: readonly Severity[] = ['info', 'low', 'medium', 'high', 'critical'];
const severity = fc.constantFrom(...SEVERITIES);
const band = fc.constantFrom(...BANDS);
const tenth = fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10);
const flags = fc
  .uniqueArray(fc.tuple(fc.constantFrom('MINT', 'FREEZE', 'HONEYPOT', 'THIN'), severity), {
    selector: ([code]) => code,
  })
  .map((list) => list.map(([code, is]) => flag(code, is)));
const rating = fc
  .record({ score: fc.option(tenth), band, flags })
  .map((given) => publishedRating('a', 'job', '2026-03-01T00:00:00.000Z', given));
const thresholds: fc.Arbitrary<Thresholds> = fc.record({
  minScoreChange: fc.integer({ min: 1, max: 1000 }).map((tenths) => tenths / 10),
  flagSeverities: fc.subarray([...SEVERITIES]),
  bands: fc.option(fc.subarray([...BANDS])),
});
const NOTHING: Baseline = { score: null, band: null, flags: [] };
const usual: Thresholds = { minScoreChange: 5, flagSeverities: ['high', 'critical'], bands: null };
const scored = (score: number, is: Band = 'A') =>
  publishedRating('a', 'job', '2026-03-01T00:00:00.000Z', { score, band: is, flags: [] });

test('the first rating raises no alert, and neither does the same rating again', () => {
  fc.assert(
    fc.property(thresholds, rating, (limits, published) => {
      const first = alertsOf(limits, NOTHING, published);
      assert.deepEqual(first.alerts, []);
      assert.deepEqual(alertsOf(limits, first.baseline, published), { alerts: [], baseline: first.baseline });
    }),
  );
});

test('a rating causes at most one alert of each kind, and none twice over', () => {
  fc.assert(
    fc.property(thresholds, rating, rating, (limits, before, after) => {
      const { baseline } = alertsOf(limits, NOTHING, before);
      const { alerts, baseline: next } = alertsOf(limits, baseline, after);
      assert.equal(new Set(alerts.map(({ kind }) => kind)).size, alerts.length);
      assert.deepEqual(alertsOf(limits, next, after).alerts, []);
    }),
  );
});

test('however slowly a score drifts, it is never a threshold away from its last alert', () => {
  fc.assert(
    fc.property(thresholds, fc.array(tenth, { minLength: 1, maxLength: 50 }), (limits, scores) => {
      let baseline = NOTHING;
      for (const score of scores) {
        baseline = alertsOf(limits, baseline, scored(score)).baseline;
        assert.ok(Math.abs(score - (baseline.score ?? Number.NaN)) < limits.minScoreChange);
      }
    }),
  );
});

test('one point a day raises an alert on the fifth day, at exactly the threshold, and the count restarts', () => {
  let { baseline } = alertsOf(usual, NOTHING, scored(70.3));
  const days = [];
  for (let day = 1; day <= 12; day += 1) {
    const step = alertsOf(usual, baseline, scored((703 - day * 10) / 10));
    if (step.alerts.length > 0) days.push(day);
    baseline = step.baseline;
  }
  assert.deepEqual(days, [5, 10]);
});

test('transitions into and out of D and NR raise alerts, whatever bands an entry names', () => {
  fc.assert(
    fc.property(thresholds, band, band, (limits, from, to) => {
      const { baseline } = alertsOf(limits, NOTHING, scored(50, from));
      const told = alertsOf(limits, baseline, scored(50, to)).alerts.some(({ kind }) => kind === 'band_transition');
      const named = limits.bands === null || limits.bands.includes(from) || limits.bands.includes(to);
      const always = [from, to].some((one) => one === 'D' || one === 'NR');
      assert.equal(told, from !== to && (named || always));
    }),
  );
});

test('only flags of the chosen severities count; raised, cleared and worsened are distinguished', () => {
  const at = (...list: readonly ReturnType<typeof flag>[]) =>
    publishedRating('a', 'job', '2026-03-01T00:00:00.000Z', { score: 50, band: 'A', flags: list });
  const { baseline } = alertsOf(
    usual,
    NOTHING,
    at(flag('THIN', 'low'), flag('MINT', 'high'), flag('FREEZE', 'medium')),
  );
  assert.deepEqual(alertsOf(usual, baseline, at(flag('MINT', 'high'), flag('FREEZE', 'medium'))).alerts, []);
  const [alert] = alertsOf(usual, baseline, at(flag('FREEZE', 'critical'), flag('HONEYPOT', 'high'))).alerts;
  assert.equal(alert?.kind, 'risk_flag_change');
  assert.equal(alert?.severity, 'critical');
  assert.deepEqual(alert?.details, {
    raised: [{ code: 'HONEYPOT', severity: 'high', title: 'HONEYPOT' }],
    cleared: [{ code: 'MINT', severity: 'high' }],
    changed: [{ code: 'FREEZE', from: 'medium', to: 'critical' }],
  });
});

test('a fall that passes through NR is as severe as one without it', () => {
  const withdrawn = publishedRating('a', 'job', '2026-03-01T00:00:00.000Z', { score: null, band: 'NR', flags: [] });
  const severityAfter = (score: number, is: Band) => {
    let { baseline } = alertsOf(usual, NOTHING, scored(68, 'BBB'));
    ({ baseline } = alertsOf(usual, baseline, withdrawn));
    return alertsOf(usual, baseline, scored(score, is)).alerts.find(({ kind }) => kind === 'band_transition')?.severity;
  };
  assert.equal(severityAfter(28, 'CC'), 'high');
  assert.equal(severityAfter(66, 'BBB'), 'info', 'within the threshold of the last score');
  assert.equal(severityAfter(78, 'A'), 'info');
});
