/** What reading an EVM chain needs to know of it. A new chain is a new row here and in `chains.ts`. */
export interface EvmChain {
  /** Short name as in `chains.ts`. */
  readonly name: string;
  /** The chain's own coin as an ERC-20, lower-case. */
  readonly wrappedNative: string;
  /** Stable tokens that pools are quoted in, lower-case. */
  readonly stables: readonly { readonly symbol: string; readonly address: string; readonly decimals: number }[];
  /** Newest blocks that may still be replaced. Deeper reorganisations begin a scan anew. */
  readonly reorgDepth: number;
  readonly blockSeconds: number;
}

/** Addresses as Circle, Tether and the chains' own documents print them; each was found alike in several public code bases. */
export const EVM_CHAINS: readonly EvmChain[] = [
  {
    name: 'ethereum',
    wrappedNative: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    stables: [
      { symbol: 'USDC', address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6 },
      { symbol: 'USDT', address: '0xdac17f958d2ee523a2206206994597c13d831ec7', decimals: 6 },
    ],
    reorgDepth: 64,
    blockSeconds: 12,
  },
  {
    name: 'base',
    wrappedNative: '0x4200000000000000000000000000000000000006',
    stables: [{ symbol: 'USDC', address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', decimals: 6 }],
    reorgDepth: 900,
    blockSeconds: 2,
  },
  {
    name: 'bsc',
    wrappedNative: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
    stables: [
      { symbol: 'USDT', address: '0x55d398326f99059ff775485246999027b3197955', decimals: 18 },
      { symbol: 'USDC', address: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', decimals: 18 },
    ],
    reorgDepth: 64,
    blockSeconds: 0.75,
  },
  {
    name: 'arbitrum',
    wrappedNative: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
    stables: [
      { symbol: 'USDC', address: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', decimals: 6 },
      { symbol: 'USDT', address: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9', decimals: 6 },
    ],
    reorgDepth: 2_400,
    blockSeconds: 0.25,
  },
  {
    name: 'polygon',
    wrappedNative: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
    stables: [
      { symbol: 'USDC', address: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', decimals: 6 },
      { symbol: 'USDT', address: '0xc2132d05d31c914a87c6611c10748aeb04b58e8f', decimals: 6 },
    ],
    reorgDepth: 256,
    blockSeconds: 2,
  },
  {
    name: 'optimism',
    wrappedNative: '0x4200000000000000000000000000000000000006',
    stables: [
      { symbol: 'USDC', address: '0x0b2c639c533813f4aa9d7837caf62653d097ff85', decimals: 6 },
      { symbol: 'USDT', address: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58', decimals: 6 },
    ],
    reorgDepth: 900,
    blockSeconds: 2,
  },
  {
    name: 'avalanche',
    wrappedNative: '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7',
    stables: [
      { symbol: 'USDC', address: '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', decimals: 6 },
      { symbol: 'USDT', address: '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7', decimals: 6 },
    ],
    reorgDepth: 32,
    blockSeconds: 1.6,
  },
];
