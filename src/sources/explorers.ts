import { EVM_CHAINS } from '../chains/index.ts';

/** A public test network whose explorer answers without a key. */
export interface Testnet {
  readonly name: string;
  readonly title: string;
  /** Its Blockscout, from which usage is read. */
  readonly blockscoutHost: string;
  /** Hosts whose links name one of its addresses; the Blockscout too. */
  readonly explorerHosts: readonly string[];
}

/** The networks that are asked: a list, so that a page never says which host is spoken to. */
export const TESTNETS: readonly Testnet[] = EVM_CHAINS.flatMap((chain) =>
  chain.testnets.map(({ name, title, blockscoutHost, otherExplorers }) => ({
    name,
    title,
    blockscoutHost,
    explorerHosts: [blockscoutHost, ...otherExplorers],
  })),
);

/** An address on a public test network. */
export interface TestnetAddress {
  readonly testnet: string;
  /** `0x` and 40 digits, lower-case. */
  readonly address: string;
}

/** The address that a link to one of the known explorers names; null for every other link. */
export function testnetAddress(url: string): TestnetAddress | null {
  try {
    const { hostname, pathname, protocol } = new URL(url);
    if (protocol !== 'https:') return null;
    const found = TESTNETS.find((row) => row.explorerHosts.includes(hostname));
    const address = /^\/(?:address|token)\/(0x[0-9a-f]{40})(?:\/|$)/i.exec(pathname)?.[1];
    return found === undefined || address === undefined
      ? null
      : { testnet: found.name, address: address.toLowerCase() };
  } catch {
    return null;
  }
}

/** Scope of what is observed of such an address. */
export function testnetScope({ testnet, address }: TestnetAddress): string {
  return `testnet:${testnet}:${address}`;
}
