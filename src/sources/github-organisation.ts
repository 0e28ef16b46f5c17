import Type, { type Static } from 'typebox';
import { DAY_MS, type Json, type ObservationDraft } from '../domain/index.ts';
import { QUOTA, REPO, registeredOrgs, repoAtWork, repositoryTie, tieDraft, tiedRepo } from './github-ties.ts';
import { githubRepo } from './links.ts';
import { observed } from './observations.ts';
import { amount, date, FlagOptional, fieldsOf, Loose, listIn, num, TextOptional, text, textsIn } from './read.ts';
import { get } from './requests.ts';
import { type Endpoint, endpoint, type Facts, fact, type Params, type ReplyMeta } from './source.ts';

/** Work on one repository in 90 days: commits, the newest of them, and how many each person made. */
export interface Work {
  readonly commits: number;
  readonly newest: string | null;
  readonly authors: Readonly<Record<string, number>>;
}

const DAYS = 90;
/** Each organisation uses one of 60 calls an hour. */
const MOST_ORGANISATIONS = 2;
/** Maximum number of repositories whose work is summed. */
const MOST_REPOSITORIES = 10;
/** A repository without a push for this time is inactive. */
const IDLE_DAYS = 180;
const MOST_AUTHORS = 200;
/** A single commit may be an occasional correction, or made only to be counted. */
const LEAST_COMMITS = 2;

/** Accounts that programs commit with. */
export function isBot(author: string): boolean {
  return author.endsWith('[bot]') || /^(dependabot|renovate|github-actions)\b/.test(author);
}

/** Organisations whose work counts as the project's: those that a kept register names, and the owner of the tied repository. */
function organisations(facts: Facts): readonly string[] {
  const tied = tiedRepo(facts);
  const owners = [tied === null ? null : repoAtWork(facts, tied), tied].flatMap((repo) => repo?.split('/')[0] ?? []);
  const named = [...registeredOrgs(facts), ...owners].map((org) => [org.toLowerCase(), org] as const);
  return [...new Map(named).values()].slice(0, MOST_ORGANISATIONS);
}

export const Listed = Type.Object({
  full_name: Type.String(),
  fork: FlagOptional,
  archived: FlagOptional,
  stargazers_count: Type.Optional(Loose),
  pushed_at: TextOptional,
  created_at: TextOptional,
});

/** An organisation's own active repositories, most recently pushed first. Repositories younger than the counted period are excluded: a history can be pushed in a day. */
function living(rows: readonly Static<typeof Listed>[], meta: ReplyMeta): Json {
  const now = Date.parse(meta.fetchedAt);
  const age = (at: string | null | undefined) => (now - Date.parse(date(at) ?? '')) / DAY_MS;
  return rows
    .filter((row) => row.fork !== true && row.archived !== true && REPO.test(row.full_name))
    .filter((row) => age(row.pushed_at) <= IDLE_DAYS && age(row.created_at) >= DAYS)
    .sort((a, b) => age(a.pushed_at) - age(b.pushed_at))
    .slice(0, MOST_REPOSITORIES)
    .map((row) => ({ repo: row.full_name, at: date(row.pushed_at) }));
}

/** The other repositories of the organisations, the most recently pushed first; null until all lists are known. */
function siblings(facts: Facts): readonly string[] | null {
  const tied = tiedRepo(facts);
  const main = tied === null ? null : repoAtWork(facts, tied)?.toLowerCase();
  const lists = organisations(facts).map((org) => facts.learned[`github.living:${org}`]);
  if (lists.length === 0 || lists.some((list) => !Array.isArray(list))) return null;
  return (lists.flat() as readonly Json[])
    .map(fieldsOf)
    .sort((a, b) => (String(a.at) < String(b.at) ? 1 : -1))
    .map(({ repo }) => String(repo))
    .filter((repo) => repo.toLowerCase() !== main)
    .slice(0, MOST_REPOSITORIES - (main ? 1 : 0));
}

