import type { Registry, SnapshotReader } from '../indexer/index.ts';
import { createRatedSnapshots, type RatedSnapshots } from '../indexer/index.ts';
import { loadMethodology } from '../methodology/index.ts';
import { ratedSnapshots } from '../snapshots/index.ts';
import type { Store } from '../store/index.ts';
import { createSnapshotWriter } from '../store/index.ts';
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
