import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type PostgresServer, postgresServer } from './postgres-server.ts';
import { type TcpProxy, tcpProxy } from './tcp-proxy.ts';

/** A primary with a synchronous standby behind one address, and what an operator's failover tool does with them. */
export interface PostgresPair {
  /** Through the one address that always leads to the primary. */
  readonly url: string;
  readonly primary: () => PostgresServer;
  /** The primary's machine dies; the standby becomes the primary. Resolves when the address leads to it. */
  failOver(): Promise<{ readonly promotedMs: number }>;
  /** Builds a new standby; resolves when commits wait for it. */
  restoreStandby(): Promise<void>;
  close(): Promise<void>;
}

/**
 * PostgreSQL's own streaming replication with npm's binaries. The address in front stands for PgBouncer, HAProxy or a
 * virtual address; `failOver` for Patroni or pg_auto_failover: it fences the old primary, promotes, and lets commits go on
 * alone until a standby is there again, as Patroni's synchronous mode does.
 */
export async function postgresPair(folder: string): Promise<PostgresPair> {
  let generation = 0;
  const next = () => {
    generation += 1;
    return join(folder, `server-${generation}`);
  };
  let primary = await postgresServer(next());
  await primary.start();
  const door: TcpProxy = await tcpProxy(primary.port);
  let standby: PostgresServer | null = null;

  async function restoreStandby(): Promise<void> {
    const place = next();
    standby = await primary.follow(place);
    await standby.start();
    await primary.query("alter system set synchronous_standby_names = '*'");
    await primary.query('select pg_reload_conf()');
    await until(async () => {
      const rows = await primary.query<{ sync_state: string }>('select sync_state from pg_stat_replication');
      return rows.some((row) => row.sync_state === 'sync');
    });
  }

  await restoreStandby();
  const url = new URL(primary.url);
  url.port = String(door.port);
  return {
    url: url.href,
    primary: () => primary,
    restoreStandby,
    async failOver() {
      if (standby === null) throw new Error('there is no standby to promote');
      const startedAt = performance.now();
      const dead = primary;
      await dead.kill();
      // Of the old primary's settings the copy has this one too: alone it would wait for ever.
      await standby.query('alter system reset synchronous_standby_names');
      await standby.query('select pg_reload_conf()');
      await standby.query('select pg_promote(true, 30)');
      primary = standby;
      standby = null;
      door.lead(primary.port);
      const promotedMs = performance.now() - startedAt;
      await rm(join(folder, `server-${generation - 1}`), { recursive: true, force: true });
      return { promotedMs };
    },
    async close() {
      await door.close();
      await standby?.kill();
      await primary.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50)))
    if (await holds().catch(() => false)) return;
  throw new Error('the standby did not become synchronous in 30 s');
}
