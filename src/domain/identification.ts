import type { Asset, AssetKeys, Stage } from './asset.ts';
import type { CanonicalRecord } from './canonical.ts';

/** What a caller asked for. Fields are as sent, after validation. */
export interface ScoreRequest {
  readonly type: string;
  readonly project: string;
  readonly projectUrl: string;
  readonly tokenSymbol: string | null;
  readonly category: string | null;
  readonly blockchain: string | null;
  readonly tokenAddress: string | null;
}

/** A positive link between project, token and website (methodology 2.1); `strength` e in M = 1 - prod(1 - e). */
export interface IdentityLink {
  readonly kind:
    | 'site_shows_token'
    | 'registry_lists_domain'
    | 'metadata_names_domain'
    | 'socials_agree'
    | 'name_symbol_match'
    | 'ownership_proof';
  readonly strength: number;
  readonly detail: string;
  readonly sources: readonly string[];
}

/** A contradiction; `factor` multiplies M. */
export interface IdentityContradiction {
  readonly kind:
    | 'higher_ranked_claims_domain'
    | 'confusable_domain'
    | 'site_dead'
    | 'domain_younger_than_token'
    | 'two_tokens_claim_site';
  readonly factor: number;
  readonly detail: string;
  readonly sources: readonly string[];
}

export interface Identification {
  readonly asset: Asset;
  readonly stage: Stage;
  /** Registrable domain of the url, or null when the url is on a shared host. */
  readonly registrableDomain: string | null;
  readonly keys: AssetKeys;
  /** M of methodology 2.1, 0-1. */
  readonly match: number;
  readonly links: readonly IdentityLink[];
  readonly contradictions: readonly IdentityContradiction[];
  /** Other tokens that were looked at and set aside, with the reason. */
  readonly rejected: readonly { readonly asset: Asset; readonly reason: string }[];
  readonly notes: readonly string[];
  /**
   * Ids of archived replies that were read to identify the project and turned out to be about other tokens: their
   * observations count for nothing. Absent: none.
   */
  readonly foreignResponses?: readonly string[];
  /** The project's own token, when the caller asked for the model for projects that have none. Absent: none is known. */
  readonly ownToken?: Asset;
  /** What registries, chain and verified site say the asset is, as of this identification; absent in earlier records. */
  readonly canonical?: CanonicalRecord;
}
