/** One row per chain: the names each public source gives it. A new EVM chain is a new row. Sources: sources-market.md, sources-chain.md. */
export interface Chain {
  readonly name: string;
  readonly kind: 'solana' | 'evm';
  readonly caip2: string;
  readonly evmChainId: number | null;
  readonly title: string;
  readonly nativeSymbol: string;
  readonly slip44: number;
  readonly aliases: readonly string[];
  readonly coingeckoPlatform: string;
  readonly coingeckoNativeId: string;
  readonly geckoterminalNetwork: string;
  readonly dexscreenerChain: string;
  readonly dexpaprikaNetwork: string;
  readonly coinpaprikaPlatform: string;
  readonly defillamaChain: string;
  readonly cmcPlatform: string;
  readonly blockscoutHost: string | null;
}

export const CHAINS: readonly Chain[] = [
  {
    name: 'solana',
    kind: 'solana',
    caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    evmChainId: null,
    title: 'Solana',
    nativeSymbol: 'SOL',
    slip44: 501,
    aliases: ['sol'],
    coingeckoPlatform: 'solana',
    coingeckoNativeId: 'solana',
    geckoterminalNetwork: 'solana',
    dexscreenerChain: 'solana',
    dexpaprikaNetwork: 'solana',
    coinpaprikaPlatform: 'sol-solana',
    defillamaChain: 'solana',
    cmcPlatform: 'solana',
    blockscoutHost: null,
  },
  {
    name: 'ethereum',
    kind: 'evm',
    caip2: 'eip155:1',
    evmChainId: 1,
    title: 'Ethereum',
    nativeSymbol: 'ETH',
    slip44: 60,
    aliases: ['eth', 'mainnet', 'erc20', 'erc-20'],
    coingeckoPlatform: 'ethereum',
    coingeckoNativeId: 'ethereum',
    geckoterminalNetwork: 'eth',
    dexscreenerChain: 'ethereum',
    dexpaprikaNetwork: 'ethereum',
    coinpaprikaPlatform: 'eth-ethereum',
    defillamaChain: 'ethereum',
    cmcPlatform: 'ethereum',
    blockscoutHost: 'eth.blockscout.com',
  },
  {
    name: 'base',
    kind: 'evm',
    caip2: 'eip155:8453',
    evmChainId: 8453,
    title: 'Base',
    nativeSymbol: 'ETH',
    slip44: 60,
    aliases: [],
    coingeckoPlatform: 'base',
    coingeckoNativeId: 'ethereum',
    geckoterminalNetwork: 'base',
    dexscreenerChain: 'base',
    dexpaprikaNetwork: 'base',
    coinpaprikaPlatform: 'base-base',
    defillamaChain: 'base',
    cmcPlatform: 'base',
    blockscoutHost: 'base.blockscout.com',
  },
  {
    name: 'bsc',
    kind: 'evm',
    caip2: 'eip155:56',
    evmChainId: 56,
    title: 'BNB Smart Chain',
    nativeSymbol: 'BNB',
    slip44: 714,
    aliases: ['bnb', 'bep20', 'bep-20', 'binance', 'binance smart chain', 'bnb chain', 'bnb smart chain'],
    coingeckoPlatform: 'binance-smart-chain',
    coingeckoNativeId: 'binancecoin',
    geckoterminalNetwork: 'bsc',
    dexscreenerChain: 'bsc',
    dexpaprikaNetwork: 'bsc',
    coinpaprikaPlatform: 'bnb-binance-coin',
    defillamaChain: 'bsc',
    cmcPlatform: 'bsc',
    blockscoutHost: null,
  },
  {
    name: 'arbitrum',
    kind: 'evm',
    caip2: 'eip155:42161',
    evmChainId: 42161,
    title: 'Arbitrum One',
    nativeSymbol: 'ETH',
    slip44: 60,
    aliases: ['arb', 'arbitrum one'],
    coingeckoPlatform: 'arbitrum-one',
    coingeckoNativeId: 'ethereum',
    geckoterminalNetwork: 'arbitrum',
    dexscreenerChain: 'arbitrum',
    dexpaprikaNetwork: 'arbitrum',
    coinpaprikaPlatform: 'arb-arbitrum',
    defillamaChain: 'arbitrum',
    cmcPlatform: 'arbitrum',
    blockscoutHost: 'arbitrum.blockscout.com',
  },
  {
    name: 'polygon',
    kind: 'evm',
    caip2: 'eip155:137',
    evmChainId: 137,
    title: 'Polygon PoS',
    nativeSymbol: 'POL',
    slip44: 966,
    aliases: ['matic', 'pol', 'polygon pos'],
    coingeckoPlatform: 'polygon-pos',
    coingeckoNativeId: 'polygon-ecosystem-token',
    geckoterminalNetwork: 'polygon_pos',
    dexscreenerChain: 'polygon',
    dexpaprikaNetwork: 'polygon',
    coinpaprikaPlatform: 'matic-polygon',
    defillamaChain: 'polygon',
    cmcPlatform: 'polygon',
    blockscoutHost: 'polygon.blockscout.com',
  },
  {
    name: 'optimism',
    kind: 'evm',
    caip2: 'eip155:10',
    evmChainId: 10,
    title: 'OP Mainnet',
    nativeSymbol: 'ETH',
    slip44: 60,
    aliases: ['op', 'op mainnet'],
    coingeckoPlatform: 'optimistic-ethereum',
    coingeckoNativeId: 'ethereum',
    geckoterminalNetwork: 'optimism',
    dexscreenerChain: 'optimism',
    dexpaprikaNetwork: 'optimism',
    coinpaprikaPlatform: 'op-optimism',
    defillamaChain: 'optimism',
    cmcPlatform: 'optimism',
    blockscoutHost: 'optimism.blockscout.com',
  },
  {
    name: 'avalanche',
    kind: 'evm',
    caip2: 'eip155:43114',
    evmChainId: 43114,
    title: 'Avalanche C-Chain',
    nativeSymbol: 'AVAX',
    slip44: 9000,
    aliases: ['avax', 'avalanche c-chain'],
    coingeckoPlatform: 'avalanche',
    coingeckoNativeId: 'avalanche-2',
    geckoterminalNetwork: 'avax',
    dexscreenerChain: 'avalanche',
    dexpaprikaNetwork: 'avalanche',
    coinpaprikaPlatform: 'avax-avalanche',
    defillamaChain: 'avax',
    cmcPlatform: 'avalanche',
    blockscoutHost: null,
  },
];

