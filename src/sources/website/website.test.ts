import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObservationDraft } from '../../domain/observation.ts';
import { tiesIn } from '../../domain/site-fact.ts';
import { factsOf } from '../fixtures/drive.ts';
import { isOtherOwner, isOwnPage, landingPage, ownDomain } from '../links.ts';
import type { Endpoint, Facts } from '../source.ts';
import { website } from './index.ts';
import { readPage } from './page.ts';
import { isAllowed } from './robots.ts';

const URL_OF = 'https://fernwood.example/';
const EVM = '0xAbCdEf0000000000000000000000000000000001';
const MINT = '7cfveaagoiry288DvmKh8BGdWbBoRi5t7pTJsywh6Jch';

const HOME = `<!doctype html><html><head><title>Fernwood\u202e &amp; friends</title><script>var x = "${EVM.replace('1', '2')}"</script></head><body>
<nav><a href="/docs">Docs</a><a href="/team">Team</a><a href="https://fernwood.example/security">Audits</a><a href="/whitepaper.pdf">Whitepaper</a></nav>
<p>Contract: <span>${EVM}</span><button>Copy</button></p><p>On Solana ${MINT}.</p>
<a href="https://etherscan.io/token/${EVM}">Explorer</a><a href="https://x.com/Fernwood">X</a><a href="https://t.me/fernwood_chat">TG</a>
<a href="https://github.com/fern/core">Code</a><a href="https://github.com/fern">Org</a><a href="https://gov.fernwood.example/">Governance</a>
<a href="https://www.openzeppelin.com/audits/fernwood">Audit report</a><a href="javascript:alert(1)">audit</a></body></html>`;

function endpointOf(name: string): Endpoint {
  const found = website.endpoints.find((row) => row.name === name);
  assert.ok(found);
  return found;
}
const metaOf = (url: string) => ({ status: 200, headers: {}, fetchedAt: '2026-11-20T12:00:00.000Z', url });
function observe(name: string, html: string, url = URL_OF): Record<string, ObservationDraft> {
  return Object.fromEntries(
    endpointOf(name)
      .observe(html as never, { url }, metaOf(url))
      .map((row) => [row.quantity, row]),
  );
}
function facts(change: Partial<Facts> = {}): Facts {
  return { ...factsOf('ethereum', '0x0'), websiteUrl: URL_OF, registrableDomain: 'fernwood.example', ...change };
}

