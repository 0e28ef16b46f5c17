import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Tie, tiesIn } from '../domain/site-fact.ts';
import { endpointOf, facts, NOW, outcome } from './fixtures/project-drive.ts';
import { github } from './github.ts';
import { mainRepo, tiedRepo } from './github-ties.ts';
import { snapshot } from './snapshot.ts';
import type { Params, ReplyMeta, Source } from './source.ts';
import { thirdParties } from './third-parties.ts';
import { namedIn, tiePageOf } from './ties.ts';

const TOKEN = '0x1111111111111111111111111111111111111111';
const NAMES = { domain: 'fernwood.example', addresses: [TOKEN] };

function tiesOf(source: Source, name: string, reply: unknown, params: Params, url = ''): readonly Tie[] {
  const meta: ReplyMeta = { status: 200, headers: {}, fetchedAt: NOW, url };
  return endpointOf(source, name)
    .observe(reply as never, params, meta)
    .flatMap((row) => (row.quantity === 'ties' ? tiesIn(row.value) : []));
}
const stateOf = (...args: Parameters<typeof tiesOf>) => tiesOf(...args)[0]?.state;

describe('the names of a project', () => {
  it('are its domain and the addresses of its token, whole words only', () => {
    for (const text of [
      'see https://docs.fernwood.example/a',
      'x@fernwood.example',
      `token ${TOKEN.toUpperCase().replace('0X', '0x')}.`,
    ])
      assert.notEqual(namedIn(text, NAMES), null, text);
    for (const text of [
      'notfernwood.example',
      'fernwood.example.com',
      'fernwood-example',
      'Fernwood',
      `${TOKEN}1`,
      'fernwoodxexample',
    ])
      assert.equal(namedIn(text, NAMES), null, text);
  });

  it('prove nothing where the page was requested by them', () => {
    assert.equal(namedIn('results for fernwood.example', NAMES, 'https://hacken.io/audits/fernwood.example'), null);
    assert.equal(namedIn('results for fernwood.example', NAMES, 'https://hacken.io/audits/fernwood%2Eexample'), null);
    assert.notEqual(namedIn(`fernwood.example ${TOKEN}`, NAMES, 'https://hacken.io/audits/fernwood.example'), null);
  });
});

