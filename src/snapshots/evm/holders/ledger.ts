import type { Hex } from '../../../chains/index.ts';
import { ZERO_ADDRESS } from '../../../chains/index.ts';
import { type BalanceTable, tableFromSums } from '../../holders/balance-table.ts';
import { EVM_KEYS } from '../../holders/key-forms.ts';
import type { Transfer } from './transfer.ts';

/** What transfers say up to a block too deep to be reorganised. This is what is saved between runs. */
export interface Ledger {
  readonly token: Hex;
  /** First block that can hold a transfer. */
  readonly from: number;
  /** Newest block that is counted in; null before the first. */
  readonly settled: BlockPoint | null;
  /** Blocks of the last range that the node gave in one piece. */
  readonly range: number;
  /** By owner; the zero address is not kept: what comes from it is minted, what goes to it is burned. */
  readonly balances: Map<Hex, bigint>;
}

export interface BlockPoint {
  readonly number: number;
  readonly hash: Hex;
}

/** A ledger and what the newest blocks add to it. The newest blocks are read anew each time, and never saved. */
export interface Holdings {
  readonly ledger: Ledger;
  readonly tail: ReadonlyMap<Hex, bigint>;
  /** The block these balances are of. */
  readonly at: BlockPoint;
}

export function emptyLedger(token: Hex, from: number): Ledger {
  return { token, from, settled: null, range: 2_000, balances: new Map() };
}

/** Adds transfers to balances. They may pass below zero on the way: a list with holes shows so. */
export function move(balances: Map<Hex, bigint>, transfers: readonly Transfer[]): void {
  for (const { from, to, value } of transfers) {
    add(balances, from, -value);
    add(balances, to, value);
  }
}

/** Holders as a table, and whether some balance is below zero: transfers are missing then. */
export function tableOf({ ledger, tail }: Pick<Holdings, 'ledger' | 'tail'>): {
  readonly table: BalanceTable;
  readonly hasHoles: boolean;
} {
  let hasHoles = false;
  const held = new Map<string, bigint>();
  const keep = (owner: Hex, balance: bigint) => {
    if (balance < 0n) hasHoles = true;
    else if (balance > 0n) held.set(owner, balance);
  };
  for (const [owner, balance] of ledger.balances) keep(owner, balance + (tail.get(owner) ?? 0n));
  for (const [owner, change] of tail) if (!ledger.balances.has(owner)) keep(owner, change);
  return { table: tableFromSums(EVM_KEYS, held), hasHoles };
}

function add(balances: Map<Hex, bigint>, owner: Hex, value: bigint): void {
  if (owner === ZERO_ADDRESS || value === 0n) return;
  const balance = (balances.get(owner) ?? 0n) + value;
  if (balance === 0n) balances.delete(owner);
  else balances.set(owner, balance);
}
