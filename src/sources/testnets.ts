/** A public test network whose explorer answers without a key. */
export interface Testnet {
  readonly name: string;
  readonly title: string;
  /** Its Blockscout, from which usage is read. */
  readonly blockscoutHost: string;
  /** Hosts whose links name one of its addresses; the Blockscout too. */
  readonly explorerHosts: readonly string[];
}

/**
 * The networks that are asked: a list, so that a page never says which host is spoken to. Hosts as in
 * https://github.com/ethereum-lists/chains (chains 11155111, 560048, 84532, 11155420, 421614) and Blockscout's own list of instances.
 */
export const TESTNETS: readonly Testnet[] = [
  testnet('sepolia', 'Ethereum Sepolia', 'eth-sepolia.blockscout.com', ['sepolia.etherscan.io']),
  testnet('hoodi', 'Ethereum Hoodi', 'eth-hoodi.blockscout.com', ['hoodi.etherscan.io']),
  testnet('base_sepolia', 'Base Sepolia', 'base-sepolia.blockscout.com', ['sepolia.basescan.org']),
  testnet('optimism_sepolia', 'OP Sepolia', 'optimism-sepolia.blockscout.com', ['sepolia-optimism.etherscan.io']),
  testnet('arbitrum_sepolia', 'Arbitrum Sepolia', 'arbitrum-sepolia.blockscout.com', ['sepolia.arbiscan.io']),
];

function testnet(name: string, title: string, blockscoutHost: string, others: readonly string[]): Testnet {
  return { name, title, blockscoutHost, explorerHosts: [blockscoutHost, ...others] };
}

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
