import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import Type from 'typebox';
import { EventHeaders, IndexBody, PoolsQuery, WebhookParams } from '../../contract/index.ts';
import { sendProblem } from '../replies/problems.ts';
import { problemOfError, type Routes, readRequests, unread } from './read-requests.ts';

const NO_SUCH_HOOK = {
  status: 404,
  code: 'webhook_not_found',
  title: 'There is no such webhook',
  detail: 'none',
  retry: 'no',
} as const;

let server: FastifyInstance;
before(async () => {
  server = fastify();
  readRequests(server);
  server.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(reply, problemOfError(error, request, reply, 1_000)),
  );
  await server.register(async (plain) => {
    const routes: Routes = plain.withTypeProvider();
    routes.get('/pools', { schema: { querystring: PoolsQuery, headers: EventHeaders } }, ({ query }, reply) =>
      reply.send({ scope: query.scope.length, least: query.min_tvl_usd + 1 }),
    );
    routes.post('/index', { schema: { body: IndexBody } }, ({ body }, reply) => reply.send(body));
    routes.get(
      '/hooks/:id',
      { config: { notFound: NO_SUCH_HOOK }, schema: { params: WebhookParams } },
      ({ params }) => [params.id],
    );
    routes.post('/any', { schema: { body: Type.Object({}) } }, () => ({}));
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      routes.route({ method, url: '/v1/plain', handler: () => ({}) });
    routes.post('/v1/raw', { schema: { body: Type.Object({}) }, validatorCompiler: unread }, () => ({}));
    routes.post('/v1/scored', { config: { anyQuery: true } }, () => ({}));
    routes.get('/page', () => ({}));
  });
});

async function ask(url: string, body?: string, headers: Readonly<Record<string, string>> = {}) {
  const reply = await server.inject({
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: reply.statusCode, json: reply.json(), warnings: reply.headers['assay-warnings'] };
}

test('handlers get query and body by their schemas, with defaults', async () => {
  assert.deepEqual((await ask('/pools?min_tvl_usd=2')).json, { scope: 3, least: 3 });
  assert.deepEqual((await ask('/index', '{"kinds":["pools"]}')).json, { kinds: ['pools'], cadence: 'newest' });
});

test('a parameter that is not known is refused, with those that are; of an open query if it is like one of them', async () => {
  const open = await ask('/pools?colour=red');
  assert.deepEqual([open.status, open.warnings], [200, 'unknown parameter colour was ignored']);
  const refused = await ask('/pools?scop=top&min_tvl_usd=lots');
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.json.errors, [
    {
      pointer: '/scop',
      code: 'unknown_parameter',
      detail: 'the parameters are as_of, scope, min_tvl_usd, got "scop"; did you mean scope?',
    },
    { pointer: '/min_tvl_usd', code: 'malformed', detail: 'expected a number from 0, got "lots"' },
  ]);
});

test('routes of the API that describe no query refuse all parameters, pages take any', async () => {
  assert.equal((await ask('/v1/plain')).status, 200);
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE'] as const) {
    const refused = await server.inject({ method, url: '/v1/plain?colour=red' });
    assert.equal(refused.statusCode, 400, method);
    if (method !== 'HEAD')
      assert.equal(refused.json().errors[0].detail, 'this address takes no parameters, got "colour"', method);
  }
  assert.equal((await ask('/v1/raw?colour=red', '{}')).status, 400);
  assert.equal((await ask('/v1/raw', '{}')).status, 200);
  assert.equal((await ask('/v1/scored?colour=red', '{}')).status, 200);
  assert.equal((await ask('/page?utm_source=mail')).status, 200);
});

test('members of a body that are not known are named in Assay-Warnings, also beside errors', async () => {
  assert.equal(
    (await ask('/index', '{"cadense":"hourly"}')).warnings,
    'unknown field cadense was ignored; did you mean cadence?',
  );
  const refused = await ask('/index', '{"cadense":"hourly","kinds":[]}');
  assert.deepEqual(
    [refused.status, refused.warnings],
    [400, 'unknown field cadense was ignored; did you mean cadence?'],
  );
});

test('a path that fits no id is the 404 of its resource, and an invalid header has its own problem', async () => {
  const wrong = await ask('/hooks/wh_1');
  assert.deepEqual([wrong.status, wrong.json.code], [404, 'webhook_not_found']);
  assert.deepEqual((await ask(`/hooks/wh_${'0'.repeat(24)}`)).status, 200);
  const header = await ask('/pools', undefined, { 'last-event-id': '-1' });
  assert.deepEqual(
    [header.status, header.json.code, header.json.title],
    [400, 'malformed_last_event_id', 'Last-Event-ID could not be read'],
  );
});

test('a body is read strictly before its schema sees it', async () => {
  const rows: readonly (readonly [string, string])[] = [
    ['', 'empty_body'],
    ['{"kinds":', 'malformed_json'],
    ['{"kinds":["market"],"kinds":["pools"]}', 'duplicate_key'],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 'json_too_deep'],
    ['{"kinds":[]}', 'validation_failed'],
    ['[]', 'validation_failed'],
  ];
  for (const [body, code] of rows) {
    const read = await ask('/index', body);
    assert.deepEqual([read.status, read.json.code], [400, code], body);
  }
  const form = await ask('/any', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' });
  assert.deepEqual([form.status, form.json.code], [415, 'unsupported_media_type']);
});
