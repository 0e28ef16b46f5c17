import pg from 'pg';

const EVERY_MS = 20;

/** Wait events of the connections of a database, as shares of all samples; the largest first. */
export interface Waits {
  readonly looks: number;
  readonly [at: string]: number;
}

/**
 * Samples every 20 ms what the connections with an open statement or transaction wait for: a core (`CPU`),
 * their client (`Client:ClientRead`), a lock, the disk. `end` returns the shares.
 */
export async function watchWaits(url: string): Promise<{ readonly stop: () => Promise<Waits> }> {
  const client = new pg.Client({ connectionString: url, application_name: 'assay-bench-waits' });
  await client.connect();
  const seen = new Map<string, number>();
  let open = true;
  const done = (async () => {
    while (open) {
      const { rows } = await client.query<{ at: string; n: number }>(
        `select case when wait_event is null then 'CPU' else wait_event_type || ':' || wait_event end as at, count(*)::int as n
         from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           and state in ('active', 'idle in transaction') group by 1`,
      );
      for (const { at, n } of rows) seen.set(at, (seen.get(at) ?? 0) + n);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  return {
    async stop() {
      open = false;
      await done;
      await client.end();
      const looks = [...seen.values()].reduce((sum, n) => sum + n, 0);
      const shares = [...seen].sort(([, a], [, b]) => b - a).map(([at, n]) => [at, Number((n / looks).toFixed(3))]);
      return { looks, ...Object.fromEntries(shares.filter(([, share]) => Number(share) >= 0.01)) } as Waits;
    },
  };
}
