import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Terminal } from './cli/context.ts';
import { MANUAL } from './cli/manual.ts';
import { helpText, helpTextOf, isCommand, runCommand } from './cli/run.ts';
import type { EarlyDatabase } from './compose/early-database.ts';
import type { RunningService } from './compose/service.ts';
import type { Config } from './config/index.ts';

// Other modules are loaded where they are used: help and usage texts need none of them.

const ROLES: readonly string[] = ['all', 'serve', 'api', 'worker'];
const USAGE = 64;

/**
 * `assay all` (also called `serve`), `api`, `worker`, or a command. Returns the exit code, or null while the process
 * runs.
 */
async function main(args: readonly string[]): Promise<number | null> {
  const [command = 'help', ...rest] = args;
  if (['--version', '-v', 'version'].includes(command)) {
    console.log(versions());
    return 0;
  }
  const isHelp = ['help', '--help', '-h'].includes(command);
  const about = isHelp ? rest[0] : rest.some((arg) => arg === '--help' || arg === '-h') ? command : undefined;
  const named = about ?? (isHelp ? undefined : command);
  if (named !== undefined && !isCommand(named) && !ROLES.includes(named)) {
    console.error(await unknownCommand(named));
    return USAGE;
  }
  if (isHelp || about !== undefined) {
    console.log(about !== undefined && isCommand(about) ? helpTextOf(about) : helpText());
    return 0;
  }
  const config = await readConfig();
  if (config === null) return USAGE;
  if (!isCommand(command)) {
    if (rest.length > 0) {
      console.error(
        `assay ${command} takes no arguments: it is configured by the environment (assay config lists the settings)`,
      );
      return USAGE;
    }
    await (command === 'worker' ? work(config) : serve(config, command === 'api' ? 'api' : 'all'));
    return null;
  }
  const { createCliContext } = await import('./compose/cli-context.ts');
  const { context, close } = createCliContext(config, terminalOf());
  try {
    return await runCommand(command, rest, context);
  } finally {
    await close();
  }
}

/** The version of the package, of Node and of the methodology in force. */
function versions(): string {
  const versionIn = (path: string): string => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version;
  return `assay ${versionIn('../package.json')} (methodology ${versionIn('../methodology/methodology.json')}, Node ${process.versions.node})`;
}

async function unknownCommand(given: string): Promise<string> {
  const { nearestName } = await import('./domain/index.ts');
  const known = [...Object.keys(MANUAL), ...ROLES];
  const near = nearestName(given.toLowerCase(), known);
  return `there is no command ${given}${near === null ? `; the commands are ${known.join(', ')}` : `; did you mean ${near}? assay help lists the commands`}`;
}

async function serve(config: Config, role: 'all' | 'api'): Promise<void> {
  const database = await begunDatabase(config);
  const { startService } = await import('./compose/service.ts');
  const service = await startService({ config, role, database });
  console.log(startText(service, config));
  stopOnSignal(service.close);
}

async function begunDatabase(config: Config): Promise<EarlyDatabase> {
  const { beginDatabase } = await import('./compose/early-database.ts');
  return beginDatabase(config);
}

/** Text after the start, on one screen: the address, the key at the very first start, and the next step. */
function startText({ url, docsUrl, adminKey }: RunningService, { dataMode, dataDir }: Config): string {
  const first = [
    `  Admin key   ${adminKey}`,
    '              shown this once: keep it. It signs in to the page and goes into the header X-API-Key.',
    `  First       ${url}/#/setup`,
    '              asks every source, says which keys would add something, and rates three assets.',
  ];
  return [
    `Assay is listening on ${url} (data mode: ${dataMode}).`,
    '',
    `  Dashboard   ${url}/`,
    ...(adminKey === null ? [] : first),
    `  Documents   ${docsUrl}`,
    `  Data        ${resolve(dataDir)}`,
    '  Trouble     npx assay doctor',
    '',
    'Ctrl-C stops it; the next start goes on with the same data.',
  ].join('\n');
}

async function work(config: Config): Promise<void> {
  const database = await begunDatabase(config);
  const { startWorker } = await import('./compose/worker.ts');
  const worker = await startWorker({ config, database });
  const where = worker.metricsPort === null ? '' : `; metrics and health on port ${worker.metricsPort}`;
  console.log(`Assay is working (data mode: ${config.dataMode})${where}`);
  stopOnSignal(worker.close);
}

function stopOnSignal(close: () => Promise<void>): void {
  const stop = () => {
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

async function readConfig(): Promise<Config | null> {
  const [{ loadConfig }, { SOURCES }] = await Promise.all([import('./config/load.ts'), import('./sources/index.ts')]);
  const read = loadConfig(
    process.env,
    SOURCES.map((source) => ({ name: source.name, bases: Object.keys(source.bases) })),
  );
  if (read.ok) return read.value;
  for (const error of read.errors) console.error(error);
  return null;
}

function terminalOf(): Terminal {
  const watched = process.stderr.isTTY === true;
  return {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    isTerminal: process.stdout.isTTY === true,
    isWatched: watched,
    progress: (line) => {
      if (watched)
        process.stderr.write(`\r\u001b[2K${line.slice(0, Math.max(20, (process.stderr.columns ?? 100) - 1))}`);
    },
  };
}

/** Runs the command of the arguments and ends the process with its exit code, unless it keeps running. */
export function run(args: readonly string[]): void {
  main(args).then(
    (code) => {
      // A pipe may not have received all output yet.
      if (code !== null) process.stdout.write('', () => process.exit(code));
    },
    (error: unknown) => {
      const { text, code } = failedStart(error);
      console.error(text);
      process.exit(code);
    },
  );
}

/**
 * Why the start failed, what to do, and the exit code: 69 if a port or another process prevents it, 78 for data of
 * another version or kind.
 */
function failedStart(error: unknown): { readonly text: string; readonly code: number } {
  const { code, message, port } = (error instanceof Error ? error : { message: String(error) }) as Error & {
    readonly code?: string;
    readonly port?: number;
  };
  if (code === 'EADDRINUSE')
    return {
      code: 69,
      text: `The port ${port ?? ''} is in use: another program listens there, or Assay runs already. Open that one (its address is in its terminal), stop it, or start this one on another port: ASSAY_PORT=${(port ?? 8080) + 1} npm start. ASSAY_PORT=0 takes any free port.`,
    };
  if (code === 'EACCES' && port !== undefined)
    return { code: 77, text: `The port ${port} may not be opened by this user: take one from 1024 on (ASSAY_PORT).` };
  if (/newer version of Assay|cannot be opened in/.test(message))
    return {
      code: 78,
      text: `${message}. ASSAY_DATA_DIR names the data folder; assay doctor says what is in it, and nothing of it was changed.`,
    };
  return { code: 1, text: `${message}\nassay doctor says what is wrong here and how to mend it` };
}

// Usually started by bin/assay.js, which caches compiled modules between runs.
if (import.meta.main) run(process.argv.slice(2));
