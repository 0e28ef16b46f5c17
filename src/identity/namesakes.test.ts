import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNamesakes } from './namesakes.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => `0x${letter.repeat(40)}`) as [string, string, string];
const row = (id: string, symbol: string, name: string, platforms: Readonly<Record<string, string>> = {}) => ({
  id,
  symbol,
  name,
  platforms,
});
const LIST = [
  row('tide', 'tide', 'Tidewell', { ethereum: A }),
  row('tide-2', 'tide', 'Tide Protocol', { base: B }),
  row('bridged-tide', 'tide', 'Bridged Tidewell', { ethereum: C }),
  row('fern', 'fern', 'Fernwood', { ethereum: B }),
];
const asset = (chain: string, address: string) => ({ chain, address });

function lists(ranks: Readonly<Record<string, number>>, list: unknown = LIST) {
  const clock = { now: 0, reads: 0 };
  const markets = Object.entries(ranks).map(([id, rank]) => ({
    ...LIST.find((one) => one.id === id),
    market_cap_rank: rank,
  }));
  const namesakes = createNamesakes(
    async (_source, endpoint) => {
      clock.reads += 1;
      return endpoint === 'coins_list' ? list : endpoint === 'markets' ? markets : null;
    },
    () => clock.now,
    600_000,
  );
  return { clock, namesakes };
}

test('another listed asset of the same symbol is a rival, whatever is rated here; a bridged copy is none', async () => {
  const { namesakes } = lists({});
  assert.deepEqual(await namesakes('TIDE', asset('ethereum', A)), {
    isListed: true,
    rivals: ['Tide Protocol (tide-2)'],
  });
  assert.deepEqual(await namesakes('tide', asset('base', B)), { isListed: true, rivals: ['Tidewell (tide)'] });
  assert.deepEqual(await namesakes('tidewell', asset('ethereum', A)), { isListed: true, rivals: [] });
  assert.deepEqual(await namesakes('FERN', asset('solana', 'x'), { registryId: 'fern' }), {
    isListed: true,
    rivals: [],
  });
});

test('an asset that is ranked far above the others has no rival; one without a rank does not outrank any', async () => {
  const standing = async (ranks: Readonly<Record<string, number>>, of = A) =>
    (await lists(ranks).namesakes('TIDE', asset(of === A ? 'ethereum' : 'base', of)))?.rivals.length;
  assert.equal(await standing({ tide: 1_000 }), 0);
  assert.equal(await standing({ tide: 1_001 }), 1, 'the size of the other is not known');
  assert.equal(await standing({ tide: 40, 'tide-2': 800 }), 0);
  assert.equal(await standing({ tide: 40, 'tide-2': 799 }), 1);
  assert.equal(await standing({ tide: 40 }, B), 1, 'the small one has the large one for a rival');
});

test('an unlisted asset and a bridged copy have the listed ones for rivals', async () => {
  const { namesakes } = lists({ 'bridged-tide': 3 });
  const rivals = ['Tidewell (tide)', 'Tide Protocol (tide-2)'];
  assert.deepEqual(await namesakes('TIDE', asset('ethereum', `0x${'9'.repeat(40)}`)), { isListed: false, rivals });
  assert.deepEqual(await namesakes('TIDE', asset('ethereum', C)), { isListed: true, rivals });
});

test('on a chain only others on this chain count, bridged copies among them', async () => {
  const { namesakes } = lists({});
  const on = async (chain: string, address: string) =>
    (await namesakes('TIDE', asset(chain, address), { chain }))?.rivals;
  assert.deepEqual(await on('base', B), []);
  assert.deepEqual(await on('ethereum', A), ['Bridged Tidewell (bridged-tide)']);
});

test('look-alike letters make another word', async () => {
  const { namesakes } = lists({});
  assert.deepEqual(await namesakes('T\u0130DE', asset('ethereum', A)), { isListed: false, rivals: [] });
});

test('without a list nothing is known; it is looked for again soon, and a list that was read is kept', async () => {
  const { clock, namesakes } = lists({}, null);
  assert.equal(await namesakes('TIDE', asset('ethereum', A)), null);
  const before = clock.reads;
  assert.equal(await namesakes('TIDE', asset('ethereum', A)), null);
  assert.equal(clock.reads, before);
  clock.now += 5_001;
  await namesakes('TIDE', asset('ethereum', A));
  assert.ok(clock.reads > before);
  const known = lists({});
  for (const at of [0, 599_999]) {
    known.clock.now = at;
    await known.namesakes('TIDE', asset('ethereum', A));
  }
  assert.equal(known.clock.reads, 2);
});
