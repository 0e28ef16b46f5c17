import { createHash } from 'node:crypto';

/** 32 bytes that depend on nothing but the keys: the same world on every machine. */
export function seededBytes(...keys: readonly (string | number)[]): Buffer {
  return createHash('sha256').update(keys.join('\u0000')).digest();
}

/** A number in [0, 1), uniform over different keys. */
export function seededUnit(...keys: readonly (string | number)[]): number {
  const text = keys.join('\u0000');
  // cyrb53: quick and well mixed; the histories ask for thousands of numbers, where SHA-256 would be slow.
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return ((4294967296 * (2097151 & low) + (high >>> 0)) % 9007199254740992) / 9007199254740992;
}

/** A number in [-1, 1). */
export function seededSigned(...keys: readonly (string | number)[]): number {
  return 2 * seededUnit(...keys) - 1;
}

/** A standard normal number (Box-Muller). */
export function seededNormal(...keys: readonly (string | number)[]): number {
  const radius = Math.sqrt(-2 * Math.log(1 - seededUnit(...keys, 'radius')));
  return radius * Math.cos(2 * Math.PI * seededUnit(...keys, 'angle'));
}
