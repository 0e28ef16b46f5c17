import type { BalanceChunk, BalanceTable } from '../../holders/balance-table.ts';
import { SOLANA_KEYS } from '../../holders/key-forms.ts';

/** A token account as ten 32-bit words, least byte first: the owner in eight, the amount in two. */
export const ACCOUNT_WORDS = 10;
const OWNER_WORDS = 8;
/** Entries of one block of memory: growing never copies what is there. */
const BLOCK_BITS = 16;
const BLOCK = 1 << BLOCK_BITS;
const EMPTY = new Uint32Array(0);
/** Share of the index in use before it doubles. */
const FILL = 0.7;

/** Adds up amounts by owner: an open-addressing table over typed arrays, no object per owner. */
export interface OwnerSums {
  /** Adds `count` accounts of `ACCOUNT_WORDS` words each. Amounts of zero are counted and not kept. */
  add(accounts: Uint32Array, count: number): void;
  readonly accounts: number;
  readonly zeroAccounts: number;
  readonly owners: number;
  /** True when some owner's sum passed 2^64: no honest token can. */
  readonly overflowed: boolean;
  /** The sums as a table; nothing can be added afterwards. */
  table(): BalanceTable;
}

/** `seed` keeps whoever chooses the owners from choosing where they land; 32 random bits. */
export function createOwnerSums(seed: number): OwnerSums {
  // Owner and sum side by side: one place in memory to fetch per account.
  const blocks: Uint32Array[] = [];
  const hashes: Uint32Array[] = [];
  let index = new Uint32Array(1 << 16);
  let mask = index.length - 1;
  let owners = 0;
  let accounts = 0;
  let zeroAccounts = 0;
  let overflowed = false;

  function grow(): void {
    index = new Uint32Array(index.length * 2);
    mask = index.length - 1;
    for (let entry = 0; entry < owners; entry += 1) {
      let slot = ((hashes[entry >> BLOCK_BITS] as Uint32Array)[entry & (BLOCK - 1)] as number) & mask;
      while (index[slot] !== 0) slot = (slot + 1) & mask;
      index[slot] = entry + 1;
    }
  }

  function append(words: Uint32Array, at: number, hash: number): number {
    const block = owners >> BLOCK_BITS;
    const place = owners & (BLOCK - 1);
    if (place === 0) {
      blocks.push(new Uint32Array(BLOCK * ACCOUNT_WORDS));
      hashes.push(new Uint32Array(BLOCK));
    }
    const entries = blocks[block] as Uint32Array;
    for (let word = 0; word < OWNER_WORDS; word += 1)
      entries[place * ACCOUNT_WORDS + word] = words[at + word] as number;
    (hashes[block] as Uint32Array)[place] = hash;
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
   * Hashes of a batch, and a look at every place in memory it will need. The looks do not wait for each other, so that the
   * processor fetches many at once; one after another, as the sums need them, each would cost a whole cache miss.
   */
  function fetchAhead(words: Uint32Array, count: number): void {
    if (count > ahead.length) {
      ahead = new Uint32Array(count);
      entries = new Uint32Array(count);
    }
    for (let account = 0; account < count; account += 1) {
      const hash = hashOf(words, account * ACCOUNT_WORDS, seed);
      ahead[account] = hash;
      entries[account] = index[hash & mask] as number;
    }
    for (let account = 0; account < count; account += 1) {
      const entry = (entries[account] as number) - 1;
      // What is found there is written down only so that no compiler takes the look for useless.
      if (entry >= 0)
        entries[account] = (blocks[entry >> BLOCK_BITS] as Uint32Array)[
          (entry & (BLOCK - 1)) * ACCOUNT_WORDS
        ] as number;
    }
  }

  return {
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
        let entry = index[slot] as number;
        while (entry !== 0 && !isOwner(entry - 1, words, at)) {
          slot = (slot + 1) & mask;
          entry = index[slot] as number;
        }
        if (entry === 0) {
          entry = append(words, at, hash);
          index[slot] = entry;
          if (owners > index.length * FILL) grow();
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
    get owners() {
      return owners;
    },
    get overflowed() {
      return overflowed;
    },
    table() {
      const chunks: BalanceChunk[] = [];
      for (const [turn, block] of blocks.entries()) {
        const count = Math.min(BLOCK, owners - turn * BLOCK);
        const keys = new Uint32Array(count * OWNER_WORDS);
        const balances = new Uint32Array(count * 2);
        for (let entry = 0; entry < count; entry += 1) {
          const from = entry * ACCOUNT_WORDS;
          for (let word = 0; word < OWNER_WORDS; word += 1)
            keys[entry * OWNER_WORDS + word] = block[from + word] as number;
          balances[entry * 2] = block[from + 8] as number;
          balances[entry * 2 + 1] = block[from + 9] as number;
        }
        chunks.push({ count, keys: new Uint8Array(keys.buffer), balances });
        // Ten million owners are not held twice.
        blocks[turn] = EMPTY;
      }
      blocks.length = 0;
      return { count: owners, form: SOLANA_KEYS, chunks };
    },
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
