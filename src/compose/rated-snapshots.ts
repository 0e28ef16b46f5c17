import type { createRatedSnapshots, RatedSnapshots, Registry, SnapshotReader } from '../indexer/index.ts';
import { loadMethodology } from '../methodology/index.ts';
import type { ratedSnapshots } from '../snapshots/index.ts';
import type { Store } from '../store/index.ts';
import { createSnapshotWriter } from '../store/index.ts';
import { keptPrices, newestHolders } from './kept-snapshots.ts';

/**
 * Snapshots of published ratings, for every process that finishes scoring jobs. The caller passes the two functions of the
 * rooms: a command imports their files alone.
 */
export function openRatedSnapshots(parts: {
  readonly store: Pick<Store, 'db' | 'pool'>;
  readonly registry: Pick<Registry, 'rated'>;
  readonly reader: Pick<SnapshotReader, 'latest'>;
  readonly onError: (error: unknown, what: string) => void;
  readonly createRatedSnapshots: typeof createRatedSnapshots;
  readonly ratedSnapshots: typeof ratedSnapshots;
}): RatedSnapshots {
  const { store, registry, reader, onError } = parts;
  const rules = loadMethodology().holders;
  return parts.createRatedSnapshots({
    writer: createSnapshotWriter(store.pool),
    registry,
    async before(assetId, asOf) {
      const [history, holders] = await Promise.all([
        keptPrices(store.db, assetId, asOf),
        newestHolders(reader, assetId),
      ]);
      return { history, holders };
    },
    build: (report, kept) => parts.ratedSnapshots(report, kept, rules),
    onError,
  });
}
