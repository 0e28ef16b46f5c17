import { domainToUnicode } from 'node:url';
import { hostOf, ownDomain, registrableDomain } from '../sources/index.ts';

export { asciiDomain } from '../sources/index.ts';

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

// Edit distances on short names are chance: `aave` and `save` are two edits from many honest names.
const SHORTEST_FOR_ONE = 5;
const SHORTEST_FOR_TWO = 7;

/**
 * The well-known domain that `domain` could be taken for: the same look after folding letters that resemble each other, or at
 * most two edits away (methodology 2.1). Null when there is none, or when `domain` itself is among the known ones.
 */
export function confusableWith(domain: string, known: readonly string[]): string | null {
  if (known.includes(domain)) return null;
  const look = skeleton(domain);
  const same = known.find((other) => skeleton(other) === look);
  if (same !== undefined) return same;
  const label = labelOf(domain);
  const allowed = label.length >= SHORTEST_FOR_TWO ? 2 : label.length >= SHORTEST_FOR_ONE ? 1 : 0;
  if (allowed === 0) return null;
  return (
    known.find((other) => labelOf(other).length >= SHORTEST_FOR_ONE && distanceWithin(domain, other, allowed)) ?? null
  );
}

/** Letters and groups that look like others (a short list in the spirit of Unicode TS 39), applied to the Unicode form. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[аàáâãäåāăąα]/g, 'a'],
  [/[еèéêëēėęěє]/g, 'e'],
  [/[оòóôõöøōőο0]/g, 'o'],
  [/[іìíîïīįıι1|lɩ]/g, 'i'],
  [/[сçćĉċč]/g, 'c'],
  [/[рρ]/g, 'p'],
  [/[хχ×]/g, 'x'],
  [/[уýÿγ]/g, 'y'],
  [/[ѕśŝşš5]/g, 's'],
  [/[ԁďđ]/g, 'd'],
  [/[һ]/g, 'h'],
  [/[ј]/g, 'j'],
  [/[ԛ]/g, 'q'],
  [/[ԝ]/g, 'w'],
  [/[ùúûüūůű]/g, 'u'],
  [/[ñńņňη]/g, 'n'],
  [/[κķ]/g, 'k'],
  [/[τťţ]/g, 't'],
  [/[νѵ]/g, 'v'],
  [/[мm]|rn/g, 'm'],
  [/vv/g, 'w'],
];

function skeleton(domain: string): string {
  const unicode = (domainToUnicode(domain) || domain).normalize('NFKC').toLowerCase();
  const label = LOOKALIKES.reduce((text, [pattern, letter]) => text.replace(pattern, letter), labelOf(unicode));
  return `${label}${unicode.slice(labelOf(unicode).length)}`;
}

/** The first label of a domain: what its owner is called there. */
export function labelOf(domain: string): string {
  return domain.split('.')[0] ?? '';
}

/** True when at most `most` insertions, deletions or substitutions turn one text into the other (Levenshtein). */
function distanceWithin(left: string, right: string, most: number): boolean {
  if (Math.abs(left.length - right.length) > most) return false;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= right.length; to += 1) {
      const swap = (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1);
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, swap));
    }
    if (Math.min(...next) > most) return false;
    row = next;
  }
  return (row[right.length] ?? 0) <= most;
}
