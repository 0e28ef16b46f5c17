import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, chmod, copyFile, cp, mkdtemp, readdir, readFile, rm, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = new URL('../node_modules/.assay/', import.meta.url);
const table: Readonly<Record<string, string>> = JSON.parse(await readFile(new URL('modules.json', folder), 'utf8'));

/** Packages of which only what `src/` imports is joined. */
const IN_PART = ['undici'];

test('the files that the installation joins export what their packages export', async () => {
  assert.ok(Object.keys(table).length > 0);
  for (const [specifier, file] of Object.entries(table)) {
    const [joined, installed] = await Promise.all([import(new URL(file, folder).href), import(specifier)]);
    const wanted = IN_PART.includes(specifier) ? await importedOf(specifier) : Object.keys(installed).sort();
    assert.deepEqual(Object.keys(joined).sort(), wanted, specifier);
    assert.ok(wanted.length > 0 && wanted.every((name) => name in installed), specifier);
  }
});

/** Names that files of `src/` import of a package to use them, not as types. */
async function importedOf(specifier: string): Promise<readonly string[]> {
  const source = new URL('../src/', import.meta.url);
  const names = new Set<string>();
  for (const path of await readdir(source, { recursive: true })) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue;
    const text = await readFile(new URL(path, source), 'utf8');
    for (const [, list = ''] of text.matchAll(new RegExp(`^import \\{([^}]*)\\} from '${specifier}';$`, 'gm')))
      for (const name of list.split(',')) if (!name.trim().startsWith('type ')) names.add(name.trim());
  }
  return [...names].sort();
}

/** The command line in a copy of the tree with the joined program: `change` is applied to it first. Says which of our files were loaded. */
async function loadedFiles(change: (root: string) => Promise<void>): Promise<readonly string[]> {
  const from = fileURLToPath(new URL('..', import.meta.url));
  const root = await mkdtemp(join(tmpdir(), 'assay-tree-'));
  try {
    for (const path of ['bin', 'src', 'registers', 'methodology', 'package.json', 'node_modules/.assay'])
      await cp(join(from, path), join(root, path), { recursive: true, preserveTimestamps: true });
    for (const name of await readdir(join(from, 'node_modules')))
      if (name !== '.assay') await symlink(join(from, 'node_modules', name), join(root, 'node_modules', name));
    await change(root);
    const watch = `data:text/javascript,${encodeURIComponent(`import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) { console.error('loaded ' + url); return next(url, context); } });`)}`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', watch, join(root, 'bin', 'assay.js'), 'config'],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(root, 'compiled') },
      },
    );
    assert.match(stdout, /ASSAY_PORT/, stderr);
    return [...stderr.matchAll(/loaded file:\/\/(\S*)/g)].map(([, path = '']) => relative(root, path));
  } finally {
    await rm(root, { recursive: true });
  }
}

test('a command runs from the joined program while no source file has changed, and from the sources as soon as one has', async () => {
  const joined = (path: string) => path.startsWith('node_modules/.assay/commands/');
  const source = (path: string) => path.startsWith('src/');
  const unchanged = await loadedFiles(async () => undefined);
  assert.ok(unchanged.some(joined));
  assert.deepEqual(unchanged.filter(source), []);
  const changes: readonly ((root: string) => Promise<void>)[] = [
    (root) => appendFile(join(root, 'src/rating/index.ts'), '\n'),
    (root) => utimes(join(root, 'src/cli/score.ts'), 1, 1),
    (root) => rm(join(root, 'src/compose/service.ts')),
  ];
  for (const change of changes) {
    const changed = await loadedFiles(change);
    assert.deepEqual(changed.filter(joined), []);
    assert.ok(changed.some(source));
  }
});

test('neither a command nor what runs from the sources imports these packages one module at a time', () => {
  // A hook on loading that runs before ours names each file of a package that is read from its own folder.
  const watch = `
    const { registerHooks } = require('node:module');
    registerHooks({ load(url, context, next) {
      const found = /node_modules\\/(${Object.keys(table)
        .filter((specifier) => !specifier.includes('/'))
        .join('|')})\\//.exec(url);
      if (found) console.error('loaded ' + url);
      return next(url, context);
    } });`;
  const source = `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('/'); ${watch}`)}`;
  const main = new URL('../bin/assay.js', import.meta.url).pathname;
  // A role, refused for its argument after the settings and the sources were loaded, runs from the sources.
  for (const [args, said] of [
    [['config'], /ASSAY_PORT/],
    [['api', 'argument'], /takes no arguments/],
  ] as const) {
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', source, main, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ASSAY_DATA_MODE: 'live' },
    });
    assert.match(stdout + stderr, said);
    assert.doesNotMatch(stderr, /loaded /);
  }
});

test('started by another Node, the command line runs on the installed one, and imports nothing by name that Node 20 lacks', async () => {
  const bin = new URL('../bin/assay.js', import.meta.url);
  const place = await mkdtemp(join(tmpdir(), 'assay-node-'));
  try {
    // Another Node is one at another path.
    const other = join(place, 'node');
    await copyFile(process.execPath, other);
    await chmod(other, 0o755);
    const { stdout, status } = spawnSync(other, [bin.pathname, 'help'], { encoding: 'utf8' });
    assert.deepEqual([stdout.split('\n')[0], status], ['assay <command>', 0]);
    assert.equal(spawnSync(other, [bin.pathname, 'no-such-command']).status, 64);
  } finally {
    await rm(place, { recursive: true });
  }
  const named = [...(await readFile(bin, 'utf8')).matchAll(/^import \{([^}]*)\} from/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  assert.deepEqual(named.sort(), ['constants', 'dirname', 'homedir', 'join', 'realpathSync', 'spawn']);
});
