import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { sandboxConfig, sourceVariables } from '../sandbox/settings.ts';
import { startSandboxProcess } from './sandbox-process.ts';

/**
 * Overhead of a command: `score` against the time of its own job, from the second call on, with the built-in database and
 * warm caches; and `help`. `--beside DIR` measures another checkout in the same run, in turns. Processor time includes
 * the database server that the command starts, and the job.
 */
const run = promisify(execFile);
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '11' }, beside: { type: 'string' } },
});
const rounds = Number(values.rounds);
const root = join(import.meta.dirname, '..');
const trees = [...(values.beside ? [{ name: 'beside', root: values.beside }] : []), { name: 'here', root }];

const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'));
await chmod(folder, 0o755);
const sandbox = await startSandboxProcess();
try {
  const sources = sourceVariables(sandboxConfig(sandbox.address));
  const measured = trees.map((tree) => ({
    ...tree,
    rows: [] as Score[],
    help: [] as number[],
    env: {
      ...process.env,
      ...sources,
      ASSAY_DATA_MODE: 'sandbox',
      ASSAY_DATA_DIR: join(folder, tree.name),
      XDG_CACHE_HOME: join(folder, `${tree.name}-cache`),
    },
  }));
  for (const tree of measured) await score(tree);
  for (const tree of measured) await score(tree);
  for (let round = 0; round < rounds; round += 1) {
    for (const tree of round % 2 === 0 ? measured : measured.toReversed()) {
      tree.rows.push(await score(tree));
      tree.help.push((await timed(tree, ['help'])).wall);
    }
  }
  for (const { name, rows, help } of measured) {
    const added = rows.map(({ wall, job }) => wall - job);
    const parts = [
      `score adds ${spread(added)} s to its job`,
      `the job ${spread(rows.map(({ job }) => job))} s`,
      `processor ${spread(rows.map(({ processor }) => processor))} s`,
      `help ${spread(help)} s`,
    ];
    console.log(`${name}: ${parts.join('; ')}`);
  }
} finally {
  sandbox.child.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

interface Score {
  readonly wall: number;
  readonly processor: number;
  readonly job: number;
}

interface Tree {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

async function score(tree: Tree): Promise<Score> {
  const args = ['score', '--project', 'Tidewell', '--url', 'https://tidewell.example/', '--symbol', 'TIDE', '--json'];
  const { output, ...took } = await timed(tree, args);
  return { ...took, job: Number(JSON.parse(output).execution_time_seconds) };
}

async function timed(
  { root: where, env }: Tree,
  args: readonly string[],
): Promise<{ readonly wall: number; readonly processor: number; readonly output: string }> {
  const timing = 'TIMEFORMAT="%R %U %S"; time "$@"';
  const command = [process.execPath, join(where, 'bin', 'assay.js'), ...args];
  const { stdout, stderr } = await run('bash', ['-c', timing, 'bash', ...command], { env, maxBuffer: 16_777_216 });
  const [wall = 0, user = 0, system = 0] = (stderr.trimEnd().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { wall, processor: user + system, output: stdout };
}

/** Median, smallest and largest. */
function spread(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2);
  return `${at(0.5)} (${at(0)} to ${at(1)})`;
}
