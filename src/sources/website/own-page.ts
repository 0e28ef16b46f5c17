import { parse } from 'tldts';
import { registrableDomain } from '../read.ts';

/**
 * True when a page at this address is its owner's own word: a domain of its own, or a name under a private suffix
 * (`name.github.io`). False on platforms that many share (a social network, an explorer, a launch pad) and for unreadable text.
 */
export function isOwnPage(url: string | null): boolean {
  if (url === null) return false;
  try {
    const host = new URL(url).hostname;
    return registrableDomain(host) !== null || parse(host, { allowPrivateDomains: true }).isPrivate === true;
  } catch {
    return false;
  }
}
