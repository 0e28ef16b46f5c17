import type { BalanceChunk } from '../holders/balance-table.ts';

/** A token account as ten 32-bit words, least byte first: the owner in eight, the amount in two. */
export const ACCOUNT_WORDS = 10;
const OWNER_WORDS = 8;
/** Entries of one block of memory: growing never copies existing entries. */
const BLOCK_BITS = 16;
const BLOCK = 1 << BLOCK_BITS;
/** Share of the index in use before it doubles. */
const FILL = 0.7;

/** Balances of owners in columns, and the number of accounts that they were in. */
export interface Sums {
  readonly chunks: readonly BalanceChunk[];
  readonly owners: number;
  readonly accounts: number;
  readonly zeroAccounts: number;
  /** True when an owner's sum exceeded 2^64, which no honest token allows. */
  readonly overflowed: boolean;
}

/** Adds up amounts by owner: an open-addressing table over typed arrays, no object per owner. */
export interface OwnerSums {
  /** Adds `count` accounts of `ACCOUNT_WORDS` words each. Amounts of zero are counted and not kept. */
  add(accounts: Uint32Array, count: number): void;
  readonly accounts: number;
  readonly zeroAccounts: number;
  /** The sums as accounts, one for each owner, to go on elsewhere; nothing can be added afterwards. */
  entries(): OwnerEntries;
  /** The sums in columns; nothing can be added afterwards. */
  whole(): Sums;
}

/** Sums as accounts, in blocks of memory of which the last may be filled in part. */
export interface OwnerEntries extends Omit<Sums, 'chunks'> {
  readonly blocks: readonly Uint32Array<ArrayBuffer>[];
}

/**
 * `seed` (32 random bits) prevents an attacker who chooses the owners from choosing their slots. `before`: sums with
 * which to begin.
 */
