import { hostOf, ownDomain, registrableDomain } from '../sources/index.ts';

export { asciiDomain, confusableWith, labelOf } from '../sources/index.ts';

/** Stands in a request for the website of an asset that has none (RFC 6761: `.invalid` never resolves, and no caller may send it). */
export const NO_WEBSITE = 'https://no-website.invalid/';

/** The site that a request names: its owner's landing page, whatever path, query, port or subdomain the url names. */
export interface ProjectSite {
  /** `https://<host>/`. */
  readonly url: string;
  readonly host: string;
  /** Registrable domain in ASCII form; null on hosts that many projects share. */
  readonly domain: string | null;
  /** False on platforms where a page is no statement of the project (an explorer, a social network, a launch pad). */
  readonly ownPage: boolean;
}

/** Reads the caller's url: international names become ASCII, shared hosts lose their domain. */
export function projectSite(url: string): ProjectSite {
  if (url === NO_WEBSITE) return { url, host: '', domain: null, ownPage: false };
  const own = ownDomain(url);
  const host = own ?? hostOf(url) ?? '';
  return { url: `https://${host}/`, host, domain: registrableDomain(host), ownPage: own !== null };
}
