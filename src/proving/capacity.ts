import { budgetOf, type SourceBook } from '../evidence/index.ts';
import type { Reading } from './request-panel.ts';

/** Capacity of one source per hour. */
export interface SourceCapacity {
  readonly source: string;
  /** Requests per asset: the maximum over the assets of the panel. */
  readonly requestsPerAsset: number;
  readonly perMinute: number;
  readonly assetsPerHour: number;
  /** The same with a free key of the provider; null where a key is set, or its effect is not known. */
  readonly assetsPerHourWithKey: number | null;
}

/**
 * Number of assets per hour that the budgets of the sources allow, scarcest source first, computed from the requests in
 * the readings of a panel. Lists are fetched once for all assets and do not count. Sources without any reply do not
 * count either, since they may not have received all requests. Pure.
 */
export function capacityOf(book: SourceBook, readings: readonly Reading[]): readonly SourceCapacity[] {
  const requests = new Map<string, Map<string, number>>();
  const answering = new Set<string>();
  for (const { asset, source, endpoint, answer } of readings) {
    if (answer.record.outcome === 'ok') answering.add(source.name);
    if (endpoint.role !== 'observe' || isLocal(answer.record.url)) continue;
    const byAsset = requests.get(source.name) ?? new Map<string, number>();
    byAsset.set(asset.id, (byAsset.get(asset.id) ?? 0) + 1);
    requests.set(source.name, byAsset);
  }
  return [...requests]
    .flatMap(([name, byAsset]): readonly SourceCapacity[] => {
      const bound = book.get(name);
      // Websites of projects have no common budget: each gets the requests of its own project only.
      if (!bound || !answering.has(name) || bound.source.trust === 'outside') return [];
      const requestsPerAsset = Math.max(...byAsset.values());
      const { perMinute } = budgetOf(bound);
      const free = bound.key === null ? (bound.source.key?.perMinute ?? null) : null;
      const hourly = (minute: number) => Math.floor((60 * minute) / requestsPerAsset);
      return [
        {
          source: name,
          requestsPerAsset,
          perMinute,
          assetsPerHour: hourly(perMinute),
          assetsPerHourWithKey: free === null ? null : hourly(free),
        },
      ];
    })
    .sort((a, b) => a.assetsPerHour - b.assetsPerHour || (a.source < b.source ? -1 : 1));
}

/** Sources read from files of this installation. */
export function isLocal(url: string): boolean {
  return url.startsWith('file:');
}
