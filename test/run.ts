import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { RUN_SERVER } from '../src/store/fixtures/run-server.ts';
import { openDurations } from './support/durations.ts';
import { grouped, MOST_FILES, needsOwnProcess } from './support/groups.ts';
import { inLanes, planned, type Room } from './support/lanes.ts';
import { runFiles } from './support/run-files.ts';
import { startRunServer } from './support/run-server.ts';

/**
 * `npm test`: types, style, structure and dead code first, then every test file. Prints one closing line with the counts.
 */
const checks = process.env.ASSAY_SKIP_CHECKS === '1' ? [] : ['types', 'lint', 'structure', 'dead'];
const judged = await Promise.all(checks.map(said));
for (const { check, status, text } of judged) {
  process.stdout.write(text);
  if (status !== 0) console.error(`${check} failed`);
}
if (judged.some(({ status }) => status !== 0)) process.exit(1);

/**
 * Runs one check beside the others: each has parts that use one processor alone. The compiler collects its garbage more rarely: that was a
 * third of its processor time.
 */
async function said(check: string) {
  const env = { GOGC: '400', ...process.env };
  const child = spawn('npm', ['run', '--silent', check], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  const [status] = (await once(child, 'close')) as [number | null];
  return { check, status, text };
}

const wanted = process.argv.slice(2);
const files =
  wanted.length > 0
    ? wanted
    : [
        'test/**/*.test.ts',
        'sandbox/**/*.test.ts',
        'research/**/*.test.ts',
        'methodology/*.test.ts',
        'src/**/*.test.ts',
      ].flatMap((pattern) => globSync(pattern).sort());
/** The same values on every machine; `npm run test:properties` tries others. */
const PROPERTY_SEED = '20261121';
/** What one process has compiled, the others load. */
const COMPILED = fileURLToPath(new URL('../node_modules/.assay/compiled-tests', import.meta.url));
/** Milliseconds after which a process is given up. */
const TIMEOUT_MS = 600_000;
const LOADED_FIRST = [
  'support/untraced.js',
  'support/used-time.ts',
  'properties/seed.ts',
  'support/joined-packages.js',
].flatMap((path) => ['--import', fileURLToPath(new URL(path, import.meta.url))]);

/** None where one is given for all. */
const server = process.env.ASSAY_TEST_DATABASE_URL ? null : await startRunServer();
const leave = async () => {
  await server?.close();
  process.exit(1);
};
process.once('SIGINT', leave).once('SIGTERM', leave);

/** More files than these fail by one cause, which a second run would only hide for longer. */
const MOST_REPEATED = MOST_FILES;
const PROCESSORS = availableParallelism();
/**
 * Deadlines of the service are real: files that compute get a processor each, and files that wait run beside them
 * (docs/decisions/0049).
 */
const BESIDE_OTHERS: Room = { shares: PROCESSORS + 0.25, processes: 2 * PROCESSORS };
/** Shares were measured on a quiet machine. On a slower one, or beside other work, files that wait compute too: then only as many as processors. */
const CROWDED: Room = { shares: PROCESSORS, processes: PROCESSORS };
const CROWDED_LOAD = 3 * PROCESSORS;
const ALONE: Room = { shares: 1, processes: 1 };

/** `UPDATE_DURATIONS=1 npm test` writes them. */
const durations = openDurations(fileURLToPath(new URL('durations.json', import.meta.url)));

/** Runs groups of test files, each in a process of its own; resolves with the counts and the files in which something failed. */
async function ran(groups: readonly (readonly string[])[], room: () => Room) {
  const counts = { tests: 0, passed: 0, failed: 0 };
  const failedFiles = new Set<string>();
  const report = new spec();
  report.pipe(process.stdout, { end: false });
  await inLanes(planned(groups, durations.known), room, async (group) => {
    const ended = await runFiles(group, {
      timeout: TIMEOUT_MS,
      execArgv: LOADED_FIRST,
      env: {
        ASSAY_PROPERTY_SEED: PROPERTY_SEED,
        NODE_COMPILE_CACHE: COMPILED,
        ...process.env,
        [RUN_SERVER]: server?.url ?? '',
        ...durations.env,
      },
    });
    counts.tests += ended.counts.tests;
    counts.passed += ended.counts.passed;
    counts.failed += ended.counts.failed;
    for (const file of ended.failedFiles) failedFiles.add(file);
    // Groups end in any order; the report has one after the other.
    for (const event of ended.events) report.write(event);
  });
  const ended = once(report, 'end');
  report.end({ type: 'test:summary', data: { success: failedFiles.size === 0, counts, duration_ms: 0 } });
  await ended;
  return { ...counts, failedFiles };
}

const each = (names: readonly string[]) => names.map((file) => [file]);
/** Named files, and files that are measured, have a process each. */
const isEach = wanted.length > 0 || Object.keys(durations.env).length > 0;
const groups = isEach
  ? each(files)
  : grouped(files, durations.known, (file) => needsOwnProcess(readFileSync(file, 'utf8')));
const together = await ran(groups, () => ((loadavg()[0] ?? 0) > CROWDED_LOAD ? CROWDED : BESIDE_OTHERS));
/** What failed beside other tests is run once more with the machine to itself, and named in the closing lines whatever comes of it. */
const isRepeated = together.failed > 0 && together.failedFiles.size <= MOST_REPEATED && wanted.length === 0;
const alone = isRepeated ? await ran(each([...together.failedFiles]), () => ALONE) : null;
await server?.close();
durations.keep();
const failed = alone?.failed ?? together.failed;
const passed = together.passed + (alone === null ? 0 : together.failed - alone.failed);
if (alone)
  for (const file of together.failedFiles)
    console.log(`failed beside other tests, ${alone.failedFiles.has(file) ? 'and alone' : 'passed alone'}: ${file}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
