import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import { type Change, consensusOf, daysAgo, onChain, soundProtocol } from './fixtures/asset.ts';
import { CEILING_CASES } from './fixtures/class-cases.ts';
import { FLAG_CASES, inOnePool, inUnknownPools, lpWithCreator, tradedInPools } from './fixtures/flag-cases.ts';
import { HISTORY_CASES, MARKETS_REMAIN, repaidByOneList } from './fixtures/history-cases.ts';
import { rate } from './rate.ts';

const methodology = loadMethodology();
const rated = (change: Change) => rate(soundProtocol(change), methodology);
const head = (hours: number): Change => ({
  set: [consensusOf('chain_head_at', daysAgo(hours / 24), { tier: 'chain', families: ['chain:main', 'chain:second'] })],
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
    applies: { set: [consensusOf('hidden_owner', true), consensusOf('balance_mutable', true)] },
    not: { set: [consensusOf('hidden_owner', true)] },
  },
  { cap: 'EXPLOIT_REPAID', applies: repaidByOneList(60_000_000), not: repaidByOneList(80_000_000) },
  { cap: 'LP_CREATOR', applies: lpWithCreator(0.9), not: lpWithCreator(0.89) },
  { cap: 'DEPTH_SHALLOW', applies: inOnePool(2_009_000), not: inOnePool(2_015_000) },
  { cap: 'ONE_SIDED', applies: tradedInPools(10, 2), not: tradedInPools(10, 3) },
  { cap: 'CHAIN_HALT', applies: head(24.1), not: head(23.9) },
  {
    cap: 'AGE_180D',
    applies: { set: [onChain('token_created_at', daysAgo(179.9))] },
    not: { set: [onChain('token_created_at', daysAgo(180))] },
  },
];
const CASES: readonly CapCase[] = [
  ...[...FLAG_CASES, ...HISTORY_CASES, ...MARKETS_REMAIN].flatMap(({ cap, raises, quiet }) =>
    cap === undefined ? [] : [{ cap, applies: raises, not: quiet }],
  ),
  ...OWN_CASES,
  ...CEILING_CASES,
];

test('every cap has a case, but those on trust and those whose flag public data cannot raise', () => {
  const reachable = methodology.caps.filter(({ code, flag }) => {
    const definition = methodology.flags.find((row) => row.code === flag);
    // Its height depends on facts: a test of its own.
    if (code === 'UNDERLYING') return false;
    return !code.startsWith('TRUST_') && (definition === undefined || definition.notRaisedBecause === null);
  });
  assert.deepEqual([...new Set(CASES.map((row) => row.cap))].sort(), reachable.map((row) => row.code).sort());
});

for (const { cap, applies, not } of CASES)
  test(`the cap ${cap} applies by its condition and not in the nearest case without it`, () => {
    const definition = methodology.caps.find((row) => row.code === cap);
    const rating = rated(applies);
    const applied = rating.caps.find((row) => row.code === cap);
    assert.ok(definition && applied, 'no cap');
    assert.equal(applied.cap, definition.cap);
    assert.ok(rating.score !== null && rating.score <= definition.cap);
    assert.ok(!rated(not).caps.some((row) => row.code === cap), 'capped by the near miss');
  });

test('a receipt is rated at most three points below its underlying', () => {
  const of = (underlying: { name: string; score: number } | null) =>
    rate({ ...soundProtocol({ category: 'wrapped tokens' }), underlying }, methodology).caps.find(
      ({ code }) => code === 'UNDERLYING',
    );
  assert.equal(of({ name: 'Bitcoin', score: 50 })?.cap, 47);
  assert.equal(of(null), undefined);
});

test('of several the cap is their mean by shares, and no better than the worst of those above a tenth', () => {
  const part = (name: string, share: number, score: number) => ({ name, share, score });
  const capOf = (...underlyings: readonly ReturnType<typeof part>[]) =>
    rate({ ...soundProtocol({ category: 'wrapped tokens' }), underlyings }, methodology).caps.find(
      ({ code }) => code === 'UNDERLYING',
    )?.cap;
  assert.equal(capOf(part('ether', 0.9, 80), part('small', 0.1, 30)), 72, 'a tenth is not above a tenth: the mean, 75');
  assert.equal(capOf(part('ether', 0.8, 80), part('poor', 0.2, 30)), 27);
  assert.equal(capOf(), undefined);
});

