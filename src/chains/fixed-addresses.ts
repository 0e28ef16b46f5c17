interface BurnAddress {
  readonly address: string;
  readonly name: string;
  readonly source: string;
}

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** EVM addresses nobody has a key for and that tokens are sent to for good, lower-case. */
export const EVM_BURNS: readonly BurnAddress[] = [
  { address: ZERO_ADDRESS, name: 'zero address', source: 'nobody has a key' },
  { address: '0x000000000000000000000000000000000000dead', name: 'dead address', source: 'nobody has a key' },
];

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** Solana addresses nobody can sign for: the incinerator and the system program itself. */
export const SOLANA_BURNS: readonly BurnAddress[] = [
  {
    address: '1nc1nerator11111111111111111111111111111111',
    name: 'incinerator',
    source: 'Solana runtime: its balance is destroyed',
  },
  { address: SYSTEM_PROGRAM, name: 'system program', source: 'no token can be moved from it' },
];

export const EVM_BURN_ADDRESSES: readonly string[] = EVM_BURNS.map((row) => row.address);
export const SOLANA_BURN_ADDRESSES: readonly string[] = SOLANA_BURNS.map((row) => row.address);

const ALL: ReadonlySet<string> = new Set([...SOLANA_BURN_ADDRESSES, ...EVM_BURN_ADDRESSES]);

/** True for a burn address of any chain; EVM addresses in lower case. */
export function isBurnAddress(address: string): boolean {
  return ALL.has(address);
}

/**
 * The sanctions oracle of Chainalysis, the same address on every chain but Base
 * (https://go.chainalysis.com/chainalysis-oracle-docs.html). It may run days behind the lists.
 */
export const SANCTIONS_ORACLE = '0x40c57923924b5c5c5455c48d93317139addac8fb';
