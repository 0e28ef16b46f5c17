/** Times of the last notification about each asset, in this process. Monotonic milliseconds. */
export interface NotificationTimestamps {
  note(assetId: string): void;
  /** No notification about the asset came after this time. */
  of(assetId: string): number;
}

/** Keeps `most` assets; a dropped asset has the time of the newest dropped one. */
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
