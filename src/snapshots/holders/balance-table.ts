/** Balances of one token by owner, as columns: ten million of them fit without an object each. */
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

/** How keys of one chain look. */
export interface KeyForm {
  /** 32 on Solana, 20 on EVM chains. */
  readonly keyBytes: number;
  /** 32-bit words of one balance, least first: 2 for u64, 8 for u256. */
  readonly words: number;
  /** The address as it is written. */
  readonly addressOf: (key: Uint8Array) => string;
  /** Order of addresses, for ties. */
  readonly compare: (a: Uint8Array, b: Uint8Array) => number;
  /** Bytes of an address; null when the text is none. */
  readonly keyOf: (address: string) => Uint8Array | null;
}

const CHUNK = 1 << 16;

/**
 * A table from (address, balance in base units) pairs; an address that comes twice is added up, zero balances are left
 * out. Throws a RangeError when an address is not of this form or a balance does not fit.
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

/** A table from balances that are added up already. */
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

/** The balance of one address; 0 when it holds nothing. */
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
