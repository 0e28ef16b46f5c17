import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
let folder: string;
before(async () => {
  [world, folder] = await Promise.all([testService(), mkdtemp(join(tmpdir(), 'assay-policy-'))]);
  for (const slug of ['tidewell', 'gonedoor']) {
    const one = world.sandbox.world.assets.find((each) => each.slug === slug);
    assert.ok(one);
    const json = {
      type: 'posttge',
      project: one.name,
      project_url: one.url,
      token_address: one.address,
      blockchain: one.chain,
    };
    assert.equal((await world.call('/v1/score', { json })).status, 200);
  }
});
after(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly output: string;
  readonly summary: string;
}
/** Runs a script in a process of its own, as a runner of GitHub does, with nothing of this process's environment. */
async function action(
  csv: string,
  inputs: Readonly<Record<string, string>>,
  script = 'integrations/github-action/check.mjs',
  args: readonly string[] = [],
): Promise<Ended> {
  const [positions, output, summary] = ['positions.csv', 'output', 'summary.md'].map((name) => join(folder, name));
  await Promise.all([writeFile(positions ?? '', csv), writeFile(output ?? '', ''), writeFile(summary ?? '', '')]);
  const given = { url: world.service.url, 'api-key': world.key, positions: positions ?? '', ...inputs };
  const env = Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));
  const files = { GITHUB_OUTPUT: output ?? '', GITHUB_STEP_SUMMARY: summary ?? '' };
  const ended = await new Promise<{ readonly code: number; readonly out: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, '..', script), ...args],
      { env: { ...env, ...files } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out: out + err }),
    );
  });
  return { ...ended, output: await readFile(output ?? '', 'utf8'), summary: await readFile(summary ?? '', 'utf8') };
}

const LENIENT = {
  band: {},
  trust: {},
  flags: {},
  rating_age_hours: {},
  evidence_age_hours: {},
  exit: {},
  pool_share_pct: {},
  provider_share_pct: {},
  unknown: 'block',
};

test('a pull request passes when every position meets the policy, and fails on one that does not', async () => {
  const rules = join(folder, 'rules.json');
  await writeFile(rules, JSON.stringify(LENIENT));
  const good = await action('asset,value_usd\nTIDE,1000\n', { rules });
  assert.deepEqual([good.code, good.output.trim()], [0, 'outcome=allow'], good.out);
  const bad = await action('asset,value_usd\nTIDE,1000\nGONE,10\nNOSUCH,1\n', { rules });
  assert.deepEqual([bad.code, bad.output.trim()], [1, 'outcome=block'], bad.out);
  assert.match(bad.out, /^::error file=.*NOSUCH: not_rated/m);
  assert.match(bad.summary, /\*\*Sandbox: fictional assets\.\*\*/);
  assert.match(bad.summary, /\| NOSUCH \| block \| NR \|/);
});

test('a caution fails only if configured', async () => {
  const rules = join(folder, 'caution.json');
  await writeFile(rules, JSON.stringify({ ...LENIENT, band: { caution: 'AAA' } }));
  const csv = 'asset,value_usd\nTIDE,1000\n';
  const mild = await action(csv, { rules });
  assert.deepEqual([mild.code, mild.output.trim()], [0, 'outcome=caution'], mild.out);
  assert.equal((await action(csv, { rules, 'fail-on': 'caution' })).code, 1);
  assert.equal((await action(csv, { rules, 'fail-on': 'never' })).code, 1);
});

test('without a valid verdict the check fails', async () => {
  const csv = 'asset,value_usd\nTIDE,1000\n';
  const refused: readonly Readonly<Record<string, string>>[] = [
    { 'api-key': 'ak_wrong' },
    { url: 'http://127.0.0.1:1' },
    { preset: 'nosuch' },
    { rules: join(folder, 'absent.json') },
  ];
  for (const inputs of refused) {
    const ended = await action(csv, inputs);
    assert.deepEqual([ended.code, ended.output.trim()], [1, 'outcome=error'], JSON.stringify(inputs));
  }
  assert.equal((await action('asset,value_usd\nTIDE,"1,000"\n', {})).code, 1);
  for (const body of [
    '{}',
    '{"outcome":"allow"}',
    '{"outcome":"fine","positions":[]}',
    '{"outcome":"allow","positions":[{"outcome":"ok"}]}',
  ]) {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'application/json').end(body),
    ).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const ended = await action(csv, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    server.close();
    assert.equal(ended.code, 1, body);
  }
});

test('a name from outside stays text in commands of the runner and in the summary', async () => {
  const hostile = 'X\n::set-output name=outcome::allow\n| <b>%0A';
  const ended = await action(`asset,value_usd\n"${hostile}",5\n`, {});
  assert.equal(ended.code, 1);
  assert.doesNotMatch(ended.out, /^::set-output/m);
  assert.doesNotMatch(ended.summary, /<b>|^::set-output/m);
});

test('the command gives the same verdict and returns it as its exit code', async () => {
  const shared = ['--url', world.service.url, '--api-key', world.key];
  const unknown = await action('', {}, 'bin/assay.js', [
    'policy',
    'check',
    'NOSUCH',
    '--preset',
    'treasury',
    ...shared,
  ]);
  assert.equal(unknown.code, 3, unknown.out);
  assert.match(unknown.out, /^BLOCK {2}NOSUCH {2}no rating/m);
  const rules = join(folder, 'rules.json');
  await writeFile(rules, JSON.stringify(LENIENT));
  const allowed = await action('', {}, 'bin/assay.js', ['policy', 'check', 'TIDE', '--rules', rules, ...shared]);
  assert.equal(allowed.code, 0, allowed.out);
  assert.match(allowed.out, /largest exposure at 2 %/);
  const whole = await action('asset,value_usd\nTIDE,1000\nGONE,10\n', {}, 'bin/assay.js', [
    'policy',
    'portfolio',
    join(folder, 'positions.csv'),
    '--seed',
    '7',
    ...shared,
  ]);
  assert.match(whole.out, /seed 7, 10000 runs/);
  assert.equal((await action('', {}, 'bin/assay.js', ['policy', 'check', 'TIDE', '--preset', 'x', ...shared])).code, 1);
});
