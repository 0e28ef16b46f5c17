import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import Type from 'typebox';
import { EventHeaders, IndexBody, PoolsQuery, WebhookParams } from '../../contract/index.ts';
import { sendProblem } from '../replies/problems.ts';
import { problemOfError, type Routes, readRequests } from './read-requests.ts';

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

test('names that are not known are named in Assay-Warnings, also beside errors', async () => {
  const read = await ask('/pools?scop=top');
  assert.deepEqual([read.status, read.warnings], [200, 'unknown parameter scop was ignored; did you mean scope?']);
  const refused = await ask('/pools?scop=top&scope=tpo');
  assert.deepEqual(
    [refused.status, refused.warnings],
    [400, 'unknown parameter scop was ignored; did you mean scope?'],
  );
  assert.deepEqual(refused.json.errors, [
    {
      pointer: '/scope',
      code: 'malformed',
      detail: 'expected one of all, verified, top, got "tpo"; did you mean top?',
    },
  ]);
  assert.equal(
    (await ask('/index', '{"cadense":"hourly"}')).warnings,
    'unknown field cadense was ignored; did you mean cadence?',
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
