import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConsensusSet } from '../domain/consensus.ts';
import type { PublicationState } from '../domain/published.ts';
import type { Flag, Severity } from '../domain/rating.ts';
import { DAY_MS } from '../domain/statistics.ts';
import { loadMethodology } from '../methodology/load.ts';
import { consensusOf, fromOneGroup, onChain, soundProtocol } from '../rating/fixtures/asset.ts';
import type { RatingInput } from '../rating/input.ts';
import { rate } from '../rating/rate.ts';
import { adverseAfter, flagsInForce, unrepeatedAdverse } from './memory.ts';
import { fadingCaps } from './movement.ts';

const methodology = loadMethodology();
const START = Date.UTC(2026, 0, 1);
const iso = (day: number) => new Date(START + day * DAY_MS).toISOString();

interface Look {
  readonly day: number;
  readonly raised?: readonly Flag[];
  readonly known?: readonly ReturnType<typeof consensusOf>[];
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
    const { published, remembered } = flagsInForce(raised, before, consensus, iso(day), methodology);
    before = { asOf: iso(day), last: { flags: remembered } as unknown as PublicationState['last'] };
    return published.map((one) => `${one.code}${one.detail === 'raised' ? '' : '!'} ${one.since.slice(0, 10)}`);
  });
}

const PAUSABLE = flag('TRANSFER_PAUSABLE', 'medium', ['transfer_pausable']);
const NOT_PAUSABLE = consensusOf('transfer_pausable', false);

test('a flag stays until its condition has been false for seven days, and keeps its first day', () => {
  const looks = [0, 1, 3, 7.9, 8].map((day) => ({ day, known: [NOT_PAUSABLE], raised: day === 0 ? [PAUSABLE] : [] }));
  const held = 'TRANSFER_PAUSABLE! 2026-01-01';
  assert.deepEqual(watch(looks), [['TRANSFER_PAUSABLE 2026-01-01'], [held], [held], [held], []]);
});

test('a flag that returns within that time keeps its first day', () => {
  const looks = [
    { day: 0, raised: [PAUSABLE] },
    { day: 3, known: [NOT_PAUSABLE] },
    { day: 5, raised: [PAUSABLE] },
    { day: 11, known: [NOT_PAUSABLE] },
  ];
  assert.deepEqual(watch(looks).at(2), ['TRANSFER_PAUSABLE 2026-01-01']);
  assert.deepEqual(watch(looks).at(3), ['TRANSFER_PAUSABLE! 2026-01-01'], 'the seven days begin anew');
});

