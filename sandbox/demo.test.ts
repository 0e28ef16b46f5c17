import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('the demo shows a rating, a scam and an honest refusal, ends with READY, and leaves nothing behind', async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'assay-demo-test-'));
  const demo = spawn(process.execPath, [fileURLToPath(new URL('./demo.ts', import.meta.url)), '--once'], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  demo.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((resolve) => demo.once('exit', resolve));
  assert.equal(code, 0, output);
  assert.match(output, /Rating {2}(AAA|AA|A|BBB|BB|B), score/);
  assert.match(output, /Rating {2}C, score/);
  assert.match(output, /project_not_identified/);
  assert.match(output, /^For another terminal .*: \. \/.*demo\.env$/m);
  const ready = output.trimEnd().split('\n').at(-1) ?? '';
  assert.match(ready, /^READY \{/);
  assert.deepEqual(Object.keys(JSON.parse(ready.slice(6))), ['base_url', 'api_key', 'docs_url']);
  assert.deepEqual(await readdir(temporary), []);
  await rm(temporary, { recursive: true });
});
