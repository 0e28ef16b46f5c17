import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Problem } from '../replies/problems.ts';

/** Number of addresses whose counts are stored. The least recently seen are dropped first. */
const MOST_ADDRESSES = 50_000;

/** Limits how often one address may do something without a key. */
export interface AddressLimit {
  /** Seconds to wait; null: the request is allowed and was counted. */
  take(address: string): number | null;
}

/**
 * Allows `most` requests per address in each window of `windowMs`. For IPv6, the first 64 bits count, which belong to
 * one subscriber. `now` in milliseconds.
 */
export function addressLimit(most: number, windowMs: number, now: () => number): AddressLimit {
  const seen = new LRUCache<string, { start: number; count: number }>({ max: MOST_ADDRESSES });
  return {
    take(address) {
      const key = subscriberOf(address);
      const at = now();
      const known = seen.get(key);
      if (known === undefined || at - known.start >= windowMs || at < known.start) {
        seen.set(key, { start: at, count: 1 });
        return null;
      }
      if (known.count >= most) return Math.max(1, Math.ceil((known.start + windowMs - at) / 1000));
      known.count += 1;
      return null;
    },
  };
}

/** The part of an address that identifies one subscriber. */
export function subscriberOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.toLowerCase().split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

export function tooOften(seconds: number): Problem {
  return {
    status: 429,
    code: 'rate_limited',
    title: 'Too many requests',
    detail: `Too many requests without a key came from this address; try again in ${seconds} s.`,
    retry: 'after',
    headers: { 'retry-after': String(seconds) },
  };
}
