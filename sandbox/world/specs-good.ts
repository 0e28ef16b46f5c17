import type { AssetSpec, Grade, SandboxCategory, Traits } from './types.ts';

type Money = readonly [price: number, supply: number, circulating: number, liquidity: number, volume: number];
type Life = readonly [holders: number, ageDays: number];

function row(
  name: string,
  symbol: string,
  chain: AssetSpec['chain'],
  category: SandboxCategory,
  grade: Grade,
  [priceUsd, totalSupply, circulatingShare, liquidityUsd, volumeUsd]: Money,
  [holders, ageDays]: Life,
  more: {
    tvlUsd?: number;
    feesPerDayUsd?: number;
    peg?: number;
    kind?: string;
    note?: string;
    events?: AssetSpec['events'];
    traits?: Partial<Traits>;
  } = {},
): AssetSpec {
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const { kind = grade === 'strong' ? 'healthy' : grade, note = '', ...rest } = more;
  return {
    slug,
    name,
    symbol,
    chain,
    category,
    grade,
    kind,
    note: note || `${grade} ${category} project`,
    priceUsd,
    totalSupply,
    circulatingShare,
    liquidityUsd,
    volumeUsd,
    holders,
    ageDays,
    domain: `${slug}.example`,
    ...rest,
  };
}

