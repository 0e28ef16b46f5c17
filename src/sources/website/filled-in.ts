/** A page of less text says too little. */
const SHORTEST_PAGE = 40;

/** False for a page that scripts fill in, which is nearly empty here: what does not stand on it may well be there. */
export function isFilledIn(words: string): boolean {
  return words.length >= SHORTEST_PAGE && !/enable javascript|loading/i.test(words);
}
