import { readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Terminal } from './cli/context.ts';
import { MANUAL } from './cli/manual.ts';
import { helpText, helpTextOf, isCommand, runCommand } from './cli/run.ts';
import type { Config } from './config/index.ts';

// The rest is loaded where it is needed: help and a command's usage need none of it.

const ROLES: readonly string[] = ['all', 'serve', 'api', 'worker'];
const USAGE = 64;

/** `assay all` (the default, also called `serve`), `api`, `worker`, or a command. Returns the exit code, or null while the process runs. */
async function main(args: readonly string[]): Promise<number | null> {
  const [command = 'serve', ...rest] = args;
  if (['help', '--help', '-h'].includes(command)) {
    console.log(helpText());
    return 0;
  }
  if (isCommand(command) && rest.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(helpTextOf(command));
    return 0;
  }
  if (!isCommand(command) && !ROLES.includes(command)) {
    console.error(`there is no command ${command}; the commands are ${[...ROLES, ...Object.keys(MANUAL)].join(', ')}`);
    return USAGE;
  }
  cacheCompiledCode();
  useBundledModules();
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

/**
 * Keeps compiled modules between runs; without it a command spends more time compiling than working. In the user's own folder: code read from a
 * shared one could be somebody else's. Where that cannot be written nothing is kept. NODE_COMPILE_CACHE names another folder.
 */
function cacheCompiledCode(): void {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'assay', 'compiled'));
}

/**
 * Loads packages of hundreds of small modules from the few files that the installation made of them (packaging/bundle-modules.js). Only
 * for imports of this program: a package goes on with its own copy. Where nothing was made, modules load one by one.
 */
function useBundledModules(): void {
  const folder = new URL('../node_modules/.assay/', import.meta.url);
  let table: Readonly<Record<string, string>>;
  try {
    table = JSON.parse(readFileSync(new URL('modules.json', folder), 'utf8'));
  } catch {
    return;
  }
  const own = new URL('.', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) => {
      const file = table[specifier];
      return file !== undefined && context.parentURL?.startsWith(own)
        ? { url: new URL(file, folder).href, shortCircuit: true }
        : next(specifier, context);
    },
  });
}

async function serve(config: Config, role: 'all' | 'api'): Promise<void> {
  const { startService } = await import('./compose/service.ts');
  const service = await startService({ config, role });
  if (service.adminKey) console.log(`First start. Your admin key, shown once:\n\n  ${service.adminKey}\n`);
  console.log(`Assay is listening on ${service.url} (data mode: ${config.dataMode}); documents at ${service.docsUrl}`);
  stopOnSignal(service.close);
}

async function work(config: Config): Promise<void> {
  const { startWorker } = await import('./compose/worker.ts');
  const worker = await startWorker({ config });
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
    progress: (line) => {
      if (watched)
        process.stderr.write(`\r\u001b[2K${line.slice(0, Math.max(20, (process.stderr.columns ?? 100) - 1))}`);
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main(process.argv.slice(2)).then(
    (code) => {
      // A pipe may not have taken everything yet.
      if (code !== null) process.stdout.write('', () => process.exit(code));
    },
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exit(1);
    },
  );
}
