import type { EvmChain } from './chain.ts';
import { curve, LIQUIDITY_BOOKS, uniswapV2, uniswapV3, uniswapV4 } from './exchanges.ts';
import { BALANCER_V3_VAULT, EVM_EXCHANGE_WALLETS, service } from './fixed-addresses.ts';

// Factories, vaults and lockers are from github.com/monad-crypto/protocols, where each protocol registers its contracts (read 2026-11-24). No contracts of this
// chain were found at GoPlus, Blockscout or CoinPaprika. The heartbeat of Chainlink's MON/USD feed was not found, so the feed is not read.
export const monad: EvmChain = {
  name: 'monad',
  kind: 'evm',
  caip2: 'eip155:143',
  evmChainId: 143,
  title: 'Monad',
  aliases: ['mon'],
  // github.com/ethereum-lists/chains, eip155-143.json
  native: { symbol: 'MON', slip44: 268_435_779, coingeckoId: 'monad' },
  wrappedNative: {
    symbol: 'WMON',
    address: '0x3bd359c1119da7da1d913d1c4d2b7c461115433a',
    source: 'https://docs.monad.xyz/developer-essentials/network-information',
  },
  // github.com/monad-crypto/token-list, tokenlist-mainnet.json
  stables: [
    { symbol: 'USDC', address: '0x754704bc059f8c67012fed69bc8a327a5aafb603', decimals: 6 },
    { symbol: 'USDT0', address: '0xe7cd86e13ac4309349f30b3435a9d337750fc82d', decimals: 6 },
    { symbol: 'AUSD', address: '0x00000000efe302beaa2b3e6e1b18d08d69a9012a', decimals: 6 },
  ],
  blockSeconds: 0.4,
  reorgDepth: 32,
  nodes: ['https://rpc.monad.xyz', 'https://rpc-mainnet.monadinfra.com'],
  explorers: ['monadscan.com', 'monadvision.com', 'monad.socialscan.io'],
  otherQuotes: [],
  counterTokens: [
    { symbol: 'WETH', address: '0xee8c0e9f1bffb4eb878d8f15f368a02a35481242' },
    { symbol: 'WBTC', address: '0x0555e30da8f98308edb960aa94c0db47230d2b9c' },
    { symbol: 'WSOL', address: '0xea17e5a9efebf1477db45082d67010e2245217f1' },
  ],
  names: {
    coingecko: 'monad',
    geckoterminal: 'monad',
    coinmarketcap: 'monad',
    coinpaprika: null,
    dexpaprika: 'monad',
    dexscreener: 'monad',
    defillama: 'monad',
    birdeye: 'monad',
    goplus: null,
    honeypot_is: null,
    blockscout: null,
    sourcify: 143,
    etherscan: 143,
    safe: 'monad',
  },
  exchanges: [
    uniswapV2('uniswap', '0x182a927119d56008d921126764bf884221b10f59', 3_000),
    uniswapV3('uniswap', '0x204faca1764b154221e35c0d20abb3c525710498'),
    uniswapV4('0x188d586ddcf52439676ca21a244753fa19f9ea8e', '0x5b7ec4a94ff9bedb700fb82ab09d5846972f4016'),
    uniswapV2('pancakeswap', '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e', 2_500),
    uniswapV3('pancakeswap', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'),
    uniswapV2('traderjoe', '0xe32d45c2b1c17a0fe0de76f1ebfa7c44b7810034', 3_000),
    ...LIQUIDITY_BOOKS.filter(({ protocol }) => protocol === 'liquidity_book_v2_2'),
    curve('curve_stable_ng', '0x8271e06e5887fe5ba05234f5315c19f3ec90e8ad'),
  ],
  serviceAddresses: [
    ...EVM_EXCHANGE_WALLETS,
    service(
      '0xf17a08a7d41f53b24ad07eb322cbbda2ebdec04b',
      'locker',
      'GoPlus SafeToken locker v2',
      'monad-crypto/protocols',
    ),
    service('0x188d586ddcf52439676ca21a244753fa19f9ea8e', 'pool', 'Uniswap v4 PoolManager', 'monad-crypto/protocols'),
    BALANCER_V3_VAULT,
  ],
  priceFeeds: {},
  sanctionsOracle: null,
  testnets: [],
};
