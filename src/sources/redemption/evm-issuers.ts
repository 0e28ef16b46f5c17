import { EVM_CHAINS } from '../../chains/index.ts';
import type { RedemptionTerms } from './terms.ts';

export interface EvmRedemption extends RedemptionTerms {
  readonly chain: string;
  /** Null: a rate of one. The result has 18 decimals; a call with an argument uses 10^18 raw units, one token. */
  readonly rate: { readonly contract: string; readonly call: string } | null;
}

/** Terms of the token at this canonical address, or null. */
export function evmRedemption(chain: string, token: string): EvmRedemption | null {
  return BY_ASSET.get(`${chain}:${token}`) ?? null;
}

const ADDRESS_BOOK = 'https://github.com/bgd-labs/aave-address-book/blob/main/src/ts';
const AAVE = `${ADDRESS_BOOK}/AaveV3Ethereum.ts`;
const RATE_PROVIDERS = 'https://github.com/balancer/code-review/blob/main/rate-providers';
const BALANCER = `${RATE_PROVIDERS}/registry.json`;
const ASSETS = 'convertToAssets(uint256)';

/** Name, token, call of the rate, source, and the contract that returns the rate if it is not the token itself. */
type Row = readonly [name: string, token: string, call: string, source: string, contract?: string];

const STAKED_ETHER: readonly Row[] = [
  [
    'wstETH (Lido)',
    '0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0',
    'stEthPerToken()',
    'https://docs.lido.fi/contracts/wsteth',
  ],
  ['rETH (Rocket Pool)', '0xae78736cd615f374d3085123a210448e74fc6393', 'getExchangeRate()', AAVE],
  ['sfrxETH (Frax)', '0xac3e018457b222d93114458476f3e3416abbe38f', ASSETS, BALANCER],
  ['weETH (ether.fi)', '0xcd5fe23c85820f7b72d0926fc9b05b43e359b7ee', 'getRate()', `${RATE_PROVIDERS}/WeETH.md`],
  ['pufETH (Puffer)', '0xd9a442856c234a39a81a089c06451ebaa4306a72', ASSETS, `${RATE_PROVIDERS}/PufEthRateProvider.md`],
  ['swETH (Swell)', '0xf951e335afb289353dc249e82926178eac7ded78', 'getRate()', BALANCER],
  [
    'ETHx (Stader)',
    '0xa35b1b31ce002fbf2058d22f30f95d405200a15b',
    'getExchangeRate()',
    `${RATE_PROVIDERS}/ETHxRateProvider.md`,
    '0xcf5ea1b38380f6af39068375516daf40ed70d299',
  ],
  [
    'osETH (StakeWise)',
    '0xf1c9acdc66974dfb6decb12aa385b9cd01190e38',
    ASSETS,
    `${RATE_PROVIDERS}/osEthRateProvider.md`,
    '0x2a261e60fb14586b474c208b1b7ac6d0f5000306',
  ],
  [
    'mETH (Mantle)',
    '0xd5f7838f5c461feff7fe49ea5ebaf7728bb0adfa',
    'mETHToETH(uint256)',
    'https://etherscan.io/address/0xe3cbd06d7dadb3f4e6557bab7edd924cd1489e8f#code',
    '0xe3cbd06d7dadb3f4e6557bab7edd924cd1489e8f',
  ],
];
/** Staked with a company, which states the rate. */
const ISSUED_ETHER: readonly Row[] = [
  ['cbETH (Coinbase)', '0xbe9895146f7af43049ca1c1ae358b0541ea49704', 'exchangeRate()', AAVE],
  ['wBETH (Binance)', '0xa2e3356610840701bdf5611a53974510ae27e2e1', 'exchangeRate()', BALANCER],
];
const SAVINGS_DAI = `${RATE_PROVIDERS}/SavingsDAIRateProvider.md`;
const BENQI = `${ADDRESS_BOOK}/AaveV3Avalanche.ts`;
const LISTA = 'https://github.com/DefiLlama/DefiLlama-Adapters/blob/main/projects/synclub-staked-bnb/index.js';
const THRESHOLD = 'https://docs.threshold.network/contract-addresses/tbtc';
const CURVE = 'https://github.com/curvefi/curve-contract/blob/master/contracts/pools/ren/pooldata.json';
const LIDO = 'https://docs.lido.fi/deployed-contracts/';

