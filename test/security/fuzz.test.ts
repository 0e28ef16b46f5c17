import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, test } from 'node:test';
import { type LocalFacilitator, startFacilitator } from '../support/facilitator.ts';
import { type TestService, testService } from '../support/service.ts';
import { fuzzedRequest, type Known } from './fuzzed-requests.ts';
import { ask, type Got, type Sent } from './http-request.ts';
import { madeValue } from './made-values.ts';
import { type OpenApi, type Operation, readOpenApi } from './open-api.ts';
import { type Chance, seeded } from './seeded.ts';
import { FULL, SEED, tally } from './tally.ts';

const REQUESTS = FULL ? 10_000 : 600;
/** Each takes half a second of both cores. */
const MOST_SCORES = FULL ? 60 : 6;
const AT_ONCE = 8;
const SEVERAL = 8;
const tidewell = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };

let world: TestService;
let facilitator: LocalFacilitator;
let api: OpenApi;
let known: Known;
let otherKeys: readonly string[];

before(async () => {
  facilitator = await startFacilitator();
  world = await testService({
    logLevel: 'silent',
    publicPages: true,
    publicUrl: 'https://assay.example.com',
    x402Facilitator: facilitator.url,
    x402PayTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    x402Network: 'eip155:84532',
    x402Token: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    x402TokenName: 'USDC',
  });
  const read = async (path: string, init: Parameters<TestService['call']>[1] = {}) =>
    (await (await world.call(path, init)).json()) as Record<string, never>;
  api = readOpenApi(await read('/openapi.json', { key: null }));
  const scored = await read('/v1/score', { json: { ...tidewell, output_format: 'full' } });
  const { address } = world.sandbox.world.assets.find(({ name }) => name === 'Tidewell') ?? { address: '' };
  await world.call(`/v1/solana/index/${address}`, { method: 'PUT', json: { cadence: 'newest' } });
  // Several of each: a request that deletes one leaves others to be found.
  const several = async (path: string, field: string, json: object, init = {}) => {
    const names: string[] = [];
    for (let at = 0; at < SEVERAL; at += 1) {
      const made = await read(path, { json, ...init });
      assert.ok(made[field] !== undefined, `${path}: ${JSON.stringify(made)}`);
      names.push(String(made[field]));
    }
    return names;
  };
  const webhooks = await several('/v1/webhooks', 'id', { url: 'https://receiver.example/hook' });
  const mutes: string[] = [];
  for (const id of webhooks)
    mutes.push(...(await several(`/v1/webhooks/${id}/mutes`, 'id', { days: 3, kind: 'correction' })));
  const bulk = await several('/v1/bulk', 'bulk_id', { rows: ['nosuchcoinatall'] });
  const appeal = await read('/v1/public/appeals', { json: { asset: `solana:${address}` }, key: null });
  assert.ok(appeal.reference !== undefined, JSON.stringify(appeal));
  const made = await read('/v1/admin/keys', { json: { name: 'other', scopes: ['score', 'rms:read'] } });
  otherKeys = [String(made.secret), 'ak_live_AAAAAAAAAAAAAAAAAAAAAAAAAA_000000', 'x', 'k'.repeat(5_000)];
  known = {
    asset: ['TIDE', String(address), `solana:${address}`, 'JUP', 'nothing'],
    chain: ['solana', 'ethereum', 'base', 'nochain'],
    id: [String(scored.job_id), ...webhooks, 'dsp_1', 'key_none', '1', '0', '-1', '99999999999999999999'],
    '/v1/webhooks/id': [...webhooks, 'wh_1'],
    '/v1/bulk/id': [...bulk, 'blk_1'],
    mute: [...mutes, 'x'],
    reference: [String(appeal.reference), 'apl_1'],
    assets: [String(address), `${address},nothing`, 'TIDE', ','],
    delivery: ['msg_1', 'x'],
    version: ['0.4.1', '0.1.0', '9.9.9', 'x'],
    account_id: ['acc_1'],
    date: ['2026-11-20', '2026-11-21', '0000-00-00'],
    cursor: ['eyJhIjoxfQ', '!!!', 'AAAA'],
  };
});
after(async () => {
  await world?.close();
  await facilitator?.close();
});

