/** A number in [0, 1). Everything drawn in a validation comes from one of these, so the same seed gives the same report. */
export type Random = () => number;

/** xoshiro128** (Blackman and Vigna 2018), seeded through splitmix32: 32 bits a draw, period 2^128 - 1. */
export function seededRandom(seed: number): Random {
  let mixer = seed >>> 0;
  const mix = () => {
    mixer = (mixer + 0x9e3779b9) >>> 0;
    let word = mixer;
    word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return (word ^ (word >>> 15)) >>> 0;
  };
  let [a, b, c, d] = [mix(), mix(), mix(), mix()];
  return () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result / 4_294_967_296;
  };
}

/** A whole number from 0 to `below` - 1. */
export function pickBelow(below: number, random: Random): number {
  return Math.floor(random() * below);
}

/** `count` of the given rows, without replacement, in their own order. All of them when there are no more. */
export function sampleOf<Row>(rows: readonly Row[], count: number, random: Random): readonly Row[] {
  if (rows.length <= count) return rows;
  const chosen: Row[] = [];
  // Selection sampling (Knuth, algorithm S): each row is taken with the chance that is left for it.
  for (const [index, row] of rows.entries())
    if (random() * (rows.length - index) < count - chosen.length) chosen.push(row);
  return chosen;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
