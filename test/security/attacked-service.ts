import { chmod, glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import { type RunningService, startService } from '../../src/compose/service.ts';
import type { Config } from '../../src/config/types.ts';
import type { Resolver } from '../../src/upstream/types.ts';
import { type SpoilingProxy, startSpoilingProxy } from './spoiling-proxy.ts';

export interface AttackedService {
  readonly sandbox: Sandbox;
  readonly proxy: SpoilingProxy;
  readonly service: RunningService;
  readonly config: Config;
  readonly key: string;
  /** Names that were looked up. */
  readonly lookedUp: readonly string[];
  /** Where the service may go: its database and its sources. */
  readonly doors: readonly string[];
  post(path: string, json: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  close(): Promise<void>;
}

/** A service whose sources all speak through a proxy that bends what they say; `names` are a stranger's names and where they lead. */
export async function attackedService(
  names: Readonly<Record<string, readonly string[]>> = {},
): Promise<AttackedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-attacked-'));
  await chmod(dataDir, 0o755);
  const sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
  const proxy = await startSpoilingProxy(sandbox);
  const config = serviceOnSandbox(proxy, { dataDir });
  const lookedUp: string[] = [];
  const service = await startService({ config, resolver: logged(sandboxResolver(proxy), names, lookedUp) });
  const key = service.adminKey ?? '';
  const call = (path: string, init: RequestInit) =>
    fetch(service.url + path, { ...init, signal: AbortSignal.timeout(60_000) });
  return {
    sandbox,
    proxy,
    service,
    config,
    key,
    lookedUp,
    doors: [
      proxy.httpPort,
      proxy.tlsPort,
      sandbox.httpPort,
      sandbox.tlsPort,
      Number(new URL(service.url).port),
      await databasePort(dataDir),
    ].map((port) => `127.0.0.1:${port}`),
    post: (path, json, headers = {}) =>
      call(path, {
        method: 'POST',
        body: JSON.stringify(json),
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      }),
    get: (path, headers = {}) => call(path, { headers: { 'x-api-key': key, ...headers } }),
    async close() {
      await service.close();
      await proxy.close();
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The fourth line of what PostgreSQL writes of itself. */
async function databasePort(dataDir: string): Promise<number> {
  for await (const file of glob('**/postmaster.pid', { cwd: dataDir }))
    return Number((await readFile(join(dataDir, file), 'utf8')).split('\n')[3]);
  throw new Error('no database runs here');
}

function logged(inner: Resolver, names: Readonly<Record<string, readonly string[]>>, lookedUp: string[]): Resolver {
  return {
    async resolve(host) {
      lookedUp.push(host);
      const led = names[host.toLowerCase()];
      if (led) return led.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      return inner.resolve(host);
    },
    vouch: (host, port) => inner.vouch(host, port),
  };
}
