import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpointOf, facts, NOW, observe, outcome } from './fixtures/project-drive.ts';
import { github } from './github.ts';

describe('GitHub', () => {
  const commit = (login: string | null, at: string, email = 'x@fernwood.example') => ({
    commit: { author: { name: 'N', email, date: at } },
    author: login === null ? null : { login },
  });

  it('measures one repository, the one identity put first', () => {
    const base = facts();
    const known = facts({
      keys: { ...base.keys, githubRepos: ['fern/contracts', 'fern/app'] },
      learned: { 'website.githubRepos': ['other/thing'] },
    });
    const names = { domain: 'fernwood.example', addresses: [] };
    assert.deepEqual(endpointOf(github, 'repo').plan(known), [{ repo: 'fern/contracts', ...names }]);
    const tied = { ...known, learned: { 'github.repo': { repo: 'fern/contracts', named: true } } };
    for (const name of ['commits', 'releases', 'feed'])
      assert.deepEqual(endpointOf(github, name).plan(tied), [{ repo: 'fern/contracts' }]);
    assert.deepEqual(
      endpointOf(github, 'repo').plan(facts({ learned: { 'coingecko.githubRepos': ['a/b/../../user', 'fern/ok'] } })),
      [{ repo: 'fern/ok', ...names }],
    );
    assert.deepEqual(endpointOf(github, 'repo').plan(base), []);
  });

  it('lists an organisation only when no repository is known, and picks its most starred living one', () => {
    const org = endpointOf(github, 'org');
    const learned = { 'website.githubOrgs': ['fern'] };
    assert.deepEqual(org.plan(facts({ learned })), [{ org: 'fern' }]);
    assert.deepEqual(org.plan(facts({ learned: { ...learned, 'website.githubRepos': ['fern/app'] } })), []);
    const rows = [
      { full_name: 'fern/fork-of-famous', fork: true, stargazers_count: 9_000 },
      { full_name: 'fern/old', archived: true, stargazers_count: 800 },
      { full_name: 'fern/site', stargazers_count: 3 },
      { full_name: 'fern/core', stargazers_count: 400 },
    ];
    const learnedNow = org.learn?.(rows as never, {}, { status: 200, headers: {}, fetchedAt: NOW, url: '' }) ?? {};
    assert.deepEqual(learnedNow, { 'github.orgRepos': ['fern/core', 'fern/site'] });
    assert.deepEqual(
      endpointOf(github, 'repo')
        .plan(facts({ learned: learnedNow }))
        .map((row) => row.repo),
      ['fern/core'],
    );
  });

  it('counts people, not robots, and the same person once', () => {
    const rows = [
      commit('Ada', '2026-11-10T00:00:00Z'),
      commit('ada', '2026-11-09T00:00:00Z'),
      commit('dependabot[bot]', '2026-11-18T00:00:00Z'),
      commit(null, '2026-11-01T00:00:00Z', 'b@fernwood.example'),
    ];
    const seen = observe(github, 'commits', rows);
    assert.equal(seen.commits_90d?.value, 4);
    assert.equal(seen.contributors_90d?.value, 2);
    assert.equal(seen.last_commit_at?.value, '2026-11-18T00:00:00.000Z');
  });

  it('counts authors apart whose commits GitHub signed, or verified soon after their stated date', () => {
    const at = '2026-11-10T00:00:00Z';
    const signed = (login: string, email: string, committer: string, verification: object) => ({
      commit: { author: { name: 'N', email: 'x', date: at }, committer: { email, date: at }, verification },
      author: { login },
      committer: { login: committer },
    });
    const seen = observe(github, 'commits', [
      signed('ada', 'noreply@github.com', 'web-flow', { verified: true }),
      signed('ben', 'ben@fernwood.example', 'ben', { verified: true, verified_at: '2026-11-11T00:00:00Z' }),
      signed('dated-back', 'd@fernwood.example', 'dated-back', {
        verified: true,
        verified_at: '2026-11-19T00:00:00Z',
      }),
      signed('somebody-known', 'ben@fernwood.example', 'ben', { verified: true, verified_at: at }),
      signed('old-signature', 'o@fernwood.example', 'old-signature', { verified: true, verified_at: null }),
      signed('forged', 'noreply@github.com', 'web-flow', { verified: false }),
    ]);
    assert.equal(seen.contributors_90d?.value, 6);
    assert.equal(seen.signed_authors_90d?.value, 2);
    const silent = observe(github, 'commits', [commit('Ada', at)]);
    assert.equal(silent.signed_authors_90d, undefined);
  });

  it('counts further pages by the Link header and marks authors as a lower bound', () => {
    const rows = Array.from({ length: 100 }, (_, index) => commit(`dev${index % 7}`, '2026-11-10T00:00:00Z'));
    const seen = observe(
      github,
      'commits',
      rows,
      {},
      {
        link: '<https://api.github.com/x?per_page=100&page=2>; rel="next", <https://api.github.com/x?per_page=100&page=5>; rel="last"',
      },
    );
    assert.equal(seen.commits_90d?.value, 450);
    assert.match(seen.contributors_90d?.meaning ?? '', /lower bound/);
  });

  it('takes no commit that is dated after the reply', () => {
    const by = (login: string, at: string) => ({
      author: { login },
      commit: { author: { date: at }, committer: { date: at } },
    });
    const ahead = by('ada', '2099-01-01T00:00:00Z');
    const seen = observe(github, 'commits', [ahead, by('bob', '2026-11-01T00:00:00Z')]);
    assert.deepEqual(
      [seen.commits_90d?.value, seen.contributors_90d?.value, seen.last_commit_at?.value],
      [1, 1, '2026-11-01T00:00:00.000Z'],
    );
    const alone = observe(github, 'commits', [ahead]);
    assert.deepEqual(
      [alone.commits_90d?.value, alone.contributors_90d?.value, alone.last_commit_at],
      [0, 0, undefined],
    );
    const { learn } = endpointOf(github, 'commits');
    const learned = learn?.(
      [ahead] as never,
      { repo: 'tide/core' },
      { status: 200, headers: {}, fetchedAt: NOW, url: '' },
    );
    assert.deepEqual(learned?.['github.work:tide/core'], { commits: 0, newest: null, authors: {} });
    const entry = (at: string) => `<entry><updated>${at}</updated><author><name>ada</name></author></entry>`;
    const feed = observe(github, 'feed', entry('2099-01-01T00:00:00Z') + entry('2025-03-01T00:00:00Z'));
    assert.deepEqual([feed.last_commit_at?.value, feed.commits_90d?.value], ['2025-03-01T00:00:00.000Z', 0]);
  });

  it('distinguishes a spent quota from a refusal', () => {
    assert.equal(
      outcome(github, 'repo', { message: 'API rate limit exceeded' }, 403, { 'x-ratelimit-remaining': '0' }),
      'rate_limited',
    );
    assert.equal(outcome(github, 'repo', { message: 'blocked' }, 403, { 'x-ratelimit-remaining': '12' }), 'http_error');
    assert.equal(outcome(github, 'repo', { message: 'slow down' }, 429), 'rate_limited');
  });

  it('reads a feed without quota, and counts from it only when it reaches back 90 days', () => {
    const entry = (at: string, author: string) =>
      `<entry><title>t</title><updated>${at}</updated><author><name>${author}</name></author></entry>`;
    const short = `<feed>${entry('2026-11-19T00:00:00Z', 'a')}${entry('2026-11-01T00:00:00Z', 'b')}${entry('2026-01-01T00:00:00Z', 'c')}</feed>`;
    const seen = observe(github, 'feed', short);
    assert.equal(seen.last_commit_at?.value, '2026-11-19T00:00:00.000Z');
    assert.deepEqual([seen.commits_90d?.value, seen.contributors_90d?.value], [2, 2]);
    const busy = observe(
      github,
      'feed',
      `<feed>${entry('2026-11-19T00:00:00Z', 'a')}${entry('2026-11-18T00:00:00Z', 'b')}</feed>`,
    );
    assert.equal(busy.commits_90d, undefined);
    assert.deepEqual(observe(github, 'feed', '<entry>'.repeat(50_000)), {});
  });

  it('notes fork, archive and licence of the repository', () => {
    const seen = observe(github, 'repo', {
      full_name: 'fern/core',
      fork: true,
      archived: false,
      created_at: '2021-02-03T04:05:06Z',
      pushed_at: '2026-11-01T00:00:00Z',
      stargazers_count: 12,
      license: { spdx_id: 'MIT' },
    });
    assert.deepEqual(
      [seen.repo_is_fork?.value, seen.repo_archived?.value, seen.repo_licence?.value, seen.repo_created_at?.value],
      [true, false, 'MIT', '2021-02-03T04:05:06.000Z'],
    );
    // GitHub's word for a licence that it does not recognise.
    const other = observe(github, 'repo', { full_name: 'a/b', license: { spdx_id: 'NOASSERTION' } });
    assert.equal(other.repo_licence, undefined);
  });
});

