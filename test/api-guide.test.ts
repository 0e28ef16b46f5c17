import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type TestService, testService } from './support/service.ts';

const run = promisify(execFile);
const GUIDE = new URL('../docs/api-guide.md', import.meta.url);
let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

/** Commands of the guide, each with the reply that is shown below it. */
async function examples() {
  const text = await readFile(GUIDE, 'utf8');
  return [...text.matchAll(/```sh\n(curl [\s\S]*?)```\n+```json\n([\s\S]*?)```/g)].map(
    ([, command = '', reply = '']) => ({
      command,
      reply: JSON.parse(reply) as unknown,
    }),
  );
}

/** What is shown must be there: members of objects by name and kind, values of lists as far as they are shown. */
function has(actual: unknown, shown: unknown, path: string): void {
  if (shown === null) return;
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual), `${path} is no list`);
    for (const [index, one] of shown.entries()) has(actual[index], one, `${path}[${index}]`);
    return;
  }
  assert.equal(typeof actual, typeof shown, path);
  if (typeof shown === 'object')
    for (const [name, value] of Object.entries(shown as object)) {
      assert.ok(Object.hasOwn(actual as object, name), `${path}.${name} is missing`);
      has((actual as Record<string, unknown>)[name], value, `${path}.${name}`);
    }
}

test('every command of the guide runs as it stands, and its reply has what the guide shows', async () => {
  const all = await examples();
  assert.ok(all.length >= 11, String(all.length));
  const env = { PATH: process.env.PATH ?? '', BASE_URL: world.service.url, API_KEY: world.key };
  for (const { command, reply } of all) {
    const { stdout } = await run('bash', ['-euc', command], { env });
    const actual = JSON.parse(stdout) as unknown;
    has(actual, reply, command.split('\n')[0] ?? '');
    const problem = (shown: unknown) => (shown as { status?: unknown }).status;
    assert.equal(problem(actual), problem(reply), stdout.slice(0, 300));
  }
});

test('the guide has no command that nobody runs', async () => {
  const text = await readFile(GUIDE, 'utf8');
  assert.equal([...text.matchAll(/^curl /gm)].length, (await examples()).length);
});
