import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { loadMethodology } from '../methodology/load.ts';
import { pageOf, requestOf, type ScriptedToken, type ScriptedWorld, scriptedRequester } from './fixtures/scripted.ts';
import { identify } from './identify.ts';
import { compareNames, confusableWith, jaroWinkler, projectSite } from './sites.ts';

const methodology = loadMethodology();
const address = fc.stringMatching(/^[0-9a-f]{40}$/).map((hex) => `0x${hex}`);
const URL_OF = 'https://orchardline.example/';
const TRUE: ScriptedToken = {
  id: 'orchardline',
  name: 'Orchardline',
  symbol: 'ORCH',
  chain: 'ethereum',
  address: `0x${'1'.repeat(40)}`,
  website: URL_OF,
  handle: 'orchardline',
  rank: 300,
  cmcId: 55,
};
const world = (tokens: readonly ScriptedToken[]): ScriptedWorld => ({
  tokens,
  pages: { [URL_OF]: pageOf('Orchardline', { addresses: [TRUE.address ?? ''], handle: 'orchardline' }) },
});
const request = requestOf({ project: 'Orchardline', projectUrl: URL_OF, tokenSymbol: 'ORCH' });

const stranger = fc.record({
  id: fc.stringMatching(/^[a-z]{5,12}$/).map((word) => `z-${word}`),
  name: fc.constantFrom('Orchardline', 'Orchard', 'Orchardline 2.0', 'Zebra'),
  symbol: fc.constant('ORCH'),
  chain: fc.constantFrom('ethereum', 'base', 'bsc'),
  address: address.filter((text) => text !== TRUE.address),
  website: fc.constantFrom(null, 'https://orch-token.example/', 'https://somewhere.example/'),
  rank: fc.constantFrom(null, 900, 4_000),
  cmcId: fc.integer({ min: 1_000, max: 9_999 }),
  listed: fc.boolean(),
  profile: fc.constantFrom('https://orch-token.example/', URL_OF),
});

it('an unrelated token of the same symbol never changes the choice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stranger, { minLength: 1, maxLength: 3 }), fc.boolean(), async (strangers, first) => {
      const tokens = first ? [...strangers, TRUE] : [TRUE, ...strangers];
      const result = await identify(request, scriptedRequester(world(tokens)), methodology, () => undefined);
      assert.ok(result.ok);
      assert.equal(result.identification.asset.address, TRUE.address);
      assert.equal(result.identification.match, 0.9832);
    }),
    { numRuns: 40 },
  );
});

it('the order in which replies arrive, and in which lists hold their rows, decides nothing', async () => {
  const twin: ScriptedToken = {
    ...TRUE,
    id: 'orchardline-b',
    address: `0x${'2'.repeat(40)}`,
    cmcId: 56,
    website: 'https://else.example/',
  };
  const calm = await identify(request, scriptedRequester(world([TRUE, twin])), methodology, () => undefined);
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 0, max: 4 })), fc.boolean(), async (waits, reversed) => {
      const shuffled = { ...world(reversed ? [twin, TRUE] : [TRUE, twin]), delay: () => waits.next().value ?? 0 };
      assert.deepEqual(await identify(request, scriptedRequester(shuffled), methodology, () => undefined), calm);
    }),
    { numRuns: 15 },
  );
});

it('the match stays between 0 and 1 and the function never throws, whatever fails', async () => {
  const sources = [
    'website',
    'coingecko',
    'coinmarketcap',
    'coinpaprika',
    'dexscreener',
    'geckoterminal',
    'defillama',
    'rdap',
    'solana_rpc',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(sources),
      fc.constantFrom('timeout', 'malformed', 'unreachable', 'http_error'),
      async (down, outcome) => {
        const failing = Object.fromEntries(down.map((source) => [source, outcome]));
        const result = await identify(
          request,
          scriptedRequester({ ...world([TRUE]), failing: failing as ScriptedWorld['failing'] & object }),
          methodology,
        );
        if (result.ok)
          assert.ok(
            result.identification.match >= 0 &&
              result.identification.match <= 1 &&
              result.identification.asset.address === TRUE.address,
          );
      },
    ),
    { numRuns: 60 },
  );
});

it('Jaro-Winkler is symmetric, bounded, 1 for equals only, and gives the published examples', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (a, b) => {
      const likeness = jaroWinkler(a, b);
      assert.ok(likeness >= 0 && likeness <= 1);
      assert.ok(Math.abs(likeness - jaroWinkler(b, a)) < 0.05);
      if (a !== '' && a === b) assert.equal(likeness, 1);
    }),
  );
  // Winkler 1990: MARTHA/MARHTA 0.961, DIXON/DICKSONX 0.813, DWAYNE/DUANE 0.840.
  assert.ok(Math.abs(jaroWinkler('MARTHA', 'MARHTA') - 0.9611) < 1e-4);
  assert.ok(Math.abs(jaroWinkler('DIXON', 'DICKSONX') - 0.8133) < 1e-4);
  assert.ok(Math.abs(jaroWinkler('DWAYNE', 'DUANE') - 0.84) < 1e-4);
});

it('names compare without the words that projects add to themselves', () => {
  assert.equal(compareNames('Lido', 'Lido DAO'), 'same');
  assert.equal(compareNames('Ocean Protocol', 'ocean'), 'same');
  assert.equal(compareNames('Fernwood', 'Fernwоod'), 'other');
  assert.equal(compareNames('Protocol', 'Network'), 'other');
});

it('look-alike domains are detected, and legitimate short names are not', () => {
  const known = ['lumenfall.example', 'aave.com', 'orchardline.example'];
  assert.equal(confusableWith('lumenfali.example', known), 'lumenfall.example');
  assert.equal(confusableWith('1umenfall.example', known), 'lumenfall.example');
  assert.equal(confusableWith(projectSite('https://оrchardline.example/').domain ?? '', known), 'orchardline.example');
  assert.equal(confusableWith('orchardIine.example'.toLowerCase(), known), 'orchardline.example');
  assert.equal(confusableWith('lumenfall.example', known), null);
  assert.equal(confusableWith('save.com', known), null);
  assert.equal(confusableWith('something-else.example', known), null);
});

it('international names are one domain in either spelling', () => {
  assert.equal(projectSite('https://www.bücher.example/x').domain, projectSite('http://xn--bcher-kva.example').domain);
});
