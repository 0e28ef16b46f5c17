import type { Head } from '../plugins/head.ts';

/** Further request headers that a reply depends on (`Vary`, RFC 9110 section 12.5.5). */
export function addVary(head: Head, names: string): void {
  head.vary = head.vary === undefined ? names : `${head.vary}, ${names}`;
}

/** A keyed reply is that key's: a browser that keeps it must not show it to who signs in next. */
export const VARY_BY_KEY = 'X-API-Key, Authorization';