describe('the landing page', () => {
  it('gives title, links by kind, handles and audits by firm', () => {
    const seen = observe('home', HOME);
    assert.equal(seen.site_title?.value, 'Fernwood & friends');
    assert.deepEqual(seen.registry_socials?.value, [
      { kind: 'x', handle: 'fernwood' },
      { kind: 'telegram', handle: 'fernwood_chat' },
    ]);
    const audits = tiesIn(seen.ties?.value ?? null).filter((tie) => tie.kind === 'audit');
    assert.deepEqual(
      audits.map((tie) => [tie.subject, tie.state, tie.link]),
      [['OpenZeppelin', 'linked', 'https://www.openzeppelin.com/audits/fernwood']],
    );
    assert.equal(seen.audits_count, undefined);
    assert.equal(seen.governance_score, undefined);
    const kinds = new Set(
      (JSON.stringify(seen.site_links?.value).match(/"kind":"\w+"/g) ?? []).map((row) => row.slice(8, -1)),
    );
    for (const kind of ['docs', 'team', 'audit', 'whitepaper', 'x', 'telegram', 'github', 'governance'])
      assert.ok(kinds.has(kind), kind);
    assert.ok(!JSON.stringify(seen).includes('javascript:'));
  });

  it('shows addresses beside buttons, with the chain where a link says it, and none from scripts', () => {
    assert.deepEqual(
      observe('home', HOME).site_contract_addresses?.value,
      [
        { chain: 'ethereum', address: EVM.toLowerCase(), via: 'explorer' },
        { chain: 'solana', address: MINT, via: 'text' },
      ].sort((a, b) => (a.address < b.address ? -1 : 1)),
    );
  });

  it('takes the token that a link to an exchange offers, not what is paid with, on the chain that the link names', () => {
    const input = '0x00000000000000000000000000000000000000ff';
    const page = readPage(
      `<a href="https://jup.ag/swap/EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v-${MINT}">Buy</a>
       <a href="https://app.uniswap.org/swap?chain=base&inputCurrency=${input}&outputCurrency=${EVM}">Buy</a>`,
      URL_OF,
    );
    assert.deepEqual(
      page.addresses.map((row) => `${row.chain} ${row.address}`).sort(),
      [`solana ${MINT}`, `base ${EVM.toLowerCase()}`].sort(),
    );
  });

  it('on a shared platform states nothing about the project', () => {
    assert.deepEqual(Object.keys(observe('home', HOME, 'https://x.com/fernwood')), ['site_up']);
    assert.deepEqual(endpointOf('home').plan(facts({ websiteUrl: 'https://pump.fun/coin/x' })), []);
    assert.deepEqual(
      [isOwnPage('https://fern.github.io/'), isOwnPage('https://t.me/fern'), isOwnPage('nonsense'), isOwnPage(null)],
      [true, false, false, false],
    );
  });

  it('is requested at the root for any page of the host, with the well-known files', () => {
    for (const websiteUrl of [
      'http://fernwood.example:8080/claim?x=1#y',
      'https://FERNWOOD.example./token.json',
      URL_OF,
    ]) {
      assert.deepEqual(endpointOf('home').plan(facts({ websiteUrl })), [{ url: URL_OF }]);
      assert.deepEqual(endpointOf('robots').plan(facts({ websiteUrl })), [{ url: `${URL_OF}robots.txt` }]);
    }
    assert.deepEqual(endpointOf('home').plan(facts({ websiteUrl: null })), []);
  });

  it('that leads to another domain is up and states nothing; another host or path of its own is read', () => {
    const at = (url: string, name = 'home') => endpointOf(name).observe(HOME as never, { url: URL_OF }, metaOf(url));
    assert.deepEqual(at('https://scam.example/'), [
      { quantity: 'site_up', value: true, meaning: 'leads to another domain' },
    ]);
    assert.deepEqual(endpointOf('home').learn?.(HOME as never, { url: URL_OF }, metaOf('https://scam.example/')), {});
    assert.deepEqual(at('https://scam.example/', 'page'), []);
    assert.deepEqual(at('https://scam.example/.well-known/security.txt', 'security_txt'), []);
    for (const own of ['https://www.fernwood.example/en', 'https://app.fernwood.example/'])
      assert.ok(
        at(own).some((row) => row.quantity === 'site_contract_addresses'),
        own,
      );
  });

  it('belongs to the owner of the name: one registrable domain, or one name below a private suffix', () => {
    assert.equal(ownDomain('https://a.b.fernwood.example/x'), 'fernwood.example');
    assert.equal(ownDomain('https://docs.fern.github.io/'), 'fern.github.io');
    for (const shared of ['https://github.io/', 'https://x.com/fern', 'nonsense', 'https://com/', 'https://10.0.0.1/'])
      assert.equal(ownDomain(shared), null, shared);
    assert.ok(isOtherOwner('https://one.onrender.com/', 'https://two.onrender.com/'));
    assert.equal(landingPage('https://u:p@www.fernwood.example:444/x?y#z'), 'https://www.fernwood.example/');
  });

  it('of a hostile site costs little time and little space', () => {
    const started = performance.now();
    for (const hostile of [
      '<div>'.repeat(300_000),
      '<a href=/x>'.repeat(130_000),
      `<a href="https://e.example/${'jup.ag/'.repeat(180_000)}">x</a>`,
      '</span>'.repeat(200_000),
      `<p>${'Aa1'.repeat(400_000)}`,
      '\0<\u0000title>\ufffe',
    ]) {
      const drafts = endpointOf('home').observe(hostile as never, { url: URL_OF }, metaOf(URL_OF));
      assert.ok(JSON.stringify(drafts).length < 100_000);
    }
    assert.ok(performance.now() - started < 2_000);
  });
});

describe('further pages', () => {
  const learned = endpointOf('home').learn?.(HOME as never, { url: URL_OF }, metaOf(URL_OF)) ?? {};

  it('are few, of the same domain, and not read before robots.txt', () => {
    assert.deepEqual(endpointOf('page').plan(facts({ learned })), []);
    const plans = endpointOf('page').plan(facts({ learned: { ...learned, 'website.robots': '' } }));
    assert.deepEqual(
      plans.map((row) => row.url),
      ['https://fernwood.example/team', 'https://fernwood.example/security', 'https://fernwood.example/docs'],
    );
  });

  it('are left alone where robots.txt forbids them', () => {
    const plans = endpointOf('page').plan(
      facts({ learned: { ...learned, 'website.robots': 'User-agent: *\nDisallow: /team' } }),
    );
    assert.ok(!plans.some((row) => row.url === 'https://fernwood.example/team'));
  });

  it('name repositories and, apart, organisations', () => {
    assert.deepEqual([learned['website.githubRepos'], learned['website.githubOrgs']], [['fern/core'], ['fern']]);
  });
});

