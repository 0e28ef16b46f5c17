import type { EvmChain } from './chain.ts';
import { curve, ranged, solidly, uniswapV2, uniswapV3, uniswapV4 } from './exchanges.ts';
import { BALANCER_V2_VAULT, BALANCER_V3_VAULT, EVM_EXCHANGE_WALLETS, SANCTIONS_ORACLE } from './fixed-addresses.ts';

export const optimism: EvmChain = {
  name: 'optimism',
  kind: 'evm',
  caip2: 'eip155:10',
  evmChainId: 10,
  title: 'OP Mainnet',
  aliases: ['op', 'op mainnet'],
  native: { symbol: 'ETH', slip44: 60, coingeckoId: 'ethereum' },
  wrappedNative: {
    symbol: 'WETH',
    address: '0x4200000000000000000000000000000000000006',
    source: 'https://github.com/bgd-labs/aave-address-book/blob/main/src/ts/AaveV3Optimism.ts',
  },
  stables: [
    { symbol: 'USDC', address: '0x0b2c639c533813f4aa9d7837caf62653d097ff85', decimals: 6 },
    { symbol: 'USDT', address: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58', decimals: 6 },
    { symbol: 'USDC.e', address: '0x7f5c764cbc14f9669b88837ca1490cca17c31607', decimals: 6 },
    { symbol: 'USDT0', address: '0x01bff41798a0bcf287b996046ca68b395dbc1071', decimals: 6 },
  ],
  blockSeconds: 2,
  reorgDepth: 900,
  nodes: ['https://optimism-rpc.publicnode.com', 'https://mainnet.optimism.io'],
  explorers: ['optimistic.etherscan.io'],
  otherQuotes: [],
  names: {
    coingecko: 'optimistic-ethereum',
    geckoterminal: 'optimism',
    coinmarketcap: 'optimism',
    coinpaprika: 'op-optimism',
    dexpaprika: 'optimism',
    dexscreener: 'optimism',
    defillama: 'optimism',
    birdeye: 'optimism',
    goplus: 10,
    honeypot_is: null,
    blockscout: 'optimism.blockscout.com',
    sourcify: 10,
    etherscan: 10,
  },
  exchanges: [
    solidly('velodrome', '0xf1046053aa5682b4f9a81b5481394da16be5ff5a'),
    uniswapV2('uniswap', '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf', 3_000),
    uniswapV3('uniswap', '0x1f98431c8ad98523631ae4a59f267346ea31f984'),
    uniswapV4('0x9a13f98cb987694c9f086b1f5eb990eea8264ec3', '0x3c3ea4b57a46241e54610e5f022e5c45859a1017'),
    uniswapV3('sushiswap', '0x9c6522117e2ed1fe5bdb72bb0ed5e3f2bde7dbe0'),
    ranged('velodrome', 'velodrome_slipstream', 'slipstream', '0xcc0bddb707055e04e497ab22a59c2af4391cd12f'),
    ranged('velodrome', 'velodrome_slipstream', 'slipstream', '0xe13dd1fba721aa81a1826d9523ac9bc7d260c879'),
    curve('curve_stable_ng', '0x5eee3091f747e60a045a2e715a4c71e600e31f6e'),
    curve('curve_stable', '0x2db0e83599a91b508ac268a6197b8b14f5e72840'),
  ],
  serviceAddresses: [
    ...EVM_EXCHANGE_WALLETS,
    {
      address: '0x9a13f98cb987694c9f086b1f5eb990eea8264ec3',
      kind: 'pool',
      name: 'Uniswap v4 PoolManager',
      source: 'docs.uniswap.org',
    },
    { address: '0x5923c3911d9424f7725cad33ed176a6b885484d6', kind: 'locker', name: 'UNCX', source: 'UNCX documents' },
    BALANCER_V2_VAULT,
    BALANCER_V3_VAULT,
  ],
  priceFeeds: {
    ETH: { address: '0x13e3ee699d1909e989722e753853ae30b17e08c5', silenceSeconds: 90_000 },
  },
  sanctionsOracle: SANCTIONS_ORACLE,
  testnets: [
    {
      name: 'optimism_sepolia',
      title: 'OP Sepolia',
      blockscoutHost: 'optimism-sepolia.blockscout.com',
      otherExplorers: ['sepolia-optimism.etherscan.io'],
    },
  ],
};
