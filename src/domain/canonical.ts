import type { AssetKeys } from './asset.ts';

/** A field of the canonical record with where it comes from. */
export interface Sourced<Value> {
  readonly value: Value;
  /** Names of the sources that say so, sorted (`chain`, `coingecko`, `website`, ...). */
  readonly sources: readonly string[];
  /** When it was first seen with this value, RFC 3339 UTC. */
  readonly since: string;
}

/**
 * What is published about an asset besides its rating: made of registries, the chain and the verified site, never of what a
 * caller sent. Kept in the publication state, so that a replay has it; it changes by evidence alone.
 */
export interface CanonicalRecord {
  readonly schema: 'assay.canonical/1';
  readonly assetId: string;
  /** Name of the chain; null for a project without a token, or a coin of a chain that is not covered. */
  readonly chain: string | null;
  /** `native` for a chain's own coin. */
  readonly address: string | null;
  readonly name: Sourced<string>;
  readonly symbol: Sourced<string | null>;
  /** Address of the landing page (`https://domain/`); null where nothing ties a site to the asset. */
  readonly website: Sourced<string | null>;
  /** Category words of registries, lower case, sorted; never the caller's. */
  readonly categories: Sourced<readonly string[]>;
  /** `kind:handle`, sorted. */
  readonly links: Sourced<readonly string[]>;
  readonly keys: AssetKeys;
}

/** A field of the record that evidence changed; a reason in "what moved it". */
export interface RecordChange {
  readonly field: 'name' | 'symbol' | 'website' | 'categories';
  readonly from: string | null;
  readonly to: string | null;
  readonly sources: readonly string[];
}
