import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isReachable, openStore } from './database.ts';
import { openDatabase } from './embedded.ts';
import { findServer, isServerOn } from './server-host.ts';

const folders: string[] = [];
after(async () => {
  for (const folder of folders) {
    const left = await findServer(dataOf(folder));
    if (left) process.kill(left.pid, 'SIGQUIT');
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
});
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'assay-embedded-'));
  await chmod(made, 0o755);
  folders.push(made);
  return made;
}
const dataOf = (dataDir: string) => join(dataDir, 'postgres', 'data');
const open = (dataDir: string, role: 'service' | 'visitor' = 'service', log: string[] = []) =>
  openDatabase({ databaseUrl: null, dataDir, role, log: (message) => log.push(message) });

interface Opener {
  readonly child: ChildProcess;
  readonly url: string;
  readonly close: () => Promise<number | null>;
  readonly kill: () => Promise<void>;
}

/** Another process that opens the store of the folder. */
async function opener(dataDir: string, role = 'service'): Promise<Opener> {
  const script = fileURLToPath(new URL('./fixtures/opener.ts', import.meta.url));
  const child = spawn(process.execPath, [script, dataDir, role], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const exit = once(child, 'exit');
  const line = once(createInterface({ input: child.stdout }), 'line');
  const first = await Promise.race([line, exit.then(() => null)]);
  if (first === null) assert.fail(`the process ended: ${said}`);
  const ended = async () => ((await exit) as [number | null])[0];
  return {
    child,
    url: String(first[0]),
    close() {
      child.stdin.end();
      return ended();
    },
    async kill() {
      child.kill('SIGKILL');
      await ended();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const store = await openStore(url, 'sandbox').catch(() => null);
  if (store === null) return false;
  const reachable = await isReachable(store.db);
  await store.close();
  return reachable;
}

test('the server of a process killed with -9 is adopted by the next start; a visitor in between neither stops it nor is refused', async () => {
  const dataDir = await folder();
  await (await opener(dataDir)).kill();
  const orphan = await findServer(dataOf(dataDir));
  assert.ok(orphan);
  const visitor = await opener(dataDir, 'visitor');
  assert.equal(await visitor.close(), 0);
  assert.deepEqual(await findServer(dataOf(dataDir)), orphan);
  const log: string[] = [];
  const next = await open(dataDir, 'service', log);
  assert.deepEqual(log, ['a database server from an earlier run is adopted']);
  assert.deepEqual(await findServer(dataOf(dataDir)), orphan);
  assert.equal(await answers(next.url), true);
  await next.close();
  assert.equal(await findServer(dataOf(dataDir)), null);
  assert.equal(await isServerOn(orphan.pid, dataOf(dataDir)), false);
});

test('a postmaster.pid with the number of another process is ignored', async () => {
  const dataDir = await folder();
  const data = dataOf(dataDir);
  await (await open(dataDir)).close();
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  for (const pid of [String(stranger.pid), String(process.pid), '-1', '0', 'x', '']) {
    await writeFile(join(data, 'postmaster.pid'), `${pid}\n${data}\n1700000000\n5432\n\n127.0.0.1\n`);
    assert.equal(await findServer(data), null, pid);
    assert.equal(existsSync(join(data, 'postmaster.pid')), false);
  }
  await writeFile(join(data, 'postmaster.pid'), `${stranger.pid}\n${data}\n1700000000\n5432\n\n127.0.0.1\n`);
  const again = await open(dataDir);
  assert.equal(await answers(again.url), true);
  await again.close();
  assert.equal(stranger.exitCode, null);
  stranger.kill();
});

test('a start that was killed during initdb recovers: partial data is deleted, and so is its password', async () => {
  const dataDir = await folder();
  const home = join(dataDir, 'postgres');
  await mkdir(join(home, 'data.new.4711', 'base'), { recursive: true });
  await mkdir(join(home, 'data', 'base'), { recursive: true });
  await writeFile(join(home, 'password.4711'), 'secret\n');
  // A lock and a note of a process that is gone: the number is in use, the start time is not its own.
  await mkdir(join(home, 'services'));
  for (const path of ['starting', 'services/1.dead']) await writeFile(join(home, path), `${process.pid}:1`);
  const database = await open(dataDir);
  assert.equal(await answers(database.url), true);
  const left = await readdir(home);
  assert.deepEqual(
    left.filter((name) => /data\.new|password|starting/.test(name)),
    [],
  );
  await database.close();
  assert.equal(await findServer(dataOf(dataDir)), null);
});

test('killed at any moment of its first start, the next start needs no hand', async () => {
  const script = fileURLToPath(new URL('./fixtures/opener.ts', import.meta.url));
  for (const milliseconds of [250, 450, 700]) {
    const dataDir = await folder();
    const child = spawn(process.execPath, [script, dataDir], { stdio: 'ignore' });
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    child.kill('SIGKILL');
    const database = await open(dataDir);
    assert.equal(await answers(database.url), true, String(milliseconds));
    await database.close();
  }
});

test('two processes that start at once on one new folder make one database, and the last service to end stops it', async () => {
  const dataDir = await folder();
  const both = await Promise.all([opener(dataDir), opener(dataDir)]);
  const [a, b] = both;
  assert.equal(a.url, b.url);
  assert.equal(await a.close(), 0);
  assert.equal(await answers(b.url), true);
  assert.equal(await b.close(), 0);
  assert.equal(await findServer(dataOf(dataDir)), null);
});

test('a server that a visitor started ends with it, unless a service has come to use it', async () => {
  const dataDir = await folder();
  const alone = await open(dataDir, 'visitor');
  await alone.close();
  assert.equal(await findServer(dataOf(dataDir)), null);
  const first = await open(dataDir, 'visitor');
  const service = await open(dataDir);
  await first.close();
  assert.equal(await answers(service.url), true);
  await service.close();
  assert.equal(await findServer(dataOf(dataDir)), null);
});

test('two data folders do not disturb each other, and what is in them is closed to others', async () => {
  const [one, two] = [await folder(), await folder()];
  const [a, b] = await Promise.all([open(one), open(two)]);
  assert.notEqual(a.url, b.url);
  await a.close();
  assert.equal(await answers(b.url), true);
  const crossed = new URL(b.url);
  crossed.password = (
    JSON.parse(await readFile(join(one, 'postgres', 'secret.json'), 'utf8')) as { password: string }
  ).password;
  await assert.rejects(openStore(crossed.href, 'sandbox'));
  await b.close();
});
