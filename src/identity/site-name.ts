import { text } from '../sources/index.ts';
import { labelOf } from './domains.ts';
import { compareNames, plainName } from './names.ts';
import type { SitePage } from './site-page.ts';

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
