/** Formats a count with its noun in the singular or plural: `1 pool`, `2 pools`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/**
 * Nouns counted in the texts of a rating. Archived texts keep the plural after 1, because a replay must give the same
 * bytes.
 */
const NOUNS: ReadonlySet<string> = new Set(
  'advisers authors chains commits days failures families features holders hours months pages peers points pools providers pseudonyms questions registries rounds sources trades transactions venues wallets years'.split(
    ' ',
  ),
);
const AFTER_ONE = /(?<![\d.,-])\b1 ([a-z]+)\b/g;

/** Puts nouns after 1 into the singular, for readers: `1 pools read` becomes `1 pool read`. */
export function inNumber(text: string): string {
  return text.replace(AFTER_ONE, (all, noun: string) =>
    NOUNS.has(noun) ? `1 ${noun.replace(/ies$/, 'y').replace(/s$/, '')}` : all,
  );
}
