import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

const good = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
const JSON_TYPE = { 'content-type': 'application/json' };

interface Row {
  readonly name: string;
  readonly body?: unknown;
  /** Sent as it is instead of `body`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly method?: string;
  readonly key?: string | null;
  readonly status: number;
  readonly code: string;
  readonly pointer?: string;
}

const field = (name: string, body: unknown, pointer: string): Row => ({
  name,
  body,
  status: 400,
  code: 'validation_failed',
  pointer,
});
const url = (project_url: string): Row =>
  field(`url ${project_url.slice(0, 60)}`, { ...good, project_url }, '/project_url');
const raw = (name: string, text: string, code: string, status = 400): Row => ({
  name,
  raw: text,
  headers: JSON_TYPE,
  status,
  code,
});

const ROWS: readonly Row[] = [
  field('nothing at all', {}, '/type'),
  field('project missing', { ...good, project: undefined }, '/project'),
  field('project empty', { ...good, project: '  ' }, '/project'),
  field('project is a number', { ...good, project: 7 }, '/project'),
  field('project is a list', { ...good, project: ['a'] }, '/project'),
  field('project is too long', { ...good, project: 'x'.repeat(201) }, '/project'),
  field('NUL in a name', { ...good, project: 'a\u0000b' }, '/project'),
  field('control character in a name', { ...good, project: 'a\u0007b' }, '/project'),
  field('text that runs backwards', { ...good, project: 'Tide\u202ellew' }, '/project'),
  field('invisible text', { ...good, project: 'Tide\u200bwell' }, '/project'),
  field('unpaired surrogate', { ...good, project: 'a\ud800' }, '/project'),
  field('unknown type', { ...good, type: 'ico' }, '/type'),
  field('unknown format', { ...good, output_format: 'xml' }, '/output_format'),
  field('unknown chain', { ...good, blockchain: 'nochain' }, '/blockchain'),
  field('address of no chain', { ...good, token_address: '!!!' }, '/token_address'),
  field(
    'address of another chain',
    { ...good, blockchain: 'solana', token_address: '0xdac17f958d2ee523a2206206994597c13d831ec7' },
    '/token_address',
  ),
  field('url is a number', { ...good, project_url: 1 }, '/project_url'),
  ...[
    'tidewell.example:notaport',
    'ftp://tidewell.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user:pass@tidewell.example/',
    'https://tidewell.example:8443/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://0x7f000001/',
    'http://１２７.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1/',
    'http://93.184.216.34/',
    'http://localhost/',
    'http://localhost./',
    'http://printer/',
    'http://router.local/',
    'http://db.internal/',
    'http://x.onion/',
    'http://nas.home.arpa/',
    `https://tidewell.example/${'a'.repeat(2048)}`,
  ].map(url),
  raw('empty body', '', 'empty_body'),
  raw('broken JSON', '{"type":', 'malformed_json'),
  raw('a list', '[]', 'validation_failed'),
  raw(
    'a key given twice',
    '{"type":"posttge","type":"pretge","project":"a","project_url":"https://a.example"}',
    'duplicate_key',
  ),
  raw('nesting without end', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'json_too_deep'),
  raw('a name of a megabyte', JSON.stringify({ ...good, project: 'x'.repeat(1_000_000) }), 'body_too_large', 413),
  {
    name: 'not JSON',
    raw: 'type=posttge',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    code: 'unsupported_media_type',
  },
  { name: 'text', raw: '{}', headers: { 'content-type': 'text/plain' }, status: 415, code: 'unsupported_media_type' },
  { name: 'no key', body: good, key: null, status: 401, code: 'missing_api_key' },
  {
    name: 'a key with a typo',
    body: good,
    key: 'ak_live_AAAAAAAAAAAAAAAAAAAAAAAAAA_000000',
    status: 401,
    code: 'invalid_api_key',
  },
  { name: 'a key of another kind', body: good, key: 'sk_test_1', status: 401, code: 'invalid_api_key' },
  { name: 'a key in the address', path: '/v1/score?api_key=ak_live_x', body: good, status: 401, code: 'key_in_query' },
  {
    name: 'an idempotency key with blanks',
    body: good,
    headers: { 'idempotency-key': 'a b' },
    status: 400,
    code: 'malformed_idempotency_key',
  },
  { name: 'unknown route', path: '/v1/nope', method: 'GET', status: 404, code: 'route_not_found' },
  { name: 'wrong method', method: 'GET', status: 405, code: 'method_not_allowed' },
  { name: 'a path that is a pattern', path: '/v1/*/index', method: 'PATCH', status: 404, code: 'route_not_found' },
  {
    name: 'a restatement beyond all numbers',
    path: '/v1/admin/disputes/dispute_1/resolve',
    body: { state: 'restated', resolution: 'put right', restatement_id: 1e308 },
    status: 400,
    code: 'validation_failed',
    pointer: '/restatement_id',
  },
  { name: 'unknown job', path: '/v1/jobs/posttge_1_aaaaaaaa', method: 'GET', status: 404, code: 'job_not_found' },
  {
    name: 'unknown job’s events',
    path: '/v1/jobs/posttge_1_aaaaaaaa/events',
    method: 'GET',
    status: 404,
    code: 'job_not_found',
  },
  { name: 'hostile job id', path: '/v1/jobs/%2e%2e%2f%00', method: 'GET', status: 404, code: 'job_not_found' },
  {
    name: 'key without a name',
    path: '/v1/admin/keys',
    body: { scopes: ['score'] },
    status: 400,
    code: 'validation_failed',
    pointer: '/name',
  },
  {
    name: 'key with an unknown scope',
    path: '/v1/admin/keys',
    body: { name: 'a', scopes: ['all'] },
    status: 400,
    code: 'validation_failed',
    pointer: '/scopes/0',
  },
  {
    name: 'key that has expired before it begins',
    path: '/v1/admin/keys',
    body: { name: 'a', scopes: ['score'], expires_at: '2001-01-01' },
    status: 400,
    code: 'validation_failed',
    pointer: '/expires_at',
  },
  { name: 'rotation of no key', path: '/v1/admin/keys/key_no/rotate', body: {}, status: 404, code: 'key_not_found' },
];

