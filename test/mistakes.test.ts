import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect, type Store } from '../src/store/database.ts';
import { openDatabase } from '../src/store/embedded.ts';
import { applyChanges } from '../src/store/migrate.ts';
import { CHANGES } from '../src/store/migrations/all.ts';
import { assay } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

const file = new URL('../docs/mistakes.md', import.meta.url);
const HEAD = `# Typical mistakes and their error messages

Each mistake was made against a service on the sandbox, whose plan \`TWO\` includes two collections a day. A response that does not say what was expected or what to do next fails the test. The members \`type\`, \`title\`, \`status\`, \`instance\` and the ids of a problem are left out here.

<!-- Generated below this line; UPDATE_DOCS=1 node --test test/mistakes.test.ts writes it. -->
`;
const TAKEN = { type: 'posttge', project: 'Plainsong Dollar', project_url: 'https://plainsong-dollar.example/' };
const TIDE = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };

/** A mistake over HTTP. */
interface Asked {
  readonly what: string;
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Sent as it is instead of `body`. */
  readonly raw?: string;
  /** Without: the administrator's key; null: none. */
  readonly key?: string | null;
  /** In the answer: what was expected, or what to do. */
  readonly says: RegExp;
}
/** A mistake at a shell. */
interface Typed {
  readonly what: string;
  readonly args: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly says: RegExp;
}

let world: TestService;
let store: Store;
let folder: string;
let limited: string;
let chainless: string;
let busyPort: number;
const busy = createServer((_request, response) => response.end('hello'));
/** Answers that leave out what they ought to say. */
const unclear: string[] = [];
/** What differs from run to run, and what is printed for it. */
const PRINTED: (readonly [string | RegExp, string])[] = [];

before(async () => {
  world = await testService({ plansFile: join(import.meta.dirname, 'integrity', 'fixtures', 'two-collections.json') });
  const { url, close } = await openDatabase({ ...world.config, role: 'visitor', log: () => undefined });
  await close();
  store = connect(url);
  folder = join(world.dataDir, 'mistakes');
  await mkdir(folder);
  limited = await keyOf(['score', 'rms:read']);
  chainless = await keyOf(['rms:read']);
  await new Promise<void>((listening) => busy.listen(0, '127.0.0.1', listening));
  busyPort = (busy.address() as AddressInfo).port;
  PRINTED.push(
    [world.service.url, 'http://127.0.0.1:8080'],
    [`127.0.0.1:${busyPort}`, '127.0.0.1:3000'],
    [`port ${busyPort}`, 'port 3000'],
    [/(retry in|resets in) \d+ s/g, '$1 3600 s'],
    [`ASSAY_PORT=${busyPort + 1}`, 'ASSAY_PORT=3001'],
    [`ASSAY_PORT=${busyPort}`, 'ASSAY_PORT=3000'],
    [`${folder}/`, ''],
    [store.url, 'postgres://127.0.0.1/assay'],
    [limited, 'ak_live_LIMITED'],
    [chainless, 'ak_live_READER'],
    [world.key, 'ak_live_ADMIN'],
  );
});
after(async () => {
  busy.close();
  await store?.close();
  await world?.close();
});

async function keyOf(scopes: readonly string[]): Promise<string> {
  const made = await world.call('/v1/admin/keys', { json: { name: 'mistakes', plan: 'TWO', scopes } });
  return ((await made.json()) as { readonly secret: string }).secret;
}

test('every mistake states what was expected or what to do, and docs/mistakes.md shows it (UPDATE_DOCS=1 writes it)', async () => {
  for (const json of [TIDE, TAKEN]) assert.equal((await world.call('/v1/score', { json, key: limited })).status, 200);
  const api: string[] = [];
  for (const one of asked()) api.push(await askedText(one));
  const shell: string[] = [];
  for (const one of await typed()) shell.push(await typedText(one));
  // The last one: afterwards this version no longer works on the database.
  const contract = { name: '9001-contract', compatibleFrom: '9001-contract', indexes: [], statements: ['select 1'] };
  await applyChanges(store.db, [...CHANGES, contract]);
  shell.push(
    await typedText({
      what: 'The database was used by a newer version',
      args: ['all'],
      set: { DATABASE_URL: store.url, ASSAY_PORT: '0', ASSAY_DATA_DIR: join(folder, 'older') },
      code: 78,
      says: /start that version, or restore a backup/,
    }),
  );
  const page = `${HEAD}\n## The API\n\n${api.join('\n\n')}\n\n## The command line\n\n${shell.join('\n\n')}\n`;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, page);
  assert.deepEqual(unclear, []);
  assert.ok(api.length >= 10 && shell.length >= 10);
  assert.equal(existsSync(file) ? readFileSync(file, 'utf8') : '', page, 'UPDATE_DOCS=1 writes docs/mistakes.md');
});

