import Type, { type Static } from 'typebox';
import { DAY_MS, type Json, type ObservationDraft } from '../domain/index.ts';
import {
  feedEntries,
  isBot,
  isPast,
  Listed,
  learnWork,
  organisationEndpoints,
  sinceOf,
  successorIn,
  workOf,
} from './github-organisation.ts';
import {
  homepageTie,
  limited,
  mainRepo,
  QUOTA,
  REPO,
  repoAtWork,
  repoParams,
  tieDraft,
  tiedRepo,
  tieEndpoints,
} from './github-ties.ts';
import { observed } from './observations.ts';
import {
  amount,
  date,
  FlagOptional,
  fields,
  fieldsOf,
  flag,
  Loose,
  Maybe,
  TextOptional,
  text,
  textsIn,
} from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Facts, fact, type Params, type ReplyMeta } from './source.ts';

/**
 * GitHub: activity of the project's repositories.
 *
 * A repository counts only when it names the project (`github-ties.ts`), because anyone can link any active repository.
 * Lineage: family `github`. Limits: 60 calls an hour without a token: one call for a repository, three more once it is tied
 * (commits, releases, the organisation's repositories), one for its organisation when its homepage does not tie it. Raw files and atom
 * feeds (bases `raw`, `web`) do not count against the API quota, though GitHub limits them too (2025-05-08). Quirks: a spent quota is
 * 403 with `x-ratelimit-remaining: 0`; counts come from the `last` page of the Link header; forks and bought stars prove little, so
 * stars are only noted. Checked against a recorded repository.
 */
const PER_PAGE = 100;
const BRANCH = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Params of the counts, only for a repository that is confirmed as the project's. */
function work(facts: Facts): readonly Params[] {
  const tied = tiedRepo(facts);
  const repo = tied === null ? null : repoAtWork(facts, tied);
  return repo === null ? [] : [{ repo }];
}

const Message = Type.Object({ message: Type.String() });
const Repo = Type.Union([
  Type.Object({
    full_name: Type.String(),
    fork: Type.Optional(Type.Boolean()),
    archived: Type.Optional(Type.Boolean()),
    created_at: TextOptional,
    stargazers_count: Type.Optional(Loose),
    license: Maybe(Type.Object({ spdx_id: TextOptional })),
    ...fields(TextOptional, 'homepage', 'description', 'default_branch'),
    parent: Maybe(Type.Object({ full_name: Type.String(), default_branch: TextOptional })),
  }),
  Message,
]);

function observeRepo(reply: Static<typeof Repo>, params: Params): readonly ObservationDraft[] {
  if (!('full_name' in reply)) return [];
  const repo = String(params.repo);
  return [
    tieDraft('github.repo', [homepageTie(repo, reply.homepage, params)], repo),
    ...observed('repo_created_at', date(reply.created_at)),
    ...observed('repo_is_fork', flag(reply.fork)),
    ...observed('repo_archived', flag(reply.archived)),
    // `NOASSERTION`: there is a licence, and GitHub does not recognise it.
    ...observed('repo_licence', reply.license?.spdx_id === 'NOASSERTION' ? null : text(reply.license?.spdx_id, 40)),
    ...observed('repo_stars', amount(reply.stargazers_count)),
  ];
}

/** Learns whether the repository names the project, which enables the counts, and what to compare a fork with. */
function learnRepo(reply: Static<typeof Repo>, params: Params): Record<string, Json> {
  if (!('full_name' in reply)) return {};
  const named = homepageTie(String(params.repo), reply.homepage, params).state === 'confirmed';
  const repo = String(params.repo);
  // A moved repository is returned under its new name.
  const isMoved = reply.full_name.toLowerCase() !== repo.toLowerCase() && REPO.test(reply.full_name);
  const successor = reply.archived === true ? successorIn(reply.description, repo) : null;
  return {
    'github.repo': {
      repo,
      named,
      ...(isMoved ? { now: reply.full_name } : {}),
      ...(reply.archived === true ? { archived: true } : {}),
      ...(successor === null ? {} : { successor }),
    },
    ...learnFork(reply),
  };
}

/** `owner:branch...branch`: from the upstream's branch to the fork's own. */
function learnFork(reply: Static<typeof Repo>): Record<string, Json> {
  if (!('full_name' in reply) || reply.fork !== true) return {};
  const { full_name: repo, default_branch: head, parent } = reply;
  const [owner] = (parent?.full_name ?? '').split('/');
  const base = parent?.default_branch;
  if (!REPO.test(repo) || !owner || !base || !head || !BRANCH.test(base) || !BRANCH.test(head)) return {};
  return { 'github.fork': { repo, between: `${owner}:${base}...${head}` } };
}

const Compared = Type.Union([Type.Object({ ahead_by: Type.Number({ minimum: 0 }) }), Message]);

