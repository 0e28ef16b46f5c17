import type { Hex } from '../types.ts';

/** How pools of a factory are read. */
export type PoolForm = 'uniswap_v2' | 'uniswap_v3' | 'solidly';

export interface DexRow {
  readonly dex: string;
  /** `uniswap_v2`, `pancakeswap_v3`, ... */
  readonly protocol: string;
  readonly form: PoolForm;
  readonly factory: Hex;
  /** Taker's fee in millionths, where pools do not tell it themselves. */
  readonly feeMillionths: number | null;
}

/** Each address was found alike in several public code bases (routers, indexers, aggregators) in November 2026. */
const v2 = (dex: string, factory: Hex, feeMillionths: number): DexRow => ({
  dex,
  protocol: `${dex}_v2`,
  form: 'uniswap_v2',
  factory,
  feeMillionths,
});
const v3 = (dex: string, factory: Hex): DexRow => ({
  dex,
  protocol: `${dex}_v3`,
  form: 'uniswap_v3',
  factory,
  feeMillionths: null,
});

const solidly = (dex: string, factory: Hex): DexRow => ({
  dex,
  protocol: dex,
  form: 'solidly',
  factory,
  feeMillionths: null,
});

/** Factories by chain: a pool counts as a DEX's own only when its factory is here and knows the pool. A new DEX is a new row. */
export const DEXES: Readonly<Record<string, readonly DexRow[]>> = {
  ethereum: [
    v2('uniswap', '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', 3_000),
    v3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
    v2('sushiswap', '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac', 3_000),
    v2('pancakeswap', '0x1097053fd2ea711dad45caccc45eff7548fcb362', 2_500),
    v3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
  ],
  base: [
    solidly('aerodrome', '0x420dd381b31aef6683db6b902084cb0ffece40da'),
    v2('pancakeswap', '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e', 2_500),
    v2('uniswap', '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', 3_000),
    v3('uniswap', '0x33128a8fc17869897dce68ed026d694621f6fdfd'),
    v3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
  ],
  bsc: [
    v2('uniswap', '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', 3_000),
    v2('pancakeswap', '0xca143ce32fe78f1f7019d7d551a6402fc5350c73', 2_500),
    v3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
    v3('uniswap', '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7'),
  ],
  arbitrum: [
    v2('uniswap', '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9', 3_000),
    v3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
    v2('sushiswap', '0xc35dadb65012ec5796536bd9864ed8773abc74c4', 3_000),
    v3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
  ],
  polygon: [
    v2('uniswap', '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', 3_000),
    v2('quickswap', '0x5757371414417b8c6caad45baef941abc7d3ab32', 3_000),
    v3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
    v2('sushiswap', '0xc35dadb65012ec5796536bd9864ed8773abc74c4', 3_000),
  ],
  optimism: [
    solidly('velodrome', '0xf1046053aa5682b4f9a81b5481394da16be5ff5a'),
    v2('uniswap', '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf', 3_000),
    v3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
  ],
  avalanche: [
    v2('uniswap', '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', 3_000),
    v2('traderjoe', '0x9ad6c38be94206ca50bb0d90783181662f0cfa10', 3_000),
    v3('uniswap', '0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad'),
  ],
};
