import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublicationState } from '../domain/published.ts';
import type { Methodology } from '../methodology/schema.ts';
import { computableMethodology, methodologyVersions } from '../methodology/versions.ts';
import { at, step } from './fixtures/life.ts';

const former = computableMethodology(methodologyVersions().find(({ version }) => version === '1.7.0')?.hash ?? '');
/** 85 % of the weight: enough for BBB and too little for A. */
const kept = <State extends PublicationState | null>(state: State) => JSON.parse(JSON.stringify(state)) as State;
const PARTLY = { lost: 0.15 } as const;

test('a first rating above what its evidence supports is published at what it supports; it was not published', () => {
  assert.ok(former);
  assert.equal(step({ score: 80, ...PARTLY }, at(0), null, former).decision.published, false);
  const { decision, rating } = step({ score: 80, ...PARTLY }, at(0), null);
  assert.deepEqual(decision, { published: true, because: [] });
  assert.deepEqual(
    [rating.band, rating.score, rating.scoreInterval, rating.indicativeBand],
    ['BBB', 73.9, [73.9, 73.9], 'A'],
  );
  assert.equal(
    rating.actionReason,
    'first rating; at most BBB: sources of 85 % of the weight were asked and answered; A needs 87 %',
  );
  assert.equal(step({ score: 80, lost: 0.3 }, at(0), null).rating.band, 'BB');
  assert.equal(step({ score: 80, lost: 0.45 }, at(0), null).decision.published, false);
  assert.deepEqual(step({ score: 73.9, ...PARTLY }, at(0), null).rating.actionReason, 'first rating');
});

test('a rating that rises above what its evidence supports stays in force; it was withdrawn after thirty days', () => {
  assert.ok(former);
  const life = (of?: Methodology) => {
    let state: PublicationState | null = null;
    return Array.from({ length: 40 }, (_, day) => {
      const made = step({ score: day < 5 ? 72 : 76, ...PARTLY }, at(day), kept(state), of);
      state = made.state;
      return made.decision.published ? `${made.rating.action} ${made.rating.band} ${made.rating.score}` : 'held';
    });
  };
  const before = life(former);
  assert.deepEqual([before[5], before[6], before[34]], ['held', 'affirm BBB 72', 'withdraw NR null']);
  const now = life();
  assert.deepEqual([...new Set(now)], ['new BBB 72', 'affirm BBB 72', 'affirm BBB 73.9']);
});

test('a better rating stays for thirty days before its evidence limits it, and whole evidence lifts the limit at once', () => {
  let state: PublicationState = step({ score: 80 }, at(0), null).state;
  const told: string[] = [];
  for (const day of [2, 10, 29, 30, 31, 32]) {
    const made = step({ score: 80, ...PARTLY }, at(day), kept(state));
    told.push(made.decision.published ? `${made.rating.action} ${made.rating.band} ${made.rating.score}` : 'held');
    state = made.state;
  }
  assert.deepEqual(told, [
    'held',
    'affirm A 80',
    'affirm A 80',
    'downgrade BBB 73.9',
    'affirm BBB 73.9',
    'affirm BBB 73.9',
  ]);
  const back = step({ score: 80 }, at(33), kept(state)).rating;
  assert.deepEqual([back.band, back.score, back.action], ['A', 80, 'upgrade']);
  assert.match(back.actionReason, /^correction/);
});