const Commits = Type.Union([
  Type.Array(
    Type.Object({
      commit: Type.Object({
        author: Maybe(Type.Object({ name: TextOptional, email: TextOptional, date: TextOptional })),
        committer: Maybe(Type.Object({ email: TextOptional, date: TextOptional })),
        verification: Maybe(Type.Object({ verified: FlagOptional, verified_at: TextOptional })),
      }),
      author: Maybe(Type.Object({ login: TextOptional })),
      committer: Maybe(Type.Object({ login: TextOptional })),
    }),
  ),
  Message,
]);

type Commit = Exclude<Static<typeof Commits>, { message: string }>[number];

/** GitHub signs merges and edits made on its site, with its own clock time. */
const GITHUB_SIGNER = 'noreply@github.com';
/** Maximum number of days between a commit and GitHub's first verification of its signature. */
const VERIFIED_DAYS = 7;

/**
 * True for a commit whose author and date cannot be forged: signed by GitHub, or signed with its author's key and verified soon
 * after its stated date. Anyone can push unsigned commits with any name and date, and can sign commits under another name.
 */
function isVerifiedCommit({ author, committer, commit }: Commit): boolean {
  const { committer: made, verification } = commit;
  if (!author?.login || flag(verification?.verified) !== true) return false;
  if (made?.email?.toLowerCase() === GITHUB_SIGNER) return true;
  const late = Date.parse(date(verification?.verified_at) ?? '') - Date.parse(date(made?.date) ?? '');
  return author.login === committer?.login && late <= VERIFIED_DAYS * DAY_MS;
}

/** Number of distinct accounts, compared in lower case and without bots. */
function peopleOf(names: readonly string[]): number {
  return new Set(names.map((name) => name.toLowerCase()).filter((name) => name !== '' && !isBot(name))).size;
}

/** The commits of a reply that are not dated after it. */
function madeBy(meta: ReplyMeta, rows: readonly Commit[]): readonly Commit[] {
  return rows.filter(({ commit }) => [commit.author, commit.committer].every((by) => isPast(date(by?.date), meta)));
}

function observeCommits(rows: Static<typeof Commits>, _params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  if (!Array.isArray(rows)) return [];
  const reply = madeBy(meta, rows);
  const authors = peopleOf(
    reply.map((row) => row.author?.login ?? row.commit.author?.email ?? row.commit.author?.name ?? ''),
  );
  // Replies from before 2016 do not state whether a commit is signed.
  const isSignatureStated = reply.some((row) => row.commit.verification);
  const signers = peopleOf(reply.filter(isVerifiedCommit).map((row) => row.author?.login ?? ''));
  const newest = reply
    .map((row) => date(row.commit.author?.date))
    .filter((at) => at !== null)
    .sort()
    .at(-1);
  const isPaged = lastPage(meta) > 1;
  const fromPages = isPaged ? ', from the number of pages' : '';
  const among = isPaged ? `, among the newest ${reply.length} commits: a lower bound` : '';
  return [
    ...observed('commits_90d', countOf(reply.length, meta), `main repository${fromPages}`),
    ...observed('contributors_90d', authors, `main repository${among}`),
    ...observed(
      'signed_authors_90d',
      isSignatureStated ? signers : null,
      `main repository, among the newest ${reply.length} commits`,
    ),
    ...observed('last_commit_at', newest),
  ];
}

/** Time and author, with the author name that feeds also use. */
function commitOf({ author, commit }: Commit) {
  return { at: date(commit.author?.date), author: (author?.login ?? commit.author?.name)?.toLowerCase() ?? null };
}

/** Number of commits from the number of pages, assuming that the last page is half full. */
function countOf(rows: number, meta: ReplyMeta): number {
  const pages = lastPage(meta);
  return Math.round(pages > 1 ? (pages - 1) * PER_PAGE + Math.min(rows, PER_PAGE) / 2 : rows);
}

function lastPage(meta: ReplyMeta): number {
  const match = /[?&]page=(\d+)[^>]*>;\s*rel="last"/.exec(meta.headers.link ?? '');
  return match ? Math.min(1_000, Number(match[1])) : 1;
}

const Releases = Type.Union([Type.Array(Type.Object({ published_at: TextOptional })), Message]);

/** The organisation's own active repositories, most starred first. Forks and archives are not its current work. */
function mostStarred(rows: readonly Static<typeof Listed>[]): readonly string[] {
  return rows
    .filter((row) => row.fork !== true && row.archived !== true && REPO.test(row.full_name))
    .sort(
      (a, b) =>
        (amount(b.stargazers_count) ?? 0) - (amount(a.stargazers_count) ?? 0) || (a.full_name < b.full_name ? -1 : 1),
    )
    .map((row) => row.full_name)
    .slice(0, 3);
}

