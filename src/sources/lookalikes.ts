import { domainToUnicode } from 'node:url';

// For short names a small edit distance is meaningless: `aave` and `save` are two edits from many unrelated names.
const SHORTEST_FOR_ONE = 5;
const SHORTEST_FOR_TWO = 7;

/**
 * The well-known domain that `domain` could be mistaken for: identical after folding similar letters, or at most two edits
 * away (methodology 2.1). Null if there is none, or if `domain` itself is known.
 */
export function confusableWith(domain: string, known: readonly string[]): string | null {
  if (known.includes(domain)) return null;
  const look = skeleton(domain);
  const same = known.find((other) => skeleton(other) === look);
  if (same !== undefined) return same;
  const label = labelOf(domain);
  const allowed = label.length >= SHORTEST_FOR_TWO ? 2 : label.length >= SHORTEST_FOR_ONE ? 1 : 0;
  if (allowed === 0) return null;
  return (
    known.find((other) => labelOf(other).length >= SHORTEST_FOR_ONE && distanceWithin(domain, other, allowed)) ?? null
  );
}

/** Letters and groups that look like others (a short list modelled on Unicode TS 39), applied to the Unicode form. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[аàáâãäåāăąα]/g, 'a'],
  [/[еèéêëēėęěє]/g, 'e'],
  [/[оòóôõöøōőο0]/g, 'o'],
  [/[іìíîïīįıι1|lɩ]/g, 'i'],
  [/[сçćĉċč]/g, 'c'],
  [/[рρ]/g, 'p'],
  [/[хχ×]/g, 'x'],
  [/[уýÿγ]/g, 'y'],
  [/[ѕśŝşš5]/g, 's'],
  [/[ԁďđ]/g, 'd'],
  [/[һ]/g, 'h'],
  [/[ј]/g, 'j'],
  [/[ԛ]/g, 'q'],
  [/[ԝ]/g, 'w'],
  [/[ùúûüūůű]/g, 'u'],
  [/[ñńņňη]/g, 'n'],
  [/[κķ]/g, 'k'],
  [/[τťţ]/g, 't'],
  [/[νѵ]/g, 'v'],
  [/[мm]|rn/g, 'm'],
  [/vv/g, 'w'],
];

function skeleton(domain: string): string {
  const unicode = (domainToUnicode(domain) || domain).normalize('NFKC').toLowerCase();
  const label = LOOKALIKES.reduce((text, [pattern, letter]) => text.replace(pattern, letter), labelOf(unicode));
  return `${label}${unicode.slice(labelOf(unicode).length)}`;
}

/** ASCII letters with the replacements that are common in typing errors and in names registered for imitation. */
const FORGED: readonly (readonly [letter: string, instead: string])[] = [
  ['l', '1'],
  ['i', 'l'],
  ['o', '0'],
  ['m', 'rn'],
  ['w', 'vv'],
  ['s', '5'],
  ['e', '3'],
  ['a', '4'],
];

/** At most `most` labels that look like this one, likeliest first. Each has the first occurrence of one letter replaced. */
export function forgedLabels(label: string, most: number): readonly string[] {
  return FORGED.filter(([letter]) => label.includes(letter))
    .map(([letter, instead]) => label.replace(letter, instead))
    .slice(0, most);
}

/** The first label of a domain. */
export function labelOf(domain: string): string {
  return domain.split('.')[0] ?? '';
}

/** True when at most `most` insertions, deletions or substitutions turn one text into the other (Levenshtein). */
function distanceWithin(left: string, right: string, most: number): boolean {
  if (Math.abs(left.length - right.length) > most) return false;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= right.length; to += 1) {
      const swap = (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1);
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, swap));
    }
    if (Math.min(...next) > most) return false;
    row = next;
  }
  return (row[right.length] ?? 0) <= most;
}
