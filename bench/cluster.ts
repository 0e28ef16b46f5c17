import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { moveDatabase, PIECE_BYTES } from '../src/operations/migrate-to/move.ts';
import { openStore, type Store } from '../src/store/database.ts';
import { type GivenDatabase, givenDatabase } from '../src/store/fixtures/given-server.ts';
import { publishRating } from '../src/store/ratings/fixtures/rated-asset.ts';
import { listRated, newestRatings, type RatedListQuery } from '../src/store/ratings/read.ts';
import { assetAt, snapshotOf } from '../src/store/snapshots/fixtures/snapshots.ts';
import { latestSnapshot } from '../src/store/snapshots/read.ts';
import { snapshotRow } from '../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter } from '../src/store/snapshots/write.ts';
import { measureRebalancing } from './cluster/rebalancing.ts';
import { median } from './raw-load.ts';

/**
 * The store on one PostgreSQL and on a Citus cluster, in turns in one run: `ASSAY_TEST_DATABASE_URL=... ASSAY_TEST_CITUS_WORKERS=...
 * node bench/cluster.ts [--assets 2000] [--rounds 5]`. One is a database of the coordinator without distribution, the other is distributed over
 * all nodes. Then rows and bytes of each node, a rebalancing while clients read and write, and a move into a cluster.
 */
const { values } = parseArgs({
  options: {
    assets: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    shards: { type: 'string', default: '12' },
  },
});
const [ASSETS, ROUNDS, SHARDS] = [Number(values.assets), Number(values.rounds), Number(values.shards)];
/** Concurrent requests. */
const AT_ONCE = 8;
const HOUR_MS = 3_600_000;
const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 48 * HOUR_MS;
const name = `bench ${randomBytes(8).toString('hex')}`;
const one = await openGiven(`${name} one`, { one: true });
const cluster = await openGiven(`${name} cluster`, { empty: true });
const sides = [one, cluster];
const MEASURES: Readonly<Record<string, (side: Side, round: number) => Promise<number>>> = {
  ingestRowsPerSecond: ({ store }, round) =>
    rate(ASSETS * HOURS, async () => {
      const writer = createSnapshotWriter(store.pool);
      for (let hour = 0; hour < HOURS; hour += 1) await writer.store(hourOf(round * HOURS + hour), Date.now());
    }),
  ratingsPublishedPerSecond: ({ store }, round) =>
    each(ASSETS, (index) =>
      publishRating(
        store.db,
        assetAt(index),
        new Date(start + (round * HOURS + 1) * 60_000).toISOString(),
        `job ${round} ${index}`,
      ),
    ),
  newestSnapshotsPerSecond: ({ store }) =>
    each(ASSETS, (index) => latestSnapshot(store.db, assetAt(index).id, 'market')),
  newestRatingsPerSecond: ({ store }) => each(ASSETS, (index) => newestRatings(store.db, [assetAt(index).id])),
  listsPerSecond: ({ store }) => each(40, () => listRated(store.db, LIST)),
  searchesPerSecond: ({ store }) => each(40, (index) => listRated(store.db, { ...LIST, search: `t${index % 10}` })),
};
/** Snapshots of each asset that are stored in a round. */
const HOURS = 4;
const LIST: RatedListQuery = {
  ...{ at: null, chain: null, bands: null, category: null, class: null, flag: null, minTrust: null, search: null },
  ...{ sort: 'score', descending: true, after: null, limit: 100 },
};

const figures = Object.fromEntries(Object.keys(MEASURES).map((measure) => [measure, [[], []] as [number[], number[]]]));
for (let round = 0; round < ROUNDS; round += 1)
  for (const [measure, run] of Object.entries(MEASURES))
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const found = sides[side];
      if (found) figures[measure]?.[side]?.push(await run(found, round));
    }
const { rows: version } = await cluster.store.pool.query(
  `select current_setting('server_version') as server, extversion as citus from pg_extension where extname = 'citus'`,
);
const report = {
  ...version[0],
  assets: ASSETS,
  shards: SHARDS,
  medianOf: ROUNDS,
  figures: Object.entries(figures).map(([measure, [ones, clusters]]) => ({
    measure,
    one: Math.round(median(ones)),
    cluster: Math.round(median(clusters)),
    ratio: Number((median(clusters) / median(ones)).toFixed(2)),
  })),
  nodes: await nodesOf(cluster.store),
  rebalancing: await measureRebalancing(cluster.store, ASSETS),
  moving: await measureMove(),
};
console.log(JSON.stringify(report, null, 1));
for (const { store, database } of sides) {
  await store.close();
  await database.drop();
}
process.exit(0);

interface Side {
  readonly database: GivenDatabase;
  readonly store: Store;
}

async function openGiven(folder: string, options: { readonly one?: boolean; readonly empty?: boolean }): Promise<Side> {
  const database = await givenDatabase(folder, options);
  if (database === null) throw new Error('needs ASSAY_TEST_DATABASE_URL and ASSAY_TEST_CITUS_WORKERS');
  const store = await openStore(database.url, 'sandbox');
  if (options.empty) await database.cut(SHARDS);
  return { database, store };
}

function hourOf(hour: number) {
  return Array.from({ length: ASSETS }, (_, index) =>
    snapshotRow(snapshotOf(assetAt(index), 'market', new Date(start + hour * HOUR_MS + index).toISOString())),
  );
}

async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return count / ((performance.now() - startedAt) / 1000);
}

function each(count: number, work: (index: number) => Promise<unknown>): Promise<number> {
  return rate(count, async () => {
    let next = 0;
    const worker = async () => {
      while (next < count) await work(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  });
}

/** Share of the distributed tables on each node. */
async function nodesOf({ pool }: Store) {
  const { rows } = await pool.query<{ port: number; shards: number; bytes: number }>(
    `select nodeport as port, count(*)::int as shards, sum(shard_size)::float8 as bytes from citus_shards
     where table_name::text !~ '_[0-9]{8}$' or table_name::text ~ '^(snapshots|prices|daily_rows)_[0-9]{8}$'
     group by nodeport order by nodeport`,
  );
  const { rows: counted } = await pool.query<{ port: number; rows: number }>(
    `select nodeport as port, sum(result::bigint)::float8 as rows
     from run_command_on_placements('snapshots', 'select count(*) from %s') group by nodeport`,
  );
  return rows.map((row) => ({ ...row, snapshots: counted.find(({ port }) => port === row.port)?.rows ?? 0 }));
}

/** `assay migrate-to` from the undistributed database into an empty one of the cluster, which is distributed afterwards. */
async function measureMove() {
  const database = await givenDatabase(`${name} move`, { empty: true });
  if (database === null) throw new Error('the server is gone');
  await one.store.close();
  const startedAt = performance.now();
  const moved = await moveDatabase({
    ...{ sourceUrl: one.database.url, targetUrl: database.url, dataMode: 'sandbox', pieceBytes: PIECE_BYTES },
    ...{ verifyOnly: false, onProgress: () => undefined },
  });
  const movedAt = performance.now();
  if (!moved.ok) throw new Error(moved.detail);
  await database.cut(SHARDS);
  const cutAt = performance.now();
  await database.drop();
  const seconds = (ms: number) => Number((ms / 1000).toFixed(1));
  return { ...moved.value, moveSeconds: seconds(movedAt - startedAt), cutSeconds: seconds(cutAt - movedAt) };
}
