import { readFile } from 'node:fs/promises';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import type { SandboxAddress } from '../../sandbox/settings.ts';
import { openRatingBook } from '../../src/compose/scoring.ts';
import type { EvidenceRecord } from '../../src/domain/evidence.ts';
import { buildReport } from '../../src/jobs/pipeline.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import { MONITOR_KEY } from '../../src/monitoring/rating-book.ts';
import { createSigner } from '../../src/signing/signer.ts';
import { connect } from '../../src/store/database.ts';
import { takeDueRatings } from '../../src/store/ratings/monitored.ts';
import { evidenceAs } from '../world-copies.ts';

/** One process of a pass over all due assets: takes, rates and publishes until none is due. */
export interface PassOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly sandbox: SandboxAddress;
  /** A file with the evidence of the seed, JSON. */
  readonly evidence: string;
}

/** Published in one transaction. */
const GROUP = Number(process.env.ASSAY_BENCH_GROUP ?? 50);
/** Concurrent groups: one is computed while the database works on another. */
const AT_ONCE = Number(process.env.ASSAY_BENCH_AT_ONCE ?? 2);
const LEASE_SECONDS = 60;

const options = JSON.parse(process.argv[2] ?? '{}') as PassOptions;
const templates = JSON.parse(await readFile(options.evidence, 'utf8')) as readonly EvidenceRecord[];
const methodology = loadMethodology();
const { db, close } = connect(options.databaseUrl);
const config = serviceOnSandbox(options.sandbox, { dataDir: options.dataDir, databaseUrl: options.databaseUrl });
const book = openRatingBook(config, await createSigner(db, Date.now));
const cpu = process.cpuUsage();
let rated = 0;
await Promise.all(Array.from({ length: AT_ONCE }, turns));
const { user, system } = process.cpuUsage(cpu);
await close();
process.stdout.write(`${JSON.stringify({ rated, cpu_seconds: (user + system) / 1e6 })}\n`);

/** Takes, rates and publishes groups until none is due. */
async function turns(): Promise<void> {
  for (;;) {
    const at = new Date();
    const due = await takeDueRatings(db, at.toISOString(), GROUP, LEASE_SECONDS);
    if (due.length === 0) return;
    const ids = due.map((one) => one.asset_id);
    await db.transaction().execute(async (transaction) => {
      const states = await book.lock(transaction, ids);
      const reports = ids.map((id) => {
        const evidence = evidenceAs(templateOf(id), { id, symbol: null, job: `pass_${at.getTime()}_${id}` }, at);
        return buildReport({ ...evidence, publication: states.get(id) ?? null }, methodology);
      });
      await book.keep(transaction, reports, { at: at.toISOString(), keyId: MONITOR_KEY });
    });
    rated += ids.length;
  }
}

/** The evidence behind an asset of this form; ids of copies differ from it at their end. */
function templateOf(id: string): EvidenceRecord {
  const found =
    templates.find(({ identification }) => id.startsWith(identification.asset.id.slice(0, -12))) ?? templates[0];
  if (!found) throw new Error('no evidence');
  return found;
}
