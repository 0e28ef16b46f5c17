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

/** Where a project stands: with a tradable token, or before its token generation event. */
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
  /** Centralised pairs already identified through a registry's tickers, at exchanges that are asked about their own markets. */
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
