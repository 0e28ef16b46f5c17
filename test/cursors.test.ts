import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const JUP = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP');

let world: RatingWorld;
let admin = '';

before(async () => {
  world = await ratingWorld('2026-11-20T12:00:00.000Z');
  for (const hour of ['08', '09', '10'])
    await world.put(ratingOf(JUP, `2026-11-20T${hour}:00:00.000Z`, { action: 'upgrade' }));
  admin = await world.key('INTERNAL', ['admin', 'rms:read']);
});
after(() => world.close());

const written = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
const AT = '2026-11-20T09:00:00.000Z';
const OF_LIST = written('-score', 62.5, JUP.id);
const OF_HISTORY = written(AT, 1);
const OF_DISPUTES = written(AT, 'dsp_1');
const NONE = [
  'abc',
  '-1',
  written(),
  written('infinity', 1),
  written('2026-02-30T00:00:00.000Z', 'a'),
  // A year that Date knows and PostgreSQL does not.
  written('+275760-09-13T00:00:00.000Z', 'a'),
  written('-200000-01-01T00:00:00.000Z', 'a'),
  written(AT, 'a\u0000b'),
  written(AT, null),
  written(AT, 'a', 'b'),
  Buffer.from('["-score",1e999,"a"]').toString('base64url'),
];

test('a cursor that the list did not give is refused: read as the start, it would repeat rows without a word', async () => {
  const lists = [
    ['/v1/rms?', [OF_HISTORY, OF_DISPUTES, written('score', 62.5, JUP.id), written('-score', '62.5', JUP.id)]],
    ['/v1/rms/actions?', [OF_LIST, OF_DISPUTES]],
    ['/v1/rms/JUP/actions?', [OF_LIST, OF_DISPUTES]],
    ['/v1/rms/JUP/history?interval=all&', [OF_LIST, OF_DISPUTES]],
    ['/v1/disputes?', [OF_LIST, OF_HISTORY]],
    ['/v1/admin/disputes?', [OF_LIST, OF_HISTORY]],
    ['/v1/admin/appeals?', [OF_LIST, OF_HISTORY]],
  ] as const;
  for (const [list, foreign] of lists)
    for (const cursor of [...NONE, ...foreign]) {
      const reply = await world.get(`${list}limit=1&cursor=${cursor}`, { key: admin });
      const { errors } = (await reply.json()) as { errors?: { pointer: string }[] };
      assert.deepEqual([reply.status, errors?.[0]?.pointer], [400, '/cursor'], `${list} ${cursor}`);
    }
});

test('a cursor of the list is read, also when what it was made from is gone', async () => {
  for (const [list, cursor, rows] of [
    ['/v1/rms?', written('-score', 99, 'solana:x/token:gone'), 1],
    ['/v1/rms/actions?', written('2026-11-20T09:30:00.000Z', 77), 2],
    ['/v1/rms/JUP/history?interval=all&', OF_HISTORY, 2],
    ['/v1/disputes?', OF_DISPUTES, 0],
    ['/v1/admin/appeals?', OF_DISPUTES, 0],
  ] as const) {
    const reply = await world.get(`${list}cursor=${cursor}`, { key: admin });
    const { data } = (await reply.json()) as { data: unknown[] };
    assert.deepEqual([reply.status, data.length], [200, rows], list);
  }
});
