/** A map of at most `most` entries made on demand; the one untouched the longest goes first. Hosts that outsiders choose cannot fill our memory. */
export interface BoundedMap<Value> {
  get(key: string, make: () => Value): Value;
  values(): IterableIterator<Value>;
}

/** Builds an empty map. */
export function createBoundedMap<Value>(most: number): BoundedMap<Value> {
  const held = new Map<string, Value>();
  return {
    get(key, make) {
      const value = held.get(key) ?? make();
      held.delete(key);
      held.set(key, value);
      if (held.size > most) {
        const [oldest] = held.keys();
        if (oldest !== undefined) held.delete(oldest);
      }
      return value;
    },
    values: () => held.values(),
  };
}
