import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../src/config/load.ts';
import { SOURCES } from '../src/sources/index.ts';
import { writeEnvironment } from './demo-environment.ts';
import { serviceOnSandbox } from './service-settings.ts';

/** As `npm run demo` starts it. */
const DEMO = ['./loading.js', './demo.ts'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

async function run(...options: readonly string[]) {
  const temporary = await mkdtemp(join(tmpdir(), 'assay-demo-test-'));
  const demo = spawn(process.execPath, ['--import', ...DEMO, ...options], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  demo.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((resolve) => demo.once('exit', resolve));
  const left = await readdir(temporary);
  await rm(temporary, { recursive: true });
  return { output, code, left };
}

test('the demo shows a rating, a scam and a rating withheld on one screen, ends with READY, and leaves no process behind', async () => {
  const { output, code, left } = await run('--once');
  assert.equal(code, 0, output);
  assert.match(output, /^ {2}Tidewell .* (AAA|AA|A|BBB|BB|B) +\d/m);
  assert.match(output, /^ {2}Hivecoin .* C .*HONEYPOT/m);
  assert.match(output, /^ {2}Nowhere Protocol .*no rating: project_not_identified/m);
  assert.match(output, /^ {2}Another terminal +\. \/.*demo\.env$/m);
  const lines = output.trimEnd().split('\n');
  assert.ok(lines.length <= 18, `${lines.length} lines:\n${output}`);
  const ready = lines.at(-1) ?? '';
  assert.match(ready, /^READY \{/);
  assert.deepEqual(Object.keys(JSON.parse(ready.slice(6))), ['base_url', 'api_key', 'docs_url']);
  assert.deepEqual(left, []);
});

test('with --verbose each source and the whole verdict are shown', async () => {
  const { output, code } = await run('--once', '--empty', '--verbose');
  assert.equal(code, 0, output);
  assert.match(output, /Rating {2}C, score/);
  assert.match(output, /^ {2}coingecko\.\S+ .*\d+ ms, \d+ values$/m);
});

test('the settings for another terminal name the port of this demo, where the doctor looks for it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-demo-env-'));
  const config = serviceOnSandbox({ url: 'http://127.0.0.1:9', registersDir: null }, { dataDir });
  const file = await writeEnvironment(config, { url: 'http://127.0.0.1:18321', key: 'ak_live_x' });
  const lines = (await readFile(file, 'utf8')).matchAll(/^export (\w+)='([^']*)'$/gm);
  const environment = Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
  const read = loadConfig(
    environment,
    SOURCES.map(({ name, bases }) => ({ name, bases: Object.keys(bases) })),
  );
  assert.ok(read.ok, JSON.stringify(read));
  assert.deepEqual([read.value.port, read.value.dataDir, read.value.dataMode], [18_321, dataDir, 'sandbox']);
  await rm(dataDir, { recursive: true });
});

test('--help starts nothing, and an unknown option lists the known ones', async () => {
  const help = await run('--help');
  assert.equal(help.code, 0);
  assert.match(help.output, /--verbose/);
  assert.equal((await run('--nonsense')).code, 64);
});
