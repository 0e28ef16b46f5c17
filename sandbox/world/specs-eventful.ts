import type { AssetSpec } from './types.ts';

/** Projects with events while the world runs: days count from the anchor of the world. */
export const EVENTFUL_ASSETS: readonly AssetSpec[] = [
  {
    slug: 'emberlight',
    name: 'Emberlight',
    symbol: 'EMBR',
    chain: 'solana',
    category: 'defi',
    kind: 'eventful',
    grade: 'healthy',
    note: 'sound at first; on day 6 a plain key may mint, on day 9 the liquidity is gone, from day 30 it is rebuilt',
    priceUsd: 0.84,
    totalSupply: 120_000_000,
    circulatingShare: 0.78,
    liquidityUsd: 2_400_000,
    volumeUsd: 1_900_000,
    holders: 21_400,
    ageDays: 640,
    domain: 'emberlight.example',
    tvlUsd: 31_000_000,
    feesPerDayUsd: 24_000,
    events: [
      { day: 6, traits: { mintAuthority: 'eoa' } },
      { day: 9, price: 0.03, liquidity: 0.0012, volume: 0.004 },
      {
        day: 30,
        price: 24,
        liquidity: 420,
        volume: 180,
        traits: { mintAuthority: 'none' },
      },
    ],
  },
];
