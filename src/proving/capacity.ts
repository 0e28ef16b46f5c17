import { budgetOf, type SourceBook } from '../evidence/index.ts';
import type { Reading } from './ask-panel.ts';

/** What one source can take in an hour. */
export interface SourceCapacity {
  readonly source: string;
  /** Requests of one asset: the most among those that were asked about. */
  readonly requestsPerAsset: number;
  readonly perMinute: number;
  readonly assetsPerHour: number;
  /** The same with a free key of the provider; null where one is set, or changes nothing that is known. */
  readonly assetsPerHourWithKey: number | null;
}

/**
 * How many assets an hour the budgets of the sources allow, the scarcest source first, from what the readings of a panel asked. Lists are fetched
 * once for all assets and do not count; nor do sources that answered nothing, which may not have been asked all. Pure.
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
      // The sites of projects have no common budget: each is asked for its own project alone.
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

/** Read from files of this installation. */
export function isLocal(url: string): boolean {
  return url.startsWith('file:');
}
