import { createHash } from 'node:crypto';
import type { EvidenceRecord } from '../src/domain/evidence.ts';
import { bindSources } from '../src/evidence/book.ts';
import { reobserve } from '../src/evidence/inspect.ts';
import { rebuildReport } from '../src/jobs/pipeline.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { SOURCES } from '../src/sources/index.ts';
import { bodyByHash, evidenceOf } from '../src/store/archive.ts';
import { openStore } from '../src/store/database.ts';
import { openDatabase } from '../src/store/embedded.ts';
import { noObjectStore } from '../src/store/moved.ts';
import { testService } from '../test/support/service.ts';

/** A hundred scored jobs, each recomputed from its archive: from the observations, and from the bodies read again. */
const JOBS = 100;
const world = await testService();
const assets = (
  (await (await fetch(`${world.sandbox.url}/__control/world`)).json()) as readonly {
    name: string;
    url: string;
    symbol: string;
    address: string | null;
    kind: string;
  }[]
).filter((asset) => asset.address && !['ambiguous', 'site_without_token'].includes(asset.kind));
const ids: string[] = [];
for (let i = 0; ids.length < JOBS; i += 4)
  ids.push(...(await Promise.all([0, 1, 2, 3].map((step) => score(i + step)))));

const database = await openDatabase({
  databaseUrl: null,
  dataDir: world.dataDir,
  role: 'visitor',
  log: () => undefined,
});
const store = await openStore(database.url, 'sandbox');
const methodology = loadMethodology();
const book = bindSources(SOURCES, world.config.sources);
const counts = { jobs: 0, sameFromObservations: 0, sameFromBodies: 0, bodies: 0, gone: 0, different: 0 };
let milliseconds = 0;
for (const id of ids.slice(0, JOBS)) {
  const stored = await evidenceOf(store.db, id, noObjectStore);
  if (!stored) throw new Error(`${id} has no evidence`);
  const evidence = JSON.parse(new TextDecoder().decode(stored.record)) as EvidenceRecord;
  const startedAt = performance.now();
  counts.jobs += 1;
  if (sameBytes(evidence, stored.result)) counts.sameFromObservations += 1;
  milliseconds += performance.now() - startedAt;
  const read = await reobserve(evidence, book, (sha256) => bodyByHash(store.db, sha256, noObjectStore));
  counts.bodies += read.bodies;
  counts.gone += read.gone;
  counts.different += read.different.length;
  if (sameBytes({ ...evidence, observations: read.observations }, stored.result)) counts.sameFromBodies += 1;
}
console.log(JSON.stringify({ ...counts, millisecondsEach: Number((milliseconds / counts.jobs).toFixed(1)) }));
await store.close();
await database.close();
await world.close();

function sameBytes(evidence: EvidenceRecord, result: Uint8Array): boolean {
  const rebuilt = rebuildReport(evidence, methodology);
  return rebuilt.ok && digest(rebuilt.bytes) === digest(result);
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function score(round: number): Promise<string> {
  const asset = assets[round % assets.length];
  const reply = await world.call('/v1/score', {
    json: {
      type: 'posttge',
      project: asset?.name,
      project_url: asset?.url,
      token_symbol: asset?.symbol,
      category: `replay ${round}`,
    },
  });
  const body = (await reply.json()) as { job_id?: string };
  if (reply.status !== 200 || !body.job_id) throw new Error(`${asset?.name}: ${JSON.stringify(body).slice(0, 200)}`);
  return body.job_id;
}
