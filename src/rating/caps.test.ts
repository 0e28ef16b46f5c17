import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import { type Change, daysAgo, onChain, said, sound } from './fixtures/asset.ts';
import { FLAG_CASES, lpWithCreator } from './fixtures/flag-cases.ts';
import { BORNE_OUT, HISTORY_CASES } from './fixtures/history-cases.ts';
import { rate } from './rate.ts';

const methodology = loadMethodology();
const rated = (change: Change) => rate(sound(change), methodology);
const head = (hours: number): Change => ({
  set: [said('chain_head_at', daysAgo(hours / 24), { tier: 'chain', families: ['chain:main', 'chain:second'] })],
});

interface CapCase {
  readonly cap: string;
  readonly applies: Change;
  readonly not: Change;
}

/** Caps whose condition is narrower than their flag's, or that have none. */
const OWN_CASES: readonly CapCase[] = [
  {
    cap: 'HIDDEN_OWNER',
    applies: { set: [said('hidden_owner', true), said('balance_mutable', true)] },
    not: { set: [said('hidden_owner', true)] },
  },
  { cap: 'LP_CREATOR', applies: lpWithCreator(0.9), not: lpWithCreator(0.89) },
  { cap: 'CHAIN_HALT', applies: head(24.1), not: head(23.9) },
  {
    cap: 'AGE_180D',
    applies: { set: [onChain('token_created_at', daysAgo(179.9))] },
    not: { set: [onChain('token_created_at', daysAgo(180))] },
  },
];
const CASES: readonly CapCase[] = [
  ...[...FLAG_CASES, ...HISTORY_CASES, ...BORNE_OUT].flatMap(({ cap, raises, quiet }) =>
    cap === undefined ? [] : [{ cap, applies: raises, not: quiet }],
  ),
  ...OWN_CASES,
];

test('every cap has a case, but those on trust and those whose flag public data cannot raise', () => {
  const reachable = methodology.caps.filter(({ code, flag }) => {
    const definition = methodology.flags.find((row) => row.code === flag);
    return !code.startsWith('TRUST_') && (definition === undefined || definition.notRaisedBecause === null);
  });
  assert.deepEqual([...new Set(CASES.map((row) => row.cap))].sort(), reachable.map((row) => row.code).sort());
});

for (const { cap, applies, not } of CASES)
  test(`the cap ${cap} holds the score down by its condition and not by the near miss`, () => {
    const definition = methodology.caps.find((row) => row.code === cap);
    const rating = rated(applies);
    const applied = rating.caps.find((row) => row.code === cap);
    assert.ok(definition && applied, 'no cap');
    assert.equal(applied.cap, definition.cap);
    assert.ok(rating.score !== null && rating.score <= definition.cap);
    assert.ok(!rated(not).caps.some((row) => row.code === cap), 'capped by the near miss');
  });

test('one binding cap, the lowest, decides', () => {
  const { score, caps } = rated({ set: [said('honeypot', true), said('sell_tax', 0.5)] });
  assert.equal(score, Math.min(...caps.map((row) => row.cap)));
  assert.deepEqual(
    caps.filter((row) => row.binding).map((row) => row.code),
    ['CANNOT_SELL'],
  );
});
