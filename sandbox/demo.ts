import { type ChildProcess, fork } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startService } from '../src/compose/service.ts';
import { DAY_MS } from '../src/domain/statistics.ts';
import { type Service, scoreWithProgress } from './demo-client.ts';
import { writeEnvironment } from './demo-environment.ts';
import { printOutcome } from './demo-print.ts';
import { serviceOnSandbox } from './service-settings.ts';
import { type SandboxAddress, sandboxResolver } from './settings.ts';
import { specsOf, type WorldName, worldNamed } from './world/world.ts';

/**
 * Shows the service on a fictional world: starts both, scores three projects, prints a READY line, stays up (`--once`: ends).
 * With `--yesterday` the three are scored a day ago, so that there is a closed day to export.
 */
const { values } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
    'data-dir': { type: 'string' },
    seed: { type: 'string', default: '1' },
    world: { type: 'string', default: 'fiction' },
    yesterday: { type: 'boolean', default: false },
  },
});

/** What is scored, by world. */
const SHOWN = {
  fiction: [
    {
      title: 'A healthy project',
      body: { project: 'Tidewell', project_url: 'https://tidewell.example/', token_symbol: 'TIDE', category: 'DeFi' },
    },
    {
      title: 'A scam',
      body: {
        project: 'Hivecoin',
        project_url: 'https://hivecoin.example/',
        token_symbol: 'HIVC',
        category: 'memecoin',
      },
    },
    {
      title: 'A project nobody knows',
      body: { project: 'Nowhere Protocol', project_url: 'https://nowhere-protocol.example/' },
    },
  ],
  earth: allOf('earth'),
  'earth-before': allOf('earth-before'),
} as const satisfies Record<WorldName, unknown>;

function allOf(name: WorldName) {
  return specsOf(name).map(({ name: project, domain, symbol, note }) => ({
    title: note,
    body: { project, project_url: `https://${domain}/`, token_symbol: symbol },
  }));
}

const world = worldNamed(values.world);

/** What must be undone at the end, newest last. */
const outcomes: (() => Promise<void> | void)[] = [];
let closed: Promise<void> | null = null;

function end(code: number): Promise<void> {
  closed ??= (async () => {
    for (const undo of outcomes.reverse()) {
      try {
        await undo();
      } catch (error) {
        process.stderr.write(`demo: while ending: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
    process.exit(code);
  })();
  return closed;
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end(0));

try {
  await show();
  if (values.once) await end(0);
} catch (error) {
  if (closed === null)
    process.stderr.write(`demo: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  await end(1);
}

async function show(): Promise<void> {
  const dataDir = values['data-dir'] ?? (await mkdtemp(join(tmpdir(), 'assay-demo-')));
  if (values['data-dir'] === undefined) {
    // As root the database server runs as another user, who has to walk there.
    await chmod(dataDir, 0o755);
    outcomes.push(() => rm(dataDir, { recursive: true, force: true }));
  }
  process.stdout.write(
    `Starting ${world === 'fiction' ? 'a fictional world' : 'a world of real assets with values of a past day'} (seed ${values.seed}) and the service on it ...\n`,
  );
  let behindMs = values.yesterday ? DAY_MS : 0;
  const sandbox = await startWorld(values.seed, behindMs);
  const config = serviceOnSandbox(sandbox, { port: Number(values.port), dataDir, logLevel: 'warn' });
  const service = await startService({
    config,
    resolver: sandboxResolver(sandbox, specsOf(world)),
    quiet: true,
    now: () => Date.now() - behindMs,
  });
  outcomes.push(() => service.close());
  const api: Service = { url: service.url, key: await keyFor(service.adminKey, dataDir) };
  if (values.yesterday && service.adminKey === null)
    throw new Error(`--yesterday: ${dataDir} has ratings of later; give an empty --data-dir`);
  for (const { title, body } of SHOWN[world]) {
    process.stdout.write(`\n== ${title}: ${body.project}, ${body.project_url}\n`);
    printOutcome(await scoreWithProgress(api, { type: 'posttge', ...body }));
  }
  if (behindMs > 0) {
    await fetch(`${sandbox.url}/__control/clock`, { method: 'POST', body: JSON.stringify({ advance_ms: behindMs }) });
    behindMs = 0;
  }
  process.stdout.write(
    `\nDashboard: ${service.url}\nDocs: ${service.docsUrl}\nThe world: ${sandbox.url}/__control/world\n`,
  );
  process.stdout.write(`For another terminal (address, key, settings): . ${await writeEnvironment(config, api)}\n`);
  process.stdout.write(
    `READY ${JSON.stringify({ base_url: service.url, api_key: api.key, docs_url: service.docsUrl })}\n`,
  );
}

/** The sandbox as a child process; it ends with us, even when we are killed, because the channel closes. */
async function startWorld(seed: string, behindMs: number): Promise<SandboxAddress> {
  const options = ['--seed', seed, '--world', world, '--behind-ms', String(behindMs)];
  const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)), options, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  outcomes.push(() => stop(child));
  const line = await firstLine(child);
  const ready = JSON.parse(line) as {
    url: string;
    ca: string;
    http_port: number;
    tls_port: number;
    registers: string | null;
  };
  const { url, ca, http_port: httpPort, tls_port: tlsPort, registers: registersDir } = ready;
  return { url, ca, httpPort, tlsPort, registersDir };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the sandbox ended with code ${code} before it was ready`)));
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** The first start gives a key once; a kept data directory remembers the demo's key beside the data. */
async function keyFor(adminKey: string | null, dataDir: string): Promise<string> {
  const file = join(dataDir, 'demo-api-key');
  if (adminKey !== null) {
    if (values['data-dir'] !== undefined) await writeFile(file, adminKey, { mode: 0o600 });
    return adminKey;
  }
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    throw new Error(`${dataDir} belongs to a service whose key the demo does not know; give another --data-dir`);
  }
}
