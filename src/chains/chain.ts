import type { LabelKind } from '../domain/index.ts';
import type { Exchange } from './exchanges.ts';

/**
 * The name of this chain at each source that covers several chains. `null`: the source does not cover the chain and gets no
 * requests for it. Every key is required, so that no entry is forgotten when a source or a chain is added.
 */
export interface ChainNames {
  /** Asset platform: https://api.coingecko.com/api/v3/asset_platforms */
  readonly coingecko: string | null;
  /** Network: https://api.geckoterminal.com/api/v2/networks */
  readonly geckoterminal: string | null;
  /** Slug of the platform's coin. */
  readonly coinmarketcap: string | null;
  /** Platform of a contract: https://api.coinpaprika.com/v1/contracts */
  readonly coinpaprika: string | null;
  /** Network: https://api.dexpaprika.com/networks */
  readonly dexpaprika: string | null;
  /** `chainId` of its pairs. */
  readonly dexscreener: string | null;
  /** Prefix of coins.llama.fi. */
  readonly defillama: string | null;
  /** Value of the header `x-chain`. */
  readonly birdeye: string | null;
  /** `chain_id` of token_security, or `solana` for the chain with a separate endpoint. */
  readonly goplus: number | 'solana' | null;
}

/** Names at the sources that have only EVM chains. */
export interface EvmChainNames extends ChainNames {
  /** `chainID`; the documents name three chains. */
  readonly honeypot_is: number | null;
  /** Host of the chain's public Blockscout. */
  readonly blockscout: string | null;
  readonly sourcify: number | null;
  /** `chainid` of the v2 API; the free plan covers only some of the chains. */
  readonly etherscan: number | null;
  /** Short name (EIP-3770) in the addresses of Safe's services: https://docs.safe.global/advanced/smart-account-supported-networks */
  readonly safe: string | null;
}

/** An address with a publicly known function, for example a locker, a bridge or the vault of an exchange. */
export interface ServiceAddress {
  readonly address: string;
  readonly kind: LabelKind;
  readonly name: string;
  /** Where the address is published. */
  readonly source: string;
}

interface CommonFacts {
  /** Our name: lower case, in URLs and settings. */
  readonly name: string;
  readonly caip2: string;
  readonly title: string;
  /** Other names that a request may use, lower case. */
  readonly aliases: readonly string[];
  /** The chain's own coin: its ticker, its SLIP-44 coin type, its id at CoinGecko. */
  readonly native: { readonly symbol: string; readonly slip44: number; readonly coingeckoId: string };
  /** Two public JSON-RPC nodes of different operators, without a key. */
  readonly nodes: readonly [string, string];
  /** Hosts of block explorers. A link to one of them identifies a token or an account by chain and address. */
  readonly explorers: readonly string[];
  /** Further quote tokens that are traded in many places, so that a single pool cannot set their price. */
  readonly otherQuotes: readonly { readonly symbol: string; readonly address: string }[];
  /**
   * Tokens that other tokens of the chain are paired with and that are themselves deeply traded against quote tokens: staked and wrapped
   * coins, further dollars, tokens of large launchpads and exchanges (duneanalytics/spellbook, prices_<chain>_tokens.sql, and
   * aave-address-book, Uniswap/v4-subgraph or DefiLlama's coreAssets.json). They count on the other side of a pool only: pools of
   * their own count against quote tokens, because whoever has many of them can place them beside anything.
   */
  readonly counterTokens: readonly { readonly symbol: string; readonly address: string }[];
  /** Only well-documented addresses; burn addresses are in `fixed-addresses.ts`. */
  readonly serviceAddresses: readonly ServiceAddress[];
}

export interface SolanaChain extends CommonFacts {
  readonly kind: 'solana';
  readonly evmChainId: null;
  readonly names: ChainNames;
  /** Mints that pools are mostly quoted in, with their decimals. */
  readonly quoteTokens: readonly { readonly symbol: string; readonly address: string; readonly decimals: number }[];
}

/** Addresses of an EVM chain are lower case. */
export interface EvmChain extends CommonFacts {
  readonly kind: 'evm';
  readonly evmChainId: number;
  readonly names: EvmChainNames;
  /** The chain's own coin as an ERC-20, and where its address can be checked. */
  readonly wrappedNative: { readonly symbol: string; readonly address: string; readonly source: string };
  /** Stable tokens that pools are quoted in, as Circle, Tether and the chains' own documents print them. */
  readonly stables: readonly { readonly symbol: string; readonly address: string; readonly decimals: number }[];
  readonly blockSeconds: number;
  /** Number of newest blocks that may still be replaced. A deeper reorganisation restarts a scan. */
  readonly reorgDepth: number;
  /** Factories: a pool counts as an exchange's pool only if its factory is listed here and confirms the pool. */
  readonly exchanges: readonly Exchange[];
  /**
   * Chainlink feeds in dollars by symbol (addresses: bgd-labs/aave-address-book, src/ts/Chainlink<chain>.ts). A feed is
   * rejected after `silenceSeconds` without an update: its heartbeat (https://data.chain.link) plus a margin.
   */
  readonly priceFeeds: Readonly<Record<string, { readonly address: string; readonly silenceSeconds: number }>>;
  /** Chainalysis keeps the US, EU and UN lists in a contract; null if there is none. */
  readonly sanctionsOracle: string | null;
  /** Public test networks whose Blockscout works without a key (hosts as in ethereum-lists/chains). */
  readonly testnets: readonly {
    readonly name: string;
    readonly title: string;
    readonly blockscoutHost: string;
    readonly otherExplorers: readonly string[];
  }[];
}

export type Chain = SolanaChain | EvmChain;
