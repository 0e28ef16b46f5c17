import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { A, B, COPYCAT, FERN, found, healthy, methodology, PAGE, request, run, URL_OF } from './fixtures/fernwood.ts';
import { pageOf, type ScriptedToken } from './fixtures/scripted.ts';

describe('impostors', () => {
  it('with the same name and symbol are set aside with the reason', async () => {
    const result = await found({ ...healthy, tokens: [COPYCAT, FERN] });
    assert.equal(result.asset.address, A);
    assert.equal(result.match, 0.9832);
    const [aside] = result.rejected;
    assert.match(aside?.reason ?? '', /another website.*fernwood-claim\.example/);
    assert.ok(
      result.foreignResponses?.some((id) => id.includes('fernwood-2')),
      'its replies count for nothing',
    );
    assert.ok(!result.foreignResponses?.some((id) => id.includes('"fernwood"')));
  });

  it('that buy a market profile with the project’s website are not taken', async () => {
    const paid = { ...COPYCAT, listed: false, profile: URL_OF };
    const bare = pageOf('Fernwood');
    const result = await run({ tokens: [paid], pages: { [URL_OF]: bare } });
    assert.equal(result.ok, false);
    assert.equal(!result.ok && result.kind, 'not_identified');
    assert.match(!result.ok && result.kind === 'not_identified' ? result.tried.join(' ') : '', /market profile/);
  });

  it('on a look-alike domain get a match below the minimum', async () => {
    const fake = 'https://femwood.example/';
    const world = {
      tokens: [FERN, { ...COPYCAT, listed: false, website: fake }],
      pages: { [fake]: pageOf('Fernwood', { addresses: [B] }) },
    };
    const result = await found(world, { ...request, projectUrl: fake });
    assert.equal(result.asset.address, B);
    assert.deepEqual(
      result.contradictions.map((row) => row.kind),
      ['confusable_domain'],
    );
    assert.ok(result.match < methodology.trust.minimumMatch, String(result.match));
  });

  it('a token the site merely links to, a swap into a dollar say, is not the project’s', async () => {
    const dollar: ScriptedToken = {
      ...FERN,
      id: 'dollar',
      name: 'Some Dollar',
      symbol: 'USDX',
      address: B,
      website: null,
      listed: false,
    };
    const linked = pageOf('Fernwood', { links: [`https://app.uniswap.org/swap?outputCurrency=${B}`] });
    const result = await run({ tokens: [dollar], pages: { [URL_OF]: linked } }, { ...request, tokenSymbol: null });
    assert.equal(!result.ok && result.kind, 'not_identified');
  });

  it('cannot borrow the true token by printing its address', async () => {
    const blog = 'https://unrelated-blog.example/';
    const result = await run({ ...healthy, pages: { [blog]: PAGE } }, { ...request, projectUrl: blog });
    assert.equal(!result.ok && result.kind, 'not_identified');
    assert.match(!result.ok && result.kind === 'not_identified' ? result.tried.join(' ') : '', /fernwood\.example/);
  });
});

describe('two tokens that claim one website', () => {
  const twins = [
    { ...FERN, llama: false },
    { ...FERN, id: 'fernwood-b', address: B, cmcId: 202, llama: false },
  ];
  const silent = { tokens: twins, pages: { [URL_OF]: pageOf('Fernwood', { handle: 'fernwood' }) } };

  it('are named as candidates', async () => {
    const result = await run(silent);
    assert.ok(!result.ok && result.kind === 'ambiguous');
    assert.deepEqual(result.candidates.map((row) => row.asset.address).sort(), [A, B]);
    assert.ok(result.candidates.every((row) => row.match > 0 && row.match < 0.6));
  });

  it('are not distinguished by a social handle alone', async () => {
    const [first, second] = twins;
    assert.ok(first && second);
    const result = await run({ ...silent, tokens: [first, { ...second, handle: 'somebody' }] });
    assert.equal(!result.ok && result.kind, 'ambiguous');
  });

  it('are distinguished by the address that the caller sends, at a cost in match', async () => {
    const result = await found(silent, { ...request, tokenAddress: B, blockchain: 'ethereum' });
    assert.equal(result.asset.address, B);
    assert.ok(result.contradictions.some((row) => row.kind === 'two_tokens_claim_site'));
  });

  it('are distinguished by the website showing one of them', async () => {
    assert.equal((await found({ ...silent, pages: { [URL_OF]: PAGE } })).asset.address, A);
  });

  it('are two assets when they have different names: the caller’s symbol chooses', async () => {
    const sister: ScriptedToken = {
      ...FERN,
      id: 'fern-dollar',
      name: 'Fern Dollar',
      symbol: 'FUSD',
      address: B,
      cmcId: 303,
      rank: 40,
    };
    const result = await found({ ...healthy, tokens: [FERN, sister] });
    assert.equal(result.asset.symbol, 'FERN');
    assert.deepEqual(result.contradictions, []);
    assert.equal(
      (await found({ ...healthy, tokens: [FERN, sister] }, { ...request, project: 'Fern Dollar', tokenSymbol: 'FUSD' }))
        .asset.symbol,
      'FUSD',
    );
  });
});
