import { EVM_CHAINS } from '../../chains/index.ts';
import rows from './evm.json' with { type: 'json' };

/** A balance that the held asset itself reports: the chain's own coin, or an ERC-20 token by its address. */
export interface ShownBalance {
  readonly asset: string;
  readonly of: string;
}

/** An amount of assets held elsewhere, as stated by a contract. */
export interface StatedAmount {
  /** Signature with its return values, which must be single words. */
  readonly call: string;
  readonly at: string;
  readonly args?: readonly string[];
  /** Factor of each returned word, in the smallest units of the token; an integer, which may be negative. */
  readonly times: readonly string[];
  /** True: a contract without this call counts as 0. */
  readonly optional?: boolean;
}

/** Where the backing of a token is read. */
export interface BackingRow {
  readonly chain: string;
  readonly token: string;
  readonly name: string;
  readonly held: readonly (ShownBalance | StatedAmount)[];
  /** Who states the amounts that no balance shows; absent if balances show the whole backing. */
  readonly stated_by?: string;
  /** `at_once`: every holder can redeem from the contract in one transaction. */
  readonly exit?: 'at_once';
  /** Where the addresses and calls can be checked. */
  readonly source: string;
}

/**
 * Tokens whose backing is read, by address. A contract can return anything, so the getters of a vault or a wrapper prove nothing.
 * Only the contracts listed here are read, and a balance counts as shown only if the contract of the held asset reports it.
 * Tokens whose backing only a company states (cbETH, cbBTC) are not listed.
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

/** The row of the token at this canonical address, or null. */
export function backingRow(chain: string, token: string): BackingRow | null {
  return BY_ASSET.get(`${chain}:${token}`) ?? null;
}

export function isShown(part: ShownBalance | StatedAmount): part is ShownBalance {
  return 'asset' in part;
}
