import { exec } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { connect, openStore } from '../../src/store/database.ts';
import { publishRating } from '../../src/store/ratings/fixtures/rated-asset.ts';
import { assetAt, snapshotOf } from '../../src/store/snapshots/fixtures/snapshots.ts';
import { snapshotRow } from '../../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter } from '../../src/store/snapshots/write.ts';
import { createAlertLedger } from './alert-ledger.ts';
import { chanceOf, roundedMedian } from './claim.ts';
import { faultWorld } from './fault-world.ts';
import { createLedger } from './ledger.ts';
import { servesAgain } from './serving.ts';

/**
 * Kills of the nodes of a Citus cluster while a process of the service works and snapshots and ratings are stored, by hand:
 *
 *     ASSAY_TEST_DATABASE_URL=... ASSAY_TEST_CITUS_WORKERS=... npm run test:cluster -- --kill 'COMMAND' --up 'COMMAND'
 *
 * Each command is run by the shell with the number of a node at its end: 0 is the coordinator, 1 and on are the workers, in
 * the order of the setting. `--rounds` kills of each node, the workers first. A write counts when the database, or the service
 * with its status, acknowledged it; in the end each is looked for. Exit code 1 when one is missing, when an accepted score did
 * not end, when an alert is lost or doubled, or when the service's process ended.
 */
const { values } = parseArgs({
  options: {
    kill: { type: 'string' },
    up: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    writers: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    patience: { type: 'string', default: '1' },
  },
});
const { kill, up } = values;
const workers = (process.env.ASSAY_TEST_CITUS_WORKERS ?? '').split(',').filter((worker) => worker !== '');
if (!process.env.ASSAY_TEST_DATABASE_URL || workers.length === 0 || kill === undefined || up === undefined)
  throw new Error('needs ASSAY_TEST_DATABASE_URL, ASSAY_TEST_CITUS_WORKERS, --kill and --up');
const run = promisify(exec);
/** Between an acknowledged write before a kill and the next kill, milliseconds: all writers are at work again. */
const REST_MS = 4_000;
const DOWN_MS = 3_000;
/** Killed in the middle of a commit over several nodes, the cluster finishes it by itself within a minute. */
const SETTLE_MS = 65_000;
const SERVES_WITHIN_MS = 60_000;

interface Written {
  readonly assetId: string;
  readonly asOf: string;
}

const world = await faultWorld();
const store = await openStore(world.databaseUrl, 'sandbox');
const life = await world.start({ settings: { webhookLoopback: true } });
process.once('exit', () => life.child.kill('SIGKILL'));
const ledger = createLedger('cluster-kills', Number(values.patience));
const alerts = await createAlertLedger(life.call, world.databaseUrl);
alerts.keepReading(() => life.call);
const snapshots: Written[] = [];
const ratings: Written[] = [];
const stop = new AbortController();
let refused = 0;
let acknowledgedAt = performance.now();
let longestGap = 0;
const begun = Date.now();
const writing = [
  ...Array.from({ length: Number(values.writers) }, (_, writer) => write(writer)),
  ledger.keepWriting(() => life.call, chanceOf(Number(values.seed), 'writes'), stop.signal),
  alerts.keepRating(stop.signal),
];

const served: number[] = [];
const pauses: { readonly node: number; readonly longestMs: number }[] = [];
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const node of [...workers.keys()].map((worker) => worker + 1).concat(0)) {
    await sleep(REST_MS);
    longestGap = 0;
    await run(`${kill} ${node}`);
    await sleep(DOWN_MS);
    await run(`${up} ${node}`);
    served.push(await servesAgain(life.call, SERVES_WITHIN_MS * Number(values.patience)));
    await sleep(REST_MS);
    pauses.push({ node, longestMs: Math.round(longestGap) });
  }
stop.abort();
await Promise.all(writing);
await sleep(SETTLE_MS);
const broken = [...(await ledger.missing(life.call))];
const told = await alerts.settle();
broken.push(...told.broken);
if (life.child.exitCode !== null || life.child.signalCode !== null) broken.push('the service’s process ended');
await alerts.close();
await store.close();

const after = connect(world.databaseUrl);
const lost = {
  snapshots: (await missing('snapshots', snapshots)).length,
  ratings: (await missing('published_ratings', ratings)).length,
};
const { rows: version } = await after.pool.query<{ server: string; citus: string }>(
  `select current_setting('server_version') as server, extversion as citus from pg_extension where extname = 'citus'`,
);
const { rows: prepared } = await after.pool.query<{ left: number }>(
  'select count(*)::int as left from pg_prepared_xacts where database = current_database()',
);
await after.close();
await world.close();
console.log(
  JSON.stringify(
    {
      ...version[0],
      nodes: workers.length + 1,
      kills: pauses.length,
      acknowledged: { snapshots: snapshots.length, ratings: ratings.length },
      lost,
      service: { writes: ledger.count(), ...told.figures, broken },
      servesAgainMs: { median: roundedMedian(served), longest: Math.round(Math.max(...served)) },
      refused,
      preparedLeft: prepared[0]?.left,
      longestPauseMs: pauses,
    },
    null,
    1,
  ),
);
process.exit(lost.snapshots + lost.ratings + broken.length > 0 ? 1 : 0);

/** One snapshot and one rating after the other, of assets of its own; what is refused is tried again as a new one. */
async function write(writer: number): Promise<void> {
  const snapshotWriter = createSnapshotWriter(store.pool);
  for (let turn = 0; !stop.signal.aborted; turn += 1) {
    const asset = assetAt(writer * 1_000 + (turn % 50));
    const asOf = new Date(begun - 3_600_000 + turn * 1_000 + writer).toISOString();
    try {
      await snapshotWriter.store([snapshotRow(snapshotOf(asset, 'market', asOf))], begun);
      acknowledge(snapshots, { assetId: asset.id, asOf });
      await publishRating(store.db, asset, asOf, `job ${writer} ${turn}`);
      acknowledge(ratings, { assetId: asset.id, asOf });
    } catch {
      refused += 1;
      await sleep(50);
    }
  }
}

function acknowledge(ledger: Written[], written: Written): void {
  const now = performance.now();
  longestGap = Math.max(longestGap, now - acknowledgedAt);
  acknowledgedAt = now;
  ledger.push(written);
}

async function missing(table: 'snapshots' | 'published_ratings', ledger: readonly Written[]) {
  const { rows } = await after.pool.query<{ asset_id: string; as_of: string }>(`select asset_id, as_of from ${table}`);
  const there = new Set(rows.map((row) => `${row.asset_id} ${row.as_of}`));
  return ledger.filter((written) => !there.has(`${written.assetId} ${written.asOf}`));
}
