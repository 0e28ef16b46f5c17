import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConsensusSet } from '../domain/index.ts';
import { citedRows } from './cite.ts';

const AT = '2026-11-24T12:00:00Z';
const ROW = {
  id: 'tide',
  name: 'Tide',
  unconfirmed: ['markets'],
  seen: '2026-11-20',
  expires: '2027-05-19',
  sources: [],
};

/** Consensus with a row of positions, and what nodes read by it. */
function consensus(accepted: boolean): ConsensusSet {
  const voice = { family: 'chain:ethereum', accepted };
  return {
    'register_row@register:positions': { value: ROW },
    backing_risk_adjusted: { value: 1.4, voices: [voice] },
  } as unknown as ConsensusSet;
}

test('a row of positions is cited for the cover that nodes read by it, with how sure its cells are', () => {
  const [cited] = citedRows(consensus(true), AT, '');
  assert.deepEqual([cited?.register, cited?.id], ['positions', 'tide']);
  assert.deepEqual(
    cited?.decided.map(({ quantity, cell, state }) => ({ quantity, cell, state })),
    [
      { quantity: 'backing_risk_adjusted', cell: 'owed', state: 'proven' },
      { quantity: 'backing_risk_adjusted', cell: 'markets', state: 'unconfirmed' },
    ],
  );
  assert.deepEqual(citedRows(consensus(false), AT, '')[0]?.decided, [], 'it decided nothing');
});
