import table from './sources-by-kind.json' with { type: 'json' };

/**
 * Kinds of information that sources provide and other modules look up. In `provides`, a source declares its kinds with
 * its rank among the sources of each kind, from 1. The rank decides the order in which sources are named, and in which
 * their values count where order matters (docs/decisions/0030-sources-declare-what-they-tell.md).
 */
export const INFORMATION_KINDS = {
  market: 'prices, volumes, supplies or markets of a token: requested for its market snapshot',
  quote_prices: 'the price of a token that pools are quoted in',
  pools: 'which pools trade a token: requested for its pools snapshot',
  holdings: 'largest holders, their names, or the price of a token: requested for the holders snapshot',
  names: 'what the token at an address is called; the chain itself comes first',
  market_figures: 'depth, volume, volatility and age, for market features',
  pool_reserves: 'both sides of pools on any chain, each for itself',
  traders: 'distinct wallets that trade',
  peg: 'deviation of a coin from one dollar',
  stablecoins: 'pegs to other units than the dollar',
  venues: 'the exchanges that trade a token, and its markets there',
  own_markets: 'its own markets: an exchange that reports about itself',
  supply: 'the supply that a registry declares',
  insiders: 'the share of insiders',
  holders: 'how a token is distributed',
  chain: 'state of the chain, read from a node',
  solana_node: 'accounts on Solana, read from a node',
  evm_node: 'contracts and logs on EVM chains, read from a node',
  paged_accounts: 'all token accounts of a mint, in pages',
  explorer: 'transactions of an address and holders of a token, as an explorer lists them',
  testnet: 'use of contracts on test networks',
  scanners: 'what a security scan finds in a token',
  liquidity_locks: 'owner of the liquidity, and whether it is locked',
  verified_code: 'whether the published source matches the code on chain',
  proxies: 'whether a contract can be replaced',
  creators: 'other tokens of the same creator',
  creation: 'when a token was created',
  project_links: 'the website and the repositories of a project, as a registry names them',
  repository_links: 'where the code of a project is, or that none is shown',
  audits: 'reports of audits',
  audit_links: 'whether a project shows any audit',
  protocols: 'fees, revenue and value locked of a protocol',
  raises: 'rounds of funding',
  losses: 'exploits and the amounts lost',
  past_prices: 'prices of a past moment',
  site: 'statements of the project on its own website',
  code: 'activity in the repositories of a project',
  domain_registration: 'when a domain was registered',
  certificate: 'the certificate of a host',
} as const;

export type InformationKind = keyof typeof INFORMATION_KINDS;
/** Rank of a source by kind of information; absent: it does not provide that kind. */
export type ProvidedKinds = Readonly<Partial<Record<InformationKind, number>>>;
/** Names of the sources of each kind of information, in order of rank. */
export type SourcesByKind = Readonly<Record<InformationKind, readonly string[]>>;

/**
 * The sources of a kind of information, in order of rank. Read from a static table generated from the declarations of
 * all sources (`test/source-kinds.test.ts` compares the two), so that an archived rating is recomputed to the same
 * bytes.
 */
export function sourcesFor(kind: InformationKind): readonly string[] {
  return (table as SourcesByKind)[kind];
}

/** The source of a kind of information that has only one source. */
export function sourceFor(kind: InformationKind): string {
  const [only, ...others] = sourcesFor(kind);
  if (only === undefined || others.length > 0) throw new Error(`expected one source of ${kind}`);
  return only;
}
