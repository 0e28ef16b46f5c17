import type { EvidenceRecord } from '../../src/domain/evidence.ts';
import { evidenceOf } from '../../src/store/archive.ts';
import { openStore } from '../../src/store/database.ts';
import { databaseOf } from '../../src/store/fixtures/database.ts';
import { noObjectStore } from '../../src/store/moved.ts';

/** What a sandbox service has archived of these jobs, read from its database; jobs without evidence are left out. */
export async function archivedEvidence(dataDir: string, jobs: readonly string[]): Promise<readonly EvidenceRecord[]> {
  const database = await databaseOf(dataDir, 'visitor');
  const store = await openStore(database.url, 'sandbox');
  const records: EvidenceRecord[] = [];
  for (const job of jobs) {
    const stored = await evidenceOf(store.db, job, noObjectStore);
    if (stored) records.push(JSON.parse(new TextDecoder().decode(stored.record)) as EvidenceRecord);
  }
  await store.close();
  await database.close();
  return records;
}
