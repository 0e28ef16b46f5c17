import type { PdfLine } from '../pdf.ts';
export type SandboxCategory = 'l1' | 'defi' | 'stablecoin' | 'lst' | 'memecoin' | 'rwa' | 'gaming';
export type Grade = 'strong' | 'healthy' | 'mediocre' | 'dying' | 'bad';
export type Controller = 'none' | 'eoa' | 'multisig' | 'timelock';
export type ScaledQuantity = 'price' | 'volume' | 'liquidity' | 'supply' | 'market_cap' | 'holders' | 'tvl';

/** Special properties of an asset; the others follow from its grade. */
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

/** The asset that staked and wrapped tokens represent. */
export type Coin = 'ETH' | 'BTC' | 'SOL';

/** A token that represents a coin. */
export interface RedemptionSpec {
  readonly coin: Coin;
  /** Coins per token. */
  readonly rate: number;
  /** Price over redemption value. */
  readonly trades: number;
  /** Rate stated by its contract, where it differs. */
  readonly stated?: number;
}

export interface AssetSpec {
  readonly slug: string;
  readonly name: string;
  readonly symbol: string;
  /** A chain’s native coin: it has no contract, and trades on exchanges only. */
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
  /**
   * For a coin or the token of a rollup: fees paid to its chain itself, and the value locked on it, including
   * stablecoins; null for a chain without contracts.
   */
  readonly economy?: { readonly feesPerDayUsd: number; readonly tvlUsd: number | null };
  readonly peg?: number;
  /** Currency of its peg if not the dollar: ISO 4217, `XAU` an ounce of gold. Its price stays in dollars. */
  readonly pegCurrency?: 'EUR' | 'XAU';
  /** Mechanism of the peg, as the list of stablecoins states it; absent: dollars in a bank. */
  readonly pegMechanism?: 'crypto-backed' | 'algorithmic';
  readonly redemption?: RedemptionSpec;
  /** Backing over debt, where contracts of its chain show or state it. */
  readonly backing?: number;
  /** For a coin that is issued against collateral: cover of each market after haircuts, over its debt. */
  readonly cover?: number;
  /** Decimals; absent: the usual number. */
  readonly decimals?: number;
  /** The contract that holds its treasury; absent: an address of its own. */
  readonly treasury?: string;
  /** Terms under which a source files it, by source; absent: those of its category. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** Its address; absent: derived from the seed. */
  readonly address?: string;
  readonly traits?: Partial<Traits>;
  /** By day. */
  readonly events?: readonly WorldEvent[];
  /** A site written by hand, by path; absent: derived from the traits. */
  readonly pages?: Readonly<Record<string, SitePage>>;
  /** Its repository is a fork with this number of own commits. */
  readonly fork?: { readonly upstream: string; readonly ahead: number };
  /** A contract on a public test network that its pages link, and its number of uses. */
  readonly testnet?: { readonly network: string; readonly address: string; readonly transactions: number };
}

/** From this number of days after the anchor of the world on: factors on the market, and changed traits. */
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
  /** Padded to this number of bytes, for pages that are too large. */
  readonly bytes?: number;
  /** Present: the page is a PDF of these pages and lines. */
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
  /** Share of the pool's value on the token's side. */
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
