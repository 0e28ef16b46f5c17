import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const pathOf = (name: string) => fileURLToPath(new URL(`support/${name}`, import.meta.url));

/** What the file of nested suites prints, without times. */
function output(...given: readonly string[]): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [...given, '--test', '--test-reporter=spec', pathOf('nested-suites.js')];
  return execFileSync(process.execPath, args, { env, encoding: 'utf8' })
    .replace(/ \([\d.]+ms\)/g, '')
    .replace(/duration_ms [\d.]+/, '');
}

test('hooks and tests of nested suites run where they are declared, though the runner follows no promises', () => {
  const untraced = output('--import', pathOf('untraced.js'));
  assert.match(untraced, /^before all true$/m);
  assert.match(untraced, /^before the last true$/m);
  assert.equal(untraced, output());
});
