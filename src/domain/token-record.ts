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
  /** Words under which the source files the token. */
  readonly categories: readonly string[];
  /** Earliest date the source knows of the token, RFC 3339. */
  readonly since: string | null;
  /** Dollars in the pools that the source shows. */
  readonly liquidityUsd: number;
  /** Dollars locked in the project. */
  readonly tvlUsd: number;
  /** Name under which the source is asked for the project's figures. */
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
