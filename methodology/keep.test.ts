import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadMethodology } from '../src/methodology/load.ts';
import { versionAfter } from './keep.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

test('the version follows from the kind of the change', () => {
  assert.deepEqual(
    (['MAJOR', 'MINOR', 'PATCH'] as const).map((kind) => versionAfter('0.5.1', kind)),
    ['1.0.0', '0.6.0', '0.5.2'],
  );
});

/** A repository of its own with the methodology and the code that checks it. */
function checkout(): { readonly at: (path: string) => string; readonly keep: (...args: string[]) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-keep-'));
  const at = (path: string) => join(folder, path);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  cpSync(join(ROOT, 'methodology'), at('methodology'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), at('package.json'));
  for (const part of ['src', 'node_modules']) symlinkSync(join(ROOT, part), at(part));
  git('init', '--quiet');
  git('add', 'methodology');
  git('commit', '--quiet', '--message', 'as published');
  const keep = (...args: string[]) =>
    execFileSync(process.execPath, [at('methodology/keep.ts'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  return { at, keep };
}

test('a change of a number is one line and the command: the published version is kept, to the byte', (context) => {
  const { at, keep } = checkout();
  context.after(() => rmSync(at(''), { recursive: true }));
  const [current, before] = [
    at('methodology/methodology.json'),
    readFileSync(join(ROOT, 'methodology/methodology.json'), 'utf8'),
  ];
  const { version } = JSON.parse(before);
  writeFileSync(current, before.replace('"margin": 1.5,', '"margin": 1.6,'));
  keep('--kind', 'PATCH', '--reason', 'It was "too narrow" for $1.', '--effect', 'Bands move later.');
  assert.equal(readFileSync(at(`methodology/versions/${version}.json`), 'utf8'), before);
  const hashes = JSON.parse(readFileSync(at('methodology/versions/hashes.json'), 'utf8'));
  assert.equal(hashes[version], loadMethodology().hash);
  const after = readFileSync(current, 'utf8');
  const next = JSON.parse(after);
  assert.equal(next.version, versionAfter(version, 'PATCH'));
  const { date: _, ...entry } = next.changes[0];
  assert.deepEqual(entry, {
    version: next.version,
    kind: 'PATCH',
    reason: 'It was "too narrow" for $1.',
    effect: 'Bands move later.',
  });
  const gone = before.split('\n').filter((row) => !after.split('\n').includes(row));
  assert.ok(gone.length <= 3, gone.join('\n'));
  assert.throws(
    () => keep('--kind', 'PATCH', '--reason', 'again', '--effect', 'none'),
    /is the one of the last commit/,
  );
});

test('a file that does not hold together is not made a version, and nothing is written', (context) => {
  const { at, keep } = checkout();
  context.after(() => rmSync(at(''), { recursive: true }));
  const current = at('methodology/methodology.json');
  const wrong = readFileSync(current, 'utf8').replace('"MQ": 14', '"MQ": 15');
  writeFileSync(current, wrong);
  assert.throws(
    () => keep('--kind', 'PATCH', '--reason', 'a weight', '--effect', 'none'),
    /weights of token sum to 101, not 100/,
  );
  assert.equal(readFileSync(current, 'utf8'), wrong);
  assert.equal(existsSync(at(`methodology/versions/${JSON.parse(wrong).version}.json`)), false);
  assert.throws(() => keep('--kind', 'SMALL', '--reason', 'a', '--effect', 'b'), /usage:/);
});
