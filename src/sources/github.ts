import Type, { type Static } from 'typebox';
import type { Json } from '../domain/json.ts';
import type { ObservationDraft } from '../domain/observation.ts';
import { amount, date, Loose, TextOptional, text } from './read.ts';
import { endpoint, type Facts, type Params, type ReplyMeta, type Source } from './source.ts';

/**
 * GitHub: activity of the project's repositories.
 *
 * Lineage: family `github`. Limits: 60 calls an hour without a token: at most two repositories and four calls each; atom
 * feeds (base `web`) cost no quota and still give the newest commit. Quirks: a spent quota is 403 with
 * `x-ratelimit-remaining: 0`; counts come from the `last` page of the Link header; forks and bought stars say little, so
 * stars are only noted. Checked against a recorded repository.
 */
const DAY_MS = 86_400_000;
const MOST_REPOS = 2;
const PER_PAGE = 100;

function reposOf(facts: Facts): readonly string[] {
  const learned = [facts.learned['website.githubRepos'], facts.learned['coingecko.githubRepos']].flatMap((list) =>
    Array.isArray(list) ? (list as readonly Json[]) : [],
  );
  const all = [...facts.keys.githubRepos, ...learned.filter((row): row is string => typeof row === 'string')].filter(
    (repo) => /^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/.test(repo),
  );
  return [...new Map(all.map((repo) => [repo.toLowerCase(), repo])).values()].slice(0, MOST_REPOS);
}

const plan = (facts: Facts) => reposOf(facts).map((repo, index) => ({ repo, first: index === 0 }));
const first = (facts: Facts) => plan(facts).slice(0, 1);

function limited(_reply: unknown, meta: ReplyMeta) {
  if (meta.status === 403 || meta.status === 429) {
    return meta.headers['x-ratelimit-remaining'] === '0' || meta.status === 429
      ? { outcome: 'rate_limited' as const, detail: 'the hourly quota without a token is spent' }
      : { outcome: 'http_error' as const, detail: `status ${meta.status}` };
  }
  return { outcome: 'ok' as const };
}

const Message = Type.Object({ message: Type.String() });
const Repo = Type.Union([
  Type.Object({
    full_name: Type.String(),
    fork: Type.Optional(Type.Boolean()),
    archived: Type.Optional(Type.Boolean()),
    created_at: TextOptional,
    pushed_at: TextOptional,
    stargazers_count: Type.Optional(Loose),
    license: Type.Optional(Type.Union([Type.Object({ spdx_id: TextOptional }), Type.Null()])),
  }),
  Message,
]);

function observeRepo(reply: Static<typeof Repo>, params: Params): readonly ObservationDraft[] {
  if (!('full_name' in reply) || params.first !== true) return [];
  const created = date(reply.created_at);
  const pushed = date(reply.pushed_at);
  const licence = text(reply.license?.spdx_id, 40);
  const stars = amount(reply.stargazers_count);
  const drafts: ObservationDraft[] = [];
  if (created) drafts.push({ quantity: 'repo_created_at', value: created });
  if (pushed) drafts.push({ quantity: 'last_commit_at', value: pushed, meaning: 'newest push', reliability: 0.8 });
  if (typeof reply.fork === 'boolean') drafts.push({ quantity: 'repo_is_fork', value: reply.fork });
  if (typeof reply.archived === 'boolean') drafts.push({ quantity: 'repo_archived', value: reply.archived });
  if (licence) drafts.push({ quantity: 'repo_licence', value: licence });
  if (stars !== null) drafts.push({ quantity: 'repo_stars', value: stars });
  return drafts;
}

const Commits = Type.Union([
  Type.Array(
    Type.Object({
      commit: Type.Object({
        author: Type.Optional(
          Type.Union([Type.Object({ name: TextOptional, email: TextOptional, date: TextOptional }), Type.Null()]),
        ),
      }),
      author: Type.Optional(Type.Union([Type.Object({ login: TextOptional }), Type.Null()])),
    }),
  ),
  Message,
]);

