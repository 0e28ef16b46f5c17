import { CHAINS } from '../chains/index.ts';
import type { Observation } from '../domain/observation.ts';
import { githubRepo, text } from '../sources/read.ts';
import { readHtml } from '../sources/website/html.ts';
import { landingPage } from '../sources/website/own-page.ts';
import type { Questions } from './questions.ts';
import { dig, listOf, placed, sorted } from './record.ts';
import type { Answered } from './registry-records.ts';

/** What the landing page of a host says, as far as identity needs it. */
export interface SitePage {
  readonly read: boolean;
  /** The site does not exist, refuses connections or has no such page; not known when it was merely slow. */
  readonly dead: boolean;
  /** It leads to a domain of another owner, or to a platform that many share: it says nothing of its own. */
  readonly leadsElsewhere: boolean;
  readonly title: string | null;
  /** The name the site gives itself (`og:site_name`). */
  readonly siteName: string | null;
  /** Printed or linked token addresses as `chain:address`; one entry per EVM chain when the page does not say which. */
  readonly places: readonly string[];
  readonly socials: readonly string[];
  readonly repos: readonly string[];
}

/** The landing pages that identity reads: each once, none but landing pages. */
export interface Sites {
  /** The landing page of the url's host, whatever path or query the url names. */
  read(url: string): Promise<SitePage>;
  /** Ids of the archived replies by landing page. */
  responses(): ReadonlyMap<string, string>;
}

export const UNREAD: SitePage = {
  read: false,
  dead: false,
  leadsElsewhere: false,
  title: null,
  siteName: null,
  places: [],
  socials: [],
  repos: [],
};

export function createSites(questions: Questions): Sites {
  const responses = new Map<string, string>();
  return {
    async read(url) {
      const landing = landingPage(url);
      // On a platform that many share, nothing counts as the project's word.
      if (landing === null) return UNREAD;
      const home = await questions.ask('website', 'home', { url: landing }, `landing page ${landing}`);
      if (home !== null) responses.set(landing, home.responseId);
      return home === null ? unanswered(questions.outcomeOf('website', 'home', { url: landing })) : readSitePage(home);
    },
    responses: () => responses,
  };
}

function unanswered(outcome: string | null): SitePage {
  return { ...UNREAD, dead: outcome === 'unreachable' || outcome === 'not_found' };
}

function readSitePage(home: Answered): SitePage {
  const of = (quantity: Observation['quantity']) => home.observations.filter((row) => row.quantity === quantity);
  // A page that speaks for itself always has its list of links, be it empty.
  if (of('site_links').length === 0) return { ...UNREAD, leadsElsewhere: true };
  const links = of('site_links').flatMap((row) => listOf(row.value, 200));
  return {
    read: true,
    dead: false,
    leadsElsewhere: false,
    title: text(of('site_title')[0]?.value, 200),
    siteName: typeof home.reply === 'string' ? text(readHtml(home.reply).siteName, 200) : null,
    places: sorted(
      of('site_contract_addresses')
        .flatMap((row) => listOf(row.value))
        .flatMap(placesOf),
    ),
    socials: sorted(
      of('registry_socials')
        .flatMap((row) => listOf(row.value))
        .map(socialOf),
    ),
    repos: [
      ...new Set(
        links
          .map((link) => githubRepo(dig(link, 'url')))
          .filter((repo): repo is string => repo?.includes('/') === true),
      ),
    ].slice(0, 5),
  };
}

function placesOf(entry: unknown): readonly (string | null)[] {
  const chain = CHAINS.find((row) => row.name === dig(entry, 'chain'));
  const address = dig(entry, 'address');
  return chain ? [placed(chain, address)] : CHAINS.map((row) => placed(row, address));
}

function socialOf(entry: unknown): string | null {
  const kind = text(dig(entry, 'kind'), 20);
  const handle = text(dig(entry, 'handle'), 64)?.toLowerCase();
  return kind && handle ? `${kind}:${handle}` : null;
}