/** What a stranger must never be told. */
const INSIDE =
  /node_modules|\bat [^ ]+ \(|\.ts:\d+|127\.0\.0\.1:\d+|postgres(ql)?:\/\/|ECONN|kysely|SQLSTATE|syntax error at/i;

/** Why a source failed: the code of the connection to it, without its address (`toFault`). */
const SOURCE_FAILURE = /(no connection to the host|the connection ended before the body did) \(\w+\)/g;

/**
 * Refusals that any operation may give, since they are about the request and not about what it asks for; the document says
 * so once, at its beginning.
 */
const GENERAL: ReadonlySet<unknown> = new Set([
  'route_not_found',
  'method_not_allowed',
  'malformed_address',
  'bad_request',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'body_too_large',
  'request_head_too_large',
  'malformed_json',
  'json_too_deep',
  'duplicate_key',
  'empty_body',
]);

function complaintOf(operation: Operation, sent: Sent, got: Got): string | null {
  const text = got.body.toString('latin1');
  if (got.status >= 500 && got.status !== 503) return `status ${got.status}`;
  if (got.headers['assay-data-mode'] !== 'sandbox') return 'no assay-data-mode';
  if (!/^[\w.:-]{1,128}$/.test(String(got.headers['x-request-id']))) return 'no clean x-request-id';
  // What a caller sent, now or in a note of before, may be said back.
  const told = INSIDE.exec(text.replaceAll('user:secret@127.0.0.1:1', '').replaceAll(SOURCE_FAILURE, ''))?.[0];
  if (told !== undefined) return `tells of the inside: ${told}`;
  if (got.headers['content-encoding'] !== undefined) return null;
  // Another method on the path is another operation, or the router's own refusal.
  const asked = sent.method === 'HEAD' ? 'GET' : sent.method;
  if (asked !== operation.method) {
    const other = api.operations.find(({ path, method }) => path === operation.path && method === asked);
    if (!other)
      return [400, 401, 403, 404, 405, 413, 415, 429].includes(got.status)
        ? null
        : `status ${got.status} for ${sent.method}`;
    if (got.status >= 400 && sent.method === 'HEAD') return null;
    if (got.status >= 400 && GENERAL.has(codeOf(got))) return api.problemComplaint(got.body);
    const judged = { ...other, method: sent.method };
    return api.complaint(judged, got.status, String(got.headers['content-type'] ?? ''), got.body);
  }
  // A part of a path that is empty makes it another one: GET /v1/webhooks/ lists.
  if (sent.path.split('?')[0]?.endsWith('/')) return null;
  if (got.status >= 400 && sent.method === 'HEAD') return null;
  if (got.status >= 400 && GENERAL.has(codeOf(got))) return api.problemComplaint(got.body);
  return api.complaint(
    { ...operation, method: sent.method },
    got.status,
    String(got.headers['content-type'] ?? ''),
    got.body,
  );
}

function codeOf({ body }: Got): unknown {
  try {
    return (JSON.parse(body.toString('utf8')) as { readonly code?: unknown }).code;
  } catch {
    return null;
  }
}

test(`${REQUESTS} seeded requests to every operation: never a 5xx, never a reply that the document does not allow`, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const chance: Chance = seeded(SEED);
  const found = new Map<string, string>();
  const statuses: Record<string, number> = {};
  const reached = new Set<string>();
  let scores = 0;
  let sentCount = 0;
  let turn = 0;
  const { operations } = api;
  const before = process.memoryUsage().rss;

  const next = (): { operation: Operation; sent: Sent } | null => {
    while (sentCount < REQUESTS) {
      const operation = operations[turn++ % operations.length] as Operation;
      const sent = fuzzedRequest(api, operation, { known, keys: { good: world.key, others: otherKeys }, chance });
      if (operation.path === '/v1/score' && scores++ >= MOST_SCORES) continue;
      sentCount += 1;
      return { operation, sent };
    }
    return null;
  };
  const work = async () => {
    for (let one = next(); one; one = next()) {
      const { operation, sent } = one;
      const name = `${sent.method} ${operation.path}`;
      const got = await ask(agent, world.service.url, sent).catch((error: Error) => error);
      const complaint = got instanceof Error ? got.message : complaintOf(operation, sent, got);
      if (!(got instanceof Error)) {
        statuses[got.status] = (statuses[got.status] ?? 0) + 1;
        if (got.status < 300) reached.add(name);
      }
      if (complaint === null) continue;
      const detail = got instanceof Error ? '' : got.body.toString('utf8').slice(0, 300);
      const key = `${name}: ${complaint.slice(0, 200)}`;
      if (!found.has(key)) found.set(key, `${JSON.stringify(sent).slice(0, 700)}\n    -> ${detail}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
  assert.deepEqual(
    [...found].map(([what, how]) => `${what}\n    ${how}`),
    [],
    'complaints',
  );
  assert.deepEqual([({} as { polluted?: unknown }).polluted, ({} as { x?: unknown }).x], [undefined, undefined]);
  // Most operations have to have been got through to, or the fuzzing stopped at the doors.
  const grown = Math.round((process.memoryUsage().rss - before) / 2 ** 20);
  tally({
    part: 'fuzzing',
    claim: 'never a 5xx, never a reply that the OpenAPI document does not allow',
    tried: sentCount,
    counts: {
      operations: operations.length,
      'operations that answered 2xx': reached.size,
      'MiB grown': grown,
      ...statuses,
    },
  });
  assert.ok(reached.size >= operations.length / 2, `only ${reached.size} of ${operations.length} answered 2xx`);
  assert.ok(grown < 1_024, `${grown} MiB more than before`);
});

const METHODS = ['initialize', 'tools/list', 'tools/call', 'resources/read', 'prompts/get', 'ping', '__proto__', ''];
const TOOLS = [
  'get_rating',
  'score_project',
  'explain_rating',
  'compare',
  'get_market',
  'list_watchlist',
  'constructor',
];

test('messages of the Model Context Protocol of any shape get a reply, never a 5xx', async () => {
  const agent = new Agent({ keepAlive: true });
  const chance = seeded(SEED + 1);
  const bad: string[] = [];
  const messages = FULL ? 1_000 : 60;
  const odd = { type: ['object', 'array', 'string', 'number', 'null'] };
  for (let i = 0; i < messages; i += 1) {
    const name = chance.pick(TOOLS);
    const asset = chance.pick([madeValue(api, odd, chance, 0.5), 'TIDE', ['TIDE', 'JUP']]);
    const message = {
      jsonrpc: chance.once(0.9) ? '2.0' : 1,
      id: chance.pick<unknown>([1, 'a', null, {}, -1e308]),
      method: chance.pick(METHODS),
      params: chance.once(0.7) ? { name, arguments: { asset, assets: asset } } : madeValue(api, odd, chance, 0.5),
    };
    const got = await ask(agent, world.service.url, {
      method: 'POST',
      path: '/mcp',
      headers: {
        'x-api-key': world.key,
        'content-type': 'application/json',
        accept: chance.pick(['application/json, text/event-stream', 'application/json', '*/*']),
      },
      body: JSON.stringify(chance.once(0.1) ? [message] : message),
    });
    const text = got.body.toString('utf8');
    if (got.status >= 500 || INSIDE.test(text))
      bad.push(`${got.status} ${JSON.stringify(message)} ${text.slice(0, 200)}`);
  }
  agent.destroy();
  tally({ part: 'fuzzing', claim: 'messages of any shape to /mcp: never a 5xx', tried: messages });
  assert.deepEqual(bad, []);
});
