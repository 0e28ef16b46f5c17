import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

/** Wrong keys that one address may send in a minute; a client with a typo sends a few. */
const MOST_A_MINUTE = 300;
const MINUTE_MS = 60_000;
const MOST_ADDRESSES = 10_000;

/** Counts wrong keys by the address they come from, so that guessing does not become a load. */
export interface WrongKeys {
  note(ip: string): void;
  /** Seconds until the address may try unknown keys again; null while it may. */
  silentFor(ip: string): number | null;
}

/** `now` in milliseconds. IPv6 counts by its /64, which is what one customer is given. */
export function createWrongKeys(now: () => number): WrongKeys {
  const counts = new LRUCache<string, { count: number; readonly until: number }>({ max: MOST_ADDRESSES });
  const current = (place: string) => {
    const known = counts.get(place);
    return known && known.until > now() ? known : undefined;
  };
  return {
    note(ip) {
      const place = placeOf(ip);
      const known = current(place);
      if (known) {
        known.count += 1;
        return;
      }
      counts.set(place, { count: 1, until: now() + MINUTE_MS });
    },
    silentFor(ip) {
      const known = current(placeOf(ip));
      return known && known.count >= MOST_A_MINUTE ? Math.ceil((known.until - now()) / 1_000) : null;
    },
  };
}

function placeOf(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':');
  // The zeros that `::` stands for.
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')]
    .slice(0, 4)
    .join(':');
}
