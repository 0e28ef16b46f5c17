import type { Config } from '../config/types.ts';
import { bindSources, type SourceBook } from '../evidence/book.ts';
import { type BulkLists, createBulkLists } from '../evidence/bulk.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/types.ts';
import { SOURCES } from '../sources/index.ts';
import { createUpstream } from '../upstream/client.ts';
import { systemResolver } from '../upstream/resolver.ts';
import type { Resolver, Upstream } from '../upstream/types.ts';

/** The sandbox is ours: there is nobody to be polite to, and a shared reply would hide a fault that was asked for. */
const UNBOUNDED = { perMinute: 1_000_000, burst: 100_000, concurrency: 256, shareSeconds: 0 };

/** What both the service and the command line ask the world with. */
export interface Engine {
  readonly book: SourceBook;
  readonly upstream: Upstream;
  readonly bulk: BulkLists;
  readonly methodology: Methodology;
  readonly close: () => Promise<void>;
}

/** Binds sources, client and methodology together. Nothing is asked yet. `now` dates the replies, in milliseconds since the epoch. */
export function createEngine(
  config: Config,
  resolver: Resolver = systemResolver(),
  now: () => number = Date.now,
): Engine {
  const methodology = loadMethodology();
  const book = bindSources(SOURCES, config.sources);
  const upstream = createUpstream({ resolver, clock: now, userAgent: `assay/0.1 (+${config.contact})` });
  for (const { source } of book.values())
    upstream.setBudget(source.name, config.dataMode === 'sandbox' ? UNBOUNDED : source.budget);
  const bulk = createBulkLists({ book, upstream, now });
  return {
    book,
    upstream,
    bulk,
    methodology,
    async close() {
      bulk.close();
      await upstream.close();
    },
  };
}
