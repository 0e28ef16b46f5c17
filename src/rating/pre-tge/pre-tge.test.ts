import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Consensus } from '../../domain/consensus.ts';
import type { Rating } from '../../domain/rating.ts';
import type { SiteFact } from '../../domain/site-fact.ts';
import { loadMethodology } from '../../methodology/load.ts';
import { consensusOf, daysAgo, fromOneGroup, outcome } from '../fixtures/asset.ts';
import { confirmed, fact, type ProjectChange, page, project, STATEMENTS, TIES, tied } from '../fixtures/project.ts';
import { rate } from '../rate.ts';

const methodology = loadMethodology();
const rated = (change: ProjectChange = {}): Rating => rate(project(change), methodology);
const open = rated();
const codes = (rating: Rating) => rating.caps.map((cap) => cap.code);
const flags = (rating: Rating) => rating.flags.map((flag) => flag.code);
function feature(rating: Rating, id: string) {
  const found = rating.factors.flatMap((factor) => factor.features).find((row) => row.id === id);
  assert.ok(found, id);
  return found;
}

test('a fully disclosed project has the highest score of a project without a token', () => {
  assert.deepEqual(
    [open.band, open.score, open.outlook, open.provisional, open.prior],
    ['BBB', open.score, 'provisional', true, 35],
  );
  assert.ok((open.uncappedScore ?? 0) > 65);
  assert.deepEqual(codes(open), ['PRE_TGE']);
  assert.deepEqual(flags(open), []);
});

test('the points of the seven factors add up from 35 to the score before caps', () => {
  assert.deepEqual(
    open.factors.map((factor) => [factor.code, factor.weight]),
    [
      ['TD', 20],
      ['PC', 20],
      ['BK', 15],
      ['TK', 15],
      ['LS', 12],
      ['WI', 10],
      ['CT', 8],
    ],
  );
  const sum = open.factors.reduce((total, factor) => total + factor.points, 0);
  assert.equal(Math.round((35 + sum) * 10) / 10, open.uncappedScore);
});

test('neither public code nor an audit to look up: 54.9, and either one lifts it', () => {
  const code = ['contributors_90d', 'commits_90d', 'last_commit_at', 'repo_is_fork', 'repo_stars'] as const;
  const claimed = [fact('audit', { name: 'Hacken' })];
  const isUnproven = (change: Parameters<typeof rated>[0]) => codes(rated(change)).includes('PRE_TGE_UNPROVEN_CODE');
  const repository = tied([confirmed('repository', 'holdfast/holdfast')]);
  const audit = tied([confirmed('audit', 'Hacken')]);
  assert.ok(isUnproven({ without: code, ties: [repository], silent: ['audit'], add: claimed }));
  assert.ok(!isUnproven({ without: code, ties: [audit] }));
  assert.ok(!isUnproven({ silent: ['audit'], ties: [repository] }));
  // Links alone prove neither: the repository may be anybody's, and so may the report.
  const links = tied([
    { ...confirmed('repository', 'busy/core'), state: 'linked', by: 'its homepage is on another site' },
    { ...confirmed('audit', 'Hacken'), state: 'linked', by: 'linked by the project' },
  ]);
  assert.ok(isUnproven({ ties: [links], sources: [outcome('github')] }));
});

test('an anonymous team without a confirmed raise: 43.9, and a raise in the list or one name lifts it', () => {
  const nobody = { silent: ['person', 'prior_work'] as const };
  const capped = rated({ ...nobody, without: ['raises', 'raise_total_usd'] });
  assert.ok(codes(capped).includes('PRE_TGE_ANONYMOUS') && (capped.score ?? 0) <= 43.9);
  assert.ok(flags(capped).includes('TEAM_ANONYMOUS'));
  assert.ok(!codes(rated(nobody)).includes('PRE_TGE_ANONYMOUS'));
  assert.ok(!codes(rated({ without: ['raises', 'raise_total_usd'] })).includes('PRE_TGE_ANONYMOUS'));
  const masked = rated({
    ...nobody,
    without: ['raises', 'raise_total_usd'],
    add: [fact('pseudonym', { name: 'wren.eth', detail: 'team' })],
  });
  assert.ok(codes(masked).includes('PRE_TGE_ANONYMOUS'));
});

