import type { QuantityId } from './quantities.ts';

/**
 * Result of a function that can fail as expected: failures are values with a closed set of reasons, and exceptions are
 * bugs.
 */
export type Result<Value, Failure> = { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & Failure);

/** Wraps a value as a success. */
export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** Any JSON value. Evidence contains nothing else, so that an archive replays identically on another machine. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** How direct a source is; `chain` is the most direct. The order matters: see `TIER_ORDER`. */
export type Tier = 'chain' | 'venue' | 'aggregator' | 'registry' | 'self_reported';
export const TIER_ORDER: readonly Tier[] = ['chain', 'venue', 'aggregator', 'registry', 'self_reported'];

/**
 * A number as a source's reader returns it, before the collector adds source and time. `value` is null only when the
 * source states that the thing is absent. (A renounced authority is the enum state `none`, not null.) A value that the
 * source does not know is not observed at all.
 */
export interface ObservationDraft {
  readonly quantity: QuantityId;
  readonly value: Json;
  /** The exact value as decimal text in the same unit, if it was read from integers that a double may not represent. */
  readonly exact?: string;
  /**
   * Subject: `asset`, `pool:<address>`, `venue:<exchange>:<base>-<quote>`, `holder:<address>` or `registry:<source>`.
   * Default `asset`.
   */
  readonly scope?: string;
  /** Short definition of this number at this source (`two-sided, all pools`, `rolling 24 h, DEX only`). */
  readonly meaning?: string;
  /** Time at which the fact was true, RFC 3339; default: when the reply was fetched. */
  readonly observedAt?: string;
  /** Reliability 0-1 of this number at this source; default: that of the source. */
  readonly reliability?: number;
  /**
   * Identity binding 0-1 (methodology 1.2): exact address 1.0; curated id 1.0; domain + name + symbol 0.7; name +
   * symbol 0.4; symbol 0.1. Default 1.
   */
  readonly binding?: number;
  /** The lineage group that originated the number, if it is not that of the source (CMC security is GoPlus). */
  readonly family?: string;
  /** Default: that of the source. */
  readonly tier?: Tier;
}

/** One number (or fact) as stated by one source. */
export interface Observation {
  readonly quantity: QuantityId;
  readonly scope: string;
  readonly value: Json;
  /** The exact value as decimal text in the same unit, if it was read from integers that a double may not represent. */
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
  /**
   * Factor applied to `reliability` at collection because the source behaved unusually (docs/proving.md); absent: none.
   */
  readonly sourceWeight?: number;
  /** Set when the request failed this time and the reply of an earlier published collection is used. */
  readonly carried?: Carried;
}

/** Origin of a carried observation, and how fast its confidence decays. */
export interface Carried {
  /** Id of the job that collected it. */
  readonly jobId: string;
  /** For sources that the rated party controls: half-life of its confidence, counted from when it was fetched. */
  readonly confidenceHalfLifeSeconds?: number;
}
