import { readFileSync } from 'node:fs';
import type { Reading } from './request-panel.ts';

/** `rules.json`: tolerances of observations. */
export interface Rules {
  readonly known: { readonly relative: number };
  readonly agreement: {
    readonly leastVotes: number;
    readonly linear: { readonly absolute: number; readonly relative: number };
    readonly share: number;
    readonly classes: Readonly<Record<string, number>>;
    readonly quantities: Readonly<Record<string, number>>;
    readonly pool: Readonly<Record<string, number>>;
    readonly venue: Readonly<Record<string, number>>;
  };
  /** Multiple of the maximum age of the quantity's class. */
  readonly stale: { readonly multiple: number };
  /** `mayBeAhead`: dates in the future. */
  readonly dates: {
    readonly earliest: { readonly others: string; readonly quantities: Readonly<Record<string, string>> };
    readonly mayBeAhead: readonly string[];
  };
}

export const RULES = JSON.parse(readFileSync(new URL('./rules.json', import.meta.url), 'utf8')) as Rules;

/**
 * An error in one reading. `unreachable`: no reply; `schema`: a reply of another shape; `misstated`: contradicts
 * a known fact; `missing`: stated before, but not now; `range`: an impossible value; `disagreement`: contradicts other
 * sources; `stale`: too old; `other_asset`: about another subject.
 */
export type FindingKind =
  | 'unreachable'
  | 'schema'
  | 'misstated'
  | 'missing'
  | 'range'
  | 'disagreement'
  | 'stale'
  | 'other_asset';

export interface Finding {
  readonly source: string;
  readonly endpoint: string;
  readonly asset: string;
  readonly kind: FindingKind;
  readonly verdict: 'failed' | 'suspect';
  readonly quantity: string | null;
  /** The observed and the expected value. */
  readonly text: string;
}

/** A finding about a reading. */
export function finding(
  reading: Reading,
  kind: FindingKind,
  verdict: Finding['verdict'],
  quantity: string | null,
  text: string,
): Finding {
  const { asset, source, endpoint } = reading;
  return { source: source.name, endpoint: endpoint.name, asset: asset.name, kind, verdict, quantity, text };
}