test('a team page filled in by scripts shows neither a team nor its absence', () => {
  const blank = (url: string, words: number) =>
    rated({
      silent: ['person', 'prior_work'],
      without: ['raises', 'raise_total_usd'],
      add: [fact('page', { url, value: words, detail: 'english' })],
    });
  const unread = blank('https://holdfast.example/our-team', 3);
  assert.deepEqual([feature(unread, 'td_named').status, flags(unread).includes('TEAM_ANONYMOUS')], ['unknown', false]);
  for (const read of [blank('https://holdfast.example/our-team', 40), blank('https://holdfast.example/fees', 3)])
    assert.ok(flags(read).includes('TEAM_ANONYMOUS'));
});

test('hiding who works on it lifts no cap: an empty team page and pages in a language that is not read count like no name', () => {
  const nobody = { silent: ['person', 'prior_work'] as const, without: ['raises', 'raise_total_usd'] as const };
  const openly = rated(nobody);
  assert.ok(codes(openly).includes('PRE_TGE_ANONYMOUS'));
  const hidden = {
    'a team page without text': [fact('page', { url: 'https://holdfast.example/team', value: 2, detail: 'english' })],
    'filler in another language': [fact('page', { value: 9_000, detail: 'chinese' })],
  };
  for (const [how, add] of Object.entries(hidden)) {
    const hiding = rated({ ...nobody, add });
    assert.ok((hiding.score ?? 0) <= (openly.score ?? 0), `${how}: ${hiding.score}, openly ${openly.score}`);
    assert.ok(hiding.score === null || codes(hiding).includes('PRE_TGE_ANONYMOUS'), how);
    // What a script may have filled in is not stated to be absent.
    assert.ok(!flags(hiding).includes('TEAM_ANONYMOUS'), how);
    assert.ok(!codes(rated({ add })).includes('PRE_TGE_ANONYMOUS'), `${how}, with names`);
  }
});

test('a channel that agrees with a registry hides none that differs', () => {
  const at = (source: string, handles: readonly (readonly [string, string])[]) =>
    consensusOf(
      'registry_socials',
      handles.map(([kind, handle]) => ({ kind, handle })),
      { scope: `registry:${source}`, families: [source] },
    );
  const socials = (own: readonly (readonly [string, string])[], change: ProjectChange = {}) => {
    const listed = at('defillama', [
      ['x', 'holdfast'],
      ['telegram', 'holdfastchat'],
    ]);
    return feature(rated({ ...change, without: ['registry_socials'], set: [at('website', own), listed] }), 'wi_social')
      .raw;
  };
  const chat = ['telegram', 'holdfastchat'] as const;
  assert.equal(socials([['x', 'holdfast'], chat]), 'both_ways');
  assert.equal(socials([chat]), 'both_ways');
  assert.equal(socials([['x', 'holdfast'], ['x', 'holdfast_help'], chat]), 'both_ways');
  assert.equal(socials([['x', 'holdfast_claim'], chat]), 'one_way');
  assert.equal(socials([['x', 'holdfast_claim']]), 'contradicting');
  const links = [{ kind: 'ownership_proof', strength: 1, detail: 'signed', sources: [] } as const];
  assert.equal(socials([['x', 'holdfast_new'], chat], { identification: { links } }), 'both_ways');
});

