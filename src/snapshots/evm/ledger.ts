import { type Hex, ZERO_ADDRESS } from '../../chains/index.ts';
import { type BalanceTable, EVM_KEYS, tableFromSums } from '../holders/balance-table.ts';
import type { Transfer } from './token.ts';

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
  for (const { from, to, amount } of transfers) {
    add(balances, from, -amount);
    add(balances, to, amount);
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

/**
 * A ledger as pages of bytes, for stores whose values are limited: a page of JSON with everything but the balances, then
 * pages of balances, each one `owner (20) | sign and length (1) | magnitude, most significant byte first`.
 */
export function* saveLedger(ledger: Ledger, pageBytes = PAGE_BYTES): Generator<Uint8Array> {
  const { token, from, settled, range, balances } = ledger;
  yield new TextEncoder().encode(
    JSON.stringify({ schema: SCHEMA, token, from, settled, range, owners: balances.size }),
  );
  let page = Buffer.allocUnsafe(pageBytes);
  let used = 0;
  for (const [owner, balance] of balances) {
    if (used + LARGEST_ENTRY > page.length) {
      yield page.subarray(0, used);
      page = Buffer.allocUnsafe(pageBytes);
      used = 0;
    }
    page.write(owner.slice(2), used, OWNER_BYTES, 'hex');
    const digits = (balance < 0n ? -balance : balance).toString(16);
    const magnitude = digits.length % 2 === 0 ? digits : `0${digits}`;
    const length = magnitude.length / 2;
    page[used + OWNER_BYTES] = balance < 0n ? length | NEGATIVE : length;
    page.write(magnitude, used + OWNER_BYTES + 1, length, 'hex');
    used += OWNER_BYTES + 1 + length;
  }
  if (used > 0) yield page.subarray(0, used);
}

/** Reads the saved ledger of this token; null when it is none (another version, another token, damaged in any place). */
export function loadLedger(pages: readonly Uint8Array[], token: Hex): Ledger | null {
  const [head, ...rest] = pages;
  const about = head === undefined ? null : headOf(head);
  if (about === null || about.token !== token) return null;
  const balances = new Map<Hex, bigint>();
  for (const bytes of rest) {
    const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < page.length; ) {
      const mark = page[at + OWNER_BYTES] ?? 0;
      const length = mark & ~NEGATIVE;
      const end = at + OWNER_BYTES + 1 + length;
      if (length === 0 || length > LARGEST_MAGNITUDE || end > page.length) return null;
      const owner: Hex = `0x${page.toString('hex', at, at + OWNER_BYTES)}`;
      const magnitude = BigInt(`0x${page.toString('hex', at + OWNER_BYTES + 1, end)}`);
      if (magnitude === 0n || balances.has(owner)) return null;
      balances.set(owner, mark & NEGATIVE ? -magnitude : magnitude);
      at = end;
    }
  }
  if (balances.size !== about.owners) return null;
  const { from, settled, range } = about;
  return { token, from, settled, range, balances };
}

const SCHEMA = 'assay.ledger/2';
const PAGE_BYTES = 4 * 1024 * 1024;
const OWNER_BYTES = 20;
const NEGATIVE = 0x80;
/** A sum of 256-bit amounts, with room for one that a lying token makes longer. */
const LARGEST_MAGNITUDE = 64;
const LARGEST_ENTRY = OWNER_BYTES + 1 + LARGEST_MAGNITUDE;

interface Head {
  readonly token: Hex;
  readonly from: number;
  readonly settled: BlockPoint | null;
  readonly range: number;
  readonly owners: number;
}

function headOf(bytes: Uint8Array): Head | null {
  let head: Readonly<Record<string, unknown>>;
  try {
    head = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
  if (typeof head !== 'object' || head === null) return null;
  const { schema, token, from, settled, range, owners } = head;
  const good =
    schema === SCHEMA &&
    typeof token === 'string' &&
    isCount(from, 0) &&
    isCount(range, 1) &&
    isCount(owners, 0) &&
    (settled === null || isPoint(settled));
  return good ? (head as unknown as Head) : null;
}

function isPoint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { number, hash } = value as Readonly<Record<string, unknown>>;
  return isCount(number, 0) && typeof hash === 'string' && /^0x[0-9a-f]{64}$/.test(hash);
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}
