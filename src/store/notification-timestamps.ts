/** When this process was last told of something about each of many assets. Monotonic milliseconds. */
export interface NotificationTimestamps {
  note(assetId: string): void;
  /** Nothing about the asset was told after this. */
  of(assetId: string): number;
}

/** Remembers `most` assets; what is forgotten counts as told when the last forgotten one was. */
export function createNotificationTimestamps(most: number, ticks: () => number): NotificationTimestamps {
  const times = new Map<string, number>();
  let forgotten = Number.NEGATIVE_INFINITY;
  return {
    note(assetId) {
      times.delete(assetId);
      times.set(assetId, ticks());
      if (times.size <= most) return;
      const [oldest] = times;
      if (oldest === undefined) return;
      forgotten = oldest[1];
      times.delete(oldest[0]);
    },
    of: (assetId) => times.get(assetId) ?? forgotten,
  };
}