describe('the team', () => {
  const seen = (body: string) => observe('page', `<h1>Team</h1>${body}`, 'https://fernwood.example/team');
  const page = (body: string) => seen(body).team_state?.value;
  const people = (body: string) =>
    tiesIn(seen(body).ties?.value ?? null)
      .filter((tie) => tie.kind === 'person')
      .map((tie) => [tie.subject, tie.state]);
  const person = (slug: string) => `<li>Person <a href="https://www.linkedin.com/in/${slug}">profile</a></li>`;

  it('is not verified by links: each is a claim with the state of its other end', () => {
    assert.equal(page(person('a') + person('b')), undefined);
    assert.deepEqual(people(person('a') + person('a')), [['linkedin:a', 'linked']]);
    assert.deepEqual(people('<a href="https://github.com/Ada">Ada</a>'), [['github:ada', 'linked']]);
    assert.deepEqual(people('<p>Our founder has many years of experience.</p>'), [
      ['named without a profile', 'claimed'],
    ]);
    assert.deepEqual(people('<li>wren.eth, builder of things</li>'), [['named without a profile', 'claimed']]);
  });

  it('is anonymous only when a page was really read', () => {
    assert.equal(page('<p>We are a group of builders who love what they do every day.</p>'), 'anonymous');
    assert.equal(page(''), undefined);
    assert.equal(page('<p>You need to enable JavaScript to run this app, thank you.</p>'), undefined);
    assert.equal(observe('home', HOME).team_state, undefined);
  });
});

describe('fact pages', () => {
  const learned = {
    ...(endpointOf('home').learn?.(HOME as never, { url: URL_OF }, metaOf(URL_OF)) ?? {}),
    'website.robots': '',
  };

  it('are read of projects without a token only, none that robots.txt forbids', () => {
    const plan = (change: Partial<Facts>) =>
      endpointOf('facts')
        .plan(facts({ learned, ...change }))
        .map((row) => row.url);
    assert.deepEqual(plan({}), []);
    assert.deepEqual(plan({ stage: 'post_tge' }), []);
    assert.deepEqual(plan({ stage: 'pre_tge' }), [
      URL_OF,
      'https://fernwood.example/team',
      'https://fernwood.example/security',
      'https://fernwood.example/docs',
    ]);
    const closed = { ...learned, 'website.robots': 'User-agent: *\nDisallow: /security' };
    assert.ok(!plan({ stage: 'pre_tge', learned: closed }).includes('https://fernwood.example/security'));
  });

  it('that lead to another domain state nothing about the project', () => {
    const html = '<p>The public testnet is live for everybody who wants to try it.</p>';
    const said = (url: string) =>
      endpointOf('facts').observe(html as never, { url: URL_OF, project: 'Fernwood' }, metaOf(url));
    assert.equal(said('https://docs.fernwood.example/')[0]?.scope, `page:${URL_OF}`);
    assert.deepEqual(said('https://fernwood.example.evil.example/'), []);
    assert.deepEqual(said('https://t.me/fernwood'), []);
  });
});

describe('robots.txt', () => {
  const allowed = (robots: string, path: string) => isAllowed(robots, `https://fernwood.example${path}`);

  it('follows the longest rule of the groups for everybody', () => {
    assert.equal(allowed('User-agent: *\nDisallow: /\nAllow: /docs', '/docs/a'), true);
    assert.equal(allowed('User-agent: *\nDisallow: /\nAllow: /docs', '/team'), false);
    assert.equal(allowed('User-agent: *\nUser-agent: somebot\nDisallow: /team', '/team'), false);
    assert.equal(allowed('User-agent: somebot\nDisallow: /', '/team'), true);
    assert.equal(allowed('user-agent: *\ndisallow: /a # why\n\nUser-agent: *\nDisallow: /b', '/b'), false);
    assert.equal(allowed('User-agent: *\nDisallow:', '/team'), true);
  });

  it('understands * and $', () => {
    assert.equal(allowed('User-agent: *\nDisallow: /*.pdf$', '/papers/one.pdf'), false);
    assert.equal(allowed('User-agent: *\nDisallow: /*.pdf$', '/papers/one.pdf.html'), true);
    assert.equal(allowed('User-agent: *\nDisallow: /*/private', '/x/private/y'), false);
    assert.equal(allowed(`User-agent: *\nDisallow: /${'*a'.repeat(240)}$`, `/${'a'.repeat(1_500)}b`), true);
  });
});
