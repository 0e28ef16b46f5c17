import type { EvmChain } from './chain.ts';
import { curve, liquidityBook, uniswapV2, uniswapV3, uniswapV4 } from './exchanges.ts';
import { SANCTIONS_ORACLE } from './fixed-addresses.ts';

export const bsc: EvmChain = {
  name: 'bsc',
  kind: 'evm',
  caip2: 'eip155:56',
  evmChainId: 56,
  title: 'BNB Smart Chain',
  aliases: ['bnb', 'bep20', 'bep-20', 'binance', 'binance smart chain', 'bnb chain', 'bnb smart chain'],
  native: { symbol: 'BNB', slip44: 714, coingeckoId: 'binancecoin' },
  wrappedNative: {
    symbol: 'WBNB',
    address: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
    source: 'https://github.com/bgd-labs/aave-address-book/blob/main/src/ts/AaveV3BNB.ts',
  },
  stables: [
    { symbol: 'USDT', address: '0x55d398326f99059ff775485246999027b3197955', decimals: 18 },
    { symbol: 'USDC', address: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', decimals: 18 },
  ],
  blockSeconds: 0.75,
  reorgDepth: 64,
  nodes: ['https://bsc-rpc.publicnode.com', 'https://bsc-dataseed.bnbchain.org'],
  explorers: ['bscscan.com'],
  otherQuotes: ['FDUSD', 'BUSD', 'USD1'],
  names: {
    coingecko: 'binance-smart-chain',
    geckoterminal: 'bsc',
    coinmarketcap: 'bsc',
    coinpaprika: 'bnb-binance-coin',
    dexpaprika: 'bsc',
    dexscreener: 'bsc',
    defillama: 'bsc',
    birdeye: 'bsc',
    goplus: 56,
    honeypot_is: 56,
    blockscout: null,
    sourcify: 56,
    etherscan: 56,
  },
  exchanges: [
    uniswapV2('uniswap', '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', 3_000),
    uniswapV2('pancakeswap', '0xca143ce32fe78f1f7019d7d551a6402fc5350c73', 2_500),
    uniswapV3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
    uniswapV3('uniswap', '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7'),
    uniswapV4('0x28e2ea090877bf75740558f6bfb36a5ffee9e9df', '0x7a4a5c919ae2541aed11041a1aeee68f1287f95b'),
    uniswapV3('sushiswap', '0x126555dd55a39328f69400d6ae4f782bd4c34abb'),
    liquidityBook('liquidity_book_v2_1', '0x8e42f2f4101563bf679975178e880fd87d3efd4e'),
    curve('curve_stable_ng', '0xd7e72f3615aa65b92a4dbdc211e296a35512988b'),
  ],
  serviceAddresses: [],
  priceFeeds: {
    BNB: { address: '0x0567f2323251f0aab15c8dfb1967e4e8a7d42aee', silenceSeconds: 90_000 },
  },
  sanctionsOracle: SANCTIONS_ORACLE,
  testnets: [],
};