test('shares that add up to several times the supply hide no share of insiders', () => {
  const plan = (...rows: readonly (readonly [string, number])[]) =>
    rows.map(([name, value]) => fact('allocation', { name, value }));
  const honest = plan(['team', 0.4], ['investors', 0.3], ['community', 0.3]);
  const rest = STATEMENTS.filter(({ kind }) => kind !== 'allocation');
  const of = (allocation: readonly SiteFact[]) => rated({ statements: [...rest, ...allocation] });
  const open = of(honest);
  const fillers = {
    repeated: Array.from({ length: 12 }, () => plan(['community', 0.3])).flat(),
    various: Array.from({ length: 12 }, (_, index) => plan(['community', 0.1 + index / 100])).flat(),
  };
  assert.equal(feature(open, 'tk_insiders').raw, 0.7);
  for (const [how, filler] of Object.entries(fillers)) {
    const padded = of([...honest, ...filler]);
    assert.equal(feature(padded, 'tk_insiders').raw, 0.7, how);
    assert.ok((padded.uncappedScore ?? 0) <= (open.uncappedScore ?? 0), how);
  }
  assert.match(
    feature(of([...honest, ...fillers.various]), 'td_contradictions').rationale,
    /allocation adds up to 286 %/,
  );
  // Another page with more rows does not replace this one.
  const elsewhere = plan(['team', 0.05], ['community', 0.5], ['treasury', 0.2], ['public', 0.25]);
  const pages = rated({ statements: [...rest, ...honest], set: [page('summary', elsewhere)] });
  assert.equal(feature(pages, 'tk_insiders').raw, 0.7);
  // A page that shows its plan as a list and as a picture contradicts nothing.
  const twice = of([...honest, ...honest]);
  assert.equal(Number(feature(twice, 'tk_insiders').raw).toFixed(9), '0.700000000');
  assert.equal(feature(twice, 'td_contradictions').raw, 0);
});

test('a token sold while none is claimed: 19.9 with any trust; an open sale or an honest “no token” alone does not count', () => {
  const claim = fact('no_token', { sentence: 'There is no token.' });
  const sale = fact('token_sale', { sentence: 'The presale is live.' });
  const hidden = rated({ add: [claim, sale], identification: { match: 0.2 } });
  assert.deepEqual([hidden.band, hidden.score], ['C', 19.9]);
  assert.match(hidden.caps.find((cap) => cap.binding)?.detail ?? '', /There is no token.*The presale is live/);
  for (const add of [[claim], [sale]]) assert.ok(!codes(rated({ add })).includes('PRE_TGE_HIDDEN_SALE'));
  const traded = consensusOf('site_contract_addresses', [{ chain: 'ethereum', address: '0x1', via: 'dex' }], {
    families: ['web'],
  });
  assert.ok(codes(rated({ add: [claim], set: [traded] })).includes('PRE_TGE_HIDDEN_SALE'));
  assert.ok(!codes(rated({ set: [traded] })).includes('PRE_TGE_HIDDEN_SALE'));
});

test('a look-alike domain is an impersonation', () => {
  const contradictions = [{ kind: 'confusable_domain', factor: 0.3, detail: 'one letter away', sources: [] } as const];
  const rating = rated({ identification: { contradictions } });
  assert.ok(codes(rating).includes('IMPERSONATION') && flags(rating).includes('IMPERSONATION'));
  assert.equal(feature(rating, 'wi_clone').raw, 'confusable');
});

test('a link to a firm counts as the claim alone, nothing, until the firm’s own page names the project', () => {
  const audit = (link: string | null) => [fact('audit', { name: 'Hacken', link })];
  const rest = TIES.filter((row) => !row.scope.includes('audit'));
  const of = (link: string | null, ties: readonly Consensus[]) =>
    rated({ silent: ['audit'], add: audit(link), ties: [...rest, ...ties] });
  const none = rated({ silent: ['audit'], ties: rest });
  const bare = of(null, []);
  const linked = of('https://hacken.io/audits/x', [tied([{ ...confirmed('audit', 'Hacken'), state: 'linked' }])]);
  const sure = of('https://hacken.io/audits/x', [tied([confirmed('audit', 'Hacken')])]);
  assert.deepEqual([bare.uncappedScore, linked.uncappedScore], [none.uncappedScore, none.uncappedScore]);
  assert.ok((sure.uncappedScore ?? 0) > (linked.uncappedScore ?? 0));
  assert.ok(feature(sure, 'ls_audit').confidence > feature(linked, 'ls_audit').confidence);
  assert.ok(linked.trust.score < sure.trust.score);
});

