import { type SandboxAddress, sandboxConfig, sandboxResolver } from '../../sandbox/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { startService } from '../../src/main.ts';
import { SOURCES } from '../../src/sources/index.ts';

/** The service as a process of its own, to be killed: where and on what comes as JSON in the first argument. */
const { sandbox, dataDir } = JSON.parse(process.argv[2] ?? '{}') as { sandbox: SandboxAddress; dataDir: string };
const defaults = loadConfig(
  {},
  SOURCES.map((source) => ({ name: source.name, bases: Object.keys(source.bases) })),
);
if (!defaults.ok) throw new Error(defaults.errors.join('\n'));
const config = {
  ...defaults.value,
  ...sandboxConfig(sandbox),
  port: 0,
  dataDir,
  databaseUrl: null,
  logLevel: 'silent',
  // Shorter than any source's own patience, so that a job on silent sources cannot end in it.
  shutdownSeconds: 2,
};
const service = await startService({ config, resolver: sandboxResolver(sandbox) });
process.stdout.write(`${JSON.stringify({ url: service.url, adminKey: service.adminKey })}\n`);
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
