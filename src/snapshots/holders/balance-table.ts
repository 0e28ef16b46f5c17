import { addressBytes, toBase58 } from '../../chains/index.ts';
import { LARGEST_EXACT, ordered, type SortedBalances } from '../../metrics/index.ts';

/** Balances of one token by owner, in columns: ten million of them fit in memory, since no owner is an object. */
export interface BalanceTable {
  /** Owners with a balance above zero. */
  readonly count: number;
  readonly chunks: readonly BalanceChunk[];
  readonly form: KeyForm;
}

/** A run of owners: key i at `i * form.keyBytes`, word j of balance i at `i * form.words + j`. */
export interface BalanceChunk {
  readonly count: number;
  readonly keys: Uint8Array;
  readonly balances: Uint32Array;
}

/** Format of one chain's keys. */
export interface KeyForm {
  /** 32 on Solana, 20 on EVM chains. */
  readonly keyBytes: number;
  /** 32-bit words of one balance, least first: 2 for u64, 8 for u256. */
  readonly words: number;
  /** Text form of an address. */
  readonly addressOf: (key: Uint8Array) => string;
  /** Order of addresses, for ties. */
  readonly compare: (a: Uint8Array, b: Uint8Array) => number;
  /** Bytes of an address; null if the text is malformed. */
  readonly keyOf: (address: string) => Uint8Array | null;
}

const CHUNK = 1 << 16;

/**
 * A table from (address, balance in base units) pairs; balances of the same address are added up, zero balances are
 * left out. Throws a RangeError when an address is not of this form or a balance does not fit.
 */
export function tableFromEntries(
  form: KeyForm,
  entries: Iterable<readonly [address: string, balance: bigint]>,
): BalanceTable {
  const sums = new Map<string, bigint>();
  for (const [address, balance] of entries) {
    if (balance < 0n) throw new RangeError(`a balance below zero: ${address}`);
    sums.set(address, (sums.get(address) ?? 0n) + balance);
  }
  return tableFromSums(form, sums);
}

/** A table from balances that are already added up. */
export function tableFromSums(form: KeyForm, sums: ReadonlyMap<string, bigint>): BalanceTable {
  const chunks: BalanceChunk[] = [];
  let filled = 0;
  let keys = new Uint8Array(0);
  let balances = new Uint32Array(0);
  const close = () => {
    if (filled > 0)
      chunks.push({
        count: filled,
        keys: keys.subarray(0, filled * form.keyBytes),
        balances: balances.subarray(0, filled * form.words),
      });
    filled = 0;
  };
  let count = 0;
  for (const [address, balance] of sums) {
    if (balance === 0n) continue;
    if (filled === CHUNK || filled === 0) {
      close();
      const size = Math.min(CHUNK, sums.size - count);
      keys = new Uint8Array(size * form.keyBytes);
      balances = new Uint32Array(size * form.words);
    }
    const key = form.keyOf(address);
    if (key === null) throw new RangeError(`not an address: ${address.slice(0, 80)}`);
    keys.set(key, filled * form.keyBytes);
    writeBalance(balances, filled * form.words, form.words, balance);
    filled += 1;
    count += 1;
  }
  close();
  return { count, form, chunks };
}

/** Balance i of a chunk, exact. */
export function balanceAt(chunk: BalanceChunk, index: number, words: number): bigint {
  let value = 0n;
  for (let word = words - 1; word >= 0; word -= 1)
    value = (value << 32n) | BigInt(chunk.balances[index * words + word] ?? 0);
  return value;
}

/** Balance i of a chunk as the nearest double. */
export function balanceNear(chunk: BalanceChunk, index: number, words: number): number {
  if (words !== 2) return Number(balanceAt(chunk, index, words));
  return (chunk.balances[index * 2 + 1] ?? 0) * 4_294_967_296 + (chunk.balances[index * 2] ?? 0);
}

/** Exact sum of all balances. */
export function totalOf(table: BalanceTable): bigint {
  let total = 0n;
  for (const { count, balances } of table.chunks) {
    for (let word = 0; word < table.form.words; word += 1) {
      // 2^20 words of 32 bits stay below 2^53: no addition rounds.
      let sum = 0;
      for (let start = 0; start < count; start += 1 << 20) {
        const end = Math.min(count, start + (1 << 20));
        sum = 0;
        for (let index = start; index < end; index += 1) sum += balances[index * table.form.words + word] ?? 0;
        total += BigInt(sum) << BigInt(32 * word);
      }
    }
  }
  return total;
}

