import { CHAINS, EVM_CHAINS } from '../chains/index.ts';

/** A public test network whose explorer needs no key. */
export interface Testnet {
  readonly name: string;
  readonly title: string;
  /** Host of its Blockscout, from which usage is read. */
  readonly blockscoutHost: string;
  /** Hosts of explorers whose links name an address of the network, Blockscout included. */
  readonly explorerHosts: readonly string[];
}

/** The networks that are read. A fixed list, so that a page cannot choose the host of a request. */
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

/** The address on a test network that a link to one of the known explorers names; null for every other link. */
export function testnetAddress(link: string): TestnetAddress | null {
  const url = URL.parse(link);
  if (url?.protocol !== 'https:') return null;
  const found = TESTNETS.find((row) => row.explorerHosts.includes(url.hostname));
  const address = /^\/(?:address|token)\/(0x[0-9a-f]{40})(?:\/|$)/i.exec(url.pathname)?.[1];
  return found === undefined || address === undefined ? null : { testnet: found.name, address: address.toLowerCase() };
}

/** Scope of observations of such an address. */
export function testnetScope({ testnet, address }: TestnetAddress): string {
  return `testnet:${testnet}:${address}`;
}

const EXPLORER_PATH = {
  evm: /^\/(?:token|address)\/(0x[0-9a-fA-F]{40})/,
  solana: /^\/(?:token|address|account)\/([1-9A-HJ-NP-Za-km-z]{32,44})/,
} as const;

/** Values of the parameter by which Solana's explorers choose a cluster, for the main one. */
const MAIN_CLUSTER = /^(?:mainnet(?:-beta)?)?$/i;

/**
 * The chain and the address that a link to a block explorer names, EVM addresses in lower case; null for every other link, and for an
 * address on a test cluster of Solana, whose links differ only in a parameter.
 */
export function explorerAddress(link: string): { readonly chain: string; readonly address: string } | null {
  const url = URL.parse(link);
  const chain = CHAINS.find((row) => row.explorers.includes(url?.host ?? ''));
  if (chain?.kind === 'solana' && !MAIN_CLUSTER.test(url?.searchParams.get('cluster') ?? '')) return null;
  const address = chain && EXPLORER_PATH[chain.kind].exec(url?.pathname ?? '')?.[1];
  return address === undefined
    ? null
    : { chain: chain?.name ?? '', address: address.startsWith('0x') ? address.toLowerCase() : address };
}