function asked(): readonly Asked[] {
  const score = (what: string, body: unknown, says: RegExp): Asked => ({
    what,
    method: 'POST',
    path: '/v1/score',
    body,
    says,
  });
  const aave = '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE8';
  return [
    { what: 'No key', path: '/v1/rms/TIDE', key: null, says: /X-API-Key/ },
    { what: 'A key of another service', path: '/v1/rms/TIDE', key: 'ak_live_another', says: /key/ },
    {
      what: 'A key that may only read',
      method: 'POST',
      path: '/v1/score',
      body: TIDE,
      key: chainless,
      says: /score/,
    },
    score('A url of another protocol', { ...TIDE, project_url: 'ftp://tidewell.example/' }, /https:/),
    score('A chain misspelt', { ...TIDE, blockchain: 'etherum' }, /ethereum/),
    score('An address mistyped: its capitals are a checksum', { asset: aave }, /checksum/),
    score('A type that is none', { ...TIDE, type: 'token' }, /posttge/),
    score('A field misspelt', { ...TIDE, token_adress: aave }, /token_address/),
    {
      what: 'A body that is not JSON',
      method: 'POST',
      path: '/v1/score',
      raw: 'type=posttge&project=Tidewell',
      says: /application\/json/,
    },
    score('A name that two projects have', { asset: 'Twinfin' }, /candidates/),
    score('A name misspelt', { asset: 'Tidewel' }, /"name": ?"Tidewell"/),
    score('A name that nothing is known of', { asset: 'No Such Thing' }, /address|url/),
    { what: 'An asset that was never rated', path: '/v1/rms/NOSUCH', says: /score/ },
    { what: 'A cursor of another list', path: '/v1/rms?cursor=abc', says: /cursor/ },
    { what: 'A parameter misspelt', path: '/v1/rms?bands=A', says: /did you mean band\?/ },
    { what: 'A filter for a chain that is none', path: '/v1/rms?chain=etherum', says: /did you mean ethereum\?/ },
    {
      what: 'A filter for a band that is none',
      path: '/v1/rms?band=A,BBBB',
      says: /AAA, AA, A, BBB.*did you mean BBB\?/,
    },
    {
      what: 'A batch larger than the plan',
      method: 'POST',
      path: '/v1/rms/batch',
      body: { assets: Array.from({ length: 101 }, (_, index) => `A${index}`) },
      key: limited,
      says: /100/,
    },
    {
      what: 'More scores than the plan includes in a day',
      method: 'POST',
      path: '/v1/score',
      body: { type: 'posttge', project: 'Fennecswap', project_url: 'https://fennecswap.example/' },
      key: limited,
      says: /UTC|midnight|retry/i,
    },
    { what: 'A path misspelt', path: '/v1/ratings/TIDE', says: /\/v1\/rms|openapi|docs/ },
    {
      what: 'A method that the path does not have',
      path: '/v1/score',
      says: /POST/,
    },
    {
      what: 'A chain snapshot with a plan that has no chains',
      path: '/v1/solana/index',
      key: limited,
      says: /plan|scope/,
    },
  ];
}

