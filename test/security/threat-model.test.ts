import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('every test that the threat model names is there, and every part of the campaign is named in it', () => {
  const page = readFileSync('docs/threat-model.md', 'utf8');
  const named = [...page.matchAll(/`([\w/.*-]+\.ts)`/g)].map(([, path = '']) => path);
  const places = (path: string) => [path, `test/security/${path}`];
  const missing = named.filter((path) =>
    places(path).every((place) => !existsSync(place) && globSync(place).length === 0),
  );
  assert.ok(named.length > 20);
  assert.deepEqual(missing, []);
  const parts = globSync('test/security/*.test.ts').map((path) => path.replace('test/security/', ''));
  const silent = parts.filter((part) => part !== 'threat-model.test.ts' && !page.includes(part));
  assert.deepEqual(silent, []);
});
