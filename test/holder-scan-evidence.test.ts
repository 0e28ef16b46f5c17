import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agree } from '../src/consensus/agree.ts';
import type { HoldersSnapshot } from '../src/contract/index.ts';
import type { EvidenceRecord } from '../src/domain/evidence.ts';
import { DAY_MS } from '../src/domain/statistics.ts';
import { newestHolderScan } from '../src/jobs/kept-snapshots.ts';
import { rebuildReport } from '../src/jobs/pipeline.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { analyseHolders } from '../src/metrics/holder-lists.ts';
import { ratedSnapshots } from '../src/snapshots/collector.ts';
import { evidenceOf as storedEvidence } from '../src/store/archive.ts';
import { noObjectStore } from '../src/store/moved.ts';
import { snapshotRow } from '../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter } from '../src/store/snapshots/write.ts';
import { archivedEvidence } from './support/archived-evidence.ts';
import { lookInto } from './support/durable-service.ts';
import { type TestService, testService } from './support/service.ts';

/** The newest complete scan of the holders that the indexer stored, as an observation of the next rating. */
const methodology = loadMethodology();
const NAME = 'Moonbadger';
const SCAN = 'holder_scan';
let world: TestService;
let asset: { readonly name: string; readonly chain: string; readonly address: string };

before(async () => {
  world = await testService();
  const listed = (await (await fetch(`${world.sandbox.url}/__control/world`)).json()) as readonly (typeof asset)[];
  asset = listed.find((row) => row.name === NAME) ?? assert.fail(NAME);
});
after(() => world.close());

interface Rated {
  readonly as_of: string;
  readonly collection_id: string;
  readonly trust_score: { readonly value: number };
}

async function evidenceOf(job: string): Promise<EvidenceRecord> {
  const [evidence] = await archivedEvidence(world.dataDir, [job]);
  return evidence ?? assert.fail(job);
}

const holders = async (): Promise<HoldersSnapshot> =>
  (await (await world.call(`/v1/${asset.chain}/${asset.address}/holders/snapshot`)).json()) as HoldersSnapshot;

