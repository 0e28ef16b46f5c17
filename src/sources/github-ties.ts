import Type, { type Static } from 'typebox';
import type { Json, ObservationDraft, Tie } from '../domain/index.ts';
import { registrableDomain } from './links.ts';
import { FlagOptional, fieldsOf, listsUnder, TextOptional, text, textsIn } from './read.ts';
import { get } from './requests.ts';
import { type Endpoint, endpoint, type Facts, type Params, type ReplyMeta } from './source.ts';
import { auditorOf, isOwnDomain, namedIn, namesIn, namesOf } from './ties.ts';

export const REPO = /^[A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100}$/;
const LOGIN = /^[A-Za-z0-9-]{1,39}$/;
const MOST_BYTES = 512 * 1024;
/** Characters of a README that are read; links further down are too many to be meaningful. */
const OPENING = 12_000;
/** A page that names more sites is a list, on which anyone may appear. */
const MOST_SITES = 20;
/** Headings under which other parties are listed, some of them for payment. */
const OTHERS =
  /^#{1,6}\s.{0,40}\b(?:sponsors?|backers?|supporters|partners?|integrations?|ecosystem|used by|who uses|projects using|built with|showcase|adopters|users|friends|related|alternatives|awesome)\b/im;

/**
 * The one repository that is measured, because every call uses a sixtieth of the hourly quota and the counts of several
 * repositories cannot be summed from separate replies.
 */
export function mainRepo(facts: Facts): string | null {
  const learned = ['website.githubRepos', 'coingecko.githubRepos', 'github.orgRepos'].flatMap((key) =>
    textsIn(facts.learned[key]),
  );
  const named = [...facts.keys.githubRepos, ...learned].filter(
    (name) => REPO.test(name) && auditorOf(`https://github.com/${name}`) === null,
  );
  // Pages also link libraries and reports. The choice made here proves nothing; only the tie does.
  return named.find((name) => isAlike(name, facts.registrableDomain)) ?? named[0] ?? null;
}

