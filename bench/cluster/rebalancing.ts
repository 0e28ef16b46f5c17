import type { Store } from '../../src/store/database.ts';
import { publishRating } from '../../src/store/ratings/fixtures/rated-asset.ts';
import { newestRatings } from '../../src/store/ratings/read.ts';
import { assetAt } from '../../src/store/snapshots/fixtures/snapshots.ts';

/** Client latencies and errors while the last worker was emptied, and while it was filled again. Times in milliseconds. */
export async function measureRebalancing({ db, pool }: Store, assets: number) {
  const { rows } = await pool.query<{ host: string; port: number }>(
    'select nodename as host, nodeport as port from pg_dist_node where isactive order by nodeid desc limit 1',
  );
  const [node] = rows;
  if (node === undefined) throw new Error('the cluster has no workers');
  const drained = await underLoad('drain', () => pool.query('select citus_drain_node($1, $2)', [node.host, node.port]));
  const allowed = `select citus_set_node_property($1, $2, 'shouldhaveshards', true)`;
  await pool.query(allowed, [node.host, node.port]);
  const filled = await underLoad('fill', () => pool.query('select rebalance_table_shards()'));
  return { drained, filled };

  async function underLoad(step: string, work: () => Promise<unknown>) {
    const over = new AbortController();
    const met = { reads: 0, writes: 0, failed: 0, slowestReadMs: 0, slowestWriteMs: 0 };
    const timed = async (
      kind: 'reads' | 'writes',
      slowest: 'slowestReadMs' | 'slowestWriteMs',
      one: () => Promise<unknown>,
    ) => {
      const startedAt = performance.now();
      await one().then(
        () => {
          met[kind] += 1;
        },
        () => {
          met.failed += 1;
        },
      );
      met[slowest] = Math.max(met[slowest], Math.round(performance.now() - startedAt));
    };
    const reading = (async () => {
      for (let turn = 0; !over.signal.aborted; turn += 1)
        await timed('reads', 'slowestReadMs', () => newestRatings(db, [assetAt(turn % assets).id]));
    })();
    const writing = (async () => {
      for (let turn = 0; !over.signal.aborted; turn += 1)
        await timed('writes', 'slowestWriteMs', () =>
          publishRating(db, assetAt(turn % assets), new Date().toISOString(), `job ${step} ${turn}`),
        );
    })();
    const startedAt = performance.now();
    await work();
    const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
    over.abort();
    await Promise.all([reading, writing]);
    return { seconds, ...met };
  }
}
