import { CHAINS, type Chain } from '../chains/index.ts';
import type { TokenRecord } from '../domain/index.ts';

/** Stable text of a record: the order in which records are looked at. */
export function recordKey(record: TokenRecord): string {
  return [record.source, record.id ?? '', record.addresses.join(' '), record.symbol ?? '', record.name ?? ''].join(
    '\u0000',
  );
}

/** The two halves of `chain:address`. */
export function split(place: string): { readonly chain: Chain | null; readonly address: string } {
  const at = place.indexOf(':');
  return { chain: CHAINS.find((row) => row.name === place.slice(0, at)) ?? null, address: place.slice(at + 1) };
}
