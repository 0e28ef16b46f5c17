import type { ClusterRecord, DrainRecord, HoldersSnapshot, LaunchRecord } from '../../contract/index.ts';
import type { ForensicSubject, SearchState } from '../../domain/index.ts';
import { searchClusters } from './clusters.ts';
import { type SearchTools, searchDrains, searchLaunch } from './search.ts';

/** Searches of the chains' history, one at a time for each asset; findings are cached for a while. */
export interface Forensics {
  drains(subject: ForensicSubject, waitMs: number): Promise<SearchState<DrainRecord>>;
  clusters(subject: ForensicSubject, waitMs: number): Promise<SearchState<ClusterRecord>>;
  /**
   * Reads the launch of an asset and stores it for its ratings; null when the launch cannot be read, `busy` when other
   * searches run.
   */
  launch(subject: ForensicSubject): Promise<LaunchRecord | null | 'busy'>;
  close(): Promise<void>;
}

export interface ForensicsTools extends SearchTools {
  /** The newest stored holders of an asset. */
  readonly holders: (assetId: string) => Promise<HoldersSnapshot | null>;
  readonly onError: (error: unknown, what: string) => void;
}

/**
 * How long findings are cached: the past does not change, but more may be found when nodes respond again or money moves
 * on.
 */
const KEPT_MS = 6 * 3_600_000;
const PARTIAL_MS = 15 * 60_000;
const MOST_KEPT = 100;
/** Limit of running searches, of both kinds together. */
export const SEARCHES_AT_ONCE = 2;

export function createForensics(tools: ForensicsTools): Forensics {
  const stop = new AbortController();
  const running = new Set<Promise<unknown>>();
  const drains = keeper<DrainRecord>(tools, running, (subject) => searchDrains(tools, subject, stop.signal));
  const clusters = keeper<ClusterRecord>(tools, running, async (subject) =>
    searchClusters(tools, subject, await tools.holders(subject.asset.id), stop.signal),
  );
  return {
    drains,
    clusters,
    async launch(subject) {
      if (running.size >= SEARCHES_AT_ONCE) return 'busy';
      const search = searchLaunch(tools, subject, stop.signal);
      running.add(search);
      try {
        return await search;
      } finally {
        running.delete(search);
      }
    },
    async close() {
      stop.abort();
      await Promise.allSettled(running);
    },
  };
}

interface Kept<Found> {
  readonly startedAt: number;
  readonly search: Promise<Found | null>;
  found: { readonly record: Found; readonly until: number } | null;
}

function keeper<Found extends DrainRecord | ClusterRecord>(
  tools: ForensicsTools,
  running: Set<Promise<unknown>>,
  search: (subject: ForensicSubject) => Promise<Found>,
): (subject: ForensicSubject, waitMs: number) => Promise<SearchState<Found>> {
  const kept = new Map<string, Kept<Found>>();

  function begin(subject: ForensicSubject): Kept<Found> {
    const { id } = subject.asset;
    const entry: Kept<Found> = {
      startedAt: tools.now(),
      found: null,
      search: search(subject).then(
        (record) => {
          entry.found = { record, until: tools.now() + (isWhole(record) ? KEPT_MS : PARTIAL_MS) };
          return record;
        },
        (error: unknown) => {
          tools.onError(error, 'forensics');
          kept.delete(id);
          return null;
        },
      ),
    };
    running.add(entry.search);
    void entry.search.then(() => running.delete(entry.search));
    kept.set(id, entry);
    for (const [oldest, { found }] of kept) {
      if (kept.size <= MOST_KEPT) break;
      if (found !== null) kept.delete(oldest);
    }
    return entry;
  }

  return async (subject, waitMs) => {
    const { id, chain, address } = subject.asset;
    if (chain === null || address === null || address === 'native' || tools.nodesOf(chain).length === 0)
      return { state: 'unsupported' };
    let entry = kept.get(id);
    if (entry?.found && entry.found.until <= tools.now()) entry = undefined;
    if (entry === undefined && running.size >= SEARCHES_AT_ONCE) return { state: 'busy' };
    entry ??= begin(subject);
    if (entry.found === null && (await within(entry.search, waitMs)) === null) throw new Error('a search failed');
    if (entry.found !== null) return { state: 'found', ...entry.found };
    return { state: 'searching', startedAt: entry.startedAt };
  };
}

/** False when another search may find more: a node failed, or a bound was reached. */
function isWhole(record: DrainRecord | ClusterRecord): boolean {
  const sawNothing = 'verdict' in record && record.verdict === 'not_seen';
  return record.work.ended === 'complete' && !sawNothing && !record.limits.some(({ code }) => ANOTHER_TIME.has(code));
}

const ANOTHER_TIME: ReadonlySet<string> = new Set([
  'node_failed',
  'budget_spent',
  'transaction_not_kept',
  'no_indexer',
]);

/** The result of a search; undefined when it takes longer. */
async function within<Value>(search: Promise<Value>, waitMs: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, waitMs, undefined);
  });
  try {
    return await Promise.race([search, late]);
  } finally {
    clearTimeout(timer);
  }
}
