/**
 * Identifies a project's asset everywhere in Assay. `id` is CAIP-19, or `project:<registrable domain>` without a token.
 */
export interface Asset {
  readonly id: string;
  /** Assay's short chain name (`solana`, `ethereum`, ...); null for a project without a token. */
  readonly chain: string | null;
  /**
   * Mint or contract in the chain's canonical spelling (EVM: lower-case hex); `native` for a chain's own coin; or null.
   */
  readonly address: string | null;
  readonly symbol: string | null;
  readonly name: string;
  readonly category: string | null;
  readonly website: string | null;
}

/** Stage of a project: with a tradable token, or before its token generation event. */
export type Stage = 'post_tge' | 'pre_tge';

/** The names and ids of the asset at public registries: everything that later requests need. */
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

/** Keys of an asset that no known registry lists. */
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
 * Used as the website in a request for an asset that has none, or that is named without one (RFC 6761: `.invalid` never
 * resolves). Callers cannot send it.
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
  /** Other tokens that were considered and rejected, with the reason. */
  readonly rejected: readonly { readonly asset: Asset; readonly reason: string }[];
  readonly notes: readonly string[];
  /**
   * Ids of archived replies that were read to identify the project but concern other tokens. Their observations are
   * ignored. Absent: none.
   */
  readonly foreignResponses?: readonly string[];
  /**
   * The project's own token, set when the caller requested the model for projects without a token. Absent: none is
   * known.
   */
  readonly ownToken?: Asset;
  /**
   * What registries, the chain and the verified site say about the asset at this identification. Absent in older
   * records.
   */
  readonly canonical?: CanonicalRecord;
}

/** A field of the canonical record with its sources. */
export interface Sourced<Value> {
  readonly value: Value;
  /** Names of the sources that state the value, sorted (`chain`, `coingecko`, `website`, ...). */
  readonly sources: readonly string[];
  /** When it was first seen with this value, RFC 3339 UTC. */
  readonly since: string;
}

/**
 * The published data about an asset besides its rating. It comes from registries, the chain and the verified site,
 * never from a caller. It is part of the publication state, so that a replay has it, and only evidence changes it.
 */
export interface CanonicalRecord {
  readonly schema: 'assay.canonical/1';
  readonly assetId: string;
  /** Name of the chain; null for a project without a token, or a coin of an unsupported chain. */
  readonly chain: string | null;
  /** `native` for a chain's own coin. */
  readonly address: string | null;
  readonly name: Sourced<string>;
  readonly symbol: Sourced<string | null>;
  /** Address of the landing page (`https://domain/`); null when no site is tied to the asset. */
  readonly website: Sourced<string | null>;
  /** Categories that registries state, in lower case, sorted. Never taken from the caller. */
  readonly categories: Sourced<readonly string[]>;
  /** `kind:handle`, sorted. */
  readonly links: Sourced<readonly string[]>;
  readonly keys: AssetKeys;
}

/** A field of the record that evidence changed; listed as a reason in "what moved it". */
export interface RecordChange {
  readonly field: 'name' | 'symbol' | 'website' | 'categories';
  readonly from: string | null;
  readonly to: string | null;
  readonly sources: readonly string[];
}

/**
 * What one source says about one token, or about a project that may have no token yet, in a form that can be compared.
 * All texts are untrusted; the reader of the source cleans and truncates them.
 */
export interface TokenRecord {
  readonly source: string;
  /** Lineage group of the source. */
  readonly family: string;
  /** Id that the source uses for it. */
  readonly id: string | null;
  /** True for registries maintained by people; market indexes show profiles that anybody can set or buy. */
  readonly curated: boolean;
  /** True when the source lists projects: id and name are those of the project, not of the token. */
  readonly ofProject: boolean;
  /** False: a project that the source lists without a token. */
  readonly hasToken: boolean;
  readonly name: string | null;
  readonly symbol: string | null;
  /** Registrable domains, sorted. */
  readonly domains: readonly string[];
  /** Hosts of the websites as the source writes them, main one first. */
  readonly hosts: readonly string[];
  /** `kind:handle`, sorted. */
  readonly socials: readonly string[];
  /** `chain:address` on supported chains, sorted. */
  readonly addresses: readonly string[];
  /** The token's home chain, if the source states it. */
  readonly home: string | null;
  /** Set when the token is a chain's own coin. */
  readonly nativeOf: string | null;
  /** CAIP-19 id of the coin in the register of natives, whether or not its chain is supported. */
  readonly coin: string | null;
  /** True when the source calls it a bridged or wrapped copy of another token. */
  readonly copy: boolean;
  /** Rank by market capitalisation, from 1. */
  readonly rank: number | null;
  readonly priceUsd: number | null;
  /** `owner/name`, most important first. */
  readonly repos: readonly string[];
  /** Categories under which the source lists the token. */
  readonly categories: readonly string[];
  /** Earliest date of the token known to the source, RFC 3339. */
  readonly since: string | null;
  /** Liquidity of the pools that the source shows, US dollars. */
  readonly liquidityUsd: number;
  /** Value locked in the project, US dollars. */
  readonly tvlUsd: number;
  /** Name that the source uses for the project's figures. */
  readonly slug: string | null;
  /** The token's ids at other sources, by source. */
  readonly ids: Readonly<Record<string, string>>;
  /** Id of the archived reply, if it concerns this token only. */
  readonly responseId: string | null;
}

/** How an asset stands among those that registries list under a word. */
export interface NameStanding {
  /** The asset is listed under the word. */
  readonly isListed: boolean;
  /** Other listed assets that the word may mean, the largest first; none of them is far smaller than the asset. */
  readonly rivals: readonly string[];
}

/**
 * Looks a symbol or name up in the registries' lists of all tokens. `registryId`: the asset's id in them; `chain`: only
 * others on this chain count, bridged copies among them. Null: no list is available.
 */
export type Namesakes = (
  word: string,
  asset: Pick<Asset, 'chain' | 'address'>,
  more?: { readonly registryId?: string | null; readonly chain?: string | null },
) => Promise<NameStanding | null>;

/** The fields that a source's reader fills in; the others identify the source. */
export type TokenDraft = Partial<Omit<TokenRecord, 'source' | 'family' | 'curated' | 'ofProject' | 'responseId'>>;

/** A record without any known field. */
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