/** The balance of one address; 0 when it has none. */
export function balanceOf(table: BalanceTable, key: Uint8Array): bigint {
  for (const chunk of table.chunks)
    for (let index = 0; index < chunk.count; index += 1)
      if (isKeyAt(chunk.keys, index * table.form.keyBytes, key)) return balanceAt(chunk, index, table.form.words);
  return 0n;
}

function isKeyAt(keys: Uint8Array, offset: number, key: Uint8Array): boolean {
  for (let index = 0; index < key.length; index += 1) if (keys[offset + index] !== key[index]) return false;
  return true;
}

function writeBalance(into: Uint32Array, offset: number, words: number, balance: bigint): void {
  if (balance >> BigInt(32 * words) !== 0n) throw new RangeError(`a balance above ${32 * words} bits`);
  for (let word = 0; word < words; word += 1)
    into[offset + word] = Number((balance >> BigInt(32 * word)) & 0xffff_ffffn);
}

/** Sorts a table's balances. 10 million take about two seconds, all of it in Float64Array.sort. */
export function sortBalances(table: BalanceTable): SortedBalances {
  const small = new Float64Array(table.count);
  const large: bigint[] = [];
  let filled = 0;
  for (const chunk of table.chunks) {
    for (let index = 0; index < chunk.count; index += 1) {
      const near = balanceNear(chunk, index, table.form.words);
      if (near <= LARGEST_EXACT) small[filled++] = near;
      else large.push(balanceAt(chunk, index, table.form.words));
    }
  }
  return ordered(large, small.subarray(0, filled));
}

export interface TopHolder {
  readonly address: string;
  readonly balance: bigint;
}

/**
 * The `most` largest holders, largest first; equal balances by address ascending, so that the order is always the same.
 */
export function topHolders(table: BalanceTable, most: number): readonly TopHolder[] {
  // A rising lower limit skips nearly all of ten million owners after one comparison.
  let floor = -1;
  let kept: { readonly chunk: BalanceChunk; readonly index: number; readonly near: number }[] = [];
  const shrink = () => {
    kept.sort((a, b) => b.near - a.near);
    const last = kept[most - 1];
    if (last === undefined) return;
    floor = last.near;
    // Rows equal to the last one stay: the address decides between them.
    kept = kept.filter((row) => row.near >= floor);
  };
  let limit = Math.max(2 * most, 256);
  for (const chunk of table.chunks) {
    for (let index = 0; index < chunk.count; index += 1) {
      const near = balanceNear(chunk, index, table.form.words);
      if (near < floor) continue;
      kept.push({ chunk, index, near });
      if (kept.length >= limit) {
        shrink();
        limit = Math.max(limit, 2 * kept.length);
      }
    }
  }
  shrink();
  const { form } = table;
  return kept
    .map(({ chunk, index }) => ({
      key: chunk.keys.subarray(index * form.keyBytes, (index + 1) * form.keyBytes),
      balance: balanceAt(chunk, index, form.words),
    }))
    .sort((a, b) => (a.balance > b.balance ? -1 : a.balance < b.balance ? 1 : form.compare(a.key, b.key)))
    .slice(0, most)
    .map(({ key, balance }) => ({ address: form.addressOf(key), balance }));
}

/** Owners of a Solana token: 32 bytes, u64 balances. */
export const SOLANA_KEYS: KeyForm = {
  keyBytes: 32,
  words: 2,
  addressOf: toBase58,
  keyOf: addressBytes,
  compare: Buffer.compare,
};

/** Holders of an ERC-20: 20 bytes in lower-case hex, u256 balances. */
export const EVM_KEYS: KeyForm = {
  keyBytes: 20,
  words: 8,
  addressOf: (key) => `0x${Buffer.from(key).toString('hex')}`,
  keyOf: (address) =>
    /^0x[0-9a-f]{40}$/i.test(address) ? Uint8Array.from(Buffer.from(address.slice(2), 'hex')) : null,
  compare: Buffer.compare,
};

/** Holders with names of any form (an imported file): the names are stored beside the table. */
export function textKeys(): KeyForm {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  const addressOf = (key: Uint8Array) => names[new DataView(key.buffer, key.byteOffset).getUint32(0)] ?? '';
  return {
    keyBytes: 4,
    words: 8,
    addressOf,
    keyOf(address) {
      const number = numbers.get(address) ?? names.push(address) - 1;
      numbers.set(address, number);
      const key = new Uint8Array(4);
      new DataView(key.buffer).setUint32(0, number);
      return key;
    },
    compare: (a, b) => (addressOf(a) < addressOf(b) ? -1 : 1),
  };
}

