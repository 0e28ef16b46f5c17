import type { EvmChain } from './chain.ts';
import { curve, LIQUIDITY_BOOKS, ranged, uniswapV2, uniswapV3, uniswapV4 } from './exchanges.ts';
import { SANCTIONS_ORACLE } from './fixed-addresses.ts';

export const arbitrum: EvmChain = {
  name: 'arbitrum',
  kind: 'evm',
  caip2: 'eip155:42161',
  evmChainId: 42161,
  title: 'Arbitrum One',
  aliases: ['arb', 'arbitrum one'],
  native: { symbol: 'ETH', slip44: 60, coingeckoId: 'ethereum' },
  wrappedNative: {
    symbol: 'WETH',
    address: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
    source: 'https://github.com/bgd-labs/aave-address-book/blob/main/src/ts/AaveV3Arbitrum.ts',
  },
  stables: [
    { symbol: 'USDC', address: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', decimals: 6 },
    { symbol: 'USDT', address: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9', decimals: 6 },
  ],
  blockSeconds: 0.25,
  reorgDepth: 2_400,
  nodes: ['https://arbitrum-one-rpc.publicnode.com', 'https://arb1.arbitrum.io/rpc'],
  explorers: ['arbiscan.io'],
  otherQuotes: ['USDC.E'],
  names: {
    coingecko: 'arbitrum-one',
    geckoterminal: 'arbitrum',
    coinmarketcap: 'arbitrum',
    coinpaprika: 'arb-arbitrum',
    dexpaprika: 'arbitrum',
    dexscreener: 'arbitrum',
    defillama: 'arbitrum',
    birdeye: 'arbitrum',
    goplus: 42161,
    honeypot_is: null,
    blockscout: 'arbitrum.blockscout.com',
    sourcify: 42161,
    etherscan: 42161,
  },
  exchanges: [
    uniswapV2('uniswap', '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9', 3_000),
    uniswapV3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
    uniswapV2('sushiswap', '0xc35dadb65012ec5796536bd9864ed8773abc74c4', 3_000),
    uniswapV3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
    uniswapV4('0x360e68faccca8ca495c1b759fd9eee466db9fb32', '0xd88f38f930b7952f2db2432cb002e7abbf3dd869'),
    uniswapV3('sushiswap', '0x1af415a1eba07a4986a52b6f2e7de7003d82231e'),
    uniswapV2('camelot', '0x6eccab422d763ac031210895c81787e87b43a652', 3_000),
    ranged('camelot', 'camelot_v3', 'algebra', '0x1a3c9b1d2f0529d97f2afc5136cc23e58f1fd35b'),
    ...LIQUIDITY_BOOKS,
    curve('curve_stable_ng', '0x9af14d26075f142eb3f292d5065eb3faa646167b'),
  ],
  serviceAddresses: [
    { address: '0x63f4b2c082b1e0bba38874567e053800379bf8d7', kind: 'locker', name: 'UNCX', source: 'UNCX documents' },
  ],
  priceFeeds: {
    ETH: { address: '0x639fe6ab55c921f74e7fac1ee960c0b6293ba612', silenceSeconds: 90_000 },
  },
  sanctionsOracle: SANCTIONS_ORACLE,
  testnets: [
    {
      name: 'arbitrum_sepolia',
      title: 'Arbitrum Sepolia',
      blockscoutHost: 'arbitrum-sepolia.blockscout.com',
      otherExplorers: ['sepolia.arbiscan.io'],
    },
  ],
};
