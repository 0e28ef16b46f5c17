import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { type SandboxAddress, sandboxResolver } from '../../sandbox/settings.ts';
import { startService } from '../../src/compose/service.ts';
import { startWorker } from '../../src/compose/worker.ts';
import type { Config } from '../../src/config/types.ts';
import type { Resolver } from '../../src/upstream/types.ts';

interface Orders {
  readonly sandbox: SandboxAddress;
  readonly dataDir: string;
  readonly settings?: Partial<Config>;
  readonly role?: 'all' | 'api' | 'worker';
  /** A host whose name kills this process when it is looked up: stands for a job that no process survives. */
  readonly poisonHost?: string;
}

/** The service as a process of its own, to be killed: where and on what comes as JSON in the first argument. */
const { sandbox, dataDir, settings, role = 'all', poisonHost } = JSON.parse(process.argv[2] ?? '{}') as Orders;
// To stop takes less than any source's own patience, so that a job on silent sources cannot end in it.
const config = serviceOnSandbox(sandbox, { dataDir, shutdownSeconds: 2, ...settings });
const resolver = poisoned(sandboxResolver(sandbox));
const ready =
  role === 'worker' ? await startWorker({ config, resolver }) : await startService({ config, resolver, role });
const told = 'url' in ready ? { url: ready.url, adminKey: ready.adminKey } : { url: '', adminKey: null };
process.stdout.write(`${JSON.stringify(told)}\n`);
process.once('SIGTERM', () => void ready.close().then(() => process.exit(0)));

function poisoned(resolver: Resolver): Resolver {
  if (poisonHost === undefined) return resolver;
  const swallow = (host: string) => {
    if (host === poisonHost) process.kill(process.pid, 'SIGKILL');
  };
  return {
    resolve(host) {
      swallow(host);
      return resolver.resolve(host);
    },
    vouch(host, port) {
      swallow(host);
      return resolver.vouch(host, port);
    },
  };
}
