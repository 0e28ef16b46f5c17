import type { QuantityId } from './quantities.ts';

/** An expected failure is a value with a closed set of reasons; an exception is a bug. */
export type Result<Value, Failure> = { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & Failure);

/** Wraps a value as a success. */
export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** Any value that JSON can carry. Evidence holds nothing else, so that an archive replays the same on another machine. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** How direct a source is; chain is most direct. Order matters: see `TIER_ORDER`. */
export type Tier = 'chain' | 'venue' | 'aggregator' | 'registry' | 'self_reported';
export const TIER_ORDER: readonly Tier[] = ['chain', 'venue', 'aggregator', 'registry', 'self_reported'];

/**
 * What a source file says of one number, before the collector adds who said it and when.
 * `value` is null only where the source states that the thing is absent (an authority that is renounced is the
 * enum state `none`, not null); a value the source does not know is simply not observed.
 */
export interface ObservationDraft {
  readonly quantity: QuantityId;
  readonly value: Json;
  /** The exact value, as decimal text in the same unit, if it was read from integers that a double may not represent. */
  readonly exact?: string;
  /** Subject: `asset`, or `pool:<address>`, `venue:<exchange>:<base>-<quote>`, `holder:<address>`, `registry:<source>`. Default `asset`. */
  readonly scope?: string;
  /** What this number means at this source, in short (`two-sided, all pools`, `rolling 24 h, DEX only`). */
  readonly meaning?: string;
  /** When the fact was true, RFC 3339; default: when the reply was fetched. */
  readonly observedAt?: string;
  /** Reliability 0-1 of this number at this source; default: the source's own. */
  readonly reliability?: number;
  /** Identity binding 0-1 (methodology 1.2): exact address 1.0; curated id 1.0; domain + name + symbol 0.7; name + symbol 0.4; symbol 0.1. Default 1. */
  readonly binding?: number;
  /** The lineage group that originated the number, when it is not the source's own (CMC security is GoPlus). */
  readonly family?: string;
  /** Default: the source's own. */
  readonly tier?: Tier;
}

/** One number (or fact) as one source said it. */
export interface Observation {
  readonly quantity: QuantityId;
  readonly scope: string;
  readonly value: Json;
  /** The exact value, as decimal text in the same unit, if it was read from integers that a double may not represent. */
  readonly exact?: string;
  readonly unit: string;
  readonly meaning: string;
  readonly source: string;
  readonly endpoint: string;
  readonly family: string;
  readonly tier: Tier;
  readonly observedAt: string;
  readonly fetchedAt: string;
  readonly reliability: number;
  readonly binding: number;
  /** The archived reply this came from (`ResponseRecord.id`). */
  readonly responseId: string;
  /** What `reliability` was multiplied with when this was collected, because its source was not as usual (docs/proving.md); absent: nothing. */
  readonly sourceWeight?: number;
  /** Set where the request failed this time and the reply of an earlier published collection is used. */
  readonly carried?: Carried;
}

/** Where a carried observation comes from, and how fast it loses its worth. */
export interface Carried {
  /** The job whose collection brought it. */
  readonly jobId: string;
  /** For what the rated party controls: its confidence halves in this time, counted from when it was fetched. */
  readonly confidenceHalfLifeSeconds?: number;
}
