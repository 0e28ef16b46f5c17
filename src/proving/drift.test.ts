import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/index.ts';
import { type DriftState, type DriftStep, NEVER_READ, type Signals, stepDrift } from './drift.ts';
import type { Reading } from './request-panel.ts';
import { signalsOf } from './signals.ts';

const AT = '2026-06-01T00:00:00.000Z';

interface Hour {
  readonly gap?: number;
  readonly points?: number;
  readonly schema?: number;
  readonly misstated?: number;
  readonly stated?: Signals['stated'];
  readonly level?: number;
  readonly silent?: Signals['silent'];
}

/** Readings one after the other; the last step, and the state after it. */
function read(hours: readonly Hour[], from: DriftState = NEVER_READ): readonly DriftStep[] {
  let state = from;
  return hours.map(({ gap = 0, points = 0, schema = 0, misstated = 0, stated = {}, level = 0, silent = [] }) => {
    const step = stepDrift(
      state,
      {
        rates: {
          schema: { value: schema, endpoint: 'coin', text: null },
          misstated: { value: misstated, endpoint: 'coin', text: 'decimals is 18' },
        },
        gaps: [
          { channel: 'price', endpoint: 'coin', kind: 'price_thin', value: gap, isLinear: false },
          { channel: 'points', endpoint: 'candles', kind: 'points', value: points, isLinear: true },
        ],
        levels: [{ key: 'depth', channel: 'depth by itself', endpoint: 'book', kind: 'liquidity', y: level }],
        stated,
        silent,
      },
      AT,
    );
    ({ state } = step);
    return step;
  });
}

const noise = (index: number) => 0.003 * Math.sin(12.9898 * index ** 2);
const usual = Array.from({ length: 30 }, (_, index): Hour => ({ gap: noise(index) }));
const after = (hours: readonly Hour[]) => read([...usual, ...hours]).slice(usual.length);
const first = (steps: readonly DriftStep[]) => steps.findIndex((step) => step.began.length > 0);

test('a misstated known fact counts at once, and weight returns after three correct readings', () => {
  const steps = after([{ misstated: 1 }, {}, {}, {}, {}]);
  assert.deepEqual(
    steps.map(({ weight }) => weight),
    [0.25, 0.25, 0.25, 1, 1],
  );
  assert.deepEqual(steps[0]?.began, [{ channel: 'misstated', endpoint: 'coin', text: 'decimals is 18' }]);
  assert.deepEqual(steps[3]?.ended, ['misstated']);
});

test('hours without a reply of the endpoint that was wrong do not count as correct ones', () => {
  const away = { silent: ['coin'] };
  const steps = after([{ misstated: 1 }, {}, away, away, away, away, {}, { misstated: 1 }, {}, {}, {}]);
  assert.deepEqual(
    steps.map(({ weight }) => weight),
    [0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 1],
  );
  const elsewhere = after([{ misstated: 1 }, ...Array.from({ length: 3 }, () => ({ silent: ['book'] }))]);
  assert.equal(elsewhere.at(-1)?.weight, 1, 'silence of another endpoint has no effect');
  const gone = after([{ stated: {} }]);
  assert.equal(gone.at(-1)?.weight, 1);
});

test('an endpoint is silent when none of its replies could be read, whatever the others of its source say', () => {
  const reading = (endpoint: string, outcome: string) =>
    ({
      asset: { id: 'a', name: 'A', known: [] },
      source: { name: 's' },
      endpoint: { name: endpoint },
      at: AT,
      answer: {
        record: { source: 's', outcome, detail: null, fetchedAt: AT },
        body: outcome === 'timeout' ? null : new Uint8Array(),
        observations: [],
      },
    }) as unknown as Reading;
  const rows = [
    reading('coin', 'timeout'),
    reading('coin', 'timeout'),
    reading('book', 'ok'),
    reading('book', 'timeout'),
    reading('chart', 'not_found'),
  ];
  const signals = signalsOf(rows, loadMethodology(), () => NEVER_READ).get('s');
  assert.deepEqual(signals?.silent, ['coin']);
});

test('one broken reply is not reported, and an endpoint that stays broken is detected with the second', () => {
  assert.equal(first(after([{ schema: 1 }, ...Array.from({ length: 12 }, () => ({})), { schema: 1 }, {}])), -1);
  assert.equal(first(after([{ schema: 1 }, { schema: 1 }])), 1);
});

test('figures that move a little are noticed when they stay there, and noise is not', () => {
  const quiet = Array.from({ length: 500 }, (_, index): Hour => ({ gap: noise(index + 100) }));
  assert.equal(first(after(quiet)), -1);
  const moved = after(Array.from({ length: 6 }, () => ({ gap: 0.03 })));
  assert.ok(first(moved) >= 0 && first(moved) <= 2, `${first(moved)}`);
  assert.match(moved[first(moved)]?.began[0]?.text ?? '', /^price: \+3 % from where it was$/);
  assert.equal(moved.at(-1)?.weight, 0.5, 'what is wrong does not become usual');
  assert.equal(first(after([{ gap: 0.03 }, {}, {}])), -1, 'a single reading is none');
});

test('in the first day a source is learned, and its own lasting difference is normal', () => {
  const biased = Array.from({ length: 60 }, (_, index): Hour => ({ gap: 0.05 + noise(index) }));
  assert.equal(first(read(biased)), -1);
});

test('a daily series that gets the new day before the others is normal; one with half of its days is not', () => {
  const days = Array.from({ length: 120 }, (_, hour): Hour => ({ points: hour % 24 === 0 ? 1 : 0 }));
  assert.equal(first(read(days)), -1);
  assert.ok(first(read([...days, { points: -180 }, { points: -180 }])) >= 0);
});

test('missing values are detected, unless the endpoint did not reply', () => {
  const keys = Array.from({ length: 20 }, (_, index) => `coin asset q${index}`);
  const stated = (count: number) => Object.fromEntries(keys.map((key, index) => [key, index >= count]));
  const before = read(Array.from({ length: 20 }, () => ({ stated: stated(0) }))).at(-1)?.state as DriftState;
  assert.equal(first(read([{ stated: {} }, { stated: {} }], before)), -1);
  const steps = read([{ stated: stated(5) }], before);
  assert.match(steps[0]?.began[0]?.text ?? '', /^5 of 20 usual values are not stated any more, first q0 of coin$/);
});

test('a quantity of one source is compared with its own past', () => {
  const steps = after(Array.from({ length: 4 }, () => ({ level: Math.log(2) })));
  assert.ok(first(steps) >= 0, 'twice the depth from one hour to the next');
});
