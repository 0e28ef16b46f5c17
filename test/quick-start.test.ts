import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { blocksOf, follow } from './support/guide.ts';
import { pythonWith } from './support/python.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const GUIDES = new URL('../docs/quick-start/', import.meta.url);
/** Blocks that begin a guide: they fetch packages, upgrade, or run until they are stopped (`bench/first-call.ts` runs them). */
const STARTS = /^(npm ci && npm (run demo -- [a-z0-9 .-]+|start)|git pull && npm ci)\n$/;

/** Where a run of the tests keeps what was compiled. */
const COMPILED: Record<string, string> = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};

/** Looks like the repository, and takes what the guides write. */
let folder: string;
let demo: ChildProcess;
let env: Record<string, string>;
let ready: { readonly base_url: string; readonly api_key: string };

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-quick-start-'));
  await chmod(folder, 0o755);
  const kept = (await readdir(ROOT)).filter((name) => !['client', '.git', '.assay', '.demo'].includes(name));
  await Promise.all(kept.map((name) => symlink(join(ROOT, name), join(folder, name))));
  // Packing builds the client, and the tree stays as it is.
  await cp(join(ROOT, 'client'), join(folder, 'client'), { recursive: true });
  env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? folder, npm_config_offline: 'true', ...COMPILED };
  demo = startDemo('.demo');
  ready = await readyLine(demo);
});
after(async () => {
  await ended(demo);
  await rm(folder, { recursive: true, force: true });
});

function readyLine({ stdout }: ChildProcess): Promise<typeof ready> {
  return new Promise((resolve, reject) => {
    if (!stdout) return;
    const lines = createInterface({ input: stdout });
    lines.on('line', (line) => {
      if (line.startsWith('READY ')) resolve(JSON.parse(line.slice(6)) as typeof ready);
    });
    lines.once('close', () => reject(new Error('the demo ended before it was ready')));
  });
}

const python = pythonWith(['pandas']);
const WITHOUT_PANDAS = python ? false : 'there is no Python with pandas here';

for (const name of ['data-team', 'analyst', 'developer', 'agent', 'operator', 'python'])
  test(`the quick start ${name} runs as written, command by command, and shows the stated output`, {
    skip: name === 'python' && WITHOUT_PANDAS,
  }, async () => {
    // An operator has a service of an hour, at the usual place, and no demo with a past.
    const service = name === 'operator' ? startDemo('.service', '--empty') : null;
    if (service) await readyLine(service);
    const given = service ? await demoVariables('.service') : {};
    // The Python that has pandas need not be the first of this machine.
    const path: Record<string, string> = name === 'python' ? { PATH: `${dirname(python ?? '')}:${env.PATH}` } : {};
    const steps = await follow(new URL(`${name}.md`, GUIDES), { cwd: folder, env: { ...env, ...given, ...path } });
    if (service) await ended(service);
    assert.ok(steps >= 3);
  });

function startDemo(dataDir: string, ...options: readonly string[]): ChildProcess {
  // As `npm run demo` does.
  const args = ['--import', './sandbox/loading.js', 'sandbox/demo.ts', '--data-dir', dataDir, ...options];
  return spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function ended(process: ChildProcess): Promise<void> {
  const end = new Promise((resolve) => process.once('exit', resolve));
  process.kill('SIGTERM');
  await end;
}

/** What `. .demo/demo.env` sets. */
async function demoVariables(dataDir = '.demo'): Promise<Record<string, string>> {
  const { stdout } = await run('bash', ['-euc', `. ${dataDir}/demo.env && env --null`], { cwd: folder, env });
  return Object.fromEntries(stdout.split('\0').flatMap((line) => (line.includes('=') ? [line.split(/=(.*)/s)] : [])));
}

test('the worked example of the README runs as written', async () => {
  const given = await demoVariables();
  assert.equal(await follow(new URL('../README.md', import.meta.url), { cwd: folder, env: { ...env, ...given } }), 1);
});

test('commands of the guides that are not run are starts, or need a machine of their own and existing files', async () => {
  for (const name of await readdir(GUIDES)) {
    const blocks = await blocksOf(new URL(name, GUIDES));
    assert.ok(blocks.filter(({ language }) => language === 'sh').length <= 12, name);
    for (const { language, note, text } of blocks) {
      if (language !== 'sh' || note === '') continue;
      if (note === 'start') assert.match(text, STARTS, name);
      else {
        assert.equal(note, 'root', name);
        await run('bash', ['-n', '-c', text]);
        const files = [...text.matchAll(/packaging\/\S+/g)].map(([path]) => path);
        assert.ok(files.length > 0);
        for (const path of files) await readFile(join(ROOT, path));
      }
    }
  }
});

test('both client configurations of the guide connect an independent client of the protocol', async () => {
  const configurations = (await blocksOf(new URL('agent.md', GUIDES))).filter(({ note }) => note === 'client');
  assert.equal(configurations.length, 2);
  for (const { text } of configurations) {
    const filled = text
      .replaceAll('http://127.0.0.1:8080', ready.base_url)
      .replaceAll('ak_live_...', ready.api_key)
      .replaceAll('/path/to/assay', folder);
    const { assay } = (JSON.parse(filled) as { readonly mcpServers: { readonly assay: Server } }).mcpServers;
    const client = new Client({ name: 'a host', version: '1.0.0' });
    // The SDK’s declarations do not know exactOptionalPropertyTypes from undefined.
    await client.connect(transportOf(assay) as Parameters<Client['connect']>[0]);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 11);
    const { structuredContent } = await client.callTool({ name: 'get_rating', arguments: { asset: 'TIDE' } });
    // Published bands follow slowly: the one of the past, or the next.
    assert.match((structuredContent as { band: string }).band, /^BBB?$/);
    await client.close();
  }
});

type Server =
  | { readonly type: 'http'; readonly url: string; readonly headers: Record<string, string> }
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };

function transportOf(server: Server) {
  if ('url' in server)
    return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } });
  return new StdioClientTransport({ ...server, env: { ...env, ...server.env }, stderr: 'ignore' });
}
