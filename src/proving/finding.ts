import { readFileSync } from 'node:fs';
import type { Reading } from './ask-panel.ts';

/** `rules.json`: how far an observation may be off before it is reported. */
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
  /** Times the maximum age of the quantity's class. */
  readonly stale: { readonly multiple: number };
  /** `mayBeAhead`: dates of what is to come. */
  readonly dates: {
    readonly earliest: { readonly others: string; readonly quantities: Readonly<Record<string, string>> };
    readonly mayBeAhead: readonly string[];
  };
}

export const RULES = JSON.parse(readFileSync(new URL('./rules.json', import.meta.url), 'utf8')) as Rules;

/**
 * What is wrong with one reading. `unreachable`: no reply; `schema`: a reply of another shape; `misstated`: not what is known;
 * `missing`: what was stated before is not any more; `range`: a value that cannot be; `disagreement`: other sources say
 * otherwise; `stale`: too old; `other_asset`: about something else.
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
  /** What is, and what should be. */
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
