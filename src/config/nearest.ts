import { distance } from 'fastest-levenshtein';

/** The known name closest to a mistyped one by edits (Levenshtein); null when none is close. */
export function nearestName(given: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(3, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    const edits = distance(given, name);
    if (edits < least) {
      least = edits;
      best = name;
    }
  }
  return best;
}
