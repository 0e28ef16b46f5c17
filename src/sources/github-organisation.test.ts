import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointOf, facts, NOW, observe } from './fixtures/project-drive.ts';
import { github } from './github.ts';
import { successorIn } from './github-organisation.ts';
import type { Facts, Params } from './source.ts';

const META = { status: 200, headers: {}, fetchedAt: NOW, url: '' };
const learn = (name: string, reply: unknown, params: Params) =>
  endpointOf(github, name).learn?.(reply as never, params, META) ?? {};
const plan = (name: string, learned: Facts['learned'], keys = ['fern/core']) =>
  endpointOf(github, name).plan(facts({ keys: { ...facts().keys, githubRepos: keys }, learned }));
const day = (before: number) => new Date(Date.parse(NOW) - before * 86_400_000).toISOString();
const feed = (...commits: readonly (readonly [author: string, daysAgo: number])[]) =>
  `<feed>${commits.map(([author, ago]) => `<entry><updated>${day(ago)}</updated><author><name>${author}</name></author></entry>`).join('')}</feed>`;
const listed = (name: string, change: object = {}) => ({
  full_name: `fern/${name}`,
  fork: false,
  archived: false,
  pushed_at: day(3),
  created_at: day(800),
  ...change,
});
const TIED = { 'github.repo': { repo: 'fern/core', named: true } };
const MAIN = { 'github.work:fern/core': { commits: 40, newest: day(5), authors: { ada: 30, eve: 1 } } };

test('the repositories of a tied organisation that live are listed, the last pushed first', () => {
  assert.deepEqual(plan('org_repos', TIED), [{ org: 'fern' }]);
  assert.deepEqual(plan('org_repos', {}), [], 'an organisation that nothing ties to the project is nobody’s');
  const registered = { 'registers.githubOrgs': ['ethereum', '../x', 'sigp', 'third'] };
  assert.deepEqual(plan('org_repos', registered, []), [
    { org: 'ethereum', registered: true },
    { org: 'sigp', registered: true },
  ]);
  const tie = observe(github, 'org_repos', [], { org: 'ethereum', registered: true }).ties?.value;
  assert.equal((tie as readonly { readonly state: string }[])[0]?.state, 'confirmed');
  assert.deepEqual(observe(github, 'org_repos', [], { org: 'ethereum' }), {});
  const known = { 'github.repo': { repo: 'Ethereum/core', named: false }, ...registered };
  assert.deepEqual(plan('commits', known, ['Ethereum/core']), [{ repo: 'Ethereum/core' }]);
  const rows = [
    listed('core', { pushed_at: day(4) }),
    listed('fork', { fork: true }),
    listed('old', { archived: true }),
    listed('idle', { pushed_at: day(181) }),
    listed('yesterday', { created_at: day(20) }),
    listed('app', { pushed_at: day(9) }),
    listed('node', { pushed_at: day(1) }),
  ];
  assert.deepEqual(learn('org_repos', rows, { org: 'fern' }), {
    'github.living:fern': [
      { repo: 'fern/node', at: day(1) },
      { repo: 'fern/core', at: day(4) },
      { repo: 'fern/app', at: day(9) },
    ],
  });
  const many = Array.from({ length: 30 }, (_, index) => listed(`r${index}`));
  assert.equal((learn('org_repos', many, { org: 'fern' })['github.living:fern'] as unknown[]).length, 10);
});

test('work is added up over the organisation once all but one of its feeds are there', () => {
  const living = ['core', 'node', 'app'].map((name, index) => ({ repo: `fern/${name}`, at: day(index) }));
  const known = { ...TIED, 'github.living:fern': living };
  assert.deepEqual(plan('org_feed', known), [{ repo: 'fern/node' }]);
  assert.deepEqual(plan('org_work', known), []);
  const node = learn('org_feed', feed(['Ada', 2], ['bob', 3], ['bob', 4], ['dependabot[bot]', 5], ['old', 95]), {
    repo: 'fern/node',
  });
  assert.deepEqual(plan('org_work', { ...known, ...node }), [], 'the main repository is missing');
  const [params] = plan('org_work', { ...known, ...node, ...MAIN });
  assert.equal(params?.repo, 'fern/app');
  const seen = observe(github, 'org_work', feed(['eve', 1], ['passer-by', 8]), params);
  // Ada, bob, and eve with one commit in each of two; the passer-by made one.
  assert.equal(seen.contributors_90d?.value, 3);
  assert.equal(seen.commits_90d?.value, 40 + 4 + 2);
  assert.equal(seen.last_commit_at?.value, day(1));
  assert.match(seen.commits_90d?.meaning ?? '', /3 repositories of fern.*lower bound/);
  assert.ok((seen.commits_90d?.reliability ?? 0) > github.reliability, 'the sum counts before one repository');
});

test('a repository alone in its organisation is counted once', () => {
  const known = { ...TIED, ...MAIN, 'github.living:fern': [{ repo: 'Fern/Core', at: day(1) }] };
  assert.deepEqual([...plan('org_feed', known), ...plan('org_work', known)], []);
});

const REPO = {
  full_name: 'fern/core',
  fork: false,
  archived: false,
  created_at: day(900),
  pushed_at: day(400),
  homepage: 'https://fernwood.example',
};
const PARAMS = { repo: 'fern/core', domain: 'fernwood.example', addresses: [] };

test('the work of a moved repository is counted under its new name', () => {
  const learned = learn('repo', { ...REPO, full_name: 'fern-labs/core' }, PARAMS);
  assert.deepEqual(plan('commits', learned), [{ repo: 'fern-labs/core' }]);
});

test('an archived repository is followed to the one that its README names', () => {
  const learned = learn('repo', { ...REPO, archived: true }, PARAMS);
  assert.deepEqual(plan('commits', learned), [], 'first its README is read');
  assert.deepEqual(plan('successor', learned), [{ repo: 'fern/core' }]);
  const words =
    '# Core\n\n**This repository is archived.**\nDevelopment continues at https://github.com/grove/core-2.\n';
  const followed = { ...learned, ...learn('successor', words, { repo: 'fern/core' }) };
  assert.deepEqual(plan('commits', followed), [{ repo: 'grove/core-2' }]);
  assert.deepEqual(plan('org_repos', followed), [{ org: 'grove' }, { org: 'fern' }]);
  const silent = { ...learned, ...learn('successor', '# Core\n', { repo: 'fern/core' }) };
  assert.deepEqual(plan('commits', silent), [{ repo: 'fern/core' }], 'without a successor its own silence counts');
});

test('an archived repository without a tie to the project leads to no successor', () => {
  const learned = learn('repo', { ...REPO, archived: true, homepage: 'https://other.example' }, PARAMS);
  assert.deepEqual([...plan('successor', learned), ...plan('commits', learned), ...plan('org_repos', learned)], []);
});

test('a successor is the one repository named beside words of succession', () => {
  const here = (words: string) => successorIn(words, 'a/b');
  assert.equal(here('Moved to https://github.com/c/d'), 'c/d');
  assert.equal(here('See https://github.com/c/d for examples'), null);
  assert.equal(here('Moved to https://github.com/c/d and https://github.com/e/f'), null);
  assert.equal(here('This repo is deprecated. https://github.com/a/b/issues are closed'), null);
  assert.equal(here(null as unknown as string), null);
});
