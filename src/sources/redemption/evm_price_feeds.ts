import type { Underlying } from './terms.ts';

/** A Chainlink feed of an underlying in dollars. */
export interface PriceFeed {
  readonly address: string;
  /** Seconds without an update after which it is not believed: its longest pause (heartbeat) and a margin. */
  readonly silenceSeconds: number;
}

/** The feed of an underlying on this chain, or null. Addresses: bgd-labs/aave-address-book, src/ts/Chainlink<chain>.ts. */
export function priceFeedOf(chain: string, underlying: Underlying): PriceFeed | null {
  const address = FEEDS[chain]?.[underlying];
  if (address === undefined) return null;
  return { address, silenceSeconds: HOURLY.has(address) ? 4_500 : 90_000 };
}

const ETH_ON_ETHEREUM = '0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419';
const BTC_ON_ETHEREUM = '0xf4030086522a5beea4988f8ca5b36dbc97bee88c';
/** Heartbeat of an hour (https://data.chain.link); no feed listed here pauses for longer than a day while its price stands still. */
const HOURLY: ReadonlySet<string> = new Set([ETH_ON_ETHEREUM, BTC_ON_ETHEREUM]);

const FEEDS: Readonly<Record<string, Readonly<Partial<Record<Underlying, string>>>>> = {
  ethereum: {
    ETH: ETH_ON_ETHEREUM,
    BTC: BTC_ON_ETHEREUM,
    DAI: '0xaed0c38402a5d19df6e4c03f4e2dced6e29c1ee9',
    USDS: '0xff30586cd0f29ed462364c7e81375fc0c71219b1',
    USDe: '0xa569d910839ae8865da8f8e70fffb0cba869f961',
  },
  base: {
    ETH: '0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70',
    BTC: '0x64c911996d3c6ac71f9b455b1e8e7266bcbd848f',
  },
  optimism: { ETH: '0x13e3ee699d1909e989722e753853ae30b17e08c5' },
  arbitrum: { ETH: '0x639fe6ab55c921f74e7fac1ee960c0b6293ba612' },
  bsc: { BNB: '0x0567f2323251f0aab15c8dfb1967e4e8a7d42aee' },
  avalanche: { AVAX: '0x0a77230d17318075983913bc2145db16c7366156' },
  // Named after the coin's old name; the market that lends WPOL reads it too.
  polygon: { POL: '0xab594600376ec9fd91f8e885dadf0ce036862de0' },
};
