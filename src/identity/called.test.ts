import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_WEBSITE } from '../domain/index.ts';
import { A, B, COPYCAT, FERN, found, healthy, run } from './fixtures/fernwood.ts';
import { pageOf, requestOf } from './fixtures/scripted.ts';

const called = (project: string, tokenSymbol: string | null = null, blockchain: string | null = null) =>
  requestOf({ project, projectUrl: NO_WEBSITE, tokenSymbol, blockchain });
const rival = { ...COPYCAT, website: 'https://other.example/', handle: 'rival' };
const pages = { ...healthy.pages, 'https://other.example/': pageOf('Fernwood', { addresses: [B] }) };

describe('an asset that is called by its name or ticker alone', () => {
  it('is found as by its project and website, and the result does not contain the request’s text', async () => {
    const byWebsite = await found(healthy);
    for (const request of [called('Fernwood'), called('fernwood'), called('FERN', 'FERN')]) {
      const { asset, match, links, canonical } = await found(healthy, request);
      assert.deepEqual(
        [asset, match, links, canonical],
        [byWebsite.asset, byWebsite.match, byWebsite.links, byWebsite.canonical],
      );
    }
  });

  it('is ambiguous where registries list several of one name, the largest first', async () => {
    const result = await run({ tokens: [{ ...rival, rank: 900 }, FERN], pages }, called('Fernwood'));
    assert.ok(!result.ok && result.kind === 'ambiguous', JSON.stringify(result));
    assert.deepEqual(
      result.candidates.map(({ asset }) => asset.address),
      [A, B],
    );
  });

  it('is the one that is ranked far above the others', async () => {
    const result = await found({ tokens: [{ ...rival, rank: 2_400 }, FERN], pages }, called('Fernwood'));
    assert.equal(result.asset.address, A);
    const other = await run({ tokens: [{ ...rival, rank: 2_399 }, FERN], pages }, called('Fernwood'));
    assert.equal(!other.ok && other.kind, 'ambiguous');
  });

  it('is not a small one because the size of another is not known', async () => {
    for (const [rank, kind] of [
      [1_000, null],
      [1_001, 'ambiguous'],
    ] as const) {
      const result = await run(
        {
          tokens: [
            { ...rival, rank: null },
            { ...FERN, rank },
          ],
          pages,
        },
        called('Fernwood'),
      );
      assert.equal(result.ok ? null : result.kind, kind, String(rank));
    }
  });

  it('is not a smaller one because one registry less answered about a larger one', async () => {
    const large = { ...rival, rank: 5, cmcId: 0 };
    const failing = { coinpaprika: 'unreachable' } as const;
    const result = await run({ tokens: [large, { ...FERN, rank: 900 }], pages, failing }, called('Fernwood'));
    assert.ok(!result.ok && result.kind === 'ambiguous', JSON.stringify(result));
    const small = { ...large, rank: 901 };
    const other = await found({ tokens: [small, { ...FERN, rank: 900 }], pages, failing }, called('Fernwood'));
    assert.equal(other.asset.address, A);
  });

  it('is not a larger one whose name is only a part of the words, where one has them as its name', async () => {
    const large = { ...FERN, rank: 40 };
    const longer = { ...rival, id: 'dao-fernwood', name: 'DAO Fernwood', symbol: 'DFW', rank: 1_200 };
    const row = ({ id, name, symbol }: typeof FERN, platforms: Readonly<Record<string, string>>) => ({
      id,
      name,
      symbol,
      platforms,
    });
    const list = [row(large, { ethereum: A }), row(longer, { base: B })];
    const world = { tokens: [large, longer], pages, raw: { 'coingecko.coins_list': list } };
    const result = await run(world, called('dao fernwood'));
    assert.ok(!result.ok && result.kind === 'ambiguous', JSON.stringify(result));
    assert.deepEqual(
      result.candidates.map(({ asset }) => asset.address),
      [A, B],
    );
    for (const name of ['Fernwood', 'Fernwood DAO'])
      assert.equal((await found(world, called(name))).asset.address, A, name);
  });

  it('is on the chain that is named', async () => {
    const result = await found({ tokens: [{ ...rival, rank: 900 }, FERN], pages }, called('Fernwood', null, 'base'));
    assert.equal(result.asset.address, B);
  });

  it('is not guessed from a similar name: listed assets with one are offered, the largest first', async () => {
    const unlisted = { ...COPYCAT, listed: false };
    for (const [tokens, name, offered] of [
      [[{ ...rival, rank: 900 }, FERN], 'Fernwoo', [A, B]],
      [[unlisted, FERN], 'Fernwoo', [A]],
      [[FERN], 'Oakwood', []],
    ] as const) {
      const result = await run({ tokens, pages }, called(name));
      assert.ok(!result.ok && result.kind === 'not_identified', JSON.stringify(result));
      assert.deepEqual(
        result.alike.map(({ asset, why }) => [asset.address, why.startsWith('the name is similar')]),
        offered.map((address) => [address, true]),
      );
    }
  });

  it('is not the coin of the chain whose name it has, where that coin is another chain’s', async () => {
    const arb = { ...FERN, id: 'arbitrum', name: 'Arbitrum', symbol: 'ARB', chain: 'arbitrum', llama: false };
    const ether = {
      ...FERN,
      id: 'ethereum',
      name: 'Ethereum',
      symbol: 'ETH',
      chain: null,
      address: null,
      llama: false,
    };
    const tokens = [arb, { ...ether, rank: 2, cmcId: 1_027, website: 'https://ether.example/', handle: 'ether' }];
    for (const [name, chain, id] of [
      ['Arbitrum', 'arbitrum', `eip155:42161/erc20:${A}`],
      ['ARB', 'arbitrum', `eip155:42161/erc20:${A}`],
      ['ETH', 'arbitrum', 'eip155:1/slip44:60'],
      ['Ethereum', 'arbitrum', 'eip155:1/slip44:60'],
      ['Ethereum', 'ethereum', 'eip155:1/slip44:60'],
    ] as const)
      assert.equal((await found({ tokens, pages }, called(name, null, chain))).asset.id, id, `${name} on ${chain}`);
  });

  it('is not one that only a market lists, nor one that does not exist', async () => {
    const unlisted = { ...COPYCAT, listed: false };
    for (const [tokens, name] of [
      [[unlisted], 'Fernwood'],
      [[FERN], 'Oakwood'],
    ] as const) {
      const result = await run({ tokens, pages }, called(name));
      assert.equal(!result.ok && result.kind, 'not_identified', name);
    }
  });
});
