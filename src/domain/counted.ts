/** A count with its noun in the number that fits: `1 pool`, `2 pools`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Nouns that texts of a rating count. Archived texts keep the plural after 1, because a replay gives the same bytes. */
const NOUNS =
  'advisers|authors|chains|commits|days|failures|families|features|holders|hours|months|pages|peers|points|pools|providers|pseudonyms|questions|registries|rounds|sources|trades|transactions|venues|wallets|years';
const AFTER_ONE = new RegExp(`(?<![\\d.,-])\\b1 (${NOUNS})\\b`, 'g');

/** A text for readers with its nouns in the singular after 1: `1 pools read` as `1 pool read`. */
export function inNumber(text: string): string {
  return text.replace(AFTER_ONE, (_, noun: string) => `1 ${noun.replace(/ies$/, 'y').replace(/s$/, '')}`);
}