export const github = defineSource({
  name: 'github',
  title: 'GitHub',
  doc: 'https://docs.github.com/en/rest',
  family: 'github',
  tier: 'registry',
  reliability: 0.95,
  bases: { main: 'https://api.github.com', web: 'https://github.com', raw: 'https://raw.githubusercontent.com' },
  key: {
    required: false,
    header: 'authorization',
    prefix: 'Bearer ',
    adds: 'requests: 5,000 an hour instead of 60',
    from: 'https://github.com/settings/tokens',
  },
  terms: { redistribute: true, keepBodyDays: 90, note: 'public repository data' },
  budget: { perMinute: 20, burst: 12, concurrency: 6, shareSeconds: 600 },
  timeoutMs: 8_000,
  provides: { code: 1 },
  endpoints: [
    endpoint({
      name: 'repo',
      doc: '/repos/{owner}/{name}',
      plan: (facts) => {
        const repo = mainRepo(facts);
        return repo === null ? [] : [repoParams(repo, facts)];
      },
      request: get('/repos/{+repo}'),
      reply: Repo,
      ...QUOTA,
      observe: observeRepo,
      learn: learnRepo,
    }),
    endpoint({
      name: 'compare',
      doc: '/repos/{owner}/{name}/compare/{upstream}:{branch}...{branch}: of a fork, how many commits are its own',
      // Unconfirmed links are compared too: a copy counts against the project that links it.
      plan: ({ learned }) => {
        const fork = fieldsOf(learned['github.fork']);
        return typeof fork.repo === 'string' ? [fork] : [];
      },
      request: get('/repos/{+repo}/compare/{+between}', { per_page: 1 }),
      reply: Compared,
      ...QUOTA,
      observe: (reply) =>
        observed(
          'repo_ahead_commits',
          'ahead_by' in reply ? reply.ahead_by : null,
          'ahead of the default branch of its upstream',
        ),
    }),
    endpoint({
      name: 'commits',
      doc: '/repos/{owner}/{name}/commits?since: 90 days, counted by the Link header; authors among the newest 100',
      plan: work,
      // `since` follows the hour, so that identical requests can be shared.
      request: (params) => {
        const since = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 90 * DAY_MS).toISOString();
        return get('/repos/{+repo}/commits', { per_page: PER_PAGE, since })(params);
      },
      reply: Commits,
      okStatuses: [403, 404, 409, 429],
      classify: (reply, meta) => (meta.status === 409 ? { outcome: 'empty' } : limited(reply, meta)),
      observe: observeCommits,
      learn: (reply, params, meta) => {
        if (!Array.isArray(reply)) return {};
        const made = madeBy(meta, reply);
        return learnWork(String(params.repo), { ...workOf(made.map(commitOf)), commits: countOf(made.length, meta) });
      },
    }),
    endpoint({
      name: 'releases',
      doc: '/repos/{owner}/{name}/releases: how many were published',
      plan: work,
      request: get('/repos/{+repo}/releases', { per_page: PER_PAGE }),
      reply: Releases,
      ...QUOTA,
      observe: (reply, _params, meta) =>
        Array.isArray(reply)
          ? [{ quantity: 'releases_count', value: Math.max(reply.length, (lastPage(meta) - 1) * PER_PAGE) }]
          : [],
    }),
    endpoint({
      name: 'feed',
      doc: 'https://github.com/{owner}/{name}/commits.atom: the newest commits, no quota',
      format: 'xml',
      plan: work,
      request: get('/{+repo}/commits.atom', undefined, { base: 'web' }),
      reply: Type.String(),
      observe: observeFeed,
    }),
    endpoint({
      name: 'org',
      doc: '/orgs/{org}/repos?sort=pushed: when the site links the organisation and no repository; once',
      plan: ({ keys, learned }) => {
        const [org] = textsIn(learned['website.githubOrgs']);
        const named = keys.githubRepos.length > 0 || textsIn(learned['website.githubRepos']).length > 0;
        return org !== undefined && !named && /^[A-Za-z0-9-]{1,39}$/.test(org) ? [{ org }] : [];
      },
      request: get('/orgs/{+org}/repos', { sort: 'pushed', direction: 'desc', per_page: PER_PAGE }),
      reply: Type.Union([Type.Array(Listed), Message]),
      ...QUOTA,
      learn: (reply) => fact('github.orgRepos', Array.isArray(reply) ? [...mostStarred(reply)] : null),
    }),
    ...organisationEndpoints,
    ...tieEndpoints,
  ],
});

/**
 * Newest commits of the default branch, without using quota. A feed has about twenty entries: it covers all of the 90 days only if
 * its oldest entry is older than that.
 */
export function observeFeed(reply: string, _params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const entries = feedEntries(reply, meta);
  const [newest] = entries;
  if (!newest) return [];
  const since = sinceOf(meta);
  const recent = entries.filter(({ at }) => at >= since);
  const whole = recent.length < entries.length;
  const { commits, authors } = workOf(recent);
  return [
    ...observed('last_commit_at', newest.at, 'newest entry of the feed'),
    ...observed('commits_90d', whole ? commits : null, 'main repository, from the feed', { reliability: 0.8 }),
    ...observed('contributors_90d', whole ? Object.keys(authors).length : null, 'main repository, from the feed', {
      reliability: 0.7,
    }),
  ];
}
