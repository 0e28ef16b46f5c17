import {
  abiText,
  addressAt,
  type ChainFault,
  callData,
  ERC20,
  fault,
  type Hex,
  uintAt,
  ZERO_ADDRESS,
} from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';
import { type BalanceTable, EVM_KEYS, tableFromSums } from '../holders/balance-table.ts';
import type { EvmLog, EvmReader } from './reader.ts';

export interface Erc20 {
  readonly block: number;
  /** Base units. */
  readonly supply: bigint;
  /** 0-255. */
  readonly decimals: number;
  /** Untrusted text, at most 10 kB. */
  readonly name: string | null;
  readonly symbol: string | null;
}

const LONGEST_TEXT = 10_240;
/** Properties that an ERC-20 states at one block. `not_found` when the address has no such contract. */
export async function readErc20(
  reader: EvmReader,
  token: Hex,
  block: number | 'latest',
  signal?: AbortSignal,
): Promise<Result<Erc20, ChainFault>> {
  const getters = [ERC20.totalSupply, ERC20.decimals, ERC20.name, ERC20.symbol];
  const reply = await reader.calls(
    getters.map((data) => ({ to: token, data })),
    block,
    signal,
  );
  if (!reply.ok) return reply;
  const [supply, decimals, name, symbol] = reply.value.results;
  const total = supply ? uintAt(supply, 0) : null;
  if (total === null) return fault('not_found', 'there is no ERC-20 token at this address');
  const places = decimals ? uintAt(decimals, 0) : 0n;
  if (places === null || places > 255n) return fault('malformed', 'the token has absurd decimals');
  return ok({
    block: reply.value.block,
    supply: total,
    decimals: Number(places),
    name: name ? abiText(name, LONGEST_TEXT) : null,
    symbol: symbol ? abiText(symbol, LONGEST_TEXT) : null,
  });
}

/** Balances of owners at one block; null where the call failed. */
export async function readBalances(
  reader: EvmReader,
  token: Hex,
  owners: readonly Hex[],
  block: number,
  signal?: AbortSignal,
): Promise<Result<readonly (bigint | null)[], ChainFault>> {
  const calls = owners.map((owner) => ({ to: token, data: callData(ERC20.balanceOf, owner) }));
  const reply = await reader.calls(calls, block, signal);
  if (!reply.ok) return reply;
  return ok(reply.value.results.map((result) => (result === null ? null : uintAt(result, 0))));
}

/** keccak256("Transfer(address,address,uint256)"). */
export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export interface Transfer {
  readonly from: Hex;
  readonly to: Hex;
  /** Base units. */
  readonly amount: bigint;
}

/**
 * The ERC-20 transfer of a log, with indexed parameters or in the old form without; null for any other log (ERC-721
 * indexes the id).
 */
export function transferOf({ topics, data }: EvmLog): Transfer | null {
  if (topics[0] !== TRANSFER) return null;
  const indexed = topics.slice(1).map((topic) => topic.slice(2));
  const words: Hex = `0x${indexed.join('')}${data.slice(2)}`;
  if ((topics.length !== 3 && topics.length !== 1) || words.length !== 2 + 3 * 64) return null;
  const [from, to, amount] = [addressAt(words, 0), addressAt(words, 1), uintAt(words, 2)];
  return from === null || to === null || amount === null ? null : { from, to, amount };
}

/**
 * Transfers in the order of the chain. A log that occurs twice, or a block with two hashes, is the fault `malformed`.
 */
export function transfersOf(logs: readonly EvmLog[]): Result<readonly Transfer[], ChainFault> {
  const transfers: Transfer[] = [];
  let last: EvmLog | null = null;
  for (const log of logs) {
    const transfer = transferOf(log);
    if (transfer === null) return fault('refused', 'its Transfer events are not those of an ERC-20 token');
    if (last?.block === log.block) {
      if (last.blockHash !== log.blockHash) return fault('malformed', 'one block under two hashes');
      if (last.index >= log.index) return fault('malformed', 'a log came twice');
    }
    transfers.push(transfer);
    last = log;
  }
  return ok(transfers);
}

/** Sum of all transfers up to a block too deep to be reorganised. It is saved between runs. */
export interface Ledger {
  readonly token: Hex;
  /** First block that can hold a transfer. */
  readonly from: number;
  /** Newest block that is included; null before the first. */
  readonly settled: BlockPoint | null;
  /** Number of blocks of the last range that the node served in one piece. */
  readonly range: number;
  /** By owner, without the zero address: transfers from it mint, and transfers to it burn. */
  readonly balances: Map<Hex, bigint>;
}

export interface BlockPoint {
  readonly number: number;
  readonly hash: Hex;
}

/** A ledger and the changes of the newest blocks, which are read again each time, and never saved. */
export interface Holdings {
  readonly ledger: Ledger;
  readonly tail: ReadonlyMap<Hex, bigint>;
  /** The block of these balances. */
  readonly at: BlockPoint;
}

export function emptyLedger(token: Hex, from: number): Ledger {
  return { token, from, settled: null, range: 2_000, balances: new Map() };
}

/** Adds transfers to balances. A balance may become negative: then the list of transfers has gaps. */
export function move(balances: Map<Hex, bigint>, transfers: readonly Transfer[]): void {
  for (const { from, to, amount } of transfers) {
    add(balances, from, -amount);
    add(balances, to, amount);
  }
}

/** Holders as a table, and whether a balance is negative, which means that transfers are missing. */
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
 * A ledger as pages of bytes, for stores whose values are limited: a page of JSON with everything but the balances,
 * then pages of balances, each one `owner (20) | sign and length (1) | magnitude, most significant byte first`.
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

/** Reads the saved ledger of this token; null when it is invalid (another version, another token, damaged anywhere). */
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
/** Longest magnitude: sums of 256-bit amounts, with a reserve for tokens that state false amounts. */
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