for (const row of ROWS) {
  test(`refused: ${row.name}`, async () => {
    const sent =
      row.raw !== undefined ? { method: 'POST', body: row.raw } : row.body === undefined ? {} : { json: row.body };
    const reply = await world.call(row.path ?? '/v1/score', {
      ...sent,
      ...(row.method ? { method: row.method } : {}),
      ...(row.key === undefined ? {} : { key: row.key }),
      headers: row.headers ?? {},
    });
    const text = await reply.text();
    assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/, text.slice(0, 200));
    const problem = JSON.parse(text) as Record<string, unknown> & {
      readonly errors?: readonly { readonly pointer: string }[];
    };
    assert.deepEqual(
      [reply.status, problem.status, problem.code],
      [row.status, row.status, row.code],
      text.slice(0, 300),
    );
    for (const member of ['type', 'title', 'detail', 'instance', 'request_id', 'retry'])
      assert.equal(typeof problem[member], 'string', member);
    if (row.pointer)
      assert.ok(
        problem.errors?.some((error) => error.pointer === row.pointer),
        text.slice(0, 300),
      );
    assert.doesNotMatch(text, /node_modules|at .*\.ts:|127\.0\.0\.1:|postgres/i);
    assert.equal(reply.headers.get('assay-data-mode'), 'sandbox');
    assert.equal(reply.headers.get('x-request-id'), problem.request_id);
  });
}

test('what only looks wrong is accepted', async () => {
  const accepted = [
    { ...good, type: 'POSTTGE' },
    { ...good, project: '柚子交换' },
    { ...good, project_url: 'HTTPS://TIDEWELL.EXAMPLE' },
    { ...good, blockchain: 'SOL', nonsense: true },
    { ...good, token_symbol: null },
  ];
  for (const json of accepted)
    assert.notEqual(
      (await world.call('/v1/score', { json, headers: { prefer: 'respond-async' } })).status,
      400,
      JSON.stringify(json),
    );
  assert.equal(
    (await world.call('/healthz', { key: null, headers: { 'content-type': 'application/json' } })).status,
    200,
  );
  const bearer = await world.call('/v1/admin/keys', {
    key: null,
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
  });
  assert.equal(bearer.status, 200);
});
