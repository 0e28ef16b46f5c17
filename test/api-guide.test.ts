import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { blocksOf, follow } from './support/guide.ts';
import { type TestService, testService } from './support/service.ts';

const GUIDE = new URL('../docs/api-guide.md', import.meta.url);
let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

test('every command of the guide runs as written, and its reply has what the guide shows', async () => {
  const env = { PATH: process.env.PATH ?? '', BASE_URL: world.service.url, API_KEY: world.key };
  assert.ok((await follow(GUIDE, { cwd: world.dataDir, env, clock: 'present' })) >= 11);
});

test('the guide has no command that is not tested', async () => {
  const left = (await blocksOf(GUIDE)).filter(({ language, note }) => language === 'sh' && note !== '');
  assert.deepEqual(
    left.map(({ text }) => text),
    ['export BASE_URL=http://127.0.0.1:8080 API_KEY=ak_live_...\n'],
  );
});
