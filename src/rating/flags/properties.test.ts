import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadMethodology } from '../../methodology/load.ts';
import { isOutdone } from '../../methodology/scales.ts';
import { type Change, soundProtocol } from '../fixtures/asset.ts';
import { FLAG_CASES } from '../fixtures/flag-cases.ts';
import { HISTORY_CASES } from '../fixtures/history-cases.ts';
import type { RatingInput } from '../input.ts';
import { rate } from '../rate.ts';

const methodology = loadMethodology();
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
/** One source's fact loses so much by age within a quarter of its half-life. */
const AGEING = 0.04;

/** Any mixture of what raises flags and what nearly does. */
const anyInput = fc
  .array(fc.constantFrom(...[...FLAG_CASES, ...HISTORY_CASES].flatMap(({ raises, quiet }) => [raises, quiet])), {
    minLength: 1,
    maxLength: 12,
  })
  .map((changes) => soundProtocol(changes.reduce(both)));

function both(a: Change, b: Change): Change {
  return {
    ...a,
    ...b,
    set: [...(a.set ?? []), ...(b.set ?? [])],
    without: [...(a.without ?? []), ...(b.without ?? [])],
    history: { ...a.history, ...b.history },
  };
}

test('whatever is known: each flag at most once, of the catalogue, sure enough for its severity, the worst first', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { flags } = rate(input, methodology);
      const known = new Map(methodology.flags.map((flag) => [flag.code, flag]));
      assert.equal(new Set(flags.map((flag) => flag.code)).size, flags.length);
      for (const flag of flags) {
        assert.equal(known.get(flag.code)?.notRaisedBecause, null, flag.code);
        const least = flag.severity === 'critical' ? 0.7 : 0.5;
        assert.ok(flag.confidence >= least - AGEING && flag.confidence <= 1, `${flag.code} ${flag.confidence}`);
        assert.ok(flag.detail.length > 0 && flag.detail.length <= 300, flag.code);
        assert.ok(!isOutdone(flag.code, flags), flag.code);
        for (const key of flag.evidence) assert.ok(key in input.consensus, `${flag.code} rests on ${key}`);
      }
      const ranks = flags.map((flag) => SEVERITIES.indexOf(flag.severity) * 100 + (known.get(flag.code)?.number ?? 0));
      assert.deepEqual(
        ranks,
        [...ranks].sort((a, b) => a - b),
      );
    }),
    { numRuns: 150 },
  );
});

test('a cap names a flag that is raised, and is of the methodology', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { flags, caps } = rate(input, methodology);
      for (const cap of caps) {
        const definition = methodology.caps.find((row) => row.code === cap.code);
        // Caps on liquidity and depth rise with it, up to that of their row.
        if (/^(LIQUIDITY|DEPTH)_/.test(cap.code)) assert.ok(cap.cap <= (definition?.cap ?? 0), cap.code);
        else if (cap.code !== 'DEFAULT') assert.equal(definition?.cap, cap.cap, cap.code);
        assert.ok(cap.flag === null || flags.some((flag) => flag.code === cap.flag), `${cap.code} without ${cap.flag}`);
      }
    }),
    { numRuns: 150 },
  );
});

test('the order of replies and of kept observations changes no flag', () => {
  const shuffled = (input: RatingInput): RatingInput => ({
    ...input,
    consensus: Object.fromEntries(
      Object.entries(input.consensus)
        .reverse()
        .map(([key, row]) => [key, { ...row, voices: [...row.voices].reverse() }]),
    ),
    sources: [...input.sources].reverse(),
  });
  fc.assert(
    fc.property(anyInput, (input) => {
      assert.deepEqual(rate(shuffled(input), methodology).flags, rate(input, methodology).flags);
    }),
    { numRuns: 100 },
  );
});

test('with nothing kept, no flag on changes is raised', () => {
  const changes = new Set(HISTORY_CASES.map((row) => row.code));
  fc.assert(
    fc.property(anyInput, (input) => {
      const { flags } = rate({ ...input, history: null }, methodology);
      assert.ok(!flags.some((flag) => changes.has(flag.code)));
    }),
    { numRuns: 100 },
  );
});
