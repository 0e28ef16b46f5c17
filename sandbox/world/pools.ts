import { evmAddress, solanaAccount } from './addresses.ts';
import { seededUnit } from './random.ts';
import type { AssetSpec, PoolSpec, Quote, Venue } from './types.ts';

/** Native coins and dollars at their real addresses, since these are constants of the chains. */
export const QUOTES: Readonly<Record<string, readonly [Quote, Quote]>> = {
  solana: [
    {
      symbol: 'SOL',
      name: 'Wrapped SOL',
      address: 'So11111111111111111111111111111111111111112',
      decimals: 9,
      usd: 150,
    },
    { symbol: 'USDC', name: 'USD Coin', address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6, usd: 1 },
  ],
  ethereum: [
    {
      symbol: 'WETH',
      name: 'Wrapped Ether',
      address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
      decimals: 18,
      usd: 3300,
    },
    { symbol: 'USDC', name: 'USD Coin', address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6, usd: 1 },
  ],
  base: [
    {
      symbol: 'WETH',
      name: 'Wrapped Ether',
      address: '0x4200000000000000000000000000000000000006',
      decimals: 18,
      usd: 3300,
    },
    { symbol: 'USDC', name: 'USD Coin', address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', decimals: 6, usd: 1 },
  ],
  bsc: [
    {
      symbol: 'WBNB',
      name: 'Wrapped BNB',
      address: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
      decimals: 18,
      usd: 620,
    },
    { symbol: 'USDT', name: 'Tether USD', address: '0x55d398326f99059ff775485246999027b3197955', decimals: 18, usd: 1 },
  ],
  arbitrum: [
    {
      symbol: 'WETH',
      name: 'Wrapped Ether',
      address: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
      decimals: 18,
      usd: 3300,
    },
    { symbol: 'USDC', name: 'USD Coin', address: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', decimals: 6, usd: 1 },
  ],
  optimism: [
    {
      symbol: 'WETH',
      name: 'Wrapped Ether',
      address: '0x4200000000000000000000000000000000000006',
      decimals: 18,
      usd: 3300,
    },
    { symbol: 'USDC', name: 'USD Coin', address: '0x0b2c639c533813f4aa9d7837caf62653d097ff85', decimals: 6, usd: 1 },
  ],
  polygon: [
    {
      symbol: 'WPOL',
      name: 'Wrapped Polygon Ecosystem Token',
      address: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
      decimals: 18,
      usd: 0.2,
    },
    { symbol: 'USDC', name: 'USD Coin', address: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', decimals: 6, usd: 1 },
  ],
};

type Plan = readonly [venue: Venue, kind: PoolSpec['kind'], quote: 0 | 1, share: number, feeRate: number];

const UNISWAP_ALONE: readonly Plan[] = [
  ['uniswap_v2', 'constant_product', 0, 0.55, 0.003],
  ['uniswap_v3', 'concentrated', 1, 0.45, 0.003],
];

const PLANS: Readonly<Record<string, readonly Plan[]>> = {
  solana: [
    ['raydium', 'constant_product', 0, 0.46, 0.0025],
    ['orca', 'concentrated', 1, 0.29, 0.003],
    ['meteora', 'bins', 0, 0.25, 0.001],
  ],
  ethereum: UNISWAP_ALONE,
  base: [
    ['uniswap_v2', 'constant_product', 0, 0.52, 0.003],
    ['aerodrome', 'constant_product', 1, 0.48, 0.003],
  ],
  bsc: [
    ['pancake_v2', 'constant_product', 0, 0.6, 0.0025],
    ['uniswap_v3', 'concentrated', 1, 0.4, 0.0005],
  ],
  arbitrum: UNISWAP_ALONE,
  optimism: UNISWAP_ALONE,
  polygon: UNISWAP_ALONE,
};

/** Pools of an asset, deepest first. Small launches have only one pool. */
export function buildPools(seed: number, spec: AssetSpec): readonly PoolSpec[] {
  const chain = spec.chain ?? 'solana';
  const solana = chain === 'solana';
  const account = solana ? solanaAccount : evmAddress;
  const quotes = QUOTES[chain];
  const plans = PLANS[chain] ?? [];
  const single =
    spec.liquidityUsd < 50_000 ||
    (spec.traits?.lpCreatorShare ?? 0) >= 0.9 ||
    ['unlocked_lp', 'executed_rug', 'impostor', 'honeypot', 'new_token'].includes(spec.kind);
  const used = single ? plans.slice(0, 1) : plans;
  const total = used.reduce((sum, plan) => sum + plan[3], 0);
  return used.flatMap(([venue, kind, quoteIndex, share, feeRate], index) => {
    const quote = quotes?.[quoteIndex];
    if (quote === undefined) return [];
    const key = (part: string) => account(seed, spec.slug, 'pool', index, part);
    const address = key('pool');
    return [
      {
        address,
        venue,
        kind,
        quote,
        liquidityShare: share / total,
        baseSide: kind === 'constant_product' ? 0.5 : 0.42 + 0.16 * seededUnit(seed, spec.slug, 'side', index),
        feeRate,
        ageDays: Math.max(spec.ageDays - index * Math.min(20, spec.ageDays / 4), spec.ageDays / 2),
        lpMint: key('lp'),
        baseVault: solana ? key('base-vault') : address,
        quoteVault: solana ? key('quote-vault') : address,
        authority: venue === 'raydium' ? RAYDIUM_AUTHORITY : address,
      },
    ];
  });
}

/** Raydium AMM v4's fixed authority owns the vaults of all its pools. */
export const RAYDIUM_AUTHORITY = '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1';