test('profiles count when their owners are in the project’s organisation, and links to them do not count', () => {
  const links = TIES.map((row) =>
    row.scope.includes('person')
      ? tied(['ada', 'ben'].map((login) => ({ ...confirmed('person', `github:${login}`), state: 'linked' as const })))
      : row,
  );
  const names = rated({
    silent: ['person'],
    add: ['Ada', 'Ben', 'Cid', 'Dora', 'Eli'].map((name) =>
      fact('person', { name, value: 'engineer', detail: 'team' }),
    ),
  });
  const linked = rated({ ties: links });
  assert.equal(feature(linked, 'td_named').score, feature(names, 'td_named').score);
  assert.ok((feature(open, 'td_named').score ?? 0) > (feature(linked, 'td_named').score ?? 0));
});

test('funding that no list has counts as a claim, and contradicts when the list has other rounds', () => {
  const claim = fact('raise', { value: 500e6 });
  const alone = rated({ silent: ['raise', 'investor'], without: ['raises', 'raise_total_usd'], add: [claim] });
  assert.deepEqual([feature(alone, 'bk_raise').status, feature(alone, 'bk_raise').raw], ['absent', 500e6]);
  assert.ok(alone.trust.gaps.some((gap) => gap.feature === 'bk_raise'));
  assert.equal(feature(alone, 'td_contradictions').raw, 0);
  const against = rated({ silent: ['raise'], add: [claim] });
  assert.equal(feature(against, 'td_contradictions').raw, 1);
  assert.equal(feature(against, 'bk_raise').raw, 12e6);
});

const CONTRADICTIONS: readonly (readonly [string, readonly SiteFact[]])[] = [
  ['older than its domain', [fact('founded', { value: 2014 })]],
  ['one profile for two people', [fact('person', { name: 'Zoe', detail: 'team', link: 'https://github.com/ada' })]],
  ['more than all', [fact('allocation', { name: 'public', value: 0.4 })]],
  ['two supplies', [fact('supply', { value: 3e9, sentence: 'The total supply is 3,000,000,000.' })]],
  ['text for machines', [fact('machine_text', { detail: 'hidden' })]],
];
for (const [name, add] of CONTRADICTIONS) {
  test(`a contradiction lowers score, trust and the credit of every statement: ${name}`, () => {
    const rating = rated({ add });
    assert.equal(feature(rating, 'td_contradictions').raw, 1);
    assert.ok((rating.uncappedScore ?? 0) < (open.uncappedScore ?? 0));
    assert.ok(rating.trust.score < open.trust.score);
    assert.ok(feature(rating, 'tk_checklist').confidence < feature(open, 'tk_checklist').confidence);
    assert.equal(feature(rating, 'pc_commits').confidence, feature(open, 'pc_commits').confidence);
  });
}

test('another project’s paper and a fork without own work lose their features', () => {
  assert.equal(feature(rated({ add: [fact('other_project', { name: 'Alderline' })] }), 'wi_clone').raw, 'copied_text');
  const fork = (ahead: number) =>
    feature(
      rated({ set: [fromOneGroup('repo_is_fork', true), fromOneGroup('repo_ahead_commits', ahead)] }),
      'pc_original',
    );
  assert.deepEqual([fork(2).score, fork(80).score, feature(open, 'pc_original').score], [20, 60, 85]);
});

test('a missing statement counts as far as the site was read in a language that is understood', () => {
  const silent = { silent: ['supply', 'allocation', 'vesting', 'utility', 'tge_date'] as const };
  const plain = feature(rated(silent), 'tk_checklist');
  assert.deepEqual([plain.status, plain.score], ['absent', 0]);
  const foreign = consensusOf('site_facts', [{ ...fact('page', { value: 1_200, detail: 'other' }) }], {
    scope: 'page:de',
    families: ['web'],
  });
  const partly = feature(rated({ ...silent, set: [foreign] }), 'tk_checklist');
  assert.ok(partly.status === 'absent' && partly.confidence < plain.confidence);
  const mostly = consensusOf('site_facts', [{ ...fact('page', { value: 9_000, detail: 'other' }) }], {
    scope: 'page:de',
    families: ['web'],
  });
  assert.equal(feature(rated({ ...silent, set: [mostly] }), 'tk_checklist').status, 'unknown');
  const lost = feature(
    rate({ ...project(silent), lostPages: ['https://holdfast.example/token'] }, methodology),
    'tk_checklist',
  );
  assert.ok(lost.confidence < plain.confidence && /1 pages could not be read/.test(lost.method));
});

