import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Consensus } from '../../domain/consensus.ts';
import type { SiteFact } from '../../domain/site-fact.ts';
import { consensusOf, daysAgo, fromOneGroup, outcome } from '../fixtures/asset.ts';
import { confirmed, fact, page, project, STATEMENTS, TIES, tied } from '../fixtures/project.ts';
import { rate } from '../rate.ts';
import { codes, feature, flags, methodology, open, rated } from './fixtures/rated-project.ts';

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