/** Projects with consistent evidence, from very good to dying. */
export const GOOD_ASSETS: readonly AssetSpec[] = [
  row('Lumenfall', 'LUMF', 'ethereum', 'defi', 'strong', [84.2, 1.6e7, 0.94, 4.2e7, 1.9e8], [214_000, 2300], {
    tvlUsd: 6.1e9,
    feesPerDayUsd: 1.4e6,
  }),
  row('Tidewell', 'TIDE', 'solana', 'defi', 'strong', [1.42, 1e9, 0.72, 2.6e7, 8.4e7], [162_000, 1500], {
    tvlUsd: 1.2e9,
    feesPerDayUsd: 6.2e5,
  }),
  row('Harrowgate Protocol', 'HRGT', 'ethereum', 'defi', 'healthy', [7.9, 1e8, 0.81, 1.4e7, 3.1e7], [71_000, 1400], {
    tvlUsd: 6.8e8,
    feesPerDayUsd: 1.7e5,
  }),
  row('Quillpond', 'QUIL', 'base', 'defi', 'healthy', [0.84, 1.2e9, 0.58, 9.6e6, 2.2e7], [53_000, 820], {
    tvlUsd: 4.1e8,
    feesPerDayUsd: 1.9e5,
  }),
  row('Marrowstone', 'MRWS', 'solana', 'defi', 'healthy', [0.31, 2e9, 0.66, 7.1e6, 1.5e7], [48_000, 960], {
    tvlUsd: 2.9e8,
    feesPerDayUsd: 9.4e4,
  }),
  row('Fennecswap', 'FENX', 'bsc', 'defi', 'healthy', [2.3, 2.4e8, 0.88, 1.1e7, 2.6e7], [96_000, 1300], {
    tvlUsd: 3.6e8,
    feesPerDayUsd: 1.3e5,
  }),
  row('Coppervale', 'COPV', 'ethereum', 'defi', 'mediocre', [0.19, 1e9, 0.41, 1.3e6, 1.8e6], [11_000, 640], {
    tvlUsd: 4.4e7,
    feesPerDayUsd: 9e3,
  }),
  row('Ostrava Lend', 'OSTL', 'base', 'defi', 'mediocre', [0.052, 3e9, 0.37, 8.2e5, 9.1e5], [8_200, 470], {
    tvlUsd: 2.1e7,
    feesPerDayUsd: 5.1e3,
  }),
  row('Brackwater', 'BRKW', 'solana', 'defi', 'mediocre', [0.012, 1e10, 0.5, 6.4e5, 8e5], [9_400, 520], {
    tvlUsd: 1.4e7,
    feesPerDayUsd: 4.2e3,
  }),
  row('Sablewick', 'SBLW', 'bsc', 'defi', 'mediocre', [0.44, 1e8, 0.62, 4.9e5, 6.6e5], [7_100, 700], {
    tvlUsd: 1.1e7,
    feesPerDayUsd: 3e3,
  }),
  row('Thornmere Finance', 'THRN', 'ethereum', 'defi', 'mediocre', [3.1, 2e7, 0.7, 1.9e6, 2.4e6], [14_500, 900], {
    tvlUsd: 7.2e7,
    feesPerDayUsd: 1.6e4,
  }),
  row('Ashgrove Yield', 'ASHY', 'ethereum', 'defi', 'dying', [0.0031, 1e9, 0.83, 5.8e4, 4.1e3], [3_900, 1100], {
    tvlUsd: 4.2e5,
    feesPerDayUsd: 40,
  }),
  row('Veyra Network', 'VEYR', 'ethereum', 'l1', 'strong', [12.6, 5e8, 0.79, 3.1e7, 1.6e8], [188_000, 1900], {
    tvlUsd: 2.4e9,
    feesPerDayUsd: 4.4e5,
  }),
  row('Orrin Chain', 'ORRN', 'ethereum', 'l1', 'healthy', [0.92, 2e9, 0.64, 1.2e7, 3.4e7], [64_000, 1150], {
    tvlUsd: 3.3e8,
    feesPerDayUsd: 6e4,
  }),
  row('Pallas Layer', 'PALL', 'bsc', 'l1', 'mediocre', [0.061, 5e9, 0.44, 1.7e6, 2.9e6], [15_800, 610], {
    tvlUsd: 3.1e7,
    feesPerDayUsd: 5e3,
  }),
  row('Plainsong Dollar', 'PSUSD', 'ethereum', 'stablecoin', 'strong', [1, 2.2e9, 1, 6.2e7, 2.1e8], [141_000, 1250], {
    tvlUsd: 2.2e9,
    peg: 1,
    traits: { mintAuthority: 'multisig', freezeAuthority: 'multisig', owner: 'multisig', proxyAdmin: 'multisig' },
  }),
  row('Harbor Dollar', 'HBUSD', 'solana', 'stablecoin', 'healthy', [1, 4.1e8, 1, 2.4e7, 4.4e7], [52_000, 760], {
    tvlUsd: 4.1e8,
    peg: 1,
    traits: { mintAuthority: 'multisig', freezeAuthority: 'multisig' },
    note: 'sound stablecoin that trades 9 % below its peg from day 13 to day 16',
    events: [
      { day: 13, price: 0.91, liquidity: 0.55, volume: 3.2 },
      { day: 16, price: 1 / 0.91, liquidity: 1.6, volume: 0.5 },
    ],
  }),
  row('Slipknot Dollar', 'SKUSD', 'bsc', 'stablecoin', 'mediocre', [0.963, 3e7, 1, 1.4e6, 1.1e6], [4_400, 400], {
    kind: 'depegged',
    note: 'stablecoin 3.7 % below its peg',
    tvlUsd: 3e7,
    peg: 1,
    traits: { mintAuthority: 'multisig' },
  }),
  row('Northstake SOL', 'nsSOL', 'solana', 'lst', 'healthy', [171, 2.1e6, 1, 2.9e7, 1.3e7], [27_000, 880], {
    tvlUsd: 3.59e8,
    feesPerDayUsd: 5.5e4,
    traits: { mintAuthority: 'timelock' },
  }),
  row('Cairn Staked Ether', 'cnETH', 'ethereum', 'lst', 'strong', [3310, 1.4e5, 1, 4.4e7, 2.1e7], [33_000, 1020], {
    tvlUsd: 4.63e8,
    feesPerDayUsd: 3.6e4,
    traits: { mintAuthority: 'timelock', owner: 'timelock', proxyAdmin: 'timelock' },
  }),
  row('Wobblepup', 'WOBL', 'solana', 'memecoin', 'healthy', [0.031, 1e9, 1, 4.8e6, 1.6e7], [88_000, 620]),
  row('Gruffle', 'GRUF', 'ethereum', 'memecoin', 'healthy', [0.0000114, 4.2e13, 0.98, 6.1e6, 1.1e7], [104_000, 930]),
  row('Snoozecat', 'SNZC', 'base', 'memecoin', 'mediocre', [0.0017, 1e9, 1, 2.4e5, 4.2e5], [6_900, 240]),
  row('Moonbadger', 'MBDG', 'solana', 'memecoin', 'mediocre', [0.00042, 1e9, 1, 6.6e4, 9e4], [3_100, 130]),
  row('Pogotoad', 'POGT', 'bsc', 'memecoin', 'dying', [0.0000021, 1e12, 1, 3.4e4, 900], [2_600, 540], {
    note: 'dying memecoin whose website is down: expect WEBSITE_DOWN',
    traits: { site: false },
  }),
  row('Deedstone', 'DEED', 'ethereum', 'rwa', 'healthy', [104.1, 2.6e6, 1, 7.7e6, 3.2e6], [5_100, 720], {
    tvlUsd: 2.7e8,
    feesPerDayUsd: 2.1e4,
    traits: { mintAuthority: 'multisig', freezeAuthority: 'multisig', owner: 'multisig', proxyAdmin: 'multisig' },
  }),
  row('Bullionbridge', 'BULN', 'base', 'rwa', 'mediocre', [2.6, 1e8, 0.5, 9.1e5, 7e5], [3_300, 360], {
    tvlUsd: 4.9e7,
    feesPerDayUsd: 2e3,
  }),
  row('Skyforge Arena', 'SKYF', 'base', 'gaming', 'healthy', [0.24, 1e9, 0.47, 3.9e6, 8.1e6], [39_000, 560], {
    tvlUsd: 1.8e7,
    feesPerDayUsd: 1.5e4,
  }),
  row('Glintrunner', 'GLNT', 'solana', 'gaming', 'mediocre', [0.0061, 4e9, 0.33, 3.8e5, 5.2e5], [7_700, 410]),
  row('Emberhold', 'EMBH', 'bsc', 'gaming', 'dying', [0.0004, 5e9, 0.6, 2.9e4, 1.4e3], [4_800, 980]),
];
