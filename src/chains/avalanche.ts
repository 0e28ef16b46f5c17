import type { EvmChain } from './chain.ts';
import { curve, LIQUIDITY_BOOKS, uniswapV2, uniswapV3, uniswapV4 } from './exchanges.ts';
import { BALANCER_V2_VAULT, BALANCER_V3_VAULT, EVM_EXCHANGE_WALLETS, SANCTIONS_ORACLE } from './fixed-addresses.ts';

export const avalanche: EvmChain = {
  name: 'avalanche',
  kind: 'evm',
  caip2: 'eip155:43114',
  evmChainId: 43114,
  title: 'Avalanche C-Chain',
  aliases: ['avax', 'avalanche c-chain'],
  native: { symbol: 'AVAX', slip44: 9000, coingeckoId: 'avalanche-2' },
  wrappedNative: {
    symbol: 'WAVAX',
    address: '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7',
    source: 'https://github.com/bgd-labs/aave-address-book/blob/main/src/ts/AaveV3Avalanche.ts',
  },
  stables: [
    { symbol: 'USDC', address: '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', decimals: 6 },
    { symbol: 'USDT', address: '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7', decimals: 6 },
    { symbol: 'USDC.e', address: '0xa7d7079b0fead91f3e65f86e8915cb59c1a4c664', decimals: 6 },
  ],
  blockSeconds: 1.6,
  reorgDepth: 32,
  nodes: ['https://avalanche-c-chain-rpc.publicnode.com', 'https://api.avax.network/ext/bc/C/rpc'],
  explorers: ['snowtrace.io', 'snowscan.xyz'],
  otherQuotes: [],
  names: {
    coingecko: 'avalanche',
    geckoterminal: 'avax',
    coinmarketcap: 'avalanche',
    coinpaprika: 'avax-avalanche',
    dexpaprika: 'avalanche',
    dexscreener: 'avalanche',
    defillama: 'avax',
    birdeye: 'avalanche',
    goplus: 43114,
    honeypot_is: null,
    blockscout: null,
    sourcify: 43114,
    etherscan: 43114,
  },
  exchanges: [
    uniswapV2('uniswap', '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', 3_000),
    uniswapV2('traderjoe', '0x9ad6c38be94206ca50bb0d90783181662f0cfa10', 3_000),
    uniswapV3('uniswap', '0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad'),
    uniswapV4('0x06380c0e0912312b5150364b9dc4542ba0dbbc85', '0xb74b1f14d2754acfcbbe1a221023a5cf50ab8acd'),
    uniswapV3('sushiswap', '0x3e603c14af37ebdad31709c4f848fc6ad5bec715'),
    ...LIQUIDITY_BOOKS,
    curve('curve_stable_ng', '0x1764ee18e8b3cca4787249ceb249356192594585'),
  ],
  serviceAddresses: [
    ...EVM_EXCHANGE_WALLETS,
    {
      address: '0xa9f6aefa5d56db1205f36c34e6482a6d4979b3bb',
      kind: 'locker',
      name: 'UNCX locker of Trader Joe v1',
      source: 'DefiLlama/DefiLlama-Adapters',
    },
    {
      address: '0x06380c0e0912312b5150364b9dc4542ba0dbbc85',
      kind: 'pool',
      name: 'Uniswap v4 PoolManager',
      source: 'Uniswap/contracts',
    },
    BALANCER_V2_VAULT,
    BALANCER_V3_VAULT,
  ],
  priceFeeds: {
    AVAX: { address: '0x0a77230d17318075983913bc2145db16c7366156', silenceSeconds: 90_000 },
  },
  sanctionsOracle: SANCTIONS_ORACLE,
  testnets: [],
};