test('a linked page that was not read is not reported as missing', () => {
  const silent = ['supply', 'allocation', 'vesting', 'utility', 'tge_date', 'documentation'] as const;
  const docs = fact('documentation', { link: 'https://holdfast.gitbook.io/' });
  const paper = fact('unread_paper', { link: 'https://holdfast.example/paper.pdf' });
  const rating = rated({ silent, add: [docs, paper] });
  assert.equal(feature(rating, 'tk_checklist').status, 'unknown');
  assert.deepEqual([feature(rating, 'pc_docs').status, feature(rating, 'pc_docs').raw], ['observed', 300]);
  assert.deepEqual(
    [feature(rated({ silent }), 'pc_docs').status, feature(rated({ silent }), 'tk_checklist').status],
    ['absent', 'absent'],
  );
});

test('a site of which nothing can be read is not rated', () => {
  const empty = consensusOf('site_facts', [{ ...fact('page', { value: 3, detail: 'other' }) }], {
    scope: 'page:x',
    families: ['web'],
  });
  const rating = rate({ ...project(), consensus: { 'site_facts@page:x': empty } }, methodology);
  assert.deepEqual([rating.band, rating.score, rating.outlook], ['NR', null, null]);
  assert.match(rating.notRatedReasons.join(), /named share of the team/);
});

test('a page that has been tampered with in the archive costs its facts, not the rating', () => {
  const rubbish = consensusOf('site_facts', [null, 7, { kind: 'raise' }, { kind: 'raise', sentence: 1, url: 2 }], {
    scope: 'page:y',
    families: ['web'],
  });
  assert.deepEqual(rated({ set: [rubbish] }).score, open.score);
});

test('every feature of the methodology is computed for any site, and the score keeps its bounds', () => {
  const kinds = [
    ...new Set(STATEMENTS.map((row) => row.kind)),
    'founded',
    'machine_text',
    'no_token',
    'token_sale',
    'pseudonym',
  ] as const;
  const arbitrary = fc.record({
    kind: fc.constantFrom(...kinds),
    name: fc.option(fc.constantFrom('Ada', 'team', 'community', 'Hacken'), { nil: null }),
    value: fc.oneof(fc.double({ noNaN: true }), fc.string(), fc.constant(null)),
    detail: fc.option(fc.constantFrom('team', 'advisor', 'lead'), { nil: null }),
    link: fc.option(fc.webUrl(), { nil: null }),
    sentence: fc.string(),
    url: fc.constant('https://holdfast.example/'),
  });
  fc.assert(
    fc.property(fc.array(arbitrary, { maxLength: 40 }), (statements) => {
      const rating = rated({ statements });
      const points = rating.factors.reduce((sum, factor) => sum + factor.points, 0);
      if (rating.uncappedScore !== null) assert.ok(Math.abs(35 + points - rating.uncappedScore) < 1e-6);
      assert.ok(rating.score === null || (rating.score >= 5 && rating.score <= 73.9));
      assert.ok(rating.trust.score >= 0 && rating.trust.score <= 100);
      assert.equal(rating.factors.flatMap((factor) => factor.features).length, methodology.preTge.features.length);
    }),
    { numRuns: 150 },
  );
});

test('removing the place where a statement can be verified never raises score or trust', () => {
  fc.assert(
    fc.property(fc.subarray([...STATEMENTS]), fc.nat(), (statements, seed) => {
      const linked = rated({ statements });
      const bare = rated({
        statements: statements.map((row, index) => ((seed >> (index % 31)) % 2 === 0 ? { ...row, link: null } : row)),
      });
      assert.ok((bare.uncappedScore ?? 0) <= (linked.uncappedScore ?? 0) + 0.051);
      assert.ok(bare.trust.score <= linked.trust.score + 0.051);
    }),
    { numRuns: 150 },
  );
});