describe('a fork', () => {
  const reply = (change: object = {}) => ({
    full_name: 'copy/core',
    fork: true,
    default_branch: 'main',
    parent: { full_name: 'upstream/core', default_branch: 'develop' },
    ...change,
  });
  const learn = (change: object) =>
    endpointOf(github, 'repo').learn?.(
      reply(change) as never,
      {},
      { status: 200, headers: {}, fetchedAt: NOW, url: '' },
    ) ?? {};

  it('is compared with the default branch of its upstream, once', () => {
    const learned = learn({});
    assert.deepEqual(learned['github.fork'], { repo: 'copy/core', between: 'upstream:develop...main' });
    const [params] = endpointOf(github, 'compare').plan(facts({ learned }));
    assert.ok(params);
    assert.equal(
      endpointOf(github, 'compare').request(params).path,
      '/repos/copy/core/compare/upstream:develop...main',
    );
    assert.equal(observe(github, 'compare', { ahead_by: 3 }).repo_ahead_commits?.value, 3);
    assert.deepEqual(observe(github, 'compare', { message: 'Not Found' }), {});
  });

  it('is not compared where there is none, or where a name could leave the path', () => {
    for (const change of [{ fork: false }, { parent: null }, { default_branch: 'a/../../user' }, { full_name: '../x' }])
      assert.equal(learn(change)['github.fork'], undefined);
    assert.deepEqual(endpointOf(github, 'compare').plan(facts()), []);
  });
});
