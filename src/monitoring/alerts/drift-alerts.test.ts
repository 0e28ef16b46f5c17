import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DriftSubscription, SourceHealth } from '../../store/index.ts';
import { type DriftAlertRules, driftAlertsOf } from './drift-alerts.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 2, 1);
const RULES: DriftAlertRules = { quietSeconds: 21_600, together: 3, severeBelow: 0.5, readWithinSeconds: 86_400 };
const iso = (hour: number) => new Date(START + hour * HOUR_MS).toISOString();

function health(source: string, hour: number, weight: number, usualSince: number | null): SourceHealth {
  return {
    source,
    weight,
    checkedAt: iso(hour),
    drifting: weight < 1 ? ['misstated'] : [],
    usualSince: usualSince === null ? null : iso(usualSince),
    driftAt: iso(0),
    driftEndpoint: 'coin',
    drift: 'coin, USD Coin: decimals is 18 instead of 6',
    reachable: true,
    succeededAt: null,
    failure: null,
    latencyMs: null,
    acceptedShare: null,
  };
}

/** What one account is told hour by hour, given the weights of one source. */
function reportedOver(weights: readonly number[], sources: readonly string[] | null = null) {
  let open: DriftSubscription['open'] = [];
  let usualSince: number | null = 0;
  return weights.map((weight, hour) => {
    usualSince = weight < 1 ? null : (usualSince ?? hour);
    const subscription = { accountId: 'acc', sources, open };
    const now = START + hour * HOUR_MS;
    const { alerts, changes } = driftAlertsOf([subscription], [health('goplus', hour, weight, usualSince)], now, RULES);
    for (const { source, severity } of changes)
      open = [
        ...open.filter((row) => row.source !== source),
        ...(severity === null ? [] : [{ source, severity, openedAt: iso(hour) }]),
      ];
    return alerts.map((alert) => `${alert.state} ${alert.severity}`).join();
  });
}

test('a drift is reported when it begins, when it becomes severe, and once its source was normal for the quiet period', () => {
  const told = reportedOver([1, 0.5, 0.5, 0.25, 0.25, 1, 1, 1, 1, 1, 1, 1, 1]);
  assert.deepEqual(told, ['', 'opened medium', '', 'worsened high', '', '', '', '', '', '', '', 'closed info', '']);
});

test('a source that drifts again within the quiet period is reported once', () => {
  const told = reportedOver(Array.from({ length: 60 }, (_, hour) => (hour % 5 === 1 ? 0.5 : 1)));
  assert.deepEqual(
    told.filter((text) => text !== ''),
    ['opened medium'],
  );
});

test('however often a source drifts, the alerts of a day are few and in order', () => {
  const weight = fc.constantFrom(1, 1, 0.5, 0.25);
  fc.assert(
    fc.property(fc.array(weight, { minLength: 24, maxLength: 24 }), (weights) => {
      const told = reportedOver(weights).flatMap((text) => (text === '' ? [] : text.split(',')));
      assert.ok(told.length <= 3 + 3 * Math.floor(24 / 7), told.join());
      // What is told makes sense by itself: nothing is closed that was not opened.
      let isOpen = false;
      for (const text of told) {
        assert.equal(text.startsWith('opened'), !isOpen, told.join());
        isOpen = !text.startsWith('closed');
      }
    }),
  );
});

test('an account is notified only of the sources that it named, and of an end only after a beginning', () => {
  assert.ok(reportedOver([1, 0.5, 1, 1, 1, 1, 1, 1, 1], ['coingecko']).every((text) => text === ''));
  const over = driftAlertsOf(
    [{ accountId: 'late', sources: null, open: [] }],
    [health('goplus', 10, 1, 0)],
    START + 10 * HOUR_MS,
    RULES,
  );
  assert.deepEqual(over, { alerts: [], changes: [] });
});

test('what was not read for a day opens nothing, and what was opened ends', () => {
  const subscription = { accountId: 'acc', sources: null, open: [] };
  const at = (hour: number) =>
    driftAlertsOf([subscription], [health('goplus', 0, 0.5, null)], START + hour * HOUR_MS, RULES).alerts.length;
  assert.deepEqual([at(23), at(25)], [1, 0]);
  const open = [{ source: 'goplus', severity: 'medium' as const, openedAt: iso(0) }];
  const told = (hour: number) =>
    driftAlertsOf([{ ...subscription, open }], [health('goplus', 0, 0.5, null)], START + hour * HOUR_MS, RULES).alerts;
  assert.deepEqual([told(23), told(25).map((alert) => alert.state)], [[], ['closed']]);
});

test('more sources than an account may follow are reported in one alert, with the severity of the worst', () => {
  const names = ['binance', 'coingecko', 'defillama', 'goplus'];
  const rows = names.map((name, index) => health(name, 0, index === 2 ? 0.25 : 0.5, null));
  const subscription = { accountId: 'acc', sources: null, open: [] };
  const { alerts, changes } = driftAlertsOf([subscription], rows, START, RULES);
  assert.deepEqual(
    alerts.map((alert) => [alert.state, alert.severity, alert.sources.map((row) => row.source)]),
    [['opened', 'high', names]],
  );
  assert.deepEqual(
    changes.map((row) => row.severity),
    ['medium', 'medium', 'high', 'medium'],
  );
  assert.equal(driftAlertsOf([subscription], rows.slice(0, 3), START, RULES).alerts.length, 3);
});
