import type { AssetSpec } from './types.ts';

/**
 * Staked and wrapped tokens whose issuer is on the list of those with rate requests. The projects are fictional, at
 * real addresses of that list, since no others get requests.
 */
export const REDEEMABLE_ASSETS: readonly AssetSpec[] = [
  {
    ...staked('Harrowgate Staked Ether', 'hgETH', 'staked ether at its redemption value'),
    chain: 'ethereum',
    address: '0xae78736cd615f374d3085123a210448e74fc6393',
    priceUsd: 3770,
    redemption: { coin: 'ETH', rate: 1.1425, trades: 0.999 },
    backing: 1,
  },
  {
    ...staked('Slackwater Staked Ether', 'slkETH', 'staked ether that trades 5.5 % below its redemption value'),
    chain: 'ethereum',
    address: '0xcd5fe23c85820f7b72d0926fc9b05b43e359b7ee',
    priceUsd: 3368,
    redemption: { coin: 'ETH', rate: 1.08, trades: 0.945 },
  },
  {
    ...staked('Brightlure Staked Ether', 'brlETH', 'staked ether whose contract states a rate that cannot be true'),
    chain: 'ethereum',
    address: '0xac3e018457b222d93114458476f3e3416abbe38f',
    priceUsd: 3660,
    redemption: { coin: 'ETH', rate: 1.11, trades: 0.998, stated: 47 },
  },
  {
    ...staked('Fernbank Staked SOL', 'fbSOL', 'staked SOL at its redemption value'),
    chain: 'solana',
    address: 'bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1',
    priceUsd: 181,
    totalSupply: 2_400_000,
    redemption: { coin: 'SOL', rate: 1.21, trades: 1.001 },
  },
  {
    ...staked('Keelhaven Wrapped Bitcoin', 'khBTC', 'bitcoin with a custodian, at its price'),
    chain: 'ethereum',
    address: '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
    priceUsd: 96_850,
    totalSupply: 4_100,
    redemption: { coin: 'BTC', rate: 1, trades: 0.9985 },
  },
];

function staked(name: string, symbol: string, note: string) {
  const slug = name.toLowerCase().replaceAll(' ', '-');
  return {
    slug,
    name,
    symbol,
    note,
    category: 'lst',
    kind: 'redeemable',
    grade: 'healthy',
    totalSupply: 120_000,
    circulatingShare: 1,
    liquidityUsd: 3.2e7,
    volumeUsd: 1.6e7,
    holders: 24_000,
    ageDays: 940,
    domain: `${slug}.example`,
    tvlUsd: 4.1e8,
    feesPerDayUsd: 3e4,
    traits: { mintAuthority: 'timelock', owner: 'timelock' },
  } as const;
}
