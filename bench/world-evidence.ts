import type { EvidenceRecord } from '../src/domain/evidence.ts';
import { archivedEvidence } from '../test/support/archived-evidence.ts';
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
    return await archivedEvidence(world.dataDir, jobs);
  } finally {
    await world.close();
  }
}