describe('a repository', () => {
  const params = { repo: 'fern/core', ...NAMES };
  const repo = (homepage: string | null) => ({ full_name: 'fern/core', fork: false, homepage });

  it('is the project’s by its homepage, README, package or organisation', () => {
    assert.equal(stateOf(github, 'repo', repo('https://app.fernwood.example/'), params), 'confirmed');
    assert.equal(stateOf(github, 'readme', `# Core\nContracts of ${TOKEN}`, params), 'confirmed');
    assert.equal(stateOf(github, 'manifest', { homepage: 'https://fernwood.example' }, params), 'confirmed');
    assert.equal(stateOf(github, 'organisation', { login: 'fern', blog: 'fernwood.example' }, params), 'confirmed');
  });

  it('is a link when it names another site, is called the same, or names the site on a list of many', () => {
    const list = Array.from({ length: 30 }, (_, index) => `https://project${index}.example/`).join(' ');
    assert.equal(stateOf(github, 'repo', repo('https://other.example'), params), 'linked');
    assert.equal(stateOf(github, 'repo', repo(null), params), 'linked');
    assert.equal(stateOf(github, 'readme', `# Fernwood\n${list} https://fernwood.example/`, params), 'linked');
    assert.equal(stateOf(github, 'readme', '# Busy\n## Our sponsors\nhttps://fernwood.example/', params), 'linked');
    assert.equal(stateOf(github, 'readme', `# Busy\n${'words '.repeat(3_000)} fernwood.example`, params), 'linked');
    assert.equal(stateOf(github, 'manifest', { name: 'fernwood.example' }, params), 'linked');
    assert.equal(stateOf(github, 'organisation', { login: 'fern', blog: 'https://other.example' }, params), 'linked');
    assert.deepEqual(tiesOf(github, 'organisation', { message: 'Not Found' }, params), []);
  });

  it('of a chain’s own coin is the one that registries name', () => {
    assert.equal(stateOf(github, 'repo', repo('https://other.example'), { ...params, native: true }), 'confirmed');
    const [plan] = endpointOf(github, 'repo').plan({
      ...facts({ address: 'native' }),
      learned: { 'coingecko.githubRepos': ['bitcoin/bitcoin'] },
    });
    assert.equal(plan?.native, true);
  });

  it('is worked on only after it is known to be the project’s', () => {
    const learned = (named: boolean) => ({
      'website.githubRepos': ['busy/core'],
      'github.repo': { repo: 'busy/core', named },
    });
    const linked = facts({ learned: learned(false) });
    assert.equal(tiedRepo(linked), null);
    assert.deepEqual(endpointOf(github, 'commits').plan(linked), []);
    assert.equal(endpointOf(github, 'readme').plan(linked).length, 1, 'its README is read instead');
    assert.equal(tiedRepo(facts({ learned: learned(true) })), 'busy/core');
    assert.deepEqual(endpointOf(github, 'readme').plan(facts({ learned: learned(true) })), []);
    assert.equal(tiedRepo(facts({ learned: { ...learned(false), 'github.named:busy/core': true } })), 'busy/core');
    assert.equal(tiedRepo(facts({ learned: { ...learned(false), 'github.named:other/core': true } })), null);
  });

  it('is chosen by its owner’s name among several, and is never where a firm publishes', () => {
    const repos = ['trailofbits/publications', 'openlib/math', 'fernwood-labs/core'];
    assert.equal(mainRepo(facts({ learned: { 'website.githubRepos': repos } })), 'fernwood-labs/core');
    assert.equal(mainRepo(facts({ learned: { 'website.githubRepos': repos.slice(0, 2) } })), 'openlib/math');
  });

  it('a spent quota is not a reply about the organisation', () => {
    const spent = { 'x-ratelimit-remaining': '0' };
    assert.equal(outcome(github, 'organisation', { message: 'limit' }, 403, spent), 'rate_limited');
    assert.equal(outcome(github, 'members', { message: 'limit' }, 429), 'rate_limited');
  });
});

describe('people', () => {
  it('count when the organisation lists them itself', () => {
    const ties = tiesOf(github, 'members', [{ login: 'Ada' }], { org: 'fern', people: ['ada', 'vitalik'] });
    assert.deepEqual(
      ties.map((tie) => [tie.subject, tie.state]),
      [
        ['github:ada', 'confirmed'],
        ['github:vitalik', 'linked'],
      ],
    );
    const learned = { 'website.people:a': ['ada'], 'website.githubRepos': ['fern/core'] };
    assert.deepEqual(endpointOf(github, 'members').plan(facts({ learned })), [], 'not before the repository is tied');
    const tied = { ...learned, 'github.repo': { repo: 'fern/core', named: true } };
    assert.deepEqual(endpointOf(github, 'members').plan(facts({ learned: tied })), [{ org: 'fern', people: ['ada'] }]);
  });
});

