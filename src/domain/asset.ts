/** How a project's asset is named everywhere in Assay. `id` is CAIP-19, or `project:<registrable domain>` without a token. */
export interface Asset {
  readonly id: string;
  /** Our short chain name (`solana`, `ethereum`, ...), or null for a project without a token. */
  readonly chain: string | null;
  /** Mint or contract in the chain's canonical spelling (EVM: lower-case hex), `native` for a chain's own coin, or null. */
  readonly address: string | null;
  readonly symbol: string | null;
  readonly name: string;
  readonly category: string | null;
  readonly website: string | null;
}

/** Stage of a project: with a tradable token, or before its token generation event. */
export type Stage = 'post_tge' | 'pre_tge';

/** The names under which public registries know the asset. Everything later requests need is here. */
export interface AssetKeys {
  readonly coingeckoId: string | null;
  readonly cmcId: string | null;
  readonly coinpaprikaId: string | null;
  readonly defillamaSlug: string | null;
  /** `owner/name` of the project's repositories, most important first. */
  readonly githubRepos: readonly string[];
  /** Deployments of the same token: chain name and address. */
  readonly deployments: readonly { readonly chain: string; readonly address: string }[];
  /** Centralised pairs already identified through a registry's tickers, at exchanges whose own API is requested. */
  readonly cexPairs: readonly { readonly venue: string; readonly symbol: string }[];
}

/** Of an asset that no registry is known to list. */
export const NO_KEYS: AssetKeys = {
  coingeckoId: null,
  cmcId: null,
  coinpaprikaId: null,
  defillamaSlug: null,
  githubRepos: [],
  deployments: [],
  cexPairs: [],
};

/**
 * Stands in a request for the website of an asset that has none, or that is named without one (RFC 6761: `.invalid` never resolves, and no
 * caller may send it).
 */
export const NO_WEBSITE = 'https://no-website.invalid/';

/** The asset that a caller requests. Fields are as sent, after validation. */
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
    | 'ownership_proof'
    | 'registry_of_natives';
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
  /** The project's own token, when the caller requested the model for projects that have none. Absent: none is known. */
  readonly ownToken?: Asset;
  /** What registries, chain and verified site say the asset is, as of this identification; absent in earlier records. */
  readonly canonical?: CanonicalRecord;
}

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
  /** Categories that registries state, lower case, sorted; never the caller's. */
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

/**
 * What one source says about one token, in a form that can be compared; or about a project that may have no token yet.
 * Everything in it is outside text, cleaned and capped by the source that read it.
 */
export interface TokenRecord {
  readonly source: string;
  /** Lineage group of the source. */
  readonly family: string;
  /** Id under which the source files it. */
  readonly id: string | null;
  /** True for registries that people keep; market indexes show profiles that anybody can set or buy. */
  readonly curated: boolean;
  /** True where the source files projects: id and name are the project's, not the token's. */
  readonly ofProject: boolean;
  /** False: a project that the source lists without a token. */
  readonly hasToken: boolean;
  readonly name: string | null;
  readonly symbol: string | null;
  /** Registrable domains, sorted. */
  readonly domains: readonly string[];
  /** Hosts of the websites as the source writes them, the main one first. */
  readonly hosts: readonly string[];
  /** `kind:handle`, sorted. */
  readonly socials: readonly string[];
  /** `chain:address` on chains of ours, sorted. */
  readonly addresses: readonly string[];
  /** Chain the source calls the token's own, when it does. */
  readonly home: string | null;
  /** Set when the token is a chain's own coin. */
  readonly nativeOf: string | null;
  /** CAIP-19 id of the coin that it is by the register of natives, whether its chain is covered or not. */
  readonly coin: string | null;
  /** A bridged or wrapped copy of another token, as the source says. */
  readonly copy: boolean;
  /** By market capitalisation, from 1. */
  readonly rank: number | null;
  readonly priceUsd: number | null;
  /** `owner/name`, most important first. */
  readonly repos: readonly string[];
  /** Categories under which the source lists the token. */
  readonly categories: readonly string[];
  /** Earliest date of the token known to the source, RFC 3339. */
  readonly since: string | null;
  /** Dollars in the pools that the source shows. */
  readonly liquidityUsd: number;
  /** Dollars locked in the project. */
  readonly tvlUsd: number;
  /** Name under which the source lists the project's figures. */
  readonly slug: string | null;
  /** The token's ids at other sources, by source. */
  readonly ids: Readonly<Record<string, string>>;
  /** The archived reply, when it is about this token alone. */
  readonly responseId: string | null;
}

/** What a source's reader fills in; the rest says who says so. */
export type TokenDraft = Partial<Omit<TokenRecord, 'source' | 'family' | 'curated' | 'ofProject' | 'responseId'>>;

/** A record of which nothing is known yet. */
export const BLANK_RECORD: Omit<TokenRecord, 'source' | 'family' | 'curated' | 'ofProject'> = {
  id: null,
  hasToken: true,
  name: null,
  symbol: null,
  domains: [],
  hosts: [],
  socials: [],
  addresses: [],
  home: null,
  nativeOf: null,
  coin: null,
  copy: false,
  rank: null,
  priceUsd: null,
  repos: [],
  categories: [],
  since: null,
  liquidityUsd: 0,
  tvlUsd: 0,
  slug: null,
  ids: {},
  responseId: null,
};
