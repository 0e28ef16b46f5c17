import { type BalanceTable, tableFromSums } from '../../holders/balance-table.ts';
import { EVM_KEYS } from '../../holders/key-forms.ts';
import type { Hex } from '../types.ts';
import { type Transfer, ZERO } from './transfer.ts';

/** A block and what it changed; kept for blocks that may still be reorganised away. */
export interface BlockChange {
  readonly number: number;
  readonly hash: Hex;
  readonly transfers: readonly Transfer[];
}

/** Where a scan of transfers stands. Plain data: it is saved between runs. */
export interface Ledger {
  readonly token: Hex;
  /** First block that can hold a transfer. */
  readonly from: number;
  /** Newest block that is too deep to be reorganised; what is below it is settled. Null before the first. */
  readonly settled: { readonly number: number; readonly hash: Hex } | null;
  /** Blocks above `settled` that hold transfers, oldest first, and the newest block that was read. */
  readonly recent: readonly BlockChange[];
  readonly newest: { readonly number: number; readonly hash: Hex } | null;
  /** Blocks of the last range that the node gave in one piece. */
  readonly range: number;
  /** By owner; the zero address is not kept: what comes from it is minted, what goes to it is burned. */
  readonly balances: Map<Hex, bigint>;
}

export function emptyLedger(token: Hex, from: number): Ledger {
  return { token, from, settled: null, recent: [], newest: null, range: 2_000, balances: new Map() };
}

/** Moves tokens (`sign` 1) or moves them back (-1). Balances may pass below zero on the way: a list with holes shows so. */
export function move(balances: Map<Hex, bigint>, transfers: readonly Transfer[], sign: 1n | -1n): void {
  for (const { from, to, value } of transfers) {
    add(balances, from, -sign * value);
    add(balances, to, sign * value);
  }
}

/** Holders as a table, and whether some balance is below zero: transfers are missing then. */
export function tableOf({ balances }: Ledger): { readonly table: BalanceTable; readonly hasHoles: boolean } {
  let hasHoles = false;
  const held = new Map<string, bigint>();
  for (const [owner, balance] of balances) {
    if (balance < 0n) hasHoles = true;
    else held.set(owner, balance);
  }
  return { table: tableFromSums(EVM_KEYS, held), hasHoles };
}

/** The ledger as bytes, to be resumed after a kill. */
export function saveLedger({ balances, ...rest }: Ledger): Uint8Array {
  const text = JSON.stringify({ ...rest, balances: [...balances] }, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return new TextEncoder().encode(text);
}

/** Reads a saved ledger of this token; null when it is none (another version, another token, damaged). */
export function loadLedger(bytes: Uint8Array, token: Hex): Ledger | null {
  try {
    const saved = JSON.parse(new TextDecoder().decode(bytes)) as Omit<Ledger, 'balances' | 'recent'> & {
      readonly balances: readonly (readonly [Hex, string])[];
      readonly recent: readonly {
        number: number;
        hash: Hex;
        transfers: readonly { from: Hex; to: Hex; value: string }[];
      }[];
    };
    if (saved.token !== token || !Array.isArray(saved.balances) || !Array.isArray(saved.recent)) return null;
    return {
      ...saved,
      recent: saved.recent.map((block) => ({
        ...block,
        transfers: block.transfers.map((transfer: { from: Hex; to: Hex; value: string }) => ({
          ...transfer,
          value: BigInt(transfer.value),
        })),
      })),
      balances: new Map(saved.balances.map(([owner, balance]) => [owner, BigInt(balance)])),
    };
  } catch {
    return null;
  }
}

function add(balances: Map<Hex, bigint>, owner: Hex, value: bigint): void {
  if (owner === ZERO || value === 0n) return;
  const balance = (balances.get(owner) ?? 0n) + value;
  if (balance === 0n) balances.delete(owner);
  else balances.set(owner, balance);
}