async function scanned(): Promise<HoldersSnapshot> {
  await lookInto(world.dataDir, ({ pool }) =>
    pool.query(`update index_schedule set due_at = now() where due_at < now() + interval '1 minute'`),
  );
  for (const until = Date.now() + 30_000; ; ) {
    const found = await holders();
    if (found.method === 'full_scan' && found.status === 'complete') return found;
    assert.ok(Date.now() < until, `${found.method} ${found.status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const without = (evidence: EvidenceRecord): EvidenceRecord => ({
  ...evidence,
  observations: evidence.observations.filter((row) => row.source !== SCAN),
  responses: evidence.responses.filter((row) => row.source !== SCAN),
});

const isScan = ({ source }: { readonly source: string }) => source === SCAN;
const built = (evidence: EvidenceRecord) => {
  const rebuilt = rebuildReport(evidence, methodology);
  return rebuilt.ok ? rebuilt : assert.fail(rebuilt.detail);
};

test('a complete scan is an observation of the next rating, with its age; replay gives the same bytes', async () => {
  const first = (await (
    await world.call('/v1/score', {
      json: {
        type: 'posttge',
        project: NAME,
        project_url: 'https://moonbadger.example/',
        output_format: 'full',
      },
    })
  ).json()) as Rated;
  const plain = await evidenceOf(first.collection_id);
  assert.ok(!plain.responses.some(isScan) && !plain.observations.some(isScan));

  const scan = await scanned();
  const again = await world.call(`/v1/rms/${encodeURIComponent(scan.asset.id)}?fresh=true`);
  assert.equal(again.status, 200, await again.clone().text());
  const job = await lookInto(world.dataDir, async ({ pool }) => {
    const { rows } = await pool.query<{ id: string }>(
      `select id from jobs where state = 'succeeded' order by created_at desc limit 50`,
    );
    const found = await archivedEvidence(
      world.dataDir,
      rows.map((row) => row.id),
    );
    return found.find((one) => one.responses.some(isScan))?.jobId ?? assert.fail('no rating took the scan');
  });
  const evidence = await evidenceOf(job);

  const [response, ...others] = evidence.responses.filter(isScan);
  assert.deepEqual([response?.fetchedAt, response?.outcome, others], [scan.as_of, 'ok', []]);
  const [observation] = evidence.observations.filter(isScan);
  assert.deepEqual(
    [observation?.quantity, observation?.family, observation?.tier, observation?.observedAt, observation?.responseId],
    ['top_holders', 'chain:scan', 'chain', scan.as_of, response?.id],
  );
  const rows = observation?.value as readonly { readonly owner: string; readonly sharePct: number }[];
  assert.deepEqual(
    rows.map((row) => [row.owner, row.sharePct]),
    scan.top_holders.map((holder) => [holder.address, holder.share_pct]),
  );

  const listsOf = (one: EvidenceRecord) => agree(one.observations, methodology, one.asOf).top_holders;
  const voice = listsOf(evidence)?.voices.find(isScan);
  assert.deepEqual([voice?.accepted, voice?.tier], [true, 'chain']);
  assert.equal(listsOf(evidence)?.families, (listsOf(without(evidence))?.families ?? 0) + 1);

  const { bytes, report } = built(evidence);
  const stored = await lookInto(
    world.dataDir,
    async ({ db }) => (await storedEvidence(db, job, noObjectStore))?.result,
  );
  assert.ok(stored && Buffer.from(bytes).equals(stored), 'the rating is not what its evidence gives');
  const alone = built(without(evidence)).report;
  const [more, less] = [report, alone].map((one) => one.rating.trust);
  assert.ok(more && less && more.score > less.score, `${more?.score} with the scan, ${less?.score} without`);
  assert.ok((more.components.independence ?? 0) > (less.components.independence ?? 1));
  assert.ok(
    (more.components.freshness ?? 1) <= (less.components.freshness ?? 0),
    'an older list makes nothing fresher',
  );

  // A node that lied to the scan is one list among those of the others.
  const lie = [{ owner: asset.address, sharePct: 97 }, ...rows.slice(0, 30).map((row) => ({ ...row, sharePct: 0.1 }))];
  const lied = {
    ...evidence,
    observations: evidence.observations.map((row) => (isScan(row) ? { ...row, value: lie } : row)),
  };
  const analysis = (one: EvidenceRecord) =>
    analyseHolders(agree(one.observations, methodology, one.asOf), methodology.holders, {
      ...methodology.metrics.holderLists,
      errorChance: methodology.consensus.errorChance,
    }) ?? assert.fail('no list');
  const [honest, deceived] = [analysis(evidence), analysis(lied)];
  assert.ok(honest.families >= 3, `${honest.families} lists`);
  assert.ok(Math.abs(deceived.top10 - honest.top10) < 0.02, `${deceived.top10} and ${honest.top10}`);
  assert.ok(deceived.confidence < honest.confidence / 2, `${deceived.confidence} and ${honest.confidence}`);

  // A list that is a snapshot already makes no other one.
  assert.equal((await holders()).as_of, scan.as_of);
  const onlyScan = built({
    ...evidence,
    observations: evidence.observations.filter((row) => row.quantity !== 'top_holders' || isScan(row)),
  }).report;
  const made = ratedSnapshots(onlyScan, { history: [], holders: null }, methodology.holders);
  assert.ok(made.some(({ kind }) => kind === 'market') && !made.some(({ kind }) => kind === 'holders'));
});

test('a scan counts until the age limit for holders, also after a later list of less quality', async () => {
  const scan = await holders();
  const at = (days: number) => new Date(Date.parse(scan.as_of) + days * DAY_MS).toISOString();
  const lesser: HoldersSnapshot = { ...scan, as_of: at(3), method: 'indexer', status: 'incomplete_enumeration' };
  await lookInto(world.dataDir, async ({ db, pool }) => {
    await createSnapshotWriter(pool).store([lesser].map(snapshotRow), Date.parse(at(3)));
    const found = (days: number) => newestHolderScan(db, scan.asset.id, at(days), methodology);
    for (const days of [0, 1.9, 3.5, 5, 6.9]) assert.equal((await found(days))?.snapshot.as_of, scan.as_of, `${days}`);
    assert.equal(await found(7.1), null);
    assert.equal(await newestHolderScan(db, 'eip155:1/erc20:0x0', at(0), methodology), null);
  });
});
