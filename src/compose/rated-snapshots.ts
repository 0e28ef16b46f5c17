import { createRatedSnapshots, type RatedSnapshots } from '../indexer/rated-snapshots.ts';
import type { Registry } from '../indexer/registry.ts';
import type { SnapshotReader } from '../indexer/types.ts';
import { loadMethodology } from '../methodology/load.ts';
import { ratedSnapshots } from '../snapshots/rated.ts';
import type { Store } from '../store/database.ts';
import { createSnapshotWriter } from '../store/snapshots/write.ts';
import { keptPrices, newestHolders } from './kept-snapshots.ts';

/** Snapshots of published ratings, for every process that finishes scoring jobs. */
export function openRatedSnapshots(parts: {
  readonly store: Pick<Store, 'db' | 'pool'>;
  readonly registry: Pick<Registry, 'rated'>;
  readonly reader: Pick<SnapshotReader, 'latest'>;
  readonly onError: (error: unknown, what: string) => void;
}): RatedSnapshots {
  const { store, registry, reader, onError } = parts;
  const rules = loadMethodology().holders;
  return createRatedSnapshots({
    writer: createSnapshotWriter(store.pool),
    registry,
    async before(assetId, asOf) {
      const [history, holders] = await Promise.all([
        keptPrices(store.db, assetId, asOf),
        newestHolders(reader, assetId),
      ]);
      return { history, holders };
    },
    build: (report, kept) => ratedSnapshots(report, kept, rules),
    onError,
  });
}
