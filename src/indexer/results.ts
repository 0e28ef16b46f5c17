import type pg from 'pg';
import type { Snapshot } from '../contract/index.ts';
import type { SnapshotWriter } from '../store/index.ts';
import { endRuns, inTransaction, learnAssets, type NewSnapshot, type RunEnd, snapshotRow } from '../store/index.ts';

/** A run's end on its way into the store. */
export interface RunResult {
  readonly end: RunEnd;
  readonly snapshot: Snapshot | null;
}

export interface ResultStore {
  /** Resolves when the snapshot, its price and the plan of the next run are stored, all together. */
  put(result: RunResult): Promise<void>;
}

/** Runs that end within this time share a transaction: one flush to disk for all of them. */
const GATHER_MS = 20;
const MOST_AT_ONCE = 200;

/** Stores ends of runs in groups; a group that cannot be stored is tried one by one, so that one bad row harms no other. */
export function createResultStore(pool: pg.Pool, writer: SnapshotWriter, now: () => number): ResultStore {
  const waiting: { result: RunResult; done: () => void; failed: (error: unknown) => void }[] = [];
  let gathering = false;

  function flush(): void {
    const group = waiting.splice(0, MOST_AT_ONCE);
    gathering = waiting.length > 0;
    if (gathering) setTimeout(flush, 0);
    write(group.map((one) => one.result)).then(
      () => {
        for (const one of group) one.done();
      },
      (error: unknown) => {
        if (group.length === 1) group[0]?.failed(error);
        else for (const one of group) write([one.result]).then(one.done, one.failed);
      },
    );
  }

  async function write(results: readonly RunResult[]): Promise<void> {
    const snapshots = results.flatMap(({ snapshot }) => (snapshot === null ? [] : [snapshot]));
    const rows: NewSnapshot[] = snapshots.map(snapshotRow);
    const finish = async (client: pg.PoolClient) => {
      await learnAssets(
        client,
        snapshots.map((snapshot) => snapshot.asset),
      );
      await endRuns(
        client,
        results.map(({ end }) => end),
      );
    };
    if (rows.length === 0) await inTransaction(pool, finish);
    else await writer.store(rows, now(), finish);
  }

  return {
    put(result) {
      return new Promise((done, failed) => {
        waiting.push({ result, done, failed });
        if (gathering) return;
        gathering = true;
        setTimeout(flush, GATHER_MS);
      });
    },
  };
}
