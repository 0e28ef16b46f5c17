/** Names of sources in brackets, or after `outvoted:`. */
const LISTS = /(\(|outvoted: )([a-z0-9_]+(?:, [a-z0-9_]+)*)(?= alone\)|\)|$)/g;

/**
 * Replaces the names of sources in the brackets of a rating's text, or after `outvoted:`, by their titles, for readers:
 * `(honeypot_is, goplus)` becomes `(Honeypot.is, GoPlus Security)`. A list with any other word is unchanged.
 */
export function withSourceTitles(text: string, titles: ReadonlyMap<string, string>): string {
  return text.replace(LISTS, (whole, before: string, list: string) => {
    const found = list.split(', ').map((name) => titles.get(name));
    return found.every((title) => title !== undefined) ? before + found.join(', ') : whole;
  });
}
