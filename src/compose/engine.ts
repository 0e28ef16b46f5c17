import type { Config } from '../config/index.ts';
import type { ResponseRecord } from '../domain/index.ts';
import {
  type BulkLists,
  bindSources,
  budgetOf,
  createBulkLists,
  type SharedLists,
  type SourceBook,
} from '../evidence/index.ts';
import { loadMethodology, type Methodology } from '../methodology/index.ts';
import { useOwnRegisters } from '../registers/index.ts';
import { SOURCES } from '../sources/index.ts';
import {
  claimList,
  type Database,
  pauseSource,
  readList,
  releaseList,
  reserveSlot,
  writeList,
} from '../store/index.ts';
import { createUpstream, type Resolver, type SharedTurns, systemResolver, type Upstream } from '../upstream/index.ts';

/** Budget of a sandbox by default: no limits, and no shared replies, which would hide a fault that a test requested. */
const UNBOUNDED = { perMinute: 1_000_000, burst: 100_000, concurrency: 256, shareSeconds: 0 };

/** Sources, HTTP client and methodology, for the service and for the command line. */
export interface Engine {
  readonly book: SourceBook;
  readonly upstream: Upstream;
  readonly bulk: BulkLists;
  readonly methodology: Methodology;
  /** Sets the number of processes that use the sources; each gets its part of the concurrent requests. */
  readonly shareWith: (processes: number) => void;
  /** Sets the current factors of the sources' reliability; the factor of a source that is not named is 1. */
  readonly setWeights: (weights: ReadonlyMap<string, number>) => void;
  /** Budgets over all processes, by source; empty when there are no budgets. */
  readonly budgets: () => readonly { readonly label: string; readonly perMinute: number; readonly burst: number }[];
  readonly close: () => Promise<void>;
}

/**
 * Combines sources, client and methodology. Sends no request yet. `now`: time of the replies, milliseconds since the
 * epoch. `turns` and `lists`: budgets and lists that are shared with other processes.
 */
export function createEngine(
  config: Config,
  resolver: Resolver = systemResolver(),
  now: () => number = Date.now,
  turns: SharedTurns | null = null,
  lists: SharedLists | null = null,
): Engine {
  const methodology = loadMethodology();
  useOwnRegisters(config.registersDir, config.dataMode);
  let weights: ReadonlyMap<string, number> = new Map();
  const book = bindSources(SOURCES, config.sources, (source) => weights.get(source) ?? 1);
  // Speed of budgets relative to live mode; 0: no budgets.
  const pace = config.dataMode === 'live' ? 1 : config.sandboxBudgets;
  const upstream = createUpstream({
    resolver,
    clock: now,
    ticks: () => Math.round(performance.now()),
    ...(pace > 0 && turns !== null ? { turns } : {}),
    userAgent: `assay/0.1 (+${config.contact})`,
  });
  const shareWith = (processes: number) => {
    for (const bound of book.values()) {
      const budget = budgetOf(bound);
      const part = Math.max(1, Math.floor(budget.concurrency / Math.max(1, processes)));
      const bounded = { ...budget, perMinute: budget.perMinute * pace, concurrency: part };
      upstream.setBudget(bound.source.name, pace > 0 ? bounded : UNBOUNDED);
    }
  };
  shareWith(1);
  const bulk = createBulkLists({ book, upstream, now, ...(pace > 0 && lists !== null ? { shared: lists } : {}) });
  return {
    book,
    upstream,
    bulk,
    methodology,
    shareWith,
    setWeights(next) {
      weights = next;
    },
    budgets: () =>
      pace > 0
        ? [...book.values()].map(({ source: { name, budget } }) => ({
            label: name,
            perMinute: budget.perMinute * pace,
            burst: budget.burst,
          }))
        : [],
    async close() {
      bulk.close();
      await upstream.close();
    },
  };
}

/**
 * Budgets of the sources that all processes share, in the database. While it is unavailable, each process keeps to its
 * own budget.
 */
export function sharedTurns(db: Database, onError: (error: unknown, what: string) => void): SharedTurns {
  return {
    take: (label, budget, mostWaitMs) =>
      reserveSlot(db, label, budget, mostWaitMs).catch((error: unknown) => {
        onError(error, 'turns at sources');
        return { taken: true, waitMs: 0 };
      }),
    pause: (label, milliseconds) =>
      void pauseSource(db, label, milliseconds).catch((error: unknown) => onError(error, 'turns at sources')),
  };
}

/** Lists that all processes share, in the database. While it is unavailable, each process fetches its own. */
export function sharedLists(
  db: Database,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): SharedLists {
  const guard = (work: Promise<void>) => work.catch((error: unknown) => onError(error, 'lists of sources'));
  return {
    async take(name, freshMs) {
      try {
        const stored = await readList(db, name, new Date(now() - freshMs).toISOString());
        if (stored) return { kind: 'held', record: JSON.parse(stored.record) as ResponseRecord, body: stored.body };
        return { kind: (await claimList(db, name)) ? 'mine' : 'busy' };
      } catch (error) {
        onError(error, 'lists of sources');
        return { kind: 'mine' };
      }
    },
    put: (name, record, body) => guard(writeList(db, name, record.fetchedAt, { record: JSON.stringify(record), body })),
    release: (name) => guard(releaseList(db, name)),
  };
}
