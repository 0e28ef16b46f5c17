import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { RUN_SERVER } from '../src/store/fixtures/run-server.ts';
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

/** Runs one check beside the others: each has parts that use one processor alone. */
async function said(check: string) {
  const child = spawn('npm', ['run', '--silent', check], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  const [status] = (await once(child, 'close')) as [number | null];
  return { check, status, text };
}

const wanted = process.argv.slice(2);
/** Those of the whole service first: they take longest, and one that runs alone at the end leaves a processor idle. */
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
/** Each file has a process of its own: what one has compiled, the others load. */
const COMPILED = fileURLToPath(new URL('../node_modules/.assay/compiled-tests', import.meta.url));
/** Milliseconds after which a file is given up. */
const TIMEOUT_MS = 300_000;
const LOADED_FIRST = ['support/untraced.js', 'properties/seed.ts', 'support/joined-packages.js'].flatMap((path) => [
  '--import',
  fileURLToPath(new URL(path, import.meta.url)),
]);

/** None where one is given for all. */
const server = process.env.ASSAY_TEST_DATABASE_URL ? null : await startRunServer();
const leave = async () => {
  await server?.close();
  process.exit(1);
};
process.once('SIGINT', leave).once('SIGTERM', leave);

const tests = run({
  files: [...files],
  // Deadlines of the service are real: more at once and sources are cut short.
  concurrency: 2,
  timeout: TIMEOUT_MS,
  execArgv: LOADED_FIRST,
  env: {
    ASSAY_PROPERTY_SEED: PROPERTY_SEED,
    NODE_COMPILE_CACHE: COMPILED,
    ...process.env,
    [RUN_SERVER]: server?.url ?? '',
  },
});
let counts = { tests: 0, passed: 0, skipped: 0, todo: 0 };
tests.on('test:summary', (summary) => {
  // The one without a file is that of the whole run.
  if (summary.file === undefined) counts = summary.counts;
});
const report = tests.compose(new spec());
report.pipe(process.stdout);
await finished(report);
await server?.close();
const failed = counts.tests - counts.passed - counts.skipped - counts.todo;
console.log(`${counts.passed} passed, ${failed} failed`);
process.exit(failed === 0 && counts.passed > 0 ? 0 : 1);
