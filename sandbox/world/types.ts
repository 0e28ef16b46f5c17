import type { PdfLine } from '../pdf.ts';
export type SandboxCategory = 'l1' | 'defi' | 'stablecoin' | 'lst' | 'memecoin' | 'rwa' | 'gaming';
export type Grade = 'strong' | 'healthy' | 'mediocre' | 'dying' | 'bad';
export type Controller = 'none' | 'eoa' | 'multisig' | 'timelock';
export type ScaledQuantity = 'price' | 'volume' | 'liquidity' | 'supply' | 'market_cap' | 'holders' | 'tvl';

/** What is peculiar about an asset; what is not said follows from its grade. */
export interface Traits {
  readonly mintAuthority: Controller;
  readonly freezeAuthority: Controller;
  readonly metadataMutable: boolean;
  readonly token2022: boolean;
  readonly permanentDelegate: boolean;
  readonly transferFeeBps: number;
  readonly honeypot: boolean;
  readonly buyTax: number;
  readonly sellTax: number;
  readonly owner: Controller;
  /** Null: not a proxy. */
  readonly proxyAdmin: Controller | null;
  readonly verified: boolean;
  /** Only holders that its issuer admits may hold it. */
  readonly whitelist: boolean;
  /** Share of LP tokens that is locked or burned. */
  readonly lpLockedShare: number;
  readonly lpCreatorShare: number;
  readonly rugged: boolean;
  /** Wallets that the creator paid bought a quarter of the supply in the block of the launch; Solana only. */
  readonly bundled: boolean;
  readonly creatorShare: number;
  readonly creatorTokens: number;
  readonly creatorDeadTokens: number;
  readonly topWalletShare: number;
  readonly washShare: number;
  readonly listed: boolean;
  readonly cex: boolean;
  readonly site: boolean;
  readonly siteShowsToken: boolean;
  readonly team: 'named' | 'pseudonymous' | 'anonymous';
  readonly audits: readonly string[];
  readonly commits90d: number;
  readonly contributors: number;
  /** Of the contributors those who do not exist: names on pushed commits. */
  readonly inventedContributors?: number;
  readonly bounty: boolean;
  readonly unitError: { readonly source: string; readonly quantity: ScaledQuantity; readonly factor: number } | null;
  readonly stale: { readonly source: string; readonly hours: number } | null;
  /** One-off loss: days ago, share of TVL. */
  readonly incident: { readonly daysAgo: number; readonly lossUsd: number; readonly returnedUsd: number } | null;
  readonly raisedMillions: number;
}

/** What staked and wrapped tokens stand for. */
export type Coin = 'ETH' | 'BTC' | 'SOL';

/** A token that stands for a coin. */
export interface RedemptionSpec {
  readonly coin: Coin;
  /** Coins per token. */
  readonly rate: number;
  /** Price over redemption value. */
  readonly trades: number;
  /** What its contract states, where that is not the rate. */
  readonly stated?: number;
}

