/** The known name closest to a mistyped one by edits (Levenshtein); null when none is close. */
export function nearestName(given: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(3, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(given, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
