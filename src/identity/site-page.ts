import { tellerOf } from '../domain/index.ts';
import { landingPage, readLanding, type SitePage, UNREAD } from '../sources/index.ts';
import type { IdentityRequests } from './requests.ts';

export { type SitePage, UNREAD } from '../sources/index.ts';

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