test('bare claims earn hardly more than missing statements', () => {
  const silent = rated({ statements: [], without: ['raises', 'raise_total_usd'] });
  const loud = rated({
    statements: [
      fact('raise', { value: 500e6 }),
      ...['A', 'B', 'C'].map((name) => fact('investor', { name, detail: 'lead' })),
      ...['CertiK', 'Hacken', 'Zellic'].map((name) => fact('audit', { name })),
      fact('testnet_users', { value: 5e6 }),
      fact('product', { value: 'mainnet_beta' }),
      fact('entity', { name: 'Holdfast AG' }),
      fact('jurisdiction', { value: 'Panama' }),
    ],
    without: ['raises', 'raise_total_usd'],
  });
  assert.ok(
    (loud.uncappedScore ?? 0) - (silent.uncappedScore ?? 0) < 6,
    `${silent.uncappedScore} ${loud.uncappedScore}`,
  );
  assert.ok(loud.trust.score <= silent.trust.score + 1, `${silent.trust.score} ${loud.trust.score}`);
});

test('the value is that of its last public round over comparable rounds, or states why there is none', () => {
  assert.match(open.vfr.reason ?? '', /0 rounds of the same stage/);
  assert.match(
    rated({ without: ['raises', 'raise_total_usd'] }).vfr.reason ?? '',
    /no public list has a funding round/,
  );
  const round = [
    { date: daysAgo(90), round: 'Seed', amountUsd: 12e6, valuationUsd: 60e6, leadInvestors: ['Fern Capital'] },
  ];
  const peers = Array.from({ length: 12 }, (_, index) => ({
    assetId: `project:peer${index}.example`,
    category: 'default' as const,
    asOf: daysAgo(10),
    marketValueUsd: null,
    drivers: {},
    trust: 80,
    aliases: [],
    round: { date: daysAgo(100), stage: 'seed' as const, postMoneyUsd: 30e6 * 1.1 ** index, isEstimated: false },
  }));
  const valued = rated({ set: [consensusOf('raises', round, { families: ['defillama'] })], peers });
  assert.deepEqual([valued.vfr.method, valued.vfr.peers, valued.vfr.reason], ['rounds', 12, null]);
  assert.ok((valued.vfr.value ?? 0) > 0.3 && (valued.vfr.value ?? 0) < 3);
  assert.equal(valued.score, open.score, 'it never enters the score');
});

test('the order of pages and facts does not matter', () => {
  const [first, second] = [STATEMENTS.slice(0, 12), STATEMENTS.slice(12)];
  const forwards = rated({ statements: first, set: [page('b', second)] });
  const backwards = rated({ statements: [...first].reverse(), set: [page('b', [...second].reverse())] });
  assert.equal(forwards.score, backwards.score);
  assert.equal(forwards.uncappedScore, backwards.uncappedScore);
});

test('trust depends on the evidence and not on its values', () => {
  const poor = STATEMENTS.map((row) =>
    row.kind === 'product'
      ? { ...row, value: 'mainnet_beta' }
      : row.kind === 'documentation'
        ? { ...row, value: 90 }
        : row,
  );
  const rating = rated({
    statements: poor,
    set: [fromOneGroup('commits_90d', 3), fromOneGroup('domain_registered_at', daysAgo(20))],
  });
  assert.ok((rating.uncappedScore ?? 0) < (open.uncappedScore ?? 0));
  assert.equal(rating.trust.score, open.trust.score);
});

const CONTRACT = 'testnet:sepolia:0x51c7a0f2d3b84e96a1d05c3f7b2e8849d6170ab3';
const OTHER_CONTRACT = CONTRACT.replace('0x51', '0x52');
const linked = (scope: string) => fact('testnet_contract', { value: scope, link: 'https://sepolia.etherscan.io/x' });
const counted = (scope: string, count: number) =>
  consensusOf('testnet_transactions', count, { scope, families: ['blockscout'] });
const used = (rating: Rating) => feature(rating, 'ct_testnet');

