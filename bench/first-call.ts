import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { startSandbox } from '../sandbox/server.ts';
import { sandboxConfig, sourceVariables } from '../sandbox/settings.ts';

/**
 * First installation from a fresh clone of this repository: `npm ci` with an empty cache of npm's and with a full one,
 * `npm run demo` to the first rating and to its end, `npm start` to the first reply (on the sandbox's sources).
 */
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'assay-first-call-'));
await chmod(folder, 0o755);
const clone = join(folder, 'assay');
const env = { ...process.env, npm_config_cache: join(folder, 'npm-cache') };
const PORT = '18080';

try {
  const cloned = await seconds(() => run('git', ['clone', '--quiet', join(import.meta.dirname, '..'), clone]));
  const processor: string[] = [];
  const install = async () => void processor.push(await processorOf('npm ci --no-audit --no-fund'));
  const cold = await seconds(install);
  await rm(join(clone, 'node_modules'), { recursive: true });
  const warm = await seconds(install);
  const demo = await linesOf('npm', ['run', 'demo', '--', '--once'], env, { first: /^ {2}Rating/ });
  const start = await serve();
  const rows = [
    ['git clone (from this disk)', cloned],
    ['npm ci, empty cache', cold],
    ['npm ci, full cache', warm],
    ['npm run demo, to the first rating', demo.first],
    ['npm run demo -- --once, to its end', demo.end],
    ['npm start, to the printed key', start.key],
    ['npm start, to the first answered call', start.call],
    ['clone to the first rating, empty cache', cloned + cold + demo.first],
    ['clone to the first rating, full cache', cloned + warm + demo.first],
  ] as const;
  console.log(`processor of npm ci, cache empty and full  ${processor.join(', ')}`);
  for (const [what, took] of rows) console.log(`${what.padEnd(42)} ${took.toFixed(1).padStart(6)} s`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Runs a command in the clone; returns its processor time, which other work on the machine does not lengthen. */
async function processorOf(command: string): Promise<string> {
  const timed = `TIMEFORMAT='%U s user, %S s system'; time ${command} > /dev/null`;
  const { stderr } = await run('bash', ['-c', timed], { cwd: clone, env, maxBuffer: 16_777_216 });
  return stderr.trimEnd().split('\n').at(-1) ?? '';
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

/** Seconds to the first line that matches, and to the end. */
async function linesOf(
  command: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  { first, onFirst }: { readonly first: RegExp; readonly onFirst?: (line: string, stop: () => void) => Promise<void> },
): Promise<{ readonly first: number; readonly end: number }> {
  const begun = performance.now();
  // In its own process group: npm does not pass a signal on to its children.
  const child = spawn(command, args, {
    cwd: clone,
    env: variables,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const stop = () => void (child.pid && process.kill(-child.pid, 'SIGTERM'));
  const ended = new Promise((resolve) => child.once('close', resolve));
  let seen = Number.NaN;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!Number.isNaN(seen) || !first.test(line)) continue;
    seen = (performance.now() - begun) / 1000;
    await onFirst?.(line, stop);
  }
  await ended;
  return { first: seen, end: (performance.now() - begun) / 1000 };
}

/** `npm start` on an empty data folder, until a keyed request gets a reply. */
async function serve(): Promise<{ readonly key: number; readonly call: number }> {
  const sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
  const variables = {
    ...env,
    ASSAY_PORT: PORT,
    ASSAY_DATA_MODE: 'sandbox',
    ...sourceVariables(sandboxConfig(sandbox)),
  };
  const begun = performance.now();
  let call = Number.NaN;
  const { first } = await linesOf('npm', ['start'], variables, {
    first: /ak_live_/,
    async onFirst(line, stop) {
      const [key = ''] = /ak_live_\w+/.exec(line) ?? [];
      const reply = await fetch(`http://127.0.0.1:${PORT}/v1/rms`, { headers: { 'x-api-key': key } });
      if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
      call = (performance.now() - begun) / 1000;
      stop();
    },
  });
  await sandbox.close();
  return { key: first, call };
}
