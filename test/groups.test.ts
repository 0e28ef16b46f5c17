import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { grouped, MOST_FILES, needsOwnProcess } from './support/groups.ts';
import type { Ran } from './support/run-files.ts';

const RUN_FILES = new URL('support/run-files.ts', import.meta.url).href;
const UNTRACED = new URL('support/untraced.js', import.meta.url).href;

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-groups-'));
});
after(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `import { after, before, beforeEach, test } from 'node:test';\n${text}`);
  return path;
}

/** Runs files as one group, from a process that is not itself a test. */
function ranTogether(files: readonly string[]): Pick<Ran, 'counts' | 'failedFiles'> & { readonly said: string } {
  const script = join(folder, 'run.mjs');
  writeFileSync(
    script,
    `import { runFiles } from '${RUN_FILES}';
    const { counts, failedFiles, events } = await runFiles(${JSON.stringify(files)},
      { timeout: 60_000, execArgv: ['--import', '${UNTRACED}'], env: process.env });
    const said = events.filter(({ type }) => type === 'test:stdout').map(({ data }) => data.message).join('');
    console.log(JSON.stringify({ counts, failedFiles, said }));`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return JSON.parse(
    execFileSync(process.execPath, [script], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}

test('short files that compute share a process with their neighbours, so do those that wait, and others have their own', () => {
  const short = { wall: 4, cpu: 4 };
  const taken = {
    one: short,
    two: short,
    long: { wall: 20, cpu: 20 },
    waits: { wall: 9, cpu: 2 },
    apart: short,
    three: short,
    'waits too': { wall: 40, cpu: 3 },
    'waits long': { wall: 90, cpu: 3 },
    apart2: { wall: 9, cpu: 2 },
  };
  const files = ['one', 'new', 'long', 'two', 'waits', 'apart', 'three', 'waits too', 'waits long', 'apart2'];
  assert.deepEqual(
    grouped(files, taken, (file) => file.startsWith('apart')),
    [['one', 'two', 'three'], ['new'], ['long'], ['waits', 'waits too'], ['apart'], ['waits long'], ['apart2']],
  );
});

test('a group has so many files and so many seconds at most', () => {
  const names = Array.from({ length: 2 * MOST_FILES + 1 }, (_, at) => `${at}`);
  const sizes = (cpu: number, wall = cpu) =>
    grouped(names, Object.fromEntries(names.map((name) => [name, { wall, cpu }])), () => false).map(
      (group) => group.length,
    );
  assert.deepEqual(sizes(1), [16, 16, 1]);
  assert.deepEqual(sizes(10), [6, 6, 6, 6, 6, 3]);
  assert.deepEqual(sizes(1, 5), [12, 12, 9]);
  assert.deepEqual(sizes(10, 30), [...Array.from({ length: 16 }, () => 2), 1]);
});

test('a file that changes or measures its process needs its own', () => {
  for (const text of [
    "process.env.HTTP_PROXY = 'http://proxy';",
    "process.env['HTTP_PROXY'] ??= 'http://proxy';",
    'delete process.env.HTTP_PROXY;',
    'Object.assign(process.env, settings);',
    "process.on('unhandledRejection', note);",
    'const before = process.memoryUsage().heapUsed;',
    "t.mock.timers.enable({ apis: ['Date'] });",
    'const elapsed = ownTime();',
    'performance.eventLoopUtilization();',
    'const { data } = 1;\nawait ready();',
    'const world = await testService();',
  ])
    assert.equal(needsOwnProcess(text), true, text);
  for (const text of [
    "const isUpdate = process.env.UPDATE_DOCS === '1';",
    'const startedAt = performance.now();',
    'const env = { ...process.env, PORT: port };',
  ])
    assert.equal(needsOwnProcess(text), false, text);
  assert.equal(needsOwnProcess("test('x', async () => {\n  const a = await process.cwdless();\n});"), false);
});

test('the files of a group run one after the other, each with its own hooks', () => {
  const hooked = (name: string) =>
    written(
      `${name}.test.mjs`,
      `before(async () => { await null; console.log('begin ${name}'); });
       after(() => console.log('end ${name}'));
       beforeEach(() => console.log('each ${name}'));
       test('one', async () => { await null; console.log('test ${name}'); });`,
    );
  const { counts, failedFiles, said } = ranTogether([hooked('a'), hooked('b')]);
  assert.deepEqual(said.trim().split('\n'), [
    ...['begin a', 'each a', 'test a', 'end a'],
    ...['begin b', 'each b', 'test b', 'end b'],
  ]);
  assert.deepEqual(counts, { tests: 2, passed: 2, failed: 0 });
  assert.deepEqual(failedFiles, []);
});

test('a failure is one of its file, and a process that ends is one of all', () => {
  const passes = written('passes.test.mjs', "test('passes', () => {});");
  const fails = written('fails.test.mjs', "test('fails', async (t) => { await t.test('part', () => { throw 1; }); });");
  const badHook = written('hook.test.mjs', "after(() => { throw new Error('hook'); });\ntest('passes', () => {});");
  const broken = written('broken.test.mjs', "throw new Error('does not load');");
  const ends = written('ends.test.mjs', "test('ends', () => process.exit(3));");
  for (const bad of [fails, badHook, broken]) {
    const { counts, failedFiles } = ranTogether([passes, bad]);
    assert.deepEqual(failedFiles, [bad]);
    assert.ok(counts.failed > 0, `${bad} counts`);
  }
  assert.deepEqual(ranTogether([passes, ends]).failedFiles, [passes, ends]);
  assert.deepEqual(ranTogether([passes, written('alone.test.mjs', "test('x', () => {});")]).failedFiles, []);
});
