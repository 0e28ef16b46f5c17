import { tellerOf } from '../domain/index.ts';
import { landingPage, ownDomain, readLanding, type SitePage, text, UNREAD } from '../sources/index.ts';
import { labelOf } from './domains.ts';
import { compareNames, plainName } from './names.ts';
import type { IdentityRequests } from './requests.ts';

export { type SitePage, UNREAD } from '../sources/index.ts';

/** A source's word for the host of a website. */
export interface HostVote {
  readonly family: string;
  readonly curated: boolean;
  readonly host: string;
}

/**
 * The host under `domain` (a registrable domain, or a name below a private suffix) that most curated lineage groups write; where
 * none names one, most market profiles. Equal: the bare domain, then `www`, then by letters. Null when nobody names one.
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
/** Where a title sets the name apart from a slogan or the name of the page. */
const SEPARATORS = / [|·•–—-] | ?[|•] ?|: /;
/** Names of pages, of nobody. */
const GENERIC = /^(?:home|home ?page|welcome|index|landing|main|official (?:site|website)|website|untitled|app|dapp)$/i;

/**
 * The name that a project gives itself on its landing page: `og:site_name`, else the part of the title that answers to the
 * domain's own label, else its first part that is not the name of a page. At most 80 characters; null when there is none.
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

const SITE = tellerOf('site');

/** The landing pages that identity reads: each once, none but landing pages. */
export interface Sites {
  /** The landing page of the url's host, whatever path or query the url names. */
  read(url: string): Promise<SitePage>;
  /** Ids of the archived replies by landing page. */
  responses(): ReadonlyMap<string, string>;
}

export function createSites(requests: IdentityRequests): Sites {
  const responses = new Map<string, string>();
  return {
    async read(url) {
      const landing = landingPage(url);
      // On a platform that many share, nothing counts as the project's word.
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
