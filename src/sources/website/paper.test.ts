import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { siteFacts } from '../../domain/site-fact.ts';
import { factsOf } from '../fixtures/drive.ts';
import { website } from './index.ts';
import { paperEndpoint, paperFacts } from './paper.ts';

const SITE = 'https://harbourline.example';
const PAPER = `${SITE}/whitepaper.pdf`;
const meta = (url: string) => ({ status: 200, headers: {}, fetchedAt: '2026-11-20T12:00:00.000Z', url });
/** `# ` before a heading. */
const paragraphs = (...texts: readonly string[]) =>
  texts.map((text) => ({
    text: text.replace(/^# /, ''),
    isHeading: text.startsWith('# '),
    size: text.startsWith('# ') ? 16 : 10,
  }));
const paperOf = (...pages: readonly (readonly string[])[]) => ({
  unread: null,
  pageCount: pages.length,
  pages: pages.map((texts, at) => ({ number: at + 1, blocks: paragraphs(...texts) })),
});
const planned = (learned: Record<string, readonly string[] | string>, stage: 'pre_tge' | 'post_tge' = 'pre_tge') =>
  paperEndpoint.plan({ ...factsOf('ethereum', 'native', learned as never), stage }).map((row) => row.url);
/** What a page with these links makes us ask for. */
function learnedOf(...links: readonly string[]) {
  const html = `<html><body>${links.map((url) => `<p><a href="${url}">Whitepaper</a></p>`).join('')}</body></html>`;
  const facts = website.endpoints.find((row) => row.name === 'facts');
  return facts?.learn?.(html as never, { url: `${SITE}/`, project: 'Harbourline' }, meta(`${SITE}/`)) ?? {};
}

test('a paper of the project’s own site is requested, one elsewhere or forbidden to robots is not', () => {
  const robots = { 'website.robots': '' };
  assert.deepEqual(planned({ ...learnedOf('/whitepaper.pdf#page=4'), ...robots } as never), [PAPER]);
  assert.deepEqual(planned({ ...learnedOf('https://elsewhere.example/whitepaper.pdf'), ...robots } as never), []);
  assert.deepEqual(planned({ ...learnedOf('/whitepaper'), ...robots } as never), []);
  assert.deepEqual(planned({ 'website.papers:x': [PAPER] }), [], 'not before robots.txt was read');
  assert.deepEqual(planned({ 'website.papers:x': [PAPER], 'website.robots': 'User-agent: *\nDisallow: /' }), []);
  assert.deepEqual(planned({ 'website.papers:x': [PAPER], ...robots }, 'post_tge'), []);
  const many = Array.from({ length: 9 }, (_, at) => `${SITE}/${at}.pdf`);
  assert.equal(planned({ 'website.papers:x': many, ...robots }).length, 2);
});

test('each fact names the page of the paper with its sentence', () => {
  const paper = paperOf(
    ['# Harbourline whitepaper', 'Harbourline clears freight.', '# Token', 'Tokens are used to pay port fees.'],
    ['The total supply is 90,000,000 tokens.'],
  );
  const facts = paperFacts(paper, PAPER, 'Harbourline');
  const of = (kind: string) => facts.find((fact) => fact.kind === kind)?.url;
  assert.deepEqual([of('utility'), of('supply'), of('page')], [`${PAPER}#page=1`, `${PAPER}#page=2`, PAPER]);
});

test('shares and groups in a sentence that is not about the token are not an allocation', () => {
  const risks =
    'Losses below 10% of what users, the team and investors hold are minor. Gas: treasury 12 %, users 3 %, team 5 %.';
  const allocations = (...texts: readonly string[]) =>
    paperFacts(paperOf(texts), PAPER, 'Harbourline').filter((fact) => fact.kind === 'allocation').length;
  assert.equal(allocations('# Harbourline: white paper', '# Risks', risks), 0);
  assert.equal(allocations('# Token distribution', 'Treasury 12 %, users 83 %, team 5 %.'), 3);
});

test('a page in the middle of a paper that does not name the project is not a paper of another project', () => {
  const own = paperOf(
    ['Harbourline: white paper', 'We present Harbourline.'],
    ['We propose Merkle Sums for receipts.'],
  );
  assert.deepEqual(
    paperFacts(own, PAPER, 'Harbourline').filter((fact) => fact.kind === 'other_project'),
    [],
  );
  const other = paperOf(['Abstract', 'In this paper we present Alderline, a network.'], ['Nothing more.']);
  const [found] = paperFacts(other, PAPER, 'Harbourline').filter((fact) => fact.kind === 'other_project');
  assert.deepEqual([found?.name, found?.url], ['Alderline', `${PAPER}#page=1`]);
});

test('signs of a page are words of a page: text of a paper builds no element', () => {
  const paper = paperOf([
    '# Supply',
    '</p></main><nav>Team Jane Doe, founder <a href="https://www.linkedin.com/in/x">x</a></nav> The total supply is 5,000,000.',
  ]);
  const facts = paperFacts(paper, PAPER, 'Harbourline');
  assert.ok(facts.every((fact) => fact.link === null));
  assert.ok(facts.some((fact) => fact.kind === 'supply'));
});

test('a paper that could not be read states why, and one that was redirected elsewhere states nothing', () => {
  const validator = Compile(paperEndpoint.reply);
  const unread = { unread: 'it is encrypted', pageCount: 0, pages: [] };
  assert.ok(validator.Check(unread) && !validator.Check({ pages: [] }));
  assert.deepEqual(paperEndpoint.classify?.(unread as never, meta(PAPER), {}), {
    outcome: 'malformed',
    detail: 'the paper could not be read: it is encrypted',
  });
  const params = { url: PAPER, project: 'Harbourline' };
  const said = (url: string) =>
    paperEndpoint.observe(paperOf(['# Supply', 'The total supply is 5,000,000.']) as never, params, meta(url));
  assert.deepEqual(said('https://elsewhere.example/whitepaper.pdf'), []);
  const [draft] = said(PAPER);
  assert.equal(draft?.scope, `page:${PAPER}`);
  assert.ok(siteFacts(draft?.value ?? null).some((fact) => fact.kind === 'supply'));
});
