import type { EvmChain } from './chain.ts';
import { curve, ranged, uniswapV2, uniswapV3, uniswapV4 } from './exchanges.ts';
import { SANCTIONS_ORACLE } from './fixed-addresses.ts';

export const polygon: EvmChain = {
  name: 'polygon',
  kind: 'evm',
  caip2: 'eip155:137',
  evmChainId: 137,
  title: 'Polygon PoS',
  aliases: ['matic', 'pol', 'polygon pos'],
  native: { symbol: 'POL', slip44: 966, coingeckoId: 'polygon-ecosystem-token' },
  wrappedNative: {
    symbol: 'WPOL',
    address: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
    source: 'https://github.com/bgd-labs/aave-address-book/blob/main/src/ts/AaveV3Polygon.ts',
  },
  stables: [
    { symbol: 'USDC', address: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', decimals: 6 },
    { symbol: 'USDT', address: '0xc2132d05d31c914a87c6611c10748aeb04b58e8f', decimals: 6 },
  ],
  blockSeconds: 2,
  reorgDepth: 256,
  nodes: ['https://polygon-bor-rpc.publicnode.com', 'https://polygon.drpc.org'],
  explorers: ['polygonscan.com'],
  otherQuotes: ['WMATIC'],
  names: {
    coingecko: 'polygon-pos',
    geckoterminal: 'polygon_pos',
    coinmarketcap: 'polygon',
    coinpaprika: 'matic-polygon',
    dexpaprika: 'polygon',
    dexscreener: 'polygon',
    defillama: 'polygon',
    birdeye: 'polygon',
    goplus: 137,
    honeypot_is: null,
    blockscout: 'polygon.blockscout.com',
    sourcify: 137,
    etherscan: 137,
  },
  exchanges: [
    uniswapV2('uniswap', '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', 3_000),
    uniswapV2('quickswap', '0x5757371414417b8c6caad45baef941abc7d3ab32', 3_000),
    uniswapV3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
    uniswapV2('sushiswap', '0xc35dadb65012ec5796536bd9864ed8773abc74c4', 3_000),
    uniswapV4('0x67366782805870060151383f4bbff9dab53e5cd6', '0x1ec2ebf4f37e7363fdfe3551602425af0b3ceef9'),
    uniswapV3('sushiswap', '0x917933899c6a5f8e37f31e19f92cdbff7e8ff0e2'),
    ranged('quickswap', 'quickswap_v3', 'algebra', '0x411b0facc3489691f28ad58c47006af5e3ab3a28'),
    curve('curve_stable_ng', '0x1764ee18e8b3cca4787249ceb249356192594585'),
    curve('curve_stable', '0x722272d36ef0da72ff51c5a65db7b870e2e8d4ee'),
  ],
  serviceAddresses: [
    { address: '0x939d71ade0bf94d3f8cf578413bf2a2f248bf58b', kind: 'locker', name: 'UNCX', source: 'UNCX documents' },
  ],
  priceFeeds: {
    POL: { address: '0xab594600376ec9fd91f8e885dadf0ce036862de0', silenceSeconds: 90_000 },
  },
  sanctionsOracle: SANCTIONS_ORACLE,
  testnets: [],
};
