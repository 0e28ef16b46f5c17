import type { Hex } from '../types.ts';

/** How pools that are contracts of their own are read. */
export type ContractForm = 'uniswap_v2' | 'uniswap_v3' | 'solidly' | 'slipstream' | 'algebra';
/** How pools of a factory are read; those of Uniswap v4 are numbers inside its pool manager. */
export type PoolForm = ContractForm | 'uniswap_v4' | 'liquidity_book' | 'curve';

export interface DexRow {
  readonly dex: string;
  /** `uniswap_v2`, `pancakeswap_v3`, ... */
  readonly protocol: string;
  readonly form: PoolForm;
  /** Of Uniswap v4: the pool manager. Of Curve: a factory or registry that counts the coins of its pools. */
  readonly factory: Hex;
  /** Of Uniswap v4: who knows the keys of pools. */
  readonly positions?: Hex;
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

const ranged = (dex: string, protocol: string, form: 'slipstream' | 'algebra', factory: Hex): DexRow => ({
  dex,
  protocol,
  form,
  factory,
  feeMillionths: null,
});

const v4 = (factory: Hex, positions: Hex): DexRow => ({
  dex: 'uniswap',
  protocol: 'uniswap_v4',
  form: 'uniswap_v4',
  factory,
  feeMillionths: null,
  positions,
});

const plain = (dex: string, protocol: string, form: 'liquidity_book' | 'curve', factory: Hex): DexRow => ({
  dex,
  protocol,
  form,
  factory,
  feeMillionths: null,
});
/** The same address on every chain they are on. */
const BOOKS = [
  plain('traderjoe', 'liquidity_book_v2_1', 'liquidity_book', '0x8e42f2f4101563bf679975178e880fd87d3efd4e'),
  plain('traderjoe', 'liquidity_book_v2_2', 'liquidity_book', '0xb43120c4745967fa9b93e79c149e66b0f2d6fe0c'),
];
const curve = (protocol: string, factory: Hex): DexRow => plain('curve', protocol, 'curve', factory);

/** Factories by chain: a pool counts as a DEX's own only when its factory is here and knows the pool. A new DEX is a new row. */
export const DEXES: Readonly<Record<string, readonly DexRow[]>> = {
  ethereum: [
    v2('uniswap', '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', 3_000),
    v3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
    v2('sushiswap', '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac', 3_000),
    v2('pancakeswap', '0x1097053fd2ea711dad45caccc45eff7548fcb362', 2_500),
    v3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
    v4('0x000000000004444c5dc75cb358380d2e3de08a90', '0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e'),
    v3('sushiswap', '0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f'),
    curve('curve_stable_ng', '0x6a8cbed756804b16e05e741edabd5cb544ae21bf'),
    curve('curve_stable', '0xb9fc157394af804a3578134a6585c0dc9cc990d4'),
    curve('curve_registered', '0xf98b45fa17de75fb1ad0e7afd971b0ca00e379fc'),
    plain('traderjoe', 'liquidity_book_v2_1', 'liquidity_book', '0xdc8d77b69155c7e68a95a4fb0f06a71ff90b943a'),
  ],
  base: [
    solidly('aerodrome', '0x420dd381b31aef6683db6b902084cb0ffece40da'),
    v2('pancakeswap', '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e', 2_500),
    v2('uniswap', '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', 3_000),
    v3('uniswap', '0x33128a8fc17869897dce68ed026d694621f6fdfd'),
    v3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
    v4('0x498581ff718922c3f8e6a244956af099b2652b2b', '0x7c5f5a4bbd8fd63184577525326123b519429bdc'),
    v3('sushiswap', '0xc35dadb65012ec5796536bd9864ed8773abc74c4'),
    ranged('aerodrome', 'aerodrome_slipstream', 'slipstream', '0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a'),
    ranged('aerodrome', 'aerodrome_slipstream', 'slipstream', '0xade65c38cd4849adba595a4323a8c7ddfe89716a'),
    ranged('aerodrome', 'aerodrome_slipstream', 'slipstream', '0xf8f2eb4940cfe7d13603dddd87f123820fc061ef'),
    curve('curve_stable_ng', '0xd2002373543ce3527023c75e7518c274a51ce712'),
  ],
  bsc: [
    v2('uniswap', '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', 3_000),
    v2('pancakeswap', '0xca143ce32fe78f1f7019d7d551a6402fc5350c73', 2_500),
    v3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
    v3('uniswap', '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7'),
    v4('0x28e2ea090877bf75740558f6bfb36a5ffee9e9df', '0x7a4a5c919ae2541aed11041a1aeee68f1287f95b'),
    v3('sushiswap', '0x126555dd55a39328f69400d6ae4f782bd4c34abb'),
    plain('traderjoe', 'liquidity_book_v2_1', 'liquidity_book', '0x8e42f2f4101563bf679975178e880fd87d3efd4e'),
    curve('curve_stable_ng', '0xd7e72f3615aa65b92a4dbdc211e296a35512988b'),
  ],
  arbitrum: [
    v2('uniswap', '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9', 3_000),
    v3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
    v2('sushiswap', '0xc35dadb65012ec5796536bd9864ed8773abc74c4', 3_000),
    v3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
    v4('0x360e68faccca8ca495c1b759fd9eee466db9fb32', '0xd88f38f930b7952f2db2432cb002e7abbf3dd869'),
    v3('sushiswap', '0x1af415a1eba07a4986a52b6f2e7de7003d82231e'),
    v2('camelot', '0x6eccab422d763ac031210895c81787e87b43a652', 3_000),
    ranged('camelot', 'camelot_v3', 'algebra', '0x1a3c9b1d2f0529d97f2afc5136cc23e58f1fd35b'),
    ...BOOKS,
    curve('curve_stable_ng', '0x9af14d26075f142eb3f292d5065eb3faa646167b'),
  ],
  polygon: [
    v2('uniswap', '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', 3_000),
    v2('quickswap', '0x5757371414417b8c6caad45baef941abc7d3ab32', 3_000),
    v3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
    v2('sushiswap', '0xc35dadb65012ec5796536bd9864ed8773abc74c4', 3_000),
    v4('0x67366782805870060151383f4bbff9dab53e5cd6', '0x1ec2ebf4f37e7363fdfe3551602425af0b3ceef9'),
    v3('sushiswap', '0x917933899c6a5f8e37f31e19f92cdbff7e8ff0e2'),
    ranged('quickswap', 'quickswap_v3', 'algebra', '0x411b0facc3489691f28ad58c47006af5e3ab3a28'),
    curve('curve_stable_ng', '0x1764ee18e8b3cca4787249ceb249356192594585'),
    curve('curve_stable', '0x722272d36ef0da72ff51c5a65db7b870e2e8d4ee'),
  ],
  optimism: [
    solidly('velodrome', '0xf1046053aa5682b4f9a81b5481394da16be5ff5a'),
    v2('uniswap', '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf', 3_000),
    v3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
    v4('0x9a13f98cb987694c9f086b1f5eb990eea8264ec3', '0x3c3ea4b57a46241e54610e5f022e5c45859a1017'),
    v3('sushiswap', '0x9c6522117e2ed1fe5bdb72bb0ed5e3f2bde7dbe0'),
    ranged('velodrome', 'velodrome_slipstream', 'slipstream', '0xcc0bddb707055e04e497ab22a59c2af4391cd12f'),
    ranged('velodrome', 'velodrome_slipstream', 'slipstream', '0xe13dd1fba721aa81a1826d9523ac9bc7d260c879'),
    curve('curve_stable_ng', '0x5eee3091f747e60a045a2e715a4c71e600e31f6e'),
    curve('curve_stable', '0x2db0e83599a91b508ac268a6197b8b14f5e72840'),
  ],
  avalanche: [
    v2('uniswap', '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', 3_000),
    v2('traderjoe', '0x9ad6c38be94206ca50bb0d90783181662f0cfa10', 3_000),
    v3('uniswap', '0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad'),
    v4('0x06380c0e0912312b5150364b9dc4542ba0dbbc85', '0xb74b1f14d2754acfcbbe1a221023a5cf50ab8acd'),
    v3('sushiswap', '0x3e603c14af37ebdad31709c4f848fc6ad5bec715'),
    ...BOOKS,
    curve('curve_stable_ng', '0x1764ee18e8b3cca4787249ceb249356192594585'),
  ],
};
