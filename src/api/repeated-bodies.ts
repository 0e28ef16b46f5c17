/** What was read from bodies that callers send again and again, such as the list of assets they poll. */
export interface RepeatedBodies {
  /** The very object that was read from this text before, frozen. */
  get(text: string): object | undefined;
  keep(text: string, value: unknown): void;
}

const MOST_KEPT = 64;

/** Remembers the newest bodies by their text; least recently used out first. */
export function createRepeatedBodies(): RepeatedBodies {
  const kept = new Map<string, object>();
  return {
    get(text) {
      const known = kept.get(text);
      if (known === undefined) return undefined;
      kept.delete(text);
      kept.set(text, known);
      return known;
    },
    keep(text, value) {
      if (typeof value !== 'object' || value === null) return;
      for (const part of Object.values(value)) Object.freeze(part);
      kept.set(text, Object.freeze(value));
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST_KEPT) break;
        kept.delete(oldest);
      }
    },
  };
}