test('a contract that mints only against deposits is not held down for it; without a row or without proof it is', () => {
  const mint = onChain('mint_authority_state', 'contract');
  const receipt = consensusOf('register_row', { kind: 'receipt' }, { scope: 'register:protocols' });
  const fixed = consensusOf(
    'register_row',
    { kind: 'x', control: 'immutable', collateral: {} },
    { scope: 'register:protocols' },
  );
  const isHeld = (...rows: NonNullable<Change['set']>) =>
    rated({ set: [mint, ...rows] }).caps.some(({ code }) => code === 'MINT_MULTISIG');
  assert.equal(isHeld(), true);
  assert.equal(isHeld(receipt), true, 'nobody says what is locked');
  assert.equal(isHeld(receipt, consensusOf('backing_ratio', 0.99)), true, 'short');
  assert.equal(isHeld(consensusOf('backing_ratio', 1)), true, 'in no register');
  assert.equal(isHeld(receipt, consensusOf('backing_ratio', 1)), false);
  assert.equal(isHeld(fixed), false);
  assert.equal(isHeld(receipt, consensusOf('backing_ratio', 1), onChain('mint_authority_state', 'multisig')), true);
});

test('issuer powers stated by a register, and thin pools of a coin that is redeemed, cap nothing', () => {
  const keys = ['mint_authority_state', 'freeze_authority_state', 'proxy_admin_state'] as const;
  const codes = (...rows: NonNullable<Change['set']>) =>
    rated({ set: [...keys.map((key) => onChain(key, 'eoa')), ...rows] }).caps.map(({ code }) => code);
  const issuer = (tier: string, powers: readonly string[]) => [
    consensusOf('issuer_tier', tier, { confidence: 0.9 }),
    consensusOf('issuer_powers', [...powers], { confidence: 0.9 }),
  ];
  const struck = ['FREEZE_EOA', 'MINT_EOA', 'PROXY_EOA'];
  const of = (found: readonly string[]) => found.filter((code) => struck.includes(code)).sort();
  assert.deepEqual(of(codes()), struck);
  assert.deepEqual(of(codes(...issuer('disclosed', ['mint', 'freeze', 'upgrade']))), []);
  assert.deepEqual(of(codes(...issuer('disclosed', ['mint']))), ['FREEZE_EOA', 'PROXY_EOA']);
  assert.deepEqual(of(codes(...issuer('none', ['mint', 'freeze', 'upgrade']))), struck);
  const young = onChain('token_created_at', daysAgo(3));
  assert.ok(codes(young, ...issuer('supervised', [])).includes('AGE_7D'));
  assert.ok(
    !codes(young, ...issuer('supervised', []), consensusOf('redemption_state', 'qualified')).includes('AGE_7D'),
  );
});

test('one binding cap, the lowest, decides', () => {
  const { score, caps } = rated({ set: [consensusOf('honeypot', true), consensusOf('sell_tax', 0.5)] });
  assert.equal(score, Math.min(...caps.map((row) => row.cap)));
  assert.deepEqual(
    caps.filter((row) => row.binding).map((row) => row.code),
    ['CANNOT_SELL'],
  );
});

test('no fifth more of liquidity is worth more than three points, from nothing to enough', () => {
  const lowest = (change: Change) =>
    Math.min(100, ...rated(change).caps.map(({ code, cap }) => (/LIQUIDITY|DEPTH/.test(code) ? cap : 100)));
  const ofPools = (usd: number) => lowest(inOnePool(usd));
  const ofTotal = (usd: number) => lowest(inUnknownPools(usd));
  for (let usd = 900; usd < 1_600_000; usd *= 1.1)
    assert.ok(ofPools(usd * 1.2) - ofPools(usd) <= 3, `${usd}: ${ofPools(usd)} to ${ofPools(usd * 1.2)}`);
  for (let usd = 900; usd < 40_000; usd *= 1.1)
    assert.ok(ofTotal(usd * 1.2) - ofTotal(usd) <= 3, `${usd}: ${ofTotal(usd)} to ${ofTotal(usd * 1.2)}`);
  assert.deepEqual([500, 2_500, 20_000, 99_000, 400_000].map(ofPools), [19.9, 26.7, 31.9, 31.9, 47.1]);
  assert.deepEqual([5_000, 15_000, 49_999].map(ofTotal), [31.9, 42.9, 54.9]);
});
