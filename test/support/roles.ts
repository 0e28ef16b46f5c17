import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import { type RunningService, startService } from '../../src/compose/service.ts';
import { type RunningWorker, startWorker } from '../../src/compose/worker.ts';
import type { Config } from '../../src/config/types.ts';
import { databaseOf } from '../../src/store/fixtures/database.ts';

/** Processes of different roles (all in this one) on one database and one sandbox. */
export interface Roles {
  readonly sandbox: Sandbox;
  readonly databaseUrl: string;
  api(settings?: Partial<Config>): Promise<RunningService>;
  worker(settings?: Partial<Config>): Promise<RunningWorker>;
  close(): Promise<void>;
}

export async function openRoles(): Promise<Roles> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-roles-'));
  await chmod(dataDir, 0o755);
  const sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
  const database = await databaseOf(dataDir, 'service');
  const base = serviceOnSandbox(sandbox, { dataDir, databaseUrl: database.url });
  const resolver = sandboxResolver(sandbox);
  const running: { readonly close: () => Promise<void> }[] = [];
  const keep = <Process extends { readonly close: () => Promise<void> }>(started: Process): Process => {
    running.push(started);
    return started;
  };
  return {
    sandbox,
    databaseUrl: database.url,
    api: async (settings = {}) => keep(await startService({ config: { ...base, ...settings }, resolver, role: 'api' })),
    worker: async (settings = {}) => keep(await startWorker({ config: { ...base, ...settings }, resolver })),
    async close() {
      for (const one of running.reverse()) await one.close();
      await database.close();
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
