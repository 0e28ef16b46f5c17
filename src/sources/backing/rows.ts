import { EVM_CHAINS } from '../../chains/index.ts';
import rows from './evm.json' with { type: 'json' };

/** A balance shown by the contract of the held asset itself: the chain's own coin, or an ERC-20 token by its address. */
export interface ShownBalance {
  readonly asset: string;
  readonly of: string;
}

/** A number that a contract states about assets held elsewhere. */
export interface StatedAmount {
  /** Signature with its return values: words only. */
  readonly call: string;
  readonly at: string;
  readonly args?: readonly string[];
  /** What each returned word counts, in the smallest units of the token; whole numbers, which may be below zero. */
  readonly times: readonly string[];
  /** Nothing where the contract does not have the call. */
  readonly optional?: boolean;
}

/** Backing of a token, and where it is read. */
export interface BackingRow {
  readonly chain: string;
  readonly token: string;
  readonly name: string;
  readonly held: readonly (ShownBalance | StatedAmount)[];
  /** Who states the amounts that no balance shows; absent where balances show all of it. */
  readonly stated_by?: string;
  /** `at_once`: every holder can redeem from the contract in one transaction. */
  readonly exit?: 'at_once';
  /** Where the addresses and calls can be checked. */
  readonly source: string;
}

/**
 * Tokens whose backing is read, by address. A contract returns what its author likes, so the getters of a vault or a wrapper prove
 * nothing: only the contracts listed here are read, and of that a balance counts as shown where the contract of the held asset gives it.
 * What a company alone states (cbETH, cbBTC) is not here.
 */
export const EVM_BACKING: readonly BackingRow[] = [
  ...(rows as readonly BackingRow[]),
  ...EVM_CHAINS.map(
    ({ name, wrappedNative: { symbol, address, source } }): BackingRow => ({
      chain: name,
      token: address,
      name: symbol,
      held: [{ asset: 'coin', of: address }],
      exit: 'at_once',
      source,
    }),
  ),
];

const BY_ASSET = new Map(EVM_BACKING.map((row) => [`${row.chain}:${row.token}`, row]));

/** The row of this very token (canonical address), or null. */
export function backingRow(chain: string, token: string): BackingRow | null {
  return BY_ASSET.get(`${chain}:${token}`) ?? null;
}

export function isShown(part: ShownBalance | StatedAmount): part is ShownBalance {
  return 'asset' in part;
}