test('use of a test network is read where a contract is linked, and is not known where the explorer is silent', () => {
  assert.deepEqual([used(open).status, used(open).score], ['absent', 5]);
  assert.deepEqual(
    [0, 10, 1_000, 1e7, 1e9].map((count) => {
      const found = used(rated({ add: [linked(CONTRACT)], set: [counted(CONTRACT, count)] }));
      return [found.status, found.raw, found.score];
    }),
    [
      ['observed', 0, 5],
      ['observed', 10, 6.5],
      ['observed', 1_000, 12.5],
      ['observed', 1e7, 30.5],
      ['observed', 1e9, 30.5],
    ],
  );
  const silent = rated({ add: [linked(CONTRACT)] });
  assert.deepEqual([used(silent).status, used(silent).rest], ['unknown', 35], 'it is shown: the explorer is silent');
  const half = rated({ add: [linked(CONTRACT), linked(OTHER_CONTRACT)], set: [counted(CONTRACT, 0)] });
  assert.equal(used(half).status, 'unknown', 'none on one contract says nothing of the other');
  const both = {
    add: [linked(CONTRACT), linked(OTHER_CONTRACT)],
    set: [counted(CONTRACT, 7), counted(OTHER_CONTRACT, 8)],
  };
  assert.equal(used(rated(both)).raw, 15);
});

test('a count of a contract that no page links does not count, and a linked one moves a rating by at most four points', () => {
  const stray = rated({ set: [counted(CONTRACT, 1e6)] });
  assert.deepEqual([used(stray).status, stray.uncappedScore], ['absent', open.uncappedScore]);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e9 }),
      fc.subarray([...new Set(STATEMENTS.map((row) => row.kind))]),
      (count, silent) => {
        const without = rated({ silent });
        const found = rated({ silent, add: [linked(CONTRACT)], set: [counted(CONTRACT, count)] });
        assert.ok(
          Math.abs((found.uncappedScore ?? 0) - (without.uncappedScore ?? 0)) <= 4,
          `${without.uncappedScore} ${found.uncappedScore}`,
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('a paper that was read is not reported as unread', () => {
  const link = 'https://holdfast.example/paper.pdf';
  const silent = ['supply', 'allocation', 'vesting', 'utility', 'tge_date'] as const;
  const unreadPaper = rated({ silent, add: [fact('unread_paper', { link: `${link}#page=2` })] });
  assert.match(feature(unreadPaper, 'tk_checklist').method, /a paper is linked that is not read here/);
  const read = rated({ silent, add: [fact('unread_paper', { link: `${link}#page=2` })], set: [page('paper.pdf', [])] });
  assert.match(feature(read, 'tk_checklist').method, /no plan for a token is published/);
});

test('a paper, a page or a whole site that is not shown counts as withheld by the project, and lowers its other statements', () => {
  const silent = ['supply', 'allocation', 'vesting', 'utility', 'tge_date'] as const;
  const unreadPaper = fact('unread_paper', { link: 'https://holdfast.example/paper.pdf' });
  const plan = feature(rated({ silent, add: [unreadPaper] }), 'tk_checklist');
  assert.deepEqual([plan.rest, plan.silent], [0, true]);
  const shown = rated();
  const scores = [[], ['team'], ['team', 'docs'], ['']].map((paths) => {
    const lostPages = paths.map((path) => `https://holdfast.example/${path}`);
    return rate({ ...project(), lostPages }, methodology).uncappedScore ?? 0;
  });
  assert.equal(scores[0], shown.uncappedScore);
  assert.ok(
    scores.every((score, index) => index === 0 || score < (scores[index - 1] ?? 0)),
    scores.join(' '),
  );
});

test('a hidden sale stays while pages are not shown, and ends when all are shown without it', () => {
  const seen = { standingCaps: ['PRE_TGE_HIDDEN_SALE'] };
  const lost = { ...project(), ...seen, lostPages: ['https://holdfast.example/sale'] };
  assert.equal(rate(lost, methodology).score, 19.9);
  assert.ok((rate({ ...project(), ...seen }, methodology).score ?? 0) > 50);
});