test('missing evidence clears nothing: while the condition is unknown the days do not count', () => {
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

test('but no flag is kept indefinitely without evidence', () => {
  assert.deepEqual(
    watch([{ day: 0, raised: [PAUSABLE] }, { day: 179 }, { day: 180 }]).map((row) => row.length),
    [1, 1, 0],
  );
});

test('a critical flag ends at once when it is disproved by enough evidence, and not by one group', () => {
  const honeypot = flag('HONEYPOT', 'critical', ['honeypot']);
  const after = (known: Look['known'] & object) =>
    watch([
      { day: 0, raised: [honeypot] },
      { day: 1, known },
    ]).at(1);
  assert.deepEqual(after([consensusOf('honeypot', false)]), []);
  assert.deepEqual(after([fromOneGroup('honeypot', false)]), ['HONEYPOT! 2026-01-01']);
  assert.deepEqual(after([consensusOf('honeypot', false, { status: 'disputed' })]), ['HONEYPOT! 2026-01-01']);
});

test('a critical flag that only its one source withdraws ends after seven days', () => {
  const honeypot = flag('HONEYPOT', 'critical', ['honeypot']);
  const looks = [1, 7.9, 8].map((day) => ({ day, known: [fromOneGroup('honeypot', false)] }));
  assert.deepEqual(
    watch([{ day: 0, raised: [honeypot] }, ...looks]).map((row) => row.length),
    [1, 1, 1, 0],
  );
});

test('a past event is not disproved by a later state', () => {
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

test('a halt of the chain is flagged for thirty days, and a flag that ends with time ends at once', () => {
  const halt = flag('CHAIN_HALT', 'high', ['chain_head_at']);
  const fresh = flag('TOKEN_NEW', 'medium', ['token_created_at']);
  const known = [onChain('chain_head_at', iso(0)), onChain('token_created_at', iso(0))];
  const looks = [0, 1, 30.9, 31].map((day) => ({ day, known, raised: day === 0 ? [halt, fresh] : [] }));
  assert.deepEqual(
    watch(looks).map((row) => row.length),
    [2, 1, 1, 0],
  );
});

test('a more severe flag on the same fact replaces the one before', () => {
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

test('the cap on a chain that halted for a day applies for ninety days, others for seven', () => {
  const last = { caps: ['CHAIN_HALT', 'LIQUIDITY_THIN'].map((code) => ({ code, cap: 50 })) } as never;
  const held = fadingCaps({ fadingCaps: [], last }, [], iso(0), methodology);
  const after = (day: number) =>
    fadingCaps({ fadingCaps: held, last: { caps: [] } as never }, [], iso(day), methodology).map((cap) => cap.code);
  assert.deepEqual(after(6.9), ['CHAIN_HALT', 'LIQUIDITY_THIN']);
  assert.deepEqual(after(89.9), ['CHAIN_HALT']);
  assert.deepEqual(after(90), []);
});

const later = (days: number) => new Date(Date.parse(soundProtocol().asOf) + days * DAY_MS).toISOString();
const TAX = consensusOf('sell_tax', 0.4, { families: ['scanner'] });
const ACCUSED = soundProtocol({ set: [TAX], without: ['buy_tax'] });
const SILENT = soundProtocol({ without: ['buy_tax', 'sell_tax'] });

function remembered(input: RatingInput): Pick<PublicationState, 'adverse' | 'standing'> {
  const rating = rate(input, methodology);
  return { adverse: adverseAfter(rating, input.consensus, null, input.asOf, methodology) };
}
const open = (input: RatingInput, days: number) =>
  unrepeatedAdverse(rate(input, methodology), input.consensus, remembered(ACCUSED), later(days), methodology)
    .map((one) => one.feature)
    .filter((id) => id === 'ts_tax');

test('an adverse value that is not repeated is remembered for 180 days', () => {
  const kept = remembered(ACCUSED).adverse?.find((one) => one.feature === 'ts_tax');
  assert.deepEqual([kept?.families, kept?.seenAt], [['scanner'], ACCUSED.asOf]);
  assert.ok((kept?.points ?? 100) < 40);
  assert.deepEqual([open(SILENT, 1), open(SILENT, 180), open(SILENT, 181)], [['ts_tax'], ['ts_tax'], []]);
});

test('the same lineage group, or two others, take it back; one other does not', () => {
  const says = (...families: string[]) =>
    soundProtocol({ set: [consensusOf('sell_tax', 0, { families })], without: ['buy_tax'] });
  assert.deepEqual(open(says('scanner'), 1), []);
  assert.deepEqual(open(says('alpha', 'beta'), 1), []);
  assert.deepEqual(open(says('alpha'), 1), ['ts_tax']);
});

test('with what is remembered no score is higher than the one with the accusation repeated', () => {
  const accused = rate(ACCUSED, methodology);
  const recall = remembered(ACCUSED).adverse ?? [];
  const silent = rate(SILENT, methodology);
  const again = rate({ ...SILENT, recall: recall.filter((one) => one.feature === 'ts_tax') }, methodology);
  assert.ok((silent.uncappedScore ?? 0) > (accused.uncappedScore ?? 100), 'silence alone would pay');
  assert.ok((again.uncappedScore ?? 100) <= (accused.uncappedScore ?? 0) + 0.1);
});
