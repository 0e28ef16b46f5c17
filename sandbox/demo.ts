import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startService } from '../src/compose/service.ts';
import { DAY_MS } from '../src/domain/statistics.ts';
import { hasEmbeddedDatabase, openDatabase } from '../src/store/embedded.ts';
import { type Service, scoreWithProgress } from './demo-client.ts';
import { writeEnvironment } from './demo-environment.ts';
import { inFull, inOneLine } from './demo-print.ts';
import { sandboxPanel } from './known-assets.ts';
import { loadPast, PAST_FILE, unpackedPast } from './past/load.ts';
import { PAST_BEGIN, PAST_COPIES, PAST_DAYS, PAST_END, PAST_SEED, PAST_SPECS } from './past/story.ts';
import { serviceOnSandbox } from './service-settings.ts';
import { type SandboxAddress, sandboxResolver } from './settings.ts';
import { createWorld, specsOf, type WorldName, worldNamed } from './world/world.ts';

const HELP = `npm run demo -- [options]    the service on a fictional world, with a month of history

  --port N          port of the service; default any free one
  --data-dir DIR    keep the data there, and go on with it at the next start; default a folder that is removed at the end
  --world NAME      fiction (default), earth: real assets with values of a past day, earth-before: some before they failed
  --seed N          another fictional world, without a history
  --empty           no history
  --yesterday       no history; what is scored is rated a day ago
  --once            end when everything was shown
  --verbose         every source as it answers, and each rating in full
  --help            this text`;

const { values } = readOptions();

function readOptions() {
  try {
    return parseArgs({
      options: {
        once: { type: 'boolean', default: false },
        port: { type: 'string', default: '0' },
        'data-dir': { type: 'string' },
        seed: { type: 'string', default: String(PAST_SEED) },
        world: { type: 'string', default: 'fiction' },
        yesterday: { type: 'boolean', default: false },
        empty: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n\n${HELP}\n`);
    process.exit(64);
  }
}
if (values.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}

/** Projects to score, by world. */
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

/** Clean-up steps, newest last. */
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
// The reader has closed the pipe, as `head` does: output is no longer useful.
process.stdout.on('error', () => void end(0));

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
  // As root the database server runs as another user, who needs access to the folder.
  await mkdir(dataDir, { recursive: true });
  if (values['data-dir'] === undefined) {
    await chmod(dataDir, 0o755);
    outcomes.push(() => rm(dataDir, { recursive: true, force: true }));
  }
  const isNew = !(await hasEmbeddedDatabase(dataDir));
  if (values.yesterday && !isNew)
    throw new Error(`--yesterday: ${dataDir} has ratings of later; give an empty --data-dir`);
  const past = await clockOfPast(dataDir, isNew);
  let behindMs = values.yesterday ? DAY_MS : 0;
  // Two processors: while the world and the database start in processes of their own, the past is unpacked here.
  const [sandbox, database, backup] = await Promise.all([
    startWorld(past === null ? behindMs : -past * 1000, past !== null),
    startDatabase(dataDir),
    past !== null && isNew ? unpackedPast(dataDir) : null,
  ]);
  const config = serviceOnSandbox(sandbox, {
    port: Number(values.port),
    dataDir,
    databaseUrl: database.url,
    logLevel: 'warn',
    publicPages: true,
    sandboxClockSeconds: past ?? 0,
  });
  const deskKey = backup === null ? null : await loadPast(config, database.url, backup);
  const service = await startService({
    config,
    resolver: sandboxResolver(sandbox, past === null ? specsOf(world) : PAST_SPECS),
    quiet: true,
    ...(world === 'fiction' ? { panel: knownAssets(past !== null) } : {}),
    ...(behindMs > 0 ? { now: () => Date.now() - behindMs } : {}),
  });
  outcomes.push(() => service.close());
  const api: Service = { url: service.url, key: await keyFor(deskKey ?? service.adminKey, dataDir) };
  say(await greeting(api, past !== null));
  for (const { title, body } of SHOWN[world]) {
    if (values.verbose) say(`\n== ${title}: ${body.project}, ${body.project_url}`);
    const outcome = await scoreWithProgress(api, { type: 'posttge', ...body }, values.verbose ? say : () => undefined);
    say(values.verbose ? inFull(outcome) : inOneLine(body.project, title, outcome));
  }
  if (behindMs > 0) {
    await fetch(`${sandbox.url}/__control/clock`, { method: 'POST', body: JSON.stringify({ advance_ms: behindMs }) });
    behindMs = 0;
  }
  const environment = await writeEnvironment(config, api);
  say(`
  Dashboard          ${service.url}/
  Key to sign in     ${api.key}
  API                ${service.url}/docs
  The world itself   ${sandbox.url}/__control/world
  Another terminal   . ${environment}
${values.once ? '' : '\nCtrl-C ends it. Each source as it answers: --verbose; all options: --help.'}`);
  say(`READY ${JSON.stringify({ base_url: service.url, api_key: api.key, docs_url: service.docsUrl })}`);
}

/** Assets that the first start requests from the replicas. */
function knownAssets(hasPast: boolean) {
  const anchor = hasPast ? PAST_BEGIN : Date.now();
  return sandboxPanel(createWorld({ seed: Number(values.seed), anchor }), ['tidewell', 'fennecswap', 'hivecoin']);
}

async function startDatabase(dataDir: string) {
  const database = openDatabase({ databaseUrl: null, dataDir, role: 'service', log: () => undefined });
  outcomes.push(async () => (await database).close());
  return database;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Description of this demo, in a line or two. */
async function greeting(api: Service, hasPast: boolean): Promise<string> {
  if (world !== 'fiction') return 'Assay on a world of real assets with the values of a past day.';
  const name = `Assay on a fictional world (seed ${values.seed}; every reply says data_mode: "sandbox")`;
  if (!hasPast) return `${name}.`;
  const headers = { 'x-api-key': api.key };
  const { data } = (await (await fetch(`${api.url}/v1/rms?limit=500`, { headers })).json()) as {
    data: readonly unknown[];
  };
  return `${name}:\n${data.length} projects with ${PAST_DAYS} days of history. Its clock began at ${new Date(PAST_END).toISOString().slice(0, 16)}Z.\n`;
}

/**
 * Seconds by which the clock is ahead of the system clock where the world has a past, the same at each start on a
 * folder; null where it has none.
 */
async function clockOfPast(dataDir: string, isNew: boolean): Promise<number | null> {
  const file = join(dataDir, 'demo-clock-seconds');
  if (!isNew) {
    const kept = await readFile(file, 'utf8').catch(() => null);
    return kept === null ? null : Number(kept);
  }
  const isShipped = world === 'fiction' && Number(values.seed) === PAST_SEED && existsSync(PAST_FILE);
  if (!isShipped || values.empty || values.yesterday) return null;
  const seconds = Math.round((PAST_END - Date.now()) / 1000);
  await writeFile(file, String(seconds));
  return seconds;
}

/** The sandbox as a child process; it ends with this process, even when that is killed, because the channel closes. */
async function startWorld(behindMs: number, hasPast: boolean): Promise<SandboxAddress> {
  const options = ['--seed', values.seed, '--world', world, '--behind-ms', String(behindMs)];
  if (hasPast) options.push('--anchor', String(PAST_BEGIN), '--copies', String(PAST_COPIES));
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

/** The first start returns a key once; a kept data directory stores the demo's key beside the data. */
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
