import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import type { SandboxAsset } from '../../sandbox/world/types.ts';
import { startService } from '../../src/compose/service.ts';
import { openStore } from '../../src/store/database.ts';
import { databaseOf } from '../../src/store/fixtures/database.ts';
import { createAdversary, type Move } from './adversary.ts';

/** What is published of an asset. */
export interface Published {
  readonly band: string;
  readonly score: number | null;
  /** 0 for AAA to 10 for NR. */
  readonly rank: number;
}

export interface Stage {
  readonly sandbox: Sandbox;
  /** Makes the move, asks for a score as the adversary does, and gives what is published then; null: nothing. */
  act(asset: SandboxAsset, move: Move): Promise<Published | null>;
  /** Forgets everything that was rated. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** Tables that are not about ratings. */
const KEPT = ['installation', 'api_keys', 'signing_keys', 'service_processes', 'kysely_migration', 'schema_changes'];
const PATIENCE_MS = 90_000;

/** A service on the sandbox with an adversary between them. Every move meets a service that has rated nothing. */
export async function openStage(seed: number): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-manipulation-'));
  // As root the database server runs as another user, who has to walk there.
  await chmod(dataDir, 0o755);
  const adversary = createAdversary();
  // The world stands still, so that nothing but the adversary moves a score.
  const at = Date.now();
  const now = () => at;
  const sandbox = await startSandbox({ seed, port: 0, host: '127.0.0.1', now, rewrite: adversary.rewrite });
  const database = await databaseOf(dataDir, 'service');
  const config = serviceOnSandbox(sandbox, { dataDir, databaseUrl: database.url, monitorJobs: 0 });
  const service = await startService({ config, resolver: sandboxResolver(sandbox), now });
  const store = await openStore(database.url, 'sandbox');
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`.execute(store.db);
  const wiped = tables.map((row) => row.name).filter((name) => !KEPT.includes(name) && !/migration/.test(name));

  const forget = async () => {
    await idle();
    for (let tries = 1; ; tries += 1) {
      try {
        await sql`truncate ${sql.join(wiped.map((name) => sql.table(name)))} cascade`.execute(store.db);
        return;
      } catch (error) {
        // The service's own housekeeping takes locks in another order.
        if ((error as { code?: string }).code !== '40P01' || tries === 5) throw error;
      }
    }
  };

  /** Until nothing is under way: a collection goes on after a caller in a hurry was answered. */
  async function idle(): Promise<void> {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
      const { rows } = await sql<{ busy: string }>`
        select count(*) as busy from jobs where state in ('queued', 'running')`.execute(store.db);
      if (Number(rows[0]?.busy) === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('jobs of the service did not end');
  }

  return {
    sandbox,
    forget,
    async act(asset, move) {
      adversary.play(asset, move);
      sandbox.faults.clear();
      for (const fault of move.faults ?? []) sandbox.faults.add(fault);
      try {
        const words = {
          type: 'posttge',
          project: asset.name,
          project_url: asset.url,
          token_symbol: asset.symbol,
          token_address: asset.address,
          blockchain: asset.chain,
          output_format: 'minimal',
          ...move.words,
        };
        const reply = await fetch(`${service.url}/v1/score`, {
          method: 'POST',
          headers: {
            'x-api-key': service.adminKey ?? '',
            'content-type': 'application/json',
            prefer: move.prefer ?? 'wait=60',
          },
          body: JSON.stringify(Object.fromEntries(Object.entries(words).filter(([, value]) => value !== null))),
        });
        await reply.arrayBuffer();
        await idle();
        const { rows } = await sql<{ band: string; score: number | null; band_rank: number }>`
          select band, score, band_rank from rated_assets where lower(address) = ${asset.address.toLowerCase()}`.execute(
          store.db,
        );
        const [row] = rows;
        return row === undefined ? null : { band: row.band, score: row.score, rank: row.band_rank };
      } finally {
        adversary.undo();
        sandbox.faults.clear();
      }
    },
    async close() {
      await store.close();
      await service.close();
      await sandbox.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
