import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RatedAsset } from '../../monitoring/index.ts';
import { createRatedLookup } from './rated-lookup.ts';

const ID = 'eip155:1/erc20:0x1f9840a85d5af5bf1d1762f925bdaddc4201f984';
const RATED = { asset: { id: ID } } as RatedAsset;

/** A lookup in a store of `rated`; its reads end with `held`. */
function lookupOf() {
  let notify: (assetId: string) => void = () => undefined;
  const state = { now: 0, rated: [] as readonly RatedAsset[], reads: 0, held: null as Promise<void> | null };
  const lookup = createRatedLookup(
    {
      async find() {
        state.reads += 1;
        const found = state.rated;
        await state.held;
        return { meant: found.length === 1 ? (found[0] ?? null) : null, candidates: found };
      },
      onRated(listener) {
        notify = listener;
        return () => undefined;
      },
    },
    () => state.now,
  );
  return { state, lookup, tell: () => notify(ID) };
}

test('a name without a rating is found as soon as its rating is told, and within a second if the notice is lost', async () => {
  for (const isTold of [true, false]) {
    const { state, lookup, tell } = lookupOf();
    assert.equal((await lookup.find('UNI')).ok, false);
    state.now += 500;
    assert.equal(lookup.peek('UNI')?.ok, false, 'asked again at once, the store is not read');
    assert.equal(state.reads, 1);
    state.rated = [RATED];
    if (isTold) tell();
    else state.now += 600;
    assert.deepEqual(await lookup.find('UNI'), { ok: true, assetId: ID }, isTold ? 'told' : 'not told');
  }
});

test('a lookup that began before a notice answers no request made after it', async () => {
  const { state, lookup, tell } = lookupOf();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  state.held = promise;
  const before = lookup.find('UNI');
  state.rated = [RATED];
  tell();
  const after = lookup.find('UNI');
  release();
  assert.equal((await before).ok, false);
  assert.equal((await after).ok, true);
  assert.equal((await lookup.find('UNI')).ok, true);
});
