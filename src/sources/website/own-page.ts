import { parse } from 'tldts';
import { registrableDomain } from '../read.ts';

/** Longest url that is read. */
const LONGEST_URL = 2_048;

/**
 * True when a page at this address is its owner's own word: a domain of its own, or a name under a private suffix
 * (`name.github.io`). False on platforms that many share (a social network, an explorer, a launch pad) and for unreadable text.
 */
export function isOwnPage(url: string | null): boolean {
  return url !== null && ownDomain(url) !== null;
}

/**
 * The name that one owner controls with everything under it: the registrable domain, or the name below a private suffix
 * (`name.github.io`). Null on platforms that many share and for unreadable text.
 */
export function ownDomain(url: string): string | null {
  const host = hostOf(url);
  if (host === null) return null;
  const registrable = registrableDomain(host);
  if (registrable !== null) return registrable;
  const { domain, isPrivate } = parse(host, { allowPrivateDomains: true });
  return isPrivate === true ? domain : null;
}

/** `https://<host>/`: the page that the owner of the host writes, whatever path, query or port a url names. Null off own pages. */
export function landingPage(url: string | null): string | null {
  if (url === null || !isOwnPage(url)) return null;
  return `https://${hostOf(url)}/`;
}

/** True when a reply to `asked` came from a name of another owner: what stands there is not the word of the one asked. */
export function ledElsewhere(asked: string, answeredFrom: string): boolean {
  return ownDomain(asked) !== ownDomain(answeredFrom);
}

/** Host of a url, ASCII, lower case, without a trailing dot; null for unreadable text. */
export function hostOf(url: string): string | null {
  if (url.length > LONGEST_URL) return null;
  try {
    const host = new URL(url).hostname.replace(/\.$/, '').toLowerCase();
    return host === '' ? null : host;
  } catch {
    return null;
  }
}

/** Registrable domain of a host or url in ASCII form; null for shared hosts and unreadable text. */
export function asciiDomain(text: string): string | null {
  const host = hostOf(text.includes('://') ? text : `http://${text}`);
  return host === null ? null : registrableDomain(host);
}
