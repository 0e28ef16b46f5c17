import { NO_WEBSITE, sourceFor } from '../domain/index.ts';
import {
  hostOf,
  labelOf,
  landingPage,
  ownDomain,
  readLanding,
  registrableDomain,
  type SitePage,
  text,
  UNREAD,
} from '../sources/index.ts';
import type { IdentityRequests } from './requests.ts';

export { asciiDomain, confusableWith, labelOf } from '../sources/index.ts';

/** The site that a request names: its owner's landing page, whatever path, query, port or subdomain the URL has. */
export interface ProjectSite {
  /** `https://<host>/`. */
  readonly url: string;
  readonly host: string;
  /** Registrable domain in ASCII form; null on hosts shared by many projects. */
  readonly domain: string | null;
  /** False on platforms whose pages are not statements of the project (an explorer, a social network, a launch pad). */
  readonly ownPage: boolean;
}

/** Parses the caller's URL: international names become ASCII, and shared hosts have no domain. */
export function projectSite(url: string): ProjectSite {
  if (url === NO_WEBSITE) return { url, host: '', domain: null, ownPage: false };
  const own = ownDomain(url);
  const host = own ?? hostOf(url) ?? '';
  return { url: `https://${host}/`, host, domain: registrableDomain(host), ownPage: own !== null };
}

/** Jaro-Winkler similarity from which two names count as the same (methodology 2.1). */
const SAME_NAME = 0.92;
const WINKLER_PREFIX = 4;
const WINKLER_SCALE = 0.1;
const LONGEST_NAME = 64;

/** Words that a project may add to its name or omit. */
const EXTRAS = /\b(protocol|finance|network|token|coin|dao|labs?|foundation|chain|app|official|the)\b/g;

/**
 * Normalises a name for comparison: compatibility forms folded, lower case, letters and digits only, at most 64
 * characters.
 */
export function plainName(name: string): string {
  const folded = spaced(name);
  const bare = folded.replace(EXTRAS, ' ').replace(/\s+/g, '');
  return bare === '' ? folded.replace(/\s+/g, '') : bare;
}

/**
 * Compares a registry's name with the project's: `same` after normalisation, `alike` by Jaro-Winkler, otherwise
 * `other`.
 */
export function compareNames(project: string, name: string | null): 'same' | 'alike' | 'other' {
  if (name === null) return 'other';
  const left = plainName(project);
  const right = plainName(name);
  if (left === '' || right === '') return 'other';
  if (left === right) return 'same';
  // Copies imitate names with similar letters of another script.
  if (isAscii(left) !== isAscii(right)) return 'other';
  const whole = jaroWinkler(spaced(project).replace(/\s+/g, ''), spaced(name).replace(/\s+/g, ''));
  return Math.max(whole, jaroWinkler(left, right)) >= SAME_NAME ? 'alike' : 'other';
}

/** Jaro-Winkler similarity, 0-1 (Winkler 1990: prefix of at most 4, scale 0.1). Symmetric; 1 only for equal texts. */
export function jaroWinkler(left: string, right: string): number {
  if (left === right) return left === '' ? 0 : 1;
  const jaro = jaroOf(left, right);
  let prefix = 0;
  while (prefix < Math.min(WINKLER_PREFIX, left.length, right.length) && left[prefix] === right[prefix]) prefix += 1;
  return jaro + prefix * WINKLER_SCALE * (1 - jaro);
}

function jaroOf(left: string, right: string): number {
  const reach = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1);
  const taken = new Set<number>();
  const matchedLeft: number[] = [];
  for (let at = 0; at < left.length; at += 1) {
    for (let to = Math.max(0, at - reach); to <= Math.min(right.length - 1, at + reach); to += 1) {
      if (taken.has(to) || left[at] !== right[to]) continue;
      taken.add(to);
      matchedLeft.push(at);
      break;
    }
  }
  const count = matchedLeft.length;
  if (count === 0) return 0;
  const matchedRight = [...taken].sort((a, b) => a - b);
  const halfSwaps = matchedLeft.filter((at, index) => left[at] !== right[matchedRight[index] ?? -1]).length;
  return (count / left.length + count / right.length + (count - halfSwaps / 2) / count) / 3;
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function spaced(name: string): string {
  return name
    .slice(0, LONGEST_NAME * 4)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME);
}