async function typed(): Promise<readonly Typed[]> {
  const at = { ASSAY_URL: world.service.url, ASSAY_API_KEY: world.key, ASSAY_DATA_DIR: join(folder, 'none') };
  const csv = join(folder, 'assets.csv');
  await writeFile(csv, 'coin,link\nTidewell,https://tidewell.example/\n');
  const row = (what: string, args: readonly string[], code: number, says: RegExp, set?: Typed['set']): Typed => ({
    what,
    args,
    code,
    says,
    set: { ...at, ...set },
  });
  const off = Object.fromEntries(
    Object.keys(world.config.sources).map((name) => [`ASSAY_SOURCE_${name.toUpperCase()}_ENABLED`, 'false']),
  );
  return [
    row('A command misspelt', ['scroe', 'Tidewell'], 64, /did you mean score/),
    row('An option misspelt', ['score', 'Tidewell', '--formt', 'full'], 64, /--format/),
    row('No key beside the url', ['rms', 'list'], 64, /ASSAY_API_KEY/, { ASSAY_API_KEY: '' }),
    row('A key of another service', ['rms', 'list'], 1, /assay keys create/, { ASSAY_API_KEY: 'ak_live_another' }),
    row('A service that does not run', ['rms', 'list'], 1, /assay doctor/, { ASSAY_URL: 'http://127.0.0.1:1' }),
    row('A url that is not a service of Assay', ['rms', 'list'], 1, /Assay/, {
      ASSAY_URL: `http://127.0.0.1:${busyPort}`,
    }),
    row('A name that two projects have', ['score', 'Twinfin'], 1, /give one of these ids/),
    row('An asset that was never rated', ['rms', 'show', 'NOSUCH'], 1, /score/),
    row('A chain misspelt', ['score', 'TIDE', '--chain', 'etherum'], 64, /ethereum/),
    row('A number that is none', ['score', 'TIDE', '--wait', 'soon'], 64, /seconds/),
    row('An option of files without a file', ['score', 'TIDE', '--out', 'tide.json'], 64, /--file/),
    row('A file that is not there', ['score', '--file', join(folder, 'asets.csv')], 66, /CSV/),
    row('A CSV with columns of other names', ['score', '--file', csv], 65, /asset/),
    row('A setting misspelt', ['config'], 64, /ASSAY_DATA_DIR/, { ASSAY_DATADIR: '/tmp' }),
    row('A setting out of its range', ['config'], 64, /65535/, { ASSAY_PORT: '808080' }),
    row('A scope that is none', ['keys', 'create', '--name', 'mine', '--scopes', 'read'], 64, /rms:read/),
    row('A port that is in use', ['all'], 69, /ASSAY_PORT=/, {
      ASSAY_PORT: String(busyPort),
      ASSAY_DATA_DIR: join(folder, 'own'),
    }),
    row('Every source turned off', ['score', 'Tidewell', '--wait', '10'], 1, /ASSAY_SOURCE_COINGECKO_ENABLED/, {
      ASSAY_URL: '',
      DATABASE_URL: store.url,
      ...off,
    }),
  ];
}

async function askedText({ what, method = 'GET', path, body, raw, key = world.key, says }: Asked): Promise<string> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = raw === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const reply = await world.call(path, {
    method,
    key,
    ...(sent === undefined ? {} : { body: sent, headers: { 'content-type': type } }),
  });
  const answer = (await reply.json()) as Record<string, unknown>;
  const {
    type: _type,
    title: _title,
    status: _status,
    instance: _instance,
    request_id: _id,
    job_id: _job,
    ...rest
  } = answer;
  const ignored = reply.headers.get('assay-warnings');
  const text = reply.ok ? `Assay-Warnings: ${ignored}` : JSON.stringify(rest, null, 1);
  if (!says.test(text)) unclear.push(`${what}: ${text}`);
  const shown = sent === undefined ? '' : `\n${sent.length > 300 ? `${sent.slice(0, 60)}...` : sent}`;
  return block(what, `${method} ${path}${key === null ? '' : `\nX-API-Key: ${key}`}${shown}`, `${reply.status}`, text);
}

async function typedText({ what, args, set = {}, code, says }: Typed): Promise<string> {
  const { ASSAY_DATA_DIR: _folder, ...shown } = set;
  const ran = await assay(world.config, args, set);
  // Without what a starting service logs.
  const text = `${ran.out}${ran.err}`.replaceAll(/^\{"level".*\n/gm, '').trim();
  if (!says.test(text) || ran.code !== code) unclear.push(`${what}: exit code ${ran.code}: ${text}`);
  const variables = Object.entries(shown)
    .filter(([name, value]) => value !== '' && !name.startsWith('ASSAY_SOURCE_'))
    .map(([name, value]) => `${name}=${value} `);
  return block(what, `${variables.join('')}assay ${args.join(' ')}`, `exit code ${ran.code}`, text);
}

function block(what: string, given: string, end: string, text: string): string {
  const printed = PRINTED.reduce((done, [from, to]) => done.replaceAll(from, to), `${given}\n\n${end}\n${text}`);
  const [head = '', ...rest] = printed.split(`\n\n${end}\n`);
  return `### ${what}\n\n\`\`\`\n${head}\n\`\`\`\n${end}:\n\`\`\`\n${rest.join('\n')}\n\`\`\``;
}
