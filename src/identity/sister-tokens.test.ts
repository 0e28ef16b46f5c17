import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { A, B, FERN, found, PAGE, request, run, URL_OF } from './fixtures/fernwood.ts';
import { pageOf, type ScriptedToken, type ScriptedWorld } from './fixtures/scripted.ts';

type Failing = NonNullable<ScriptedWorld['failing']>;

/** A second token of the project, which search by the project's name does not find. */
const SISTER: ScriptedToken = {
  ...FERN,
  id: 'wrapped-moss',
  name: 'Wrapped Moss',
  symbol: 'WMOSS',
  address: B,
  cmcId: 303,
  llama: false,
};
const world = { tokens: [FERN, SISTER], pages: { [URL_OF]: pageOf('Fernwood', { handle: 'fernwood' }) } };
const asked = { ...request, tokenSymbol: 'WMOSS' };

describe('a token that the caller names by its symbol, of a project with several', () => {
  it('is found where the registry that has it replies', async () => {
    assert.equal((await found(world, asked)).asset.address, B);
  });

  it('is not replaced by another token of the project while a registry is silent', async () => {
    const silences: readonly Failing[] = [
      { coinmarketcap: 'timeout' },
      { coinmarketcap: 'timeout', dexscreener: 'timeout' },
      { coinmarketcap: 'unreachable', dexscreener: 'unreachable' },
    ];
    for (const failing of silences) {
      const result = await run({ ...world, failing }, asked);
      assert.ok(!result.ok && result.kind === 'ambiguous', JSON.stringify(result));
      assert.ok(result.candidates.some(({ asset }) => asset.address === A));
    }
  });

  it('is busy, not another token, while a registry waits for its budget', async () => {
    const failing = { coinmarketcap: 'budget_spent', dexscreener: 'timeout' } as const;
    const result = await run({ ...world, failing }, asked);
    assert.ok(!result.ok && result.kind === 'busy', JSON.stringify(result));
  });

  it('is not replaced where only its market profile names the website', async () => {
    const unlisted = { ...SISTER, listed: false, profile: URL_OF };
    const result = await run({ ...world, tokens: [FERN, unlisted] }, asked);
    assert.ok(!result.ok && result.kind === 'ambiguous', JSON.stringify(result));
    assert.deepEqual(result.candidates.map(({ asset }) => asset.address).sort(), [A, B]);
  });
});

describe('the symbol that a token had before it was renamed', () => {
  it('names the token, where every registry replied or is disabled and no token has it', async () => {
    const states: readonly Failing[] = [{}, { coinmarketcap: 'disabled' }];
    for (const failing of states) {
      const result = await found(
        { tokens: [FERN], pages: { [URL_OF]: PAGE }, failing },
        { ...request, tokenSymbol: 'OLDF' },
      );
      assert.equal(result.asset.address, A);
    }
  });
});
