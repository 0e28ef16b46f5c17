import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { takenBy } from './support/durations.ts';
import { inLanes, nextFile, type Planned, planned } from './support/lanes.ts';

const ROOM = { shares: 2, processes: 4 };
const file = (name: string, wall: number, share: number): Planned => ({ files: [name], wall, share });

test('the longest file comes first, and one that was never measured before all of them', () => {
  const plan = planned([['short'], ['new'], ['long'], ['waits']], {
    short: { wall: 1, cpu: 1 },
    long: { wall: 40, cpu: 38 },
    waits: { wall: 20, cpu: 2 },
  });
  assert.deepEqual(
    plan.map(({ files, share }) => [files[0], share]),
    [
      ['new', 1],
      ['long', 0.95],
      ['waits', 0.2],
      ['short', 1],
    ],
  );
});

test('a group takes as long as its files together', () => {
  const taken = { one: { wall: 4, cpu: 4 }, other: { wall: 6, cpu: 1 } };
  assert.deepEqual(planned([['one', 'other']], taken), [{ files: ['one', 'other'], wall: 10, share: 0.5 }]);
});

test('files that wait run beside two that compute, and a third that computes does not', () => {
  const [one, two] = [file('one', 30, 0.9), file('two', 20, 0.8)];
  const [three, waits] = [file('three', 10, 0.9), file('waits', 5, 0.2)];
  assert.equal(nextFile([two, three, waits], [one], ROOM), two);
  assert.equal(nextFile([three, waits], [one, two], ROOM), waits);
  assert.equal(nextFile([three], [one, two], ROOM), null);
  assert.equal(nextFile([waits], Array(4).fill(file('other', 1, 0.2)), ROOM), null, 'at most so many files');
  assert.equal(
    nextFile([file('wide', 1, 1)], [], { shares: 0.5, processes: 1 })?.files[0],
    'wide',
    'nothing waits for ever',
  );
});

test('every file runs once, and never more at once than the capacity allows', async () => {
  const plans = fc.array(
    fc.record({ wall: fc.integer({ min: 0, max: 9 }), share: fc.double({ min: 0.2, max: 1, noNaN: true }) }),
    {
      maxLength: 30,
    },
  );
  await fc.assert(
    fc.asyncProperty(plans, async (made) => {
      const plan = made.map(({ wall, share }, at) => file(`${at}`, wall, share));
      const running = new Set<string>();
      const ran: string[] = [];
      await inLanes(
        plan,
        () => ROOM,
        async ([name = '']) => {
          running.add(name);
          const shares = [...running].reduce((sum, one) => sum + (plan[Number(one)]?.share ?? 0), 0);
          assert.ok(running.size === 1 || (shares <= ROOM.shares + 1e-6 && running.size <= ROOM.processes));
          for (let turn = 0; turn < (plan[Number(name)]?.wall ?? 0); turn += 1) await null;
          running.delete(name);
          ran.push(name);
        },
      );
      assert.deepEqual(
        ran.map(Number).sort((a, b) => a - b),
        [...plan.keys()],
      );
    }),
    { numRuns: 50 },
  );
});

test('falling capacity holds files back, and rising capacity lets them run', async () => {
  let processes = 2;
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const all = inLanes(
    ['a', 'b', 'c', 'd', 'e'].map((name) => file(name, 1, 0.2)),
    () => ({ shares: 2, processes }),
    ([name = '']) => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
  );
  const endOf = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
    return begun.join('');
  };
  assert.equal(begun.join(''), 'ab');
  processes = 1;
  assert.equal(await endOf('a'), 'ab', 'one still runs, and there is room for one');
  assert.equal(await endOf('b'), 'abc');
  processes = 2;
  assert.equal(await endOf('c'), 'abcde');
  await endOf('d');
  await endOf('e');
  await all;
});

test('a file that fails to run ends the run', async () => {
  const failing = inLanes(
    [file('a', 1, 1), file('b', 1, 1)],
    () => ROOM,
    ([name]) => (name === 'b' ? Promise.reject(new Error('b')) : Promise.resolve()),
  );
  await assert.rejects(failing, /^Error: b$/);
});

test('what a busy machine adds to a file is taken off, and a very busy one measures nothing', () => {
  const root = new URL('..', import.meta.url).pathname;
  const lines = [
    { file: `${root}test/lanes.test.ts`, wall: 20.04, cpu: 2.5, queued: 5 },
    { file: `${root}test/world.test.ts`, wall: 20, cpu: 2.5, queued: 15 },
  ];
  assert.deepEqual(takenBy(lines), { 'test/lanes.test.ts': { wall: 15, cpu: 2.5 } });
});
