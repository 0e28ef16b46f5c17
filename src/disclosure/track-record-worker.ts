import { parentPort, workerData } from 'node:worker_threads';
import { loadMethodology } from '../methodology/index.ts';
import type { RatedSeries } from '../publication/index.ts';
import { openTrackRecord } from '../publication/index.ts';
import { openStore, ratedSeries } from '../store/index.ts';
import type { ComputedTrackRecord, TrackRecordTask } from './track-record-keeper.ts';

/** Computes the track record in a separate thread; an exception ends the thread. */
const { databaseUrl, dataMode, asOf } = workerData as TrackRecordTask;
const store = await openStore(databaseUrl, dataMode);
try {
  const methodology = loadMethodology();
  const record = openTrackRecord(asOf, methodology);
  for await (const series of ratedSeries(store.db)) record.add(series as RatedSeries);
  const computed: ComputedTrackRecord = {
    record: record.result(),
    methodologyVersion: methodology.version,
    computedAt: asOf,
  };
  parentPort?.postMessage(computed);
} finally {
  await store.close();
}
