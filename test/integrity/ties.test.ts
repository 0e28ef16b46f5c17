import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BORROWED, BUSY_REPOSITORY, borrowedTeam, TEAM_LINK, withBorrowedLinks } from '../../sandbox/borrowed-links.ts';
import { NO_KEYS } from '../../src/domain/asset.ts';
import { type Bend, featureOf, rateInSandbox } from '../support/sandbox-rating.ts';

/** Rows 7 and 8 of the attacks on published ratings (docs/threat-model.md): what a link to somebody else earns. */

/** An asset whose own site shows no repository, no audit, no people and no governance. */
const POOR = 'mintwell-pepper';

const site =
  (links: readonly string[], pages: Readonly<Record<string, () => ReturnType<typeof borrowedTeam>>> = {}): Bend =>
  ({ source, path }, honest) => {
    if (source !== 'website' || path.startsWith('/.well-known') || path === '/robots.txt') return honest;
    return pages[path]?.() ?? withBorrowedLinks(honest, links);
  };

const honest = rateInSandbox(POOR);
const scoreOf = (result: typeof honest) => {
  assert.ok(result.rating.uncappedScore !== null);
  return result.rating.uncappedScore;
};
/** Points of a feature; null for one that the asset's class does not have. */
function pointsOf({ factors }: (typeof honest)['rating'], id: string): number | null {
  return factors.flatMap(({ features }) => features).find((feature) => feature.id === id)?.score ?? null;
}

/** Gain in points of the score before caps; printed, so that the effect before and after can be compared. */
function gainOf(name: string, bend: Bend): number {
  const gain = Math.round((scoreOf(rateInSandbox(POOR, bend)) - scoreOf(honest)) * 10) / 10;
  console.log(`gain of ${name}: ${gain}`);
  return gain;
}

test('row 7: a link to an unrelated busy repository earns nothing', () => {
  const bend = site([BORROWED.repository]);
  assert.ok(gainOf('a link to a busy repository', bend) <= 0);
  const { rating, asked } = rateInSandbox(POOR, bend);
  // Its class has no such feature: nothing is there to earn.
  assert.equal(pointsOf(rating, 'dv_devs'), null);
  const calls = asked.filter((row) => row.source === 'github' && row.base === 'main').map((row) => row.path);
  assert.deepEqual(
    calls.filter((path) => path.includes('/commits') || path.includes('/releases')),
    [],
    'no quota is spent on the work of others',
  );
});

test('row 8: links to eight audit firms earn nothing, and NO_AUDIT stays and names them', () => {
  const bend = site([BORROWED.audits]);
  assert.ok(gainOf('links to eight audit firms', bend) <= 0);
  const { rating } = rateInSandbox(POOR, bend);
  assert.ok((featureOf(rating, 'ts_audit').score ?? 100) <= 25);
  const flag = rating.flags.find((row) => row.code === 'NO_AUDIT');
  assert.match(flag?.detail ?? 'no flag', /not confirmed by the firm: .*Hacken/);
});

test('row 8: two LinkedIn links earn nothing', () => {
  const bend = site([TEAM_LINK], { '/team': borrowedTeam });
  const anonymous = site([TEAM_LINK], {
    '/team': () => ({
      ...borrowedTeam(),
      text: '<!doctype html><title>Team</title><main><h1>Team</h1><p>Meet the group that builds it every single day.</p></main>',
    }),
  });
  const gain = scoreOf(rateInSandbox(POOR, bend)) - scoreOf(rateInSandbox(POOR, anonymous));
  console.log(`gain of two LinkedIn links over naming nobody: ${Math.round(gain * 10) / 10}`);
  assert.ok(gain <= 0);
  assert.ok(gainOf('a team page with two LinkedIn links', bend) <= 0.2);
});

test('row 8: a link to another project’s governance earns nothing', () => {
  const bend = site([BORROWED.governance]);
  assert.ok(gainOf('a link to another project’s space', bend) <= 0);
  assert.equal(pointsOf(rateInSandbox(POOR, bend).rating, 'gt_gov'), null);
});

test('rows 7 and 8 together earn nothing', () => {
  const all = [BORROWED.repository, BORROWED.audits, BORROWED.governance, TEAM_LINK];
  assert.ok(gainOf('all borrowed links together', site(all, { '/team': borrowedTeam })) <= 0.2);
});

test('a search page, a forum and a commit of a fork confirm nothing, whatever they print', () => {
  const own = 'mintwell-pepper.example';
  const echo = `https://hacken.io/audits/${own}?q=${own}`;
  const search = `https://hacken.io/search/audits?q=${own}`;
  const forum = 'https://forum.openzeppelin.com/t/audit-of-mintwell-pepper/1';
  const fork = 'https://github.com/trailofbits/publications/blob/0123456789012345678901234567890123456789/x.md';
  const onSite = site([echo, search, forum, fork].map((url) => `<a href="${url}">Audit report</a>`));
  const bend: Bend = (asked, reply) =>
    asked.host === 'hacken.io' ? { text: `<p>Results for ${own}</p>`, contentType: 'text/html' } : onSite(asked, reply);
  const { rating, asked } = rateInSandbox(POOR, bend);
  const pages = asked.filter((row) => row.source === 'third_parties').map((row) => `${row.host}${row.path}`);
  assert.deepEqual(pages.sort(), [
    `hacken.io/audits/${own}`,
    'raw.githubusercontent.com/trailofbits/publications/HEAD/x.md',
  ]);
  const flag = rating.flags.find((row) => row.code === 'NO_AUDIT');
  assert.match(flag?.detail ?? 'no flag', /Hacken/);
  assert.ok((featureOf(rating, 'ts_audit').score ?? 100) <= 25);
});

test('honest projects keep what they earned: every end names them', () => {
  for (const slug of ['lumenfall', 'fennecswap', 'quillpond']) {
    const { rating } = rateInSandbox(slug);
    assert.ok((featureOf(rating, 'dv_devs').score ?? 0) > 50, `${slug} development`);
    assert.ok(!rating.flags.some((row) => row.code === 'NO_AUDIT'), `${slug} audits`);
    assert.equal(featureOf(rating, 'gt_team').raw, 'named_verifiable', `${slug} team`);
  }
});

test('the repository of another project does not take the place of the own one, wherever it is named', () => {
  const base = rateInSandbox('lumenfall');
  const keys = { ...NO_KEYS, githubRepos: [BUSY_REPOSITORY] };
  const { rating } = rateInSandbox('lumenfall', undefined, { keys });
  assert.equal(featureOf(rating, 'dv_devs').raw, featureOf(base.rating, 'dv_devs').raw);
});
