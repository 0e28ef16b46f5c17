import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SiteFact } from '../../domain/site-fact.ts';
import { consensusOf } from '../fixtures/asset.ts';
import { fact, type ProjectChange, page, project, STATEMENTS } from '../fixtures/project.ts';
import { rate } from '../rate.ts';
import { codes, feature, flags, methodology, rated } from './fixtures/rated-project.ts';

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