const ENTRY = 8_000;

/** False for a commit dated after the reply, a day later for clocks that differ: whoever pushes it chooses its date, and it would stay new for years. */
export function isPast(at: string | null, { fetchedAt }: ReplyMeta): boolean {
  return at === null || Date.parse(at) <= Date.parse(fetchedAt) + DAY_MS;
}

/** Time and author of each entry in a feed of commits, newest first. An entry that is too long, or dated after the reply, is ignored. */
export function feedEntries(
  feed: string,
  meta: ReplyMeta,
): readonly { readonly at: string; readonly author: string | null }[] {
  return feed
    .slice(0, 400_000)
    .split('<entry>')
    .slice(1)
    .flatMap((part) => {
      const end = part.slice(0, ENTRY).indexOf('</entry>');
      const entry = part.slice(0, Math.max(0, end));
      const at = date(/<updated>([^<]{10,40})<\/updated>/.exec(entry)?.[1]);
      const author = text(/<author>\s{0,100}<name>([^<]{1,100})<\/name>/.exec(entry)?.[1])?.toLowerCase() ?? null;
      return at === null || !isPast(at, meta) ? [] : [{ at, author }];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** Start of the 90 days. */
export function sinceOf(meta: ReplyMeta): string {
  return new Date(Date.parse(meta.fetchedAt) - DAYS * DAY_MS).toISOString();
}

/** Summarises commits: their number, the newest, and the number of commits of each person. */
export function workOf(commits: readonly { readonly at: string | null; readonly author: string | null }[]): Work {
  const authors: Record<string, number> = {};
  for (const { author } of commits)
    if (author !== null && author !== '' && !isBot(author)) authors[author] = (authors[author] ?? 0) + 1;
  return {
    commits: commits.length,
    newest: commits.reduce<string | null>(
      (last, { at }) => (at !== null && (last === null || at > last) ? at : last),
      null,
    ),
    authors: Object.fromEntries(Object.entries(authors).slice(0, MOST_AUTHORS)),
  };
}

/** The fact under which the work on a repository is learned. */
export function learnWork(repo: string, work: Work): Record<string, Json> {
  return { [`github.work:${repo.toLowerCase()}`]: { ...work } };
}

function feedWork(feed: string, meta: ReplyMeta): Work {
  const since = sinceOf(meta);
  return workOf(feedEntries(feed, meta).filter(({ at }) => at >= since));
}

/** Params of the request for the last repository, with the work on all others; [] until that is known for all of them. */
function planSum(facts: Facts): readonly Params[] {
  const others = siblings(facts);
  const last = others?.at(-1);
  if (!others || last === undefined) return [];
  const tied = tiedRepo(facts);
  const main = tied === null ? null : repoAtWork(facts, tied);
  const known = [...(main === null ? [] : [main]), ...others.slice(0, -1)];
  const works = known.map((repo) => facts.learned[`github.work:${repo.toLowerCase()}`]);
  if (works.some((work) => work === undefined)) return [];
  return [{ repo: last, orgs: [...organisations(facts)], others: works as Json }];
}

function observeSum(feed: string, params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const works = [...listIn(params.others), { ...feedWork(feed, meta) }].map(fieldsOf);
  const counts = new Map<string, number>();
  for (const work of works)
    for (const [author, count] of Object.entries(fieldsOf(work.authors)))
      counts.set(author, (counts.get(author) ?? 0) + (num(count) ?? 0));
  const people = [...counts.values()].filter((count) => count >= LEAST_COMMITS).length;
  const newest = works
    .flatMap(({ newest: at }) => (typeof at === 'string' ? [at] : []))
    .sort()
    .at(-1);
  const of = {
    meaning: `${works.length} repositories of ${textsIn(params.orgs).join(', ')}, the newest 20 commits of each except the main one: a lower bound`,
    // More reliable than the counts of one repository, which are read in the same way.
    reliability: 0.97,
  };
  const commits = works.reduce((sum, work) => sum + (amount(work.commits) ?? 0), 0);
  return [
    ...observed('commits_90d', commits, of),
    ...observed('contributors_90d', people, of),
    ...observed('last_commit_at', newest, of),
  ];
}

const feed = get('/{+repo}/commits.atom', undefined, { base: 'web' });

/** Words near the name of the repository in which the work continues. */
const MOVED =
  /\b(?:moved|migrated|archived|deprecated|superseded|successor|replaced|no longer maintained|continues? (?:at|in)|new home)\b/i;
const OPENING = 4_000;

/** The successor that an archived repository names; null if it names none or several. */
export function successorIn(words: string | null | undefined, repo: string): string | null {
  const lines = (words ?? '').slice(0, OPENING).split('\n');
  const near = lines.filter((_, index) => MOVED.test(lines.slice(Math.max(0, index - 1), index + 2).join(' ')));
  const named = [...near.join('\n').matchAll(/https?:\/\/github\.com\/[A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100}/g)]
    .map(([url]) => githubRepo(url.replace(/[.,]{1,3}$/, '')))
    .filter((name) => name !== null && name.toLowerCase() !== repo.toLowerCase());
  const [only, ...more] = new Map(named.map((name) => [name?.toLowerCase(), name])).values();
  return only !== undefined && more.length === 0 ? only : null;
}

export const organisationEndpoints: readonly Endpoint[] = [
  endpoint({
    name: 'org_repos',
    doc: '/orgs/{org}/repos?sort=pushed: the active repositories of an organisation that belongs to the project; one call',
    plan: (facts) => {
      const registered = registeredOrgs(facts);
      return organisations(facts).map(
        (org): Params => (registered.includes(org) ? { org, registered: true } : { org }),
      );
    },
    request: get('/orgs/{+org}/repos', { type: 'public', sort: 'pushed', direction: 'desc', per_page: 100 }),
    reply: Type.Union([Type.Array(Listed), Type.Object({ message: Type.String() })]),
    ...QUOTA,
    observe: (reply, params) => {
      if (!Array.isArray(reply) || params.registered !== true) return [];
      const org = String(params.org);
      return [tieDraft('github.org_repos', [repositoryTie(org, true, 'a kept register names the organisation')], org)];
    },
    learn: (reply, params, meta) =>
      fact(`github.living:${String(params.org)}`, Array.isArray(reply) ? living(reply, meta) : null),
  }),
  endpoint({
    name: 'org_feed',
    doc: 'https://github.com/{owner}/{name}/commits.atom of the organisation’s other repositories, no quota',
    format: 'xml',
    plan: (facts) => (siblings(facts) ?? []).slice(0, -1).map((repo) => ({ repo })),
    request: feed,
    reply: Type.String(),
    learn: (reply, params, meta) => learnWork(String(params.repo), feedWork(reply, meta)),
  }),
  endpoint({
    name: 'org_work',
    doc: 'https://github.com/{owner}/{name}/commits.atom of the last of them; the activity in the others is in the parameters, and all of it is added up',
    format: 'xml',
    plan: planSum,
    request: feed,
    reply: Type.String(),
    observe: observeSum,
  }),
  endpoint({
    name: 'successor',
    doc: 'https://raw.githubusercontent.com/{owner}/{name}/HEAD/README.md of an archived repository: where the work continued. Not counted in the API quota',
    format: 'text',
    maxBytes: 512 * 1024,
    plan: (facts) => {
      const repo = tiedRepo(facts);
      const { archived, successor } = fieldsOf(facts.learned['github.repo']);
      return repo !== null && archived === true && successor === undefined ? [{ repo }] : [];
    },
    request: get('/{+repo}/HEAD/README.md', undefined, { base: 'raw' }),
    reply: Type.String(),
    learn: (reply, params): Record<string, Json> => ({
      [`github.successor:${String(params.repo)}`]: successorIn(reply, String(params.repo)),
    }),
  }),
];