/** Finds a chain by our name, an alias, a title, a native symbol used as alias, or a CAIP-2 id (case-insensitive); null when unknown. */
export function findChain(text: string): Chain | null {
  const wanted = text.trim().toLowerCase();
  return (
    CHAINS.find(
      (chain) =>
        chain.name === wanted ||
        chain.caip2.toLowerCase() === wanted ||
        chain.title.toLowerCase() === wanted ||
        chain.aliases.includes(wanted) ||
        String(chain.evmChainId) === wanted,
    ) ?? null
  );
}

/** The CAIP-19 id of a token (or a chain's own coin, address `native`). EVM addresses must already be lower-case. */
export function assetId(chain: Chain, address: string): string {
  if (address === 'native') return `${chain.caip2}/slip44:${chain.slip44}`;
  return chain.kind === 'solana' ? `${chain.caip2}/token:${address}` : `${chain.caip2}/erc20:${address}`;
}

/** Splits a CAIP-19 id into our chain row and the address; null when the chain is unknown or the text is not CAIP-19. */
export function parseAssetId(id: string): { readonly chain: Chain; readonly address: string } | null {
  const match = /^([a-z0-9]{3,8}:[-a-zA-Z0-9_]{1,64})\/(token|erc20|slip44):([a-zA-Z0-9]{1,128})$/.exec(id);
  if (!match) return null;
  const chain = CHAINS.find((row) => row.caip2 === match[1]);
  if (!chain) return null;
  if (match[2] === 'slip44') return { chain, address: 'native' };
  const address = match[3] ?? '';
  if (!isAddressOn(chain, address)) return null;
  return { chain, address: chain.kind === 'evm' ? address.toLowerCase() : address };
}

/** True when the text is written like an address of this chain (shape only: base58 of 32-44 characters, or 0x and 40 hex digits). */
export function isAddressOn(chain: Chain, text: string): boolean {
  return chain.kind === 'solana' ? /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) : /^0x[0-9a-fA-F]{40}$/.test(text);
}
