import type { EvidenceRecord } from '../src/domain/evidence.ts';
import { evidenceOf } from '../src/store/archive.ts';
import { openStore } from '../src/store/database.ts';
import { openDatabase } from '../src/store/embedded.ts';
import { testService } from '../test/support/service.ts';

/** The archived evidence of every token of the sandbox that can be rated, each scored once. */
export async function worldEvidence(): Promise<readonly EvidenceRecord[]> {
  const world = await testService();
  try {
    const jobs: string[] = [];
    for (const { name, url, symbol } of world.sandbox.world.tokens) {
      const json = { type: 'posttge', project: name, project_url: url, ...(symbol ? { token_symbol: symbol } : {}) };
      const reply = await world.call('/v1/score', { json, headers: { prefer: 'wait=60' } });
      const body = (await reply.json()) as { job_id?: string };
      if (reply.status === 200 && body.job_id) jobs.push(body.job_id);
    }
    const database = await openDatabase({
      databaseUrl: null,
      dataDir: world.dataDir,
      role: 'visitor',
      log: () => undefined,
    });
    const store = await openStore(database.url, 'sandbox');
    const records: EvidenceRecord[] = [];
    for (const job of jobs) {
      const stored = await evidenceOf(store.db, job);
      if (stored) records.push(JSON.parse(new TextDecoder().decode(stored.record)) as EvidenceRecord);
    }
    await store.close();
    await database.close();
    return records;
  } finally {
    await world.close();
  }
}
