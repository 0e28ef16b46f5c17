import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConsensusSet } from '../domain/consensus.ts';
import type { PublicationState } from '../domain/published.ts';
import type { Flag, Severity } from '../domain/rating.ts';
import { DAY_MS } from '../domain/statistics.ts';
import { loadMethodology } from '../methodology/load.ts';
import { alone, onChain, said } from '../rating/fixtures/asset.ts';
import { fadingCaps } from './fading-caps.ts';
import { standingFlags } from './standing-flags.ts';

const methodology = loadMethodology();
const START = Date.UTC(2026, 0, 1);
const iso = (day: number) => new Date(START + day * DAY_MS).toISOString();

interface Look {
  readonly day: number;
  readonly raised?: readonly Flag[];
  readonly known?: readonly ReturnType<typeof said>[];
}

const flag = (code: string, severity: Severity, evidence: readonly string[]): Flag => ({
  code,
  severity,
  title: code,
  detail: 'raised',
  confidence: 1,
  since: null,
  evidence,
  value: null,
});

/** The flags after each look, as `code` or `code!` while it is held. */
function watch(looks: readonly Look[]) {
  let before: Pick<PublicationState, 'asOf' | 'last'> | null = null;
  return looks.map(({ day, raised = [], known = [] }) => {
    const consensus: ConsensusSet = Object.fromEntries(known.map((row) => [row.quantity, row]));
    const { published, remembered } = standingFlags(raised, before, consensus, iso(day), methodology);
    before = { asOf: iso(day), last: { flags: remembered } as unknown as PublicationState['last'] };
    return published.map((one) => `${one.code}${one.detail === 'raised' ? '' : '!'} ${one.since.slice(0, 10)}`);
  });
}

const PAUSABLE = flag('TRANSFER_PAUSABLE', 'medium', ['transfer_pausable']);
const NOT_PAUSABLE = said('transfer_pausable', false);

test('a flag stands until its condition has been false for seven days, and keeps its first day', () => {
  const looks = [0, 1, 3, 7.9, 8].map((day) => ({ day, known: [NOT_PAUSABLE], raised: day === 0 ? [PAUSABLE] : [] }));
  const held = 'TRANSFER_PAUSABLE! 2026-01-01';
  assert.deepEqual(watch(looks), [['TRANSFER_PAUSABLE 2026-01-01'], [held], [held], [held], []]);
});

test('a flag that comes back meanwhile never left', () => {
  const looks = [
    { day: 0, raised: [PAUSABLE] },
    { day: 3, known: [NOT_PAUSABLE] },
    { day: 5, raised: [PAUSABLE] },
    { day: 11, known: [NOT_PAUSABLE] },
  ];
  assert.deepEqual(watch(looks).at(2), ['TRANSFER_PAUSABLE 2026-01-01']);
  assert.deepEqual(watch(looks).at(3), ['TRANSFER_PAUSABLE! 2026-01-01'], 'the seven days begin anew');
});

test('silence clears nothing: while what it rests on is unknown the days do not count', () => {
  const looks = [
    { day: 0, raised: [PAUSABLE] },
    { day: 1, known: [NOT_PAUSABLE] },
    { day: 12 },
    { day: 13, known: [NOT_PAUSABLE] },
    { day: 20, known: [NOT_PAUSABLE] },
  ];
  assert.deepEqual(
    watch(looks).map((row) => row.length),
    [1, 1, 1, 1, 0],
  );
});

test('but nothing is held for ever on silence', () => {
  assert.deepEqual(
    watch([{ day: 0, raised: [PAUSABLE] }, { day: 179 }, { day: 180 }]).map((row) => row.length),
    [1, 1, 0],
  );
});

test('a critical flag goes at once when it is disproved, and not on a single word', () => {
  const honeypot = flag('HONEYPOT', 'critical', ['honeypot']);
  const after = (known: Look['known'] & object) =>
    watch([
      { day: 0, raised: [honeypot] },
      { day: 1, known },
    ]).at(1);
  assert.deepEqual(after([said('honeypot', false)]), []);
  assert.deepEqual(after([alone('honeypot', false)]), ['HONEYPOT! 2026-01-01']);
  assert.deepEqual(after([said('honeypot', false, { status: 'disputed' })]), ['HONEYPOT! 2026-01-01']);
});

test('a critical flag that one source alone takes back goes after seven days', () => {
  const honeypot = flag('HONEYPOT', 'critical', ['honeypot']);
  const looks = [1, 7.9, 8].map((day) => ({ day, known: [alone('honeypot', false)] }));
  assert.deepEqual(
    watch([{ day: 0, raised: [honeypot] }, ...looks]).map((row) => row.length),
    [1, 1, 1, 0],
  );
});

test('what happened is not disproved by how things are a day later', () => {
  const drain = flag('LIQUIDITY_DRAIN', 'critical', ['liquidity_dex_usd']);
  const known = [onChain('liquidity_dex_usd', 5_000)];
  assert.deepEqual(
    watch([
      { day: 0, raised: [drain] },
      { day: 2, known },
    ]).at(1),
    ['LIQUIDITY_DRAIN! 2026-01-01'],
  );
});

test('a halt of the chain stands for thirty days, and what time ends goes at once', () => {
  const halt = flag('CHAIN_HALT', 'high', ['chain_head_at']);
  const fresh = flag('TOKEN_NEW', 'medium', ['token_created_at']);
  const known = [onChain('chain_head_at', iso(0)), onChain('token_created_at', iso(0))];
  const looks = [0, 1, 30.9, 31].map((day) => ({ day, known, raised: day === 0 ? [halt, fresh] : [] }));
  assert.deepEqual(
    watch(looks).map((row) => row.length),
    [2, 1, 1, 0],
  );
});

test('a worse flag on the same fact takes the place of the one before', () => {
  const thin = flag('LIQUIDITY_THIN', 'medium', ['liquidity_dex_usd']);
  const critical = flag('LIQUIDITY_CRITICAL', 'high', ['liquidity_dex_usd']);
  assert.deepEqual(
    watch([
      { day: 0, raised: [thin] },
      { day: 1, raised: [critical] },
    ]).at(1),
    ['LIQUIDITY_CRITICAL 2026-01-02'],
  );
});

test('a flag that the methodology no longer has is dropped', () => {
  const gone = flag('OLD_WAYS', 'high', []);
  assert.deepEqual(watch([{ day: 0, raised: [gone] }, { day: 1 }]).at(1), []);
});

test('the cap on a chain that stood still for a day binds for ninety days, others for seven', () => {
  const last = { caps: ['CHAIN_HALT', 'LIQUIDITY_THIN'].map((code) => ({ code, cap: 50 })) } as never;
  const held = fadingCaps({ fadingCaps: [], last }, [], iso(0), methodology);
  const after = (day: number) =>
    fadingCaps({ fadingCaps: held, last: { caps: [] } as never }, [], iso(day), methodology).map((cap) => cap.code);
  assert.deepEqual(after(6.9), ['CHAIN_HALT', 'LIQUIDITY_THIN']);
  assert.deepEqual(after(89.9), ['CHAIN_HALT']);
  assert.deepEqual(after(90), []);
});