export function createOwnerSums(seed: number, before: OwnerEntries | null = null): OwnerSums {
  // Owner and sum are adjacent, so that each account needs one memory access.
  const blocks: Uint32Array<ArrayBuffer>[] = [];
  // Two words per slot, entry plus one and its hash: an owner that only shares the slot is detected without reading its
  // block.
  let index = new Uint32Array(1 << 17);
  let mask = index.length / 2 - 1;
  let owners = 0;
  let accounts = 0;
  let zeroAccounts = 0;
  let overflowed = false;

  function grow(): void {
    const before = index;
    index = new Uint32Array(before.length * 2);
    mask = index.length / 2 - 1;
    for (let from = 0; from < before.length; from += 2) {
      const entry = before[from] as number;
      if (entry === 0) continue;
      const hash = before[from + 1] as number;
      let slot = hash & mask;
      while (index[slot * 2] !== 0) slot = (slot + 1) & mask;
      index[slot * 2] = entry;
      index[slot * 2 + 1] = hash;
    }
  }

  function append(words: Uint32Array, at: number): number {
    const block = owners >> BLOCK_BITS;
    const place = owners & (BLOCK - 1);
    if (place === 0) blocks.push(new Uint32Array(BLOCK * ACCOUNT_WORDS));
    const entries = blocks[block] as Uint32Array;
    for (let word = 0; word < OWNER_WORDS; word += 1)
      entries[place * ACCOUNT_WORDS + word] = words[at + word] as number;
    owners += 1;
    return owners;
  }

  function isOwner(entry: number, words: Uint32Array, at: number): boolean {
    const key = blocks[entry >> BLOCK_BITS] as Uint32Array;
    const from = (entry & (BLOCK - 1)) * ACCOUNT_WORDS;
    return (
      key[from] === words[at] &&
      key[from + 1] === words[at + 1] &&
      key[from + 2] === words[at + 2] &&
      key[from + 3] === words[at + 3] &&
      key[from + 4] === words[at + 4] &&
      key[from + 5] === words[at + 5] &&
      key[from + 6] === words[at + 6] &&
      key[from + 7] === words[at + 7]
    );
  }

  let ahead = new Uint32Array(1 << 12);
  let entries = new Uint32Array(1 << 12);

  /**
   * Hashes a batch, and reads every memory location that it will need. The reads of one loop are independent, so that
   * the processor executes many at once; one after another, as the sums need them, each would cost a full cache miss.
   */
  function fetchAhead(words: Uint32Array, count: number): void {
    if (count > ahead.length) {
      ahead = new Uint32Array(count);
      entries = new Uint32Array(count);
    }
    const [hashes, found, slots, last] = [ahead, entries, index, mask];
    for (let account = 0; account < count; account += 1) hashes[account] = hashOf(words, account * ACCOUNT_WORDS, seed);
    for (let account = 0; account < count; account += 1)
      found[account] = slots[((hashes[account] as number) & last) * 2] as number;
    for (let account = 0; account < count; account += 1) {
      const hash = hashes[account] as number;
      let slot = hash & last;
      let entry = found[account] as number;
      while (entry !== 0 && slots[slot * 2 + 1] !== hash) {
        slot = (slot + 1) & last;
        entry = slots[slot * 2] as number;
      }
      found[account] = entry;
    }
    for (let account = 0; account < count; account += 1) {
      const entry = (found[account] as number) - 1;
      if (entry < 0) continue;
      const block = blocks[entry >> BLOCK_BITS] as Uint32Array;
      const place = (entry & (BLOCK - 1)) * ACCOUNT_WORDS;
      // Both ends, since an entry may span two cache lines. The values are stored only so that no compiler removes the
      // reads.
      found[account] = (block[place] as number) + (block[place + ACCOUNT_WORDS - 1] as number);
    }
  }

  const sums: OwnerSums = {
    add(words, count) {
      accounts += count;
      fetchAhead(words, count);
      for (let account = 0; account < count; account += 1) {
        const at = account * ACCOUNT_WORDS;
        const low = words[at + 8] as number;
        const high = words[at + 9] as number;
        if (low === 0 && high === 0) {
          zeroAccounts += 1;
          continue;
        }
        const hash = ahead[account] as number;
        let slot = hash & mask;
        let entry = index[slot * 2] as number;
        while (entry !== 0 && (index[slot * 2 + 1] !== hash || !isOwner(entry - 1, words, at))) {
          slot = (slot + 1) & mask;
          entry = index[slot * 2] as number;
        }
        if (entry === 0) {
          entry = append(words, at);
          index[slot * 2] = entry;
          index[slot * 2 + 1] = hash;
          if (owners > (mask + 1) * FILL) grow();
        }
        const sum = blocks[(entry - 1) >> BLOCK_BITS] as Uint32Array;
        const place = ((entry - 1) & (BLOCK - 1)) * ACCOUNT_WORDS + OWNER_WORDS;
        const lows = (sum[place] as number) + low;
        const highs = (sum[place + 1] as number) + high + (lows > 0xffff_ffff ? 1 : 0);
        if (highs > 0xffff_ffff) overflowed = true;
        sum[place] = lows;
        sum[place + 1] = highs;
      }
    },
    get accounts() {
      return accounts;
    },
    get zeroAccounts() {
      return zeroAccounts;
    },
    entries: () => ({ blocks, owners, accounts, zeroAccounts, overflowed }),
    whole() {
      const chunks = blocks.map((block, turn) => inColumns(block, Math.min(BLOCK, owners - turn * BLOCK)));
      blocks.length = 0;
      return { chunks, owners, accounts, zeroAccounts, overflowed };
    },
  };
  if (before !== null) {
    for (const [turn, block] of before.blocks.entries()) sums.add(block, Math.min(BLOCK, before.owners - turn * BLOCK));
    ({ accounts, zeroAccounts, overflowed } = before);
  }
  return sums;
}

/** The entries of a block as columns, in the memory of the block: ten million owners are not held twice. */
function inColumns(block: Uint32Array<ArrayBuffer>, count: number): BalanceChunk {
  const words = count < BLOCK ? block.slice(0, count * ACCOUNT_WORDS) : block;
  const balances = new Uint32Array(count * 2);
  for (let entry = 0; entry < count; entry += 1) {
    const from = entry * ACCOUNT_WORDS;
    balances[entry * 2] = words[from + OWNER_WORDS] as number;
    balances[entry * 2 + 1] = words[from + OWNER_WORDS + 1] as number;
    words.copyWithin(entry * OWNER_WORDS, from, from + OWNER_WORDS);
  }
  words.set(balances, count * OWNER_WORDS);
  return {
    count,
    keys: new Uint8Array(words.buffer, 0, count * OWNER_WORDS * 4),
    balances: words.subarray(count * OWNER_WORDS, count * ACCOUNT_WORDS),
  };
}

/** Murmur3's mixing over the eight words. */
function hashOf(words: Uint32Array, at: number, seed: number): number {
  let hash = seed;
  for (let word = 0; word < OWNER_WORDS; word += 1) {
    let part = Math.imul(words[at + word] as number, 0xcc9e2d51);
    part = (part << 15) | (part >>> 17);
    hash ^= Math.imul(part, 0x1b873593);
    hash = (hash << 13) | (hash >>> 19);
    hash = Math.imul(hash, 5) + 0xe6546b64;
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