function observeCommits(reply: Static<typeof Commits>, _params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  if (!Array.isArray(reply)) return [];
  const authors = new Set(
    reply
      .map((row) => (row.author?.login ?? row.commit.author?.email ?? row.commit.author?.name ?? '').toLowerCase())
      .filter((name) => name !== '' && !name.endsWith('[bot]')),
  );
  const newest = reply
    .map((row) => date(row.commit.author?.date))
    .filter((at) => at !== null)
    .sort()
    .at(-1);
  const pages = lastPage(meta);
  const count = pages > 1 ? (pages - 1) * PER_PAGE + Math.min(reply.length, PER_PAGE) / 2 : reply.length;
  const drafts: ObservationDraft[] = [
    {
      quantity: 'commits_90d',
      value: Math.round(count),
      meaning: pages > 1 ? 'main repository, from the number of pages' : 'main repository',
    },
    {
      quantity: 'contributors_90d',
      value: authors.size,
      meaning:
        pages > 1 ? `main repository, among the newest ${reply.length} commits: a lower bound` : 'main repository',
    },
  ];
  if (newest) drafts.push({ quantity: 'last_commit_at', value: newest });
  return drafts;
}

function lastPage(meta: ReplyMeta): number {
  const match = /[?&]page=(\d+)[^>]*>;\s*rel="last"/.exec(meta.headers.link ?? '');
  return match ? Math.min(1_000, Number(match[1])) : 1;
}

const Releases = Type.Union([Type.Array(Type.Object({ published_at: TextOptional })), Message]);

export const github: Source = {
  name: 'github',
  title: 'GitHub',
  doc: 'https://docs.github.com/en/rest',
  family: 'github',
  tier: 'registry',
  reliability: 0.95,
  trust: 'operator',
  bases: { main: 'https://api.github.com', web: 'https://github.com' },
  key: { required: false, header: 'authorization', prefix: 'Bearer ' },
  enabledByDefault: true,
  disabledReason: null,
  terms: { attribution: null, redistribute: true, keepBodyDays: 90, note: 'public repository data' },
  budget: { perMinute: 20, burst: 12, concurrency: 6, shareSeconds: 600 },
  timeoutMs: 8_000,
  chains: [],
  endpoints: [
    endpoint({
      name: 'repo',
      doc: '/repos/{owner}/{name}',
      role: 'observe',
      critical: false,
      plan,
      request: (params) => ({ path: `/repos/${String(params.repo)}` }),
      reply: Repo,
      okStatuses: [403, 404, 429],
      classify: limited,
      observe: observeRepo,
    }),
    endpoint({
      name: 'commits',
      doc: '/repos/{owner}/{name}/commits?since: 90 days, counted by the Link header; authors among the newest 100',
      role: 'observe',
      critical: false,
      plan: first,
      // `since` follows the hour, so that identical requests can be shared.
      request: (params) => ({
        path: `/repos/${String(params.repo)}/commits`,
        query: {
          per_page: PER_PAGE,
          since: new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 90 * DAY_MS).toISOString(),
        },
      }),
      reply: Commits,
      okStatuses: [403, 404, 409, 429],
      classify: (reply, meta) => (meta.status === 409 ? { outcome: 'empty' } : limited(reply, meta)),
      observe: observeCommits,
    }),
    endpoint({
      name: 'releases',
      doc: '/repos/{owner}/{name}/releases: how many were published',
      role: 'observe',
      critical: false,
      plan: first,
      request: (params) => ({ path: `/repos/${String(params.repo)}/releases`, query: { per_page: PER_PAGE } }),
      reply: Releases,
      okStatuses: [403, 404, 429],
      classify: limited,
      observe: (reply, _params, meta) =>
        Array.isArray(reply)
          ? [{ quantity: 'releases_count', value: Math.max(reply.length, (lastPage(meta) - 1) * PER_PAGE) }]
          : [],
    }),
    endpoint({
      name: 'feed',
      doc: 'https://github.com/{owner}/{name}/commits.atom: the newest commits, no quota',
      role: 'observe',
      critical: false,
      format: 'xml',
      plan: first,
      request: (params) => ({ base: 'web', path: `/${String(params.repo)}/commits.atom` }),
      reply: Type.String(),
      observe: (reply) => {
        const newest = [...reply.slice(0, 200_000).matchAll(/<entry>[\s\S]{0,4000}?<updated>([^<]{10,40})<\/updated>/g)]
          .map((match) => date(match[1]))
          .filter((at) => at !== null)
          .sort()
          .at(-1);
        return newest ? [{ quantity: 'last_commit_at', value: newest, meaning: 'newest entry of the feed' }] : [];
      },
    }),
  ],
};