/** True when the owner's name and the first label of the domain contain each other. */
function isAlike(repo: string, domain: string | null): boolean {
  const owner = plain(repo.split('/')[0] ?? '');
  const label = plain(domain?.split('.')[0] ?? '');
  return owner !== '' && label !== '' && (owner.includes(label) || label.includes(owner));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Parameters of the repository endpoint. Identity sends the same parameters, so that one request serves both. */
export function repoParams(repo: string, facts: Pick<Facts, 'registrableDomain' | 'address' | 'keys'>): Params {
  const names = namesOf(facts as Facts) ?? { domain: null, addresses: [] };
  // The coins of supported chains are a closed list and registries name their repositories, so no project can claim another's.
  return facts.address === 'native' ? { repo, ...names, native: true } : { repo, ...names };
}

/**
 * The main repository once the link to it is confirmed: it, its README, its package or its organisation names the project, or a
 * register names the organisation. Work is requested for no other repository, so an unconfirmed link costs no quota.
 */
export function tiedRepo(facts: Facts): string | null {
  const repo = mainRepo(facts);
  if (repo === null) return null;
  const known = fieldsOf(facts.learned['github.repo']);
  const named = facts.learned[`github.named:${repo}`];
  if (known.repo !== repo) return null;
  const owner = repo.split('/')[0]?.toLowerCase();
  const isRegistered = registeredOrgs(facts).some((org) => org.toLowerCase() === owner);
  return known.named === true || named === true || isRegistered ? repo : null;
}

/** Organisations that a kept register names for the asset; their repositories need no further confirmation. */
export function registeredOrgs({ learned }: Facts): readonly string[] {
  return textsIn(learned['registers.githubOrgs']).filter((org) => LOGIN.test(org));
}

/**
 * The repository whose work is counted for a tied one: its new location if it was moved, or the successor that it names if it is
 * archived. Null until that is known.
 */
export function repoAtWork({ learned }: Facts, tied: string): string | null {
  const { now, archived, successor } = fieldsOf(learned['github.repo']);
  const here = typeof now === 'string' ? now : tied;
  if (archived !== true) return here;
  const next = successor ?? learned[`github.successor:${tied}`];
  if (next === undefined) return null;
  return typeof next === 'string' && REPO.test(next) ? next : here;
}

/** The tie between the project and a repository, or all repositories of an owner. */
export function repositoryTie(repo: string, isConfirmed: boolean, by: string): Tie {
  return {
    kind: 'repository',
    subject: repo,
    state: isConfirmed ? 'confirmed' : 'linked',
    by,
    link: `https://github.com/${repo}`,
  };
}

/** The tie that the homepage of a repository shows. */
export function homepageTie(repo: string, homepage: unknown, params: Params): Tie {
  const names = namesIn(params);
  const site = typeof homepage === 'string' ? text(homepage, 200) : null;
  if (site !== null && isOwnDomain(site, names)) return repositoryTie(repo, true, `its homepage is on ${names.domain}`);
  if (params.native === true) return repositoryTie(repo, true, 'registries name it for a chain’s own coin');
  return repositoryTie(repo, false, site === null ? 'its homepage names no site' : 'its homepage is on another site');
}

/** Ties as an observation. Each reply has a separate scope, so that no reply replaces the ties of another. */
export function tieDraft(endpointName: string, ties: readonly Tie[], of: string): ObservationDraft {
  return {
    quantity: 'ties',
    scope: `tie:${endpointName}:${of}`,
    value: ties.map((row) => ({ ...row })) as Json,
    meaning: ties.map((row) => `${row.subject}: ${row.by}`).join('; '),
  };
}

/** Params of a request that looks for a confirmation of the link if the repository's homepage gives none. */
function planUnnamed(facts: Facts): readonly Params[] {
  const known = fieldsOf(facts.learned['github.repo']);
  const repo = mainRepo(facts);
  const names = namesOf(facts);
  const isOpen = repo !== null && names !== null && known.repo === repo && known.named === false;
  return isOpen ? [{ repo, ...names }] : [];
}

function readmeTie(reply: string, params: Params): Tie {
  const names = namesIn(params);
  const whole = reply.slice(0, MOST_BYTES);
  const sites = new Set(
    (whole.match(/https?:\/\/[^\s)\]"'<>]{4,300}/g) ?? [])
      .slice(0, 2_000)
      .flatMap((url) => registrableDomain(url) ?? []),
  );
  const stop = OTHERS.exec(whole)?.index ?? whole.length;
  const repo = String(params.repo);
  if (sites.size > MOST_SITES) return repositoryTie(repo, false, 'its README is a list of many sites');
  const found = namedIn(whole.slice(0, Math.min(stop, OPENING)), names);
  return repositoryTie(repo, found !== null, `its README ${found ?? 'does not name the project'}`);
}

const readme = endpoint({
  name: 'readme',
  doc: 'https://raw.githubusercontent.com/{owner}/{name}/HEAD/README.md: whether it names the project. Not counted in the API quota',
  format: 'text',
  maxBytes: MOST_BYTES,
  plan: planUnnamed,
  request: get('/{+repo}/HEAD/README.md', undefined, { base: 'raw' }),
  reply: Type.String(),
  observe: (reply, params) => [tieDraft('github.readme', [readmeTie(reply, params)], String(params.repo))],
  learn: (reply, params) => learnNamed(readmeTie(reply, params)),
});

/** The tie in `package.json` of the default branch. The package name proves nothing, because anyone can choose it. */
function manifestTie(reply: Static<typeof Manifest>, params: Params): Tie {
  const isOwn = isOwnDomain(reply.homepage ?? undefined, namesIn(params));
  const by = isOwn ? `its package names ${String(params.domain)} as homepage` : 'its package does not name the project';
  return repositoryTie(String(params.repo), isOwn, by);
}

const Manifest = Type.Object({ homepage: TextOptional });

const manifest = endpoint({
  name: 'manifest',
  doc: 'https://raw.githubusercontent.com/{owner}/{name}/HEAD/package.json: `homepage`. Not counted in the API quota',
  maxBytes: MOST_BYTES,
  plan: planUnnamed,
  request: get('/{+repo}/HEAD/package.json', undefined, { base: 'raw' }),
  reply: Manifest,
  observe: (reply, params) => [tieDraft('github.manifest', [manifestTie(reply, params)], String(params.repo))],
  learn: (reply, params) => learnNamed(manifestTie(reply, params)),
});

/** Settings of an endpoint whose calls count against the hourly quota. */
export const QUOTA = { okStatuses: [403, 404, 429], classify: limited };

const Organisation = Type.Union([
  Type.Object({
    login: Type.String(),
    blog: TextOptional,
    is_verified: FlagOptional,
  }),
  Type.Object({ message: Type.String() }),
]);

function organisationTie(reply: Static<typeof Organisation>, params: Params): Tie | null {
  if (!('login' in reply)) return null;
  const site = reply.blog?.includes('://') ? reply.blog : `https://${reply.blog ?? ''}`;
  const isOwn = isOwnDomain(site, namesIn(params));
  const verified = reply.is_verified === true ? ', verified by GitHub' : '';
  const by = isOwn
    ? `its organisation’s site is ${String(params.domain)}${verified}`
    : 'its organisation names another site';
  return repositoryTie(String(params.repo), isOwn, by);
}

const organisation = endpoint({
  name: 'organisation',
  doc: '/orgs/{org}: `blog` and `is_verified` (OrganizationFull), when the homepage of the repository gives no tie',
  plan: planUnnamed,
  request: (params) => ({ path: `/orgs/${String(params.repo).split('/')[0]}` }),
  reply: Organisation,
  ...QUOTA,
  observe: (reply, params) => {
    const tie = organisationTie(reply, params);
    return tie === null ? [] : [tieDraft('github.organisation', [tie], String(params.repo))];
  },
  learn: (reply, params) => learnNamed(organisationTie(reply, params)),
});

const Members = Type.Union([
  Type.Array(Type.Object({ login: Type.String() })),
  Type.Object({ message: Type.String() }),
]);

const members = endpoint({
  name: 'members',
  doc: '/orgs/{org}/public_members: which people of the team page are members of the organisation; once, and only for a tied repository',
  plan: (facts) => {
    const [org] = tiedRepo(facts)?.split('/') ?? [];
    const people = textsIn(listsUnder('website.people:', facts.learned)).filter((login) => LOGIN.test(login));
    return org === undefined || people.length === 0 ? [] : [{ org, people: [...new Set(people)].sort().slice(0, 20) }];
  },
  request: get('/orgs/{+org}/public_members', { per_page: 100 }),
  reply: Members,
  ...QUOTA,
  observe: (reply, params) => {
    if (!Array.isArray(reply)) return [];
    const there = new Set(reply.map((row) => row.login.toLowerCase()));
    const ties = textsIn(params.people).map((login): Tie => {
      const isMember = there.has(login.toLowerCase());
      return {
        kind: 'person',
        subject: `github:${login.toLowerCase()}`,
        state: isMember ? 'confirmed' : 'linked',
        by: isMember ? `a public member of ${String(params.org)}` : `no public member of ${String(params.org)}`,
        link: `https://github.com/${login}`,
      };
    });
    return ties.length === 0 ? [] : [tieDraft('github.members', ties, String(params.org))];
  },
});

/** Endpoints that look for a confirmation of links to repositories and people. */
export const tieEndpoints: readonly Endpoint[] = [readme, manifest, organisation, members];

/** A spent quota is 403 with `x-ratelimit-remaining: 0`. */
export function limited(reply: unknown, meta: ReplyMeta) {
  if (meta.status === 403 || meta.status === 429) {
    return meta.headers['x-ratelimit-remaining'] === '0' || meta.status === 429
      ? { outcome: 'rate_limited' as const, detail: 'the hourly quota without a token is spent' }
      : { outcome: 'http_error' as const, detail: `status ${meta.status}` };
  }
  // GitHub reports errors by status, so a success with only a message did not come from GitHub.
  const { message } = fieldsOf(reply);
  if (meta.status === 200 && typeof message === 'string' && Object.keys(fieldsOf(reply)).length <= 3)
    return { outcome: 'error_reply' as const, detail: text(message, 120) ?? 'an error without a message' };
  return { outcome: 'ok' as const };
}

function learnNamed(tie: Tie | null): Readonly<Record<string, Json>> {
  return tie?.state === 'confirmed' ? { [`github.named:${tie.subject}`]: true } : {};
}
