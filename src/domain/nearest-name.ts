import { distance } from 'fastest-levenshtein';

/** The known name closest to a mistyped one by edits (Levenshtein); null when none is close, or none would share a letter. */
export function nearestName(given: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.min(Math.max(3, Math.floor(given.length / 3)) + 1, given.length);
  for (const name of known) {
    const edits = distance(given, name);
    if (edits < Math.min(least, name.length)) {
      least = edits;
      best = name;
    }
  }
  return best;
}
