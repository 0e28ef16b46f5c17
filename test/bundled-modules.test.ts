import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const folder = new URL('../node_modules/.assay/', import.meta.url);
const table: Readonly<Record<string, string>> = JSON.parse(await readFile(new URL('modules.json', folder), 'utf8'));

test('the files that the installation joins export what their packages export', async () => {
  assert.ok(Object.keys(table).length > 0);
  for (const [specifier, file] of Object.entries(table)) {
    const [joined, installed] = await Promise.all([import(new URL(file, folder).href), import(specifier)]);
    assert.deepEqual(Object.keys(joined).sort(), Object.keys(installed).sort(), specifier);
  }
});

test('a command imports none of these packages one module at a time', () => {
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
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', source, main, 'config'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ASSAY_DATA_MODE: 'live' },
  });
  assert.match(stdout, /ASSAY_PORT/);
  assert.doesNotMatch(stderr, /loaded /);
});
