import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import { specsOf, type WorldName } from '../../sandbox/world/world.ts';
import { type RunningService, startService } from '../../src/compose/service.ts';
import type { Config } from '../../src/config/types.ts';
import { placedDatabase } from '../../src/store/fixtures/database.ts';

export interface TestService {
  readonly sandbox: Sandbox;
  readonly service: RunningService;
  readonly key: string;
  readonly dataDir: string;
  readonly config: Config;
  /** One request with the admin key; `body` is sent as JSON. */
  readonly call: (
    path: string,
    init?: RequestInit & { readonly json?: unknown; readonly key?: string | null },
  ) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** A sandbox and a service on it, both real, in a folder of their own; `settings` in place of the usual ones, the fictional world unless another is named. */
export async function testService(settings: Partial<Config> = {}, name: WorldName = 'fiction'): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-service-'));
  // As root the database server runs as another user, who has to walk there.
  await chmod(dataDir, 0o755);
  const sandbox = await startSandbox({ seed: 1, name, port: 0, host: '127.0.0.1', now: Date.now });
  const placed = settings.databaseUrl === undefined ? await placedDatabase(dataDir) : null;
  const config = serviceOnSandbox(sandbox, { dataDir, ...(placed ? { databaseUrl: placed.url } : {}), ...settings });
  const service = await startService({ config, resolver: sandboxResolver(sandbox, specsOf(name)) });
  const admin = service.adminKey ?? '';
  return {
    sandbox,
    service,
    key: admin,
    dataDir,
    config,
    call(path, init = {}) {
      const { json, key = admin, headers, ...rest } = init;
      const sent = new Headers(headers);
      if (key !== null) sent.set('x-api-key', key);
      if (json !== undefined) sent.set('content-type', 'application/json');
      return fetch(service.url + path, {
        ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
        ...rest,
        headers: sent,
      });
    },
    async close() {
      await service.close();
      await sandbox.close();
      await placed?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
