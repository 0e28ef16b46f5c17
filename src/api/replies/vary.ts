import type { Head } from '../plugins/head.ts';

/** Adds request headers that the reply depends on to `Vary` (RFC 9110 section 12.5.5). */
export function addVary(head: Head, names: string): void {
  head.vary = head.vary === undefined ? names : `${head.vary}, ${names}`;
}

/** A keyed reply belongs to its key: a browser that caches it must not show it to the next user who signs in. */
export const VARY_BY_KEY = 'X-API-Key, Authorization';