export { type SitePage, UNREAD } from '../sources/index.ts';

/** A source's statement of a website's host. */
export interface HostVote {
  readonly family: string;
  readonly curated: boolean;
  readonly host: string;
}

/**
 * The host under `domain` (a registrable domain, or a name below a private suffix) that most curated lineage groups
 * state or, if none does, most market profiles. Ties: the bare domain, then `www`, then alphabetically. Null if none is
 * stated.
 */
export function hostNamed(domain: string, votes: readonly HostVote[]): string | null {
  const own = votes.filter(({ host }) => ownDomain(`https://${host}/`) === domain);
  const counted = own.some((vote) => vote.curated) ? own.filter((vote) => vote.curated) : own;
  const families = new Map<string, Set<string>>();
  for (const { host, family } of counted) families.set(host, (families.get(host) ?? new Set()).add(family));
  const order = (host: string) => (host === domain ? 0 : host === `www.${domain}` ? 1 : 2);
  const ranked = [...families].sort(
    ([a, ours], [b, theirs]) => theirs.size - ours.size || order(a) - order(b) || (a < b ? -1 : 1),
  );
  return ranked[0]?.[0] ?? null;
}

const LONGEST = 80;
const SHORTEST = 3;
/** Separators between the name and a slogan or page name in a title. */
const SEPARATORS = / [|·•–—-] | ?[|•] ?|: /;
/** Page titles that are not names. */
const GENERIC = /^(?:home|home ?page|welcome|index|landing|main|official (?:site|website)|website|untitled|app|dapp)$/i;

/**
 * The name that a project gives itself on its landing page: `og:site_name`, otherwise the part of the title that
 * matches the domain's label, otherwise the first part that is not a page name. At most 80 characters; null when there
 * is none.
 */
export function siteNameOf(page: SitePage, domain: string): string | null {
  const stated = usable(page.siteName);
  if (stated !== null) return stated;
  const parts = (page.title ?? '')
    .replace(/\s+/g, ' ')
    .split(SEPARATORS)
    .map(usable)
    .filter((part) => part !== null);
  const label = plainName(labelOf(domain));
  const own = parts.find((part) => compareNames(labelOf(domain), part) !== 'other' || plainName(part) === label);
  return own ?? parts[0] ?? null;
}

function usable(part: string | null): string | null {
  const clean = text(part, LONGEST)?.replace(/\s+/g, ' ') ?? null;
  return clean !== null && plainName(clean).length >= SHORTEST && !GENERIC.test(clean) ? clean : null;
}

const SITE = sourceFor('site');

/** The landing pages that identification reads: only landing pages, each once. */
export interface Sites {
  /** The landing page of the URL's host, whatever path or query the URL has. */
  read(url: string): Promise<SitePage>;
  /** Ids of the archived replies, by landing page. */
  responses(): ReadonlyMap<string, string>;
}

export function createSites(requests: IdentityRequests): Sites {
  const responses = new Map<string, string>();
  return {
    async read(url) {
      const landing = landingPage(url);
      // On a platform shared by many projects, no page counts as the project's statement.
      if (landing === null) return UNREAD;
      const home = await requests.ask(SITE, 'home', { url: landing }, `landing page ${landing}`);
      if (home !== null) responses.set(landing, home.responseId);
      return home === null
        ? unanswered(requests.outcomeOf(SITE, 'home', { url: landing }))
        : readLanding(home.reply, home.observations);
    },
    responses: () => responses,
  };
}

function unanswered(outcome: string | null): SitePage {
  return { ...UNREAD, dead: outcome === 'unreachable' || outcome === 'not_found' };
}
