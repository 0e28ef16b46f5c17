/** Chance that comes out the same for the same seed. */
export interface Chance {
  /** In [0, 1). */
  next(): number;
  /** Whole, in [0, below). */
  below(below: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True this often. */
  once(share: number): boolean;
}

/** mulberry32: 32 bits of state are plenty for choosing test values. */
export function seeded(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number) => Math.floor(next() * most);
  return {
    next,
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to choose from');
      return item;
    },
    once: (share) => next() < share,
  };
}