describe('audit firms', () => {
  const page = { kind: 'audit', subject: 'Hacken', url: 'https://hacken.io/audits/fernwood', ...NAMES };

  it('confirm by their own page, and by naming the repository', () => {
    assert.equal(stateOf(thirdParties, 'page', 'for fernwood.example', page, page.url), 'confirmed');
    assert.equal(stateOf(thirdParties, 'page', 'for Fernwood', page, page.url), 'linked');
    const [named] = tiesOf(thirdParties, 'page', 'scope: https://github.com/Fern/core at 1234', page, page.url);
    assert.deepEqual(named?.owners, ['fern']);
    const pdf = {
      unread: null,
      pageCount: 1,
      pages: [{ number: 1, blocks: [{ text: TOKEN, isHeading: false, size: 1 }] }],
    };
    assert.equal(stateOf(thirdParties, 'report', pdf, page, page.url), 'confirmed');
  });

  it('state nothing by a page elsewhere that the link led to', () => {
    for (const url of [
      'https://fernwood.example/audit',
      'https://zellic.io/audits/x',
      'https://forum.openzeppelin.com/t/1',
    ])
      assert.equal(stateOf(thirdParties, 'page', 'fernwood.example', page, url), 'linked', url);
  });

  it('are requested where the firms publish themselves, without the link’s query', () => {
    const at = (url: string) => tiePageOf('audit', url)?.url ?? null;
    assert.equal(at('https://hacken.io/audits/fern?q=fernwood.example#x'), 'https://hacken.io/audits/fern');
    assert.equal(
      at('https://github.com/trailofbits/publications/blob/deadbeef/reviews/fern.pdf'),
      'https://raw.githubusercontent.com/trailofbits/publications/HEAD/reviews/fern.pdf',
    );
    for (const url of [
      'https://forum.openzeppelin.com/t/audit/1',
      'https://skynet.certik.com/projects/fern',
      'https://code4rena.com/@fern/reports',
      'https://hacken.io/search/audits',
      'https://hacken.io/',
      'http://hacken.io/audits/fern',
      'https://hacken.io:8443/audits/fern',
      'https://consensys.io/blog/audit',
      'https://github.com/trailofbits/publications/issues/1',
      'https://github.com/trailofbits/other/blob/main/x.pdf',
      'https://hacken.io.evil.example/audits/fern',
      'https://raw.githubusercontent.com/trailofbits/publications/HEAD',
    ])
      assert.equal(at(url), null, url);
    assert.equal(tiePageOf('bounty', 'https://immunefi.com/bug-bounty/fern/')?.subject, 'Immunefi');
    assert.equal(tiePageOf('bounty', 'https://immunefi.com/explore/'), null);
  });

  it('are limited to eight pages, two of a firm, and never at an address that another source invented', () => {
    const urls = [
      ...Array.from({ length: 6 }, (_, index) => `https://hacken.io/audits/fern-${index}`),
      ...Array.from({ length: 6 }, (_, index) => `https://zellic.io/audits/fern-${index}`),
      'https://evil.example/audits/fern',
      'http://169.254.169.254/audits',
    ].map((url) => ({ kind: 'audit', subject: 'Hacken', url }));
    const plans = endpointOf(thirdParties, 'page').plan(facts({ learned: { 'third_parties.x': urls } }));
    assert.deepEqual(
      plans.map((row) => [row.subject, row.url]),
      [
        ['Hacken', 'https://hacken.io/audits/fern-0'],
        ['Hacken', 'https://hacken.io/audits/fern-1'],
        ['Zellic', 'https://zellic.io/audits/fern-0'],
        ['Zellic', 'https://zellic.io/audits/fern-1'],
      ],
    );
  });
});

describe('a voting space', () => {
  const params = { spaces: ['fern.eth'], ...NAMES };
  const reply = (strategies: unknown, id = 'fern.eth') => ({ data: { spaces: [{ id, strategies }] } });

  it('is the asset’s when a strategy counts it, at any depth', () => {
    const own = { address: TOKEN.toUpperCase().replace('0X', '0x') };
    const deep = { strategies: [{ params: { tokens: [own] } }] };
    assert.equal(stateOf(snapshot, 'spaces', reply([{ name: 'a', params: own }]), params), 'confirmed');
    assert.equal(stateOf(snapshot, 'spaces', reply([{ name: 'multichain', params: deep }]), params), 'confirmed');
  });

  it('is another project’s otherwise, and gives no points', () => {
    for (const strategies of [
      null,
      [],
      [{ params: { address: '0x2222222222222222222222222222222222222222' } }],
      [{ params: 'x' }],
    ]) {
      const drafts = endpointOf(snapshot, 'spaces').observe(reply(strategies) as never, params, {
        status: 200,
        headers: {},
        fetchedAt: NOW,
        url: '',
      });
      assert.deepEqual(
        drafts.map((row) => row.quantity),
        ['ties'],
      );
      assert.equal(stateOf(snapshot, 'spaces', reply(strategies), params), 'linked');
    }
    const own = [{ params: { address: TOKEN } }];
    assert.deepEqual(tiesOf(snapshot, 'spaces', reply(own, 'nobody-asked.eth'), params), []);
  });
});