export interface AssetSpec {
  readonly slug: string;
  readonly name: string;
  readonly symbol: string;
  /** A chain’s own coin: it has no contract, and trades on exchanges alone. */
  readonly isCoin?: true;
  /** Null: a project without a token, or a coin. */
  readonly chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'optimism' | 'polygon' | null;
  readonly category: SandboxCategory;
  readonly kind: string;
  readonly grade: Grade;
  readonly note: string;
  /** At the anchor of the world. */
  readonly priceUsd: number;
  readonly totalSupply: number;
  readonly circulatingShare: number;
  readonly liquidityUsd: number;
  readonly volumeUsd: number;
  readonly holders: number;
  readonly ageDays: number;
  readonly domain: string;
  /** Days since the domain was registered; without it somewhat more than the age of the asset. */
  readonly domainAgeDays?: number;
  readonly tvlUsd?: number;
  readonly feesPerDayUsd?: number;
  /** Of a coin or the token of a rollup: what is paid to its chain itself, and what is locked on it, stablecoins among it; null for a chain without contracts. */
  readonly economy?: { readonly feesPerDayUsd: number; readonly tvlUsd: number | null };
  readonly peg?: number;
  /** What it is pegged to where that is not the dollar: ISO 4217, `XAU` an ounce of gold. Its price stays in dollars. */
  readonly pegCurrency?: 'EUR' | 'XAU';
  /** What keeps the peg, as the list of stablecoins states it; absent: dollars in a bank. */
  readonly pegMechanism?: 'crypto-backed' | 'algorithmic';
  readonly redemption?: RedemptionSpec;
  /** What stands behind it over what it owes, where contracts of its chain show or state that. */
  readonly backing?: number;
  /** Of a coin that is issued against collateral: what covers each market after haircuts, over its debt. */
  readonly cover?: number;
  /** Places of its units; without it those that are usual. */
  readonly decimals?: number;
  /** The contract that holds its treasury; without it an address of its own. */
  readonly treasury?: string;
  /** Words under which a source files it, by source; without them those of its category. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** Where it stands; without it the address follows from the seed. */
  readonly address?: string;
  readonly traits?: Partial<Traits>;
  /** In the order of their days. */
  readonly events?: readonly WorldEvent[];
  /** A site written by hand, by path; without it the site follows from the traits. */
  readonly pages?: Readonly<Record<string, SitePage>>;
  /** Its repository is a fork with so many commits of its own. */
  readonly fork?: { readonly upstream: string; readonly ahead: number };
  /** A contract on a public test network that its pages link, and how often it was used. */
  readonly testnet?: { readonly network: string; readonly address: string; readonly transactions: number };
}

/** From so many days after the anchor of the world on: factors on the market, and traits that are others then. */
export interface WorldEvent {
  readonly day: number;
  readonly price?: number;
  readonly liquidity?: number;
  readonly volume?: number;
  readonly traits?: Partial<Traits>;
}

/** A page of a hand-written site. */
export interface SitePage {
  readonly title: string;
  /** HTML inside `main`. */
  readonly body: string;
  /** Filled up to so many bytes, for pages that are too large. */
  readonly bytes?: number;
  /** Given: the page is a PDF of these pages and lines. */
  readonly paper?: readonly (readonly PdfLine[])[];
}

export type HolderKind = 'pool' | 'burn' | 'locker' | 'team' | 'exchange' | 'creator' | 'wallet' | 'staking';

export interface SandboxHolder {
  readonly owner: string;
  readonly tokenAccount: string;
  readonly kind: HolderKind;
  readonly label: string | null;
  /** Fraction of total supply. */
  readonly share: number;
  readonly amount: bigint;
  readonly isContract: boolean;
  /** Solana: program that owns the owner account. */
  readonly program: string;
}

export type Venue =
  | 'raydium'
  | 'raydium_clmm'
  | 'orca'
  | 'meteora'
  | 'uniswap_v2'
  | 'uniswap_v3'
  | 'aerodrome'
  | 'pancake_v2';

export interface PoolSpec {
  readonly address: string;
  readonly venue: Venue;
  readonly kind: 'constant_product' | 'concentrated' | 'bins';
  readonly quote: Quote;
  readonly liquidityShare: number;
  /** Part of the pool's value that lies on the token's side. */
  readonly baseSide: number;
  readonly feeRate: number;
  readonly ageDays: number;
  readonly lpMint: string;
  readonly baseVault: string;
  readonly quoteVault: string;
  readonly authority: string;
}

export interface Quote {
  readonly symbol: string;
  readonly name: string;
  readonly address: string;
  readonly decimals: number;
  readonly usd: number;
}

export interface SandboxAsset extends AssetSpec {
  readonly traits: Traits;
  /** Mint or contract, null without a token. */
  readonly address: string;
  readonly decimals: number;
  readonly maxSupply: number | null;
  readonly url: string;
  /** Social handle, the same on every network. */
  readonly handle: string;
  readonly creator: string;
  readonly controller: (kind: Controller, role: string) => string | null;
  readonly pools: readonly PoolSpec[];
  readonly coingeckoId: string;
  readonly cmcId: number;
  readonly paprikaId: string;
  readonly llamaSlug: string;
  readonly repo: string | null;
  readonly rank: number;
}
