import { parse } from 'tldts';
import { CHAINS } from '../chains/index.ts';
import { SHARED_HOSTS } from './shared-hosts.ts';

const SHARED = new Set([...SHARED_HOSTS, ...CHAINS.flatMap((chain) => chain.explorers)]);

/**
 * Registrable domain of a url or host, by the public suffix list. Null for unreadable text and for shared hosts, including names
 * under a private suffix such as `onrender.com`, each of which belongs to another party.
 */
export function registrableDomain(url: unknown): string | null {
  if (typeof url !== 'string' || url.length > 2_048 || url === '') return null;
  const { domain, isPrivate } = parse(url.trim(), { allowPrivateDomains: true });
  if (domain === null || isPrivate === true || SHARED.has(domain)) return null;
  return domain.toLowerCase();
}

/** Distinct registrable domains of many urls, sorted. */
export function registrableDomains(urls: readonly unknown[]): readonly string[] {
  return [
    ...new Set(
      urls
        .slice(0, 50)
        .map(registrableDomain)
        .filter((domain) => domain !== null),
    ),
  ].sort();
}

/** `owner/name` of a GitHub repository url; an organisation's page gives `owner`. Null for anything else. */
export function githubRepo(url: unknown): string | null {
  if (typeof url !== 'string') return null;
  const match = /^https?:\/\/(?:www\.)?github\.com\/([A-Za-z0-9-]{1,39})(?:\/([A-Za-z0-9._-]{1,100}))?/.exec(
    url.trim(),
  );
  if (!match?.[1] || ['orgs', 'topics', 'sponsors', 'features', 'login'].includes(match[1].toLowerCase())) return null;
  return match[2] ? `${match[1]}/${match[2].replace(/\.git$/, '')}` : match[1];
}

/** Login of a GitHub profile's url, lower-case; null for a repository's and for anything else. */
export function githubAccount(url: unknown): string | null {
  const found = githubRepo(url);
  return found === null || found.includes('/') ? null : found.toLowerCase();
}

/** Handle of a social profile: `{kind, handle}` with the handle in lower case; null if the url is not one. */
export function social(url: unknown): { kind: string; handle: string } | null {
  if (typeof url !== 'string') return null;
  const clean = url.trim();
  for (const [kind, pattern] of SOCIALS) {
    const match = pattern.exec(clean);
    if (match?.[1]) return { kind, handle: match[1].toLowerCase().slice(0, 64) };
  }
  return null;
}

const SOCIALS: readonly (readonly [string, RegExp])[] = [
  ['x', /^https?:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\/@?([A-Za-z0-9_]{1,15})(?:[/?#]|$)/i],
  ['telegram', /^https?:\/\/(?:t|telegram)\.me\/(?:s\/)?([A-Za-z0-9_+]{3,64})(?:[/?#]|$)/i],
  ['discord', /^https?:\/\/(?:www\.)?discord(?:\.gg|\.com\/invite)\/([A-Za-z0-9-]{2,64})(?:[/?#]|$)/i],
];

/** Longest url that is read. */
const LONGEST_URL = 2_048;

/**
 * True when the owner of this address writes the page: it is on a separate domain, or a name under a private suffix
 * (`name.github.io`). False on shared platforms (a social network, an explorer, a launch pad) and for unreadable text.
 */
export function isOwnPage(url: string | null): boolean {
  return url !== null && ownDomain(url) !== null;
}

/**
 * The domain that one owner controls with everything under it: the registrable domain, or the name below a private suffix
 * (`name.github.io`). Null on shared platforms and for unreadable text.
 */
export function ownDomain(url: string): string | null {
  const host = hostOf(url);
  if (host === null) return null;
  const registrable = registrableDomain(host);
  if (registrable !== null) return registrable;
  const { domain, isPrivate } = parse(host, { allowPrivateDomains: true });
  return isPrivate === true ? domain : null;
}

/** `https://<host>/`: the landing page of the url's host, without its path, query and port. Null if `isOwnPage` is false. */
export function landingPage(url: string | null): string | null {
  if (url === null || !isOwnPage(url)) return null;
  return `https://${hostOf(url)}/`;
}

/** True if the reply came from the domain of another owner than the requested url, so that its content is not a statement of that owner. */
export function isOtherOwner(requested: string, repliedFrom: string): boolean {
  return ownDomain(requested) !== ownDomain(repliedFrom);
}

/** Host of a url, ASCII, lower case, without a trailing dot; null for unreadable text. */
export function hostOf(link: string): string | null {
  if (link.length > LONGEST_URL) return null;
  return URL.parse(link)?.hostname.replace(/\.$/, '').toLowerCase() || null;
}

/** Registrable domain of a host or url in ASCII form; null for shared hosts and unreadable text. */
export function asciiDomain(text: string): string | null {
  const host = hostOf(text.includes('://') ? text : `http://${text}`);
  return host === null ? null : registrableDomain(host);
}