/** Why a file of holders cannot be read. */
export interface CsvFault {
  readonly line: number;
  readonly detail: string;
}

const LONGEST_LINE = 4_096;

/** Anomalies of a file of holders that can be read. */
export interface CsvOddities {
  /** Addresses that differ from an earlier one only in letter case, and the first of them. */
  readonly sameLetters: number;
  readonly example: string | null;
  /** Amounts with a fraction, which are whole tokens. */
  readonly fractions: number;
}

/**
 * Reads `address,amount` lines (RFC 4180 quoting, LF or CRLF, with or without a header; further columns are ignored) as
 * a stream. Amounts are base units, or whole tokens with a decimal point when `decimals` is given. Amounts of the same
 * address are added up.
 */
export async function readHolderCsv(
  chunks: AsyncIterable<Uint8Array>,
  form: KeyForm,
  decimals: number | null,
): Promise<
  | { readonly ok: true; readonly table: BalanceTable; readonly lines: number; readonly oddities: CsvOddities }
  | ({ readonly ok: false } & CsvFault)
> {
  const sums = new Map<string, bigint>();
  const decoder = new TextDecoder('utf-8', { fatal: false });
  let rest = '';
  let lines = 0;
  let fractions = 0;
  let fault: CsvFault | null = null;
  const take = (line: string) => {
    lines += 1;
    if (fault !== null || line.trim() === '') return;
    const cells = cellsOf(line);
    const [address = '', amount = ''] = cells.map((cell) => cell.trim());
    if (lines === 1 && cells.length >= 2 && !/^[-+]?\d/.test(amount)) return;
    const balance = amountOf(amount, decimals);
    if (address === '' || cells.length < 2) fault = { line: lines, detail: 'expected address,amount' };
    else if (balance === null)
      fault = {
        line: lines,
        detail:
          decimals === null
            ? `expected a whole number of base units, got ${JSON.stringify(amount.slice(0, 60))} (or give --decimals)`
            : `expected a number with at most ${decimals} decimals, got ${JSON.stringify(amount.slice(0, 60))}`,
      };
    else {
      sums.set(address, (sums.get(address) ?? 0n) + balance);
      if (amount.includes('.')) fractions += 1;
    }
  };
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const parts = rest.split(/\r?\n/);
    rest = parts.pop() ?? '';
    for (const line of parts) take(line);
    if (rest.length > LONGEST_LINE)
      return { ok: false, line: lines + 1, detail: `longer than ${LONGEST_LINE} characters` };
    if (fault !== null) return { ok: false, ...(fault as CsvFault) };
  }
  if (rest !== '') take(rest);
  if (fault !== null) return { ok: false, ...(fault as CsvFault) };
  try {
    return {
      ok: true,
      table: tableFromSums(form, sums),
      lines,
      oddities: { ...sameLettersOf(sums.keys()), fractions },
    };
  } catch (error) {
    return { ok: false, line: 0, detail: error instanceof Error ? error.message : 'cannot be read' };
  }
}

/** Largest number of compared addresses: more would take as much memory as the list itself. */
const MOST_COMPARED = 1_000_000;

function sameLettersOf(addresses: Iterable<string>): Omit<CsvOddities, 'fractions'> {
  const seen = new Set<string>();
  let sameLetters = 0;
  let example: string | null = null;
  for (const address of addresses) {
    if (seen.size >= MOST_COMPARED) break;
    const small = address.toLowerCase();
    if (seen.has(small)) {
      sameLetters += 1;
      example ??= address;
    }
    seen.add(small);
  }
  return { sameLetters, example };
}

function cellsOf(line: string): readonly string[] {
  if (!line.includes('"')) return line.split(/[,;\t]/);
  return [...line.matchAll(/(?:^|[,;\t])(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)].map(
    (match) => match[1]?.replaceAll('""', '"') ?? match[2] ?? '',
  );
}

/** Exact: no amount goes through a floating-point number. */
function amountOf(text: string, decimals: number | null): bigint | null {
  const match = /^\+?(\d{1,78})(?:\.(\d{1,255}))?$/.exec(text);
  if (!match) return null;
  const [, whole = '0', fraction = ''] = match;
  if (decimals === null) return fraction === '' ? BigInt(whole) : null;
  if (fraction.length > decimals) return null;
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0');
}