/** Maintained by hand; each row needs a public source for its addresses. */
export const EVM_REDEMPTIONS: readonly EvmRedemption[] = [
  ...STAKED_ETHER.map((row) => rated('ethereum', 'ETH', row)),
  ...ISSUED_ETHER.map((row) => issued(rated('ethereum', 'ETH', row))),
  rated('ethereum', 'DAI', ['sDAI (Sky)', '0x83f20f44975d03b1b09e64809b757c47f942beea', ASSETS, SAVINGS_DAI]),
  rated('ethereum', 'USDS', ['sUSDS (Sky)', '0xa3931d71877c0e7a3148cb7eb4463524fec27fbd', ASSETS, BALANCER]),
  rated('ethereum', 'USDe', ['sUSDe (Ethena)', '0x9d39a5de30e57443bff2a8307a4256c8797a3497', ASSETS, AAVE]),
  rated('avalanche', 'AVAX', [
    'sAVAX (BENQI)',
    '0x2b2c81e08f1af8835a78bb2a90ae924ace0ea4be',
    'getPooledAvaxByShares(uint256)',
    BENQI,
  ]),
  rated('bsc', 'BNB', [
    'slisBNB (Lista)',
    '0xb0b84d294e0c75a6abe60171b70edeb2efd14a1b',
    'convertSnBnbToBnb(uint256)',
    LISTA,
    '0x1adb950d8bb3da4be104211d5ab038628e477fe6',
  ]),
  // The chains' own coins as tokens.
  ...EVM_CHAINS.map(({ name, native, wrappedNative: { symbol, address, source } }) =>
    wrapped(name, symbol, address, native.symbol, source),
  ),
  // Balances grow instead of the rate.
  wrapped('ethereum', 'stETH (Lido)', '0xae7ab96520de3a18e5e111b5eaab095312d7fe84', 'ETH', LIDO),
  wrapped('ethereum', 'tBTC (Threshold)', '0x18084fba666a33d37592fa2633fd49a74dd93a88', 'BTC', THRESHOLD),
  issued(wrapped('ethereum', 'WBTC (BitGo)', '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', 'BTC', AAVE)),
  // Its price is compared with bitcoin's, even if nobody redeems it.
  issued(wrapped('ethereum', 'renBTC (Ren)', '0xeb4c2781e4eba804ce9a9803c67d0893436bb27d', 'BTC', CURVE)),
  ...(['ethereum', 'base'] as const).map((chain) =>
    issued(
      wrapped(
        chain,
        'cbBTC (Coinbase)',
        '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf',
        'BTC',
        chain === 'base' ? `${ADDRESS_BOOK}/AaveV3Base.ts` : AAVE,
      ),
    ),
  ),
];

const BY_ASSET: ReadonlyMap<string, EvmRedemption> = new Map(
  EVM_REDEMPTIONS.map((row) => [`${row.chain}:${row.token}`, row]),
);

/** A token whose rate a contract states. */
function rated(chain: string, underlying: string, [name, token, call, source, contract = token]: Row): EvmRedemption {
  return { chain, token, name, underlying, basis: 'contract', rate: { contract, call }, source };
}

/** A token that is redeemed at a rate of one. */
function wrapped(
  chain: string,
  name: string,
  token: string,
  underlying: EvmRedemption['underlying'],
  source: string,
): EvmRedemption {
  return { chain, token, name, underlying, basis: 'contract', rate: null, source };
}

/** The same terms as stated by the company that holds the coins. */
function issued(row: EvmRedemption): EvmRedemption {
  return { ...row, basis: 'issuer' };
}
