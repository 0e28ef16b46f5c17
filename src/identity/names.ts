/** Jaro-Winkler likeness from which two names count as the same (methodology 2.1). */
const SAME_NAME = 0.92;
const WINKLER_PREFIX = 4;
const WINKLER_SCALE = 0.1;
const LONGEST = 64;

/** Words that a project adds to or leaves out of its own name. */
const EXTRAS = /\b(protocol|finance|network|token|coin|dao|labs?|foundation|chain|app|official|the)\b/g;

/** A name as it is compared: compatibility forms folded, lower case, letters and digits only, at most 64 characters. */
export function plainName(name: string): string {
  const folded = spaced(name);
  const bare = folded.replace(EXTRAS, ' ').replace(/\s+/g, '');
  return bare === '' ? folded.replace(/\s+/g, '') : bare;
}

/** How well a registry's name answers to the project's: `same` after folding, `alike` by Jaro-Winkler, else `other`. */
export function compareNames(project: string, name: string | null): 'same' | 'alike' | 'other' {
  if (name === null) return 'other';
  const left = plainName(project);
  const right = plainName(name);
  if (left === '' || right === '') return 'other';
  if (left === right) return 'same';
  // A letter of another script that looks the same is how a copy imitates a name.
  if (isAscii(left) !== isAscii(right)) return 'other';
  const whole = jaroWinkler(spaced(project).replace(/\s+/g, ''), spaced(name).replace(/\s+/g, ''));
  return Math.max(whole, jaroWinkler(left, right)) >= SAME_NAME ? 'alike' : 'other';
}

/** Jaro-Winkler similarity, 0-1 (Winkler 1990: prefix of at most 4, scale 0.1). Symmetric; 1 only for equal texts. */
export function jaroWinkler(left: string, right: string): number {
  if (left === right) return left === '' ? 0 : 1;
  const jaro = jaroOf(left, right);
  let prefix = 0;
  while (prefix < Math.min(WINKLER_PREFIX, left.length, right.length) && left[prefix] === right[prefix]) prefix += 1;
  return jaro + prefix * WINKLER_SCALE * (1 - jaro);
}

function jaroOf(left: string, right: string): number {
  const reach = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1);
  const taken = new Set<number>();
  const matchedLeft: number[] = [];
  for (let at = 0; at < left.length; at += 1) {
    for (let to = Math.max(0, at - reach); to <= Math.min(right.length - 1, at + reach); to += 1) {
      if (taken.has(to) || left[at] !== right[to]) continue;
      taken.add(to);
      matchedLeft.push(at);
      break;
    }
  }
  const count = matchedLeft.length;
  if (count === 0) return 0;
  const matchedRight = [...taken].sort((a, b) => a - b);
  const halfSwaps = matchedLeft.filter((at, index) => left[at] !== right[matchedRight[index] ?? -1]).length;
  return (count / left.length + count / right.length + (count - halfSwaps / 2) / count) / 3;
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function spaced(name: string): string {
  return name
    .slice(0, LONGEST * 4)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST);
}
