import pg from 'pg';
import { startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { type SandboxAddress, sandboxResolver } from '../../sandbox/settings.ts';
import { startService } from '../../src/compose/service.ts';
import { startWorker } from '../../src/compose/worker.ts';

/** One process of the measurement: the sandbox, an api or a worker; the first argument configures it as JSON. */
export interface ProcessOptions {
  readonly role: 'sandbox' | 'api' | 'worker';
  readonly sandbox?: SandboxAddress;
  readonly databaseUrl?: string;
  readonly dataDir?: string;
  readonly port?: number;
}

const wanted = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions;
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
/** Statements of this process, by their first words. */
const statements = new Map<string, number>();
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  const [first] = given;
  const text = typeof first === 'string' ? first : String((first as { readonly text?: unknown })?.text ?? 'cursor');
  const shape = text.replace(/\s+/g, ' ').trim().slice(0, 90);
  statements.set(shape, (statements.get(shape) ?? 0) + 1);
  return (query as (...all: unknown[]) => unknown).apply(this, given);
} as typeof query;

const closers: (() => Promise<void>)[] = [];

if (wanted.role === 'sandbox') {
  const { url, ca, httpPort, tlsPort, world, close } = await startSandbox({
    seed: 1,
    port: 0,
    host: '127.0.0.1',
    now: Date.now,
  });
  closers.push(close);
  const tokens = world.tokens.map(({ name, domain, chain, address, symbol }) => ({
    name,
    domain,
    chain,
    address,
    symbol,
  }));
  say({ sandbox: { url, ca, httpPort, tlsPort }, tokens });
} else {
  const { sandbox, databaseUrl, dataDir = '', port = 0, role } = wanted;
  if (!sandbox || !databaseUrl) throw new Error('a process needs a sandbox and a database');
  const config = serviceOnSandbox(sandbox, {
    port,
    reusePort: port !== 0,
    dataDir,
    databaseUrl,
    queuedJobs: 10_000,
    shutdownSeconds: 1,
  });
  const options = { config, resolver: sandboxResolver(sandbox) };
  if (role === 'worker') {
    closers.push((await startWorker(options)).close);
    say({ role });
  } else {
    const service = await startService({ ...options, role: 'api' });
    closers.push(service.close);
    say({ role, url: service.url, adminKey: service.adminKey });
  }
}
process.on('message', (message) => {
  if (message === 'cpu') process.send?.({ ...process.cpuUsage(), statements: [...statements] });
});
process.once('disconnect', () => process.exit(1));
process.once('SIGTERM', () => {
  Promise.all(closers.map((close) => close())).then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
