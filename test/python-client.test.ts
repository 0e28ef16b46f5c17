import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { pythonWith } from './support/python.ts';
import { type TestService, testService } from './support/service.ts';

const ROOT = join(import.meta.dirname, '..');
const python = pythonWith([]);
const withPandas = pythonWith(['pandas']);
const needsPython = { skip: python ? false : 'there is no Python 3.11 or later here' };
const needsPandas = { skip: withPandas ? false : 'there is no Python with pandas here' };
let world: TestService;
before(async () => {
  world = await testService();
  const score = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
  assert.equal((await world.call('/v1/score', { json: score })).status, 200);
});
after(() => world.close());

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
/** Runs a program in a process of its own, with the client on its path and nothing of this process's environment. */
function run(program: string, given: Readonly<Record<string, string>> = {}, command = python): Promise<Ran> {
  const env = {
    PYTHONPATH: join(ROOT, 'client/python'),
    PYTHONDONTWRITEBYTECODE: '1',
    ASSAY_URL: world.service.url,
    ASSAY_API_KEY: world.key,
    ...given,
  };
  return new Promise((resolve) => {
    execFile(command ?? '', ['-c', program], { env, timeout: 30_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

test('every type of the Python client refers to types that exist', needsPython, async () => {
  const { out, err } = await run(`
import typing
from assay_client import api
made = [one for one in vars(api).values() if typing.is_typeddict(one)]
for one in made: typing.get_type_hints(one, include_extras=True)
methods = [one for name, one in vars(api.Operations).items() if not name.startswith("_")]
for one in methods: typing.get_type_hints(one)
print(len(made), len(methods))
`);
  const [types = 0, methods = 0] = out.trim().split(' ').map(Number);
  assert.ok(types > 150 && methods > 80, out + err);
});

test('the Python client scores, reads, pages, writes and deletes, against a running service', needsPython, async () => {
  const { code, out, err } = await run(`
from assay_client import AssayProblem, Client
assay = Client()
score = assay.score({"type": "posttge", "project": "Hivecoin", "project_url": "https://hivecoin.example/"})
print(score["rating"]["band"])
print(sorted(one["asset"]["symbol"] for one in assay.items(assay.list_ratings, limit=1)))
print(assay.get_rating("TIDE", format="digest")["symbol"])
print(type(assay.get_rating_report("TIDE", format="markdown")).__name__)
assay.watch_asset("TIDE", {"note": "treasury"})
print([entry["note"] for entry in assay.list_whitelist()], assay.unwatch_asset("TIDE"))
print(assay.check_policy({"asset": "NOSUCH", "preset": "treasury"})["outcome"])
try:
    assay.get_rating("NOBODY")
except AssayProblem as problem:
    print(problem.status, problem.code, "how_to_rate" in problem.problem)
for part in ("", "..", "."):
    try:
        assay.get_rating(part)
    except ValueError as error:
        print("refused", end=" ")
`);
  assert.equal(code, 0, err);
  assert.deepEqual(out.trim().split('\n'), [
    'C',
    "['HIVC', 'TIDE']",
    'TIDE',
    'str',
    "['treasury'] None",
    'block',
    '404 asset_not_rated True',
    'refused refused refused',
  ]);
});

/** A server that answers one after the other as it is told, and what it was asked. */
async function answering(
  t: TestContext,
  replies: readonly ((request: IncomingMessage, response: ServerResponse) => void)[],
) {
  const asked: { readonly at: number; readonly line: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    asked.push({ at: Date.now(), line: `${request.method} ${request.url}`, headers: request.headers });
    const reply = replies[Math.min(asked.length, replies.length) - 1];
    reply?.(request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
  };
}
const status = (code: number, headers: Readonly<Record<string, string>> = {}, body = '{}') => {
  return (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
};
const READ = `
from assay_client import AssayConnectionError, AssayProblem, Client, Retry
assay = Client(timeout=1.0, most_bytes=1000, retry=Retry(retries=2, first_pause_seconds=0.01))
try:
    print(assay.get_rating("a/b c", view="digest"))
except AssayProblem as problem:
    print(problem.status, problem.code, problem.retry_after_seconds)
except AssayConnectionError as error:
    print(error.reason)
`;

test('the Python client waits for Retry-After, and raises at once for a longer pause', needsPython, async (t) => {
  const soon = await answering(t, [status(429, { 'retry-after': '1' }), status(503), status(200, {}, '{"band":"A"}')]);
  const { out, err } = await run(READ, { ASSAY_URL: soon.url });
  assert.equal(out, "{'band': 'A'}\n", err);
  const [first, second] = soon.asked;
  assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 990);
  assert.equal(first?.line, 'GET /v1/rms/a%2Fb%20c?view=digest');
  assert.equal(first?.headers['x-api-key'], world.key);
  const late = await answering(t, [status(429, { 'retry-after': '3600' })]);
  assert.equal((await run(READ, { ASSAY_URL: late.url })).out, '429 http_429 3600.0\n');
  assert.equal(late.asked.length, 1);
});

test(
  'the Python client raises for endless, silent, too large, redirected and malformed replies',
  needsPython,
  async (t) => {
    const elsewhere = await answering(t, [status(200)]);
    const cases: readonly (readonly [Parameters<typeof answering>[1], string, number])[] = [
      [[status(500)], '500 http_500 None', 3],
      [[status(302, { location: `${elsewhere.url}/` })], '302 http_302 None', 1],
      [[status(200, {}, `"${'a'.repeat(5000)}"`)], 'too_large', 1],
      [[status(200, {}, '<html>')], 'unreadable', 3],
      [[() => undefined], 'timeout', 3],
      [[(request) => request.socket.destroy()], 'unreachable', 3],
      [
        [
          (_request, response) => {
            response.writeHead(200, { 'content-type': 'application/json' });
            const drip = setInterval(() => response.write(' '), 100);
            response.once('close', () => clearInterval(drip));
          },
        ],
        'timeout',
        3,
      ],
    ];
    for (const [replies, expected, requests] of cases) {
      const server = await answering(t, replies);
      const { out, err } = await run(READ, { ASSAY_URL: server.url });
      assert.equal(out, `${expected}\n`, err);
      assert.equal(server.asked.length, requests, expected);
    }
    assert.equal(elsewhere.asked.length, 0);
  },
);

/** A reply whose connection is closed after a part of its body. */
const cut = (code: number, type: string, body: string, sent: number) => {
  return (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    response.write(body.slice(0, sent), () => setTimeout(() => request.socket.destroy(), 20));
  };
};

test('a file or a refusal that was cut off is read again, and never taken for the whole', needsPython, async (t) => {
  const rows = '{"asset_id":"a"}\n{"asset_id":"b"}\n';
  const ndjson = { 'content-type': 'application/x-ndjson' };
  const file = await answering(t, [cut(200, 'application/x-ndjson', rows, 17), status(200, ndjson, rows)]);
  const whole = await run(READ, { ASSAY_URL: file.url });
  assert.equal(whole.out, `${rows}\n`, whole.err);
  const always = await answering(t, [cut(200, 'application/vnd.apache.parquet', rows, 17)]);
  assert.equal((await run(READ, { ASSAY_URL: always.url })).out, 'unreachable\n');
  const refused = await answering(t, [cut(503, 'application/json', '{"code":"not_ready"}', 4), status(200, {}, '{}')]);
  const read = await run(READ, { ASSAY_URL: refused.url });
  assert.equal(read.out, '{}\n', read.err);
  const dripping = await answering(t, [
    (_request, response) => {
      response.writeHead(503, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 100);
      response.once('close', () => clearInterval(drip));
    },
  ]);
  assert.equal((await run(READ, { ASSAY_URL: dripping.url })).out, 'timeout\n');
});

test('a list is read on from a cursor that was kept', needsPython, async (t) => {
  const page = (data: readonly number[], next: string | null) =>
    status(200, {}, JSON.stringify({ data, next_cursor: next }));
  const server = await answering(t, [page([3], 'c2'), page([4], null)]);
  const program = `
from assay_client import Client
assay = Client()
print(list(assay.items(assay.list_ratings, cursor="c1", limit=1)))
`;
  const { out, err } = await run(program, { ASSAY_URL: server.url });
  assert.equal(out, '[3, 4]\n', err);
  assert.deepEqual(
    server.asked.map(({ line }) => new URLSearchParams(line.split('?')[1]).get('cursor')),
    ['c1', 'c2'],
  );
});

test('a score is sent again under its own key, and a POST without one is not', needsPython, async (t) => {
  const server = await answering(t, [
    status(503),
    status(200, {}, '{"job_id":"x","rating":{"band":"A"}}'),
    status(503),
  ]);
  const { out, err } = await run(
    `
from assay_client import AssayProblem, Client, Retry
assay = Client(retry=Retry(first_pause_seconds=0.01))
print(assay.score({})["rating"]["band"])
try:
    assay.create_webhook({})
except AssayProblem as problem:
    print(problem.status)
`,
    { ASSAY_URL: server.url },
  );
  assert.equal(out, 'A\n503\n', err);
  const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
  assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
  assert.deepEqual([keys[1], keys[2], keys.length], [keys[0], undefined, 3]);
});

test('rows become a table with times as times and hostile texts as they are', needsPandas, async () => {
  const { out, err } = await run(
    `
from assay_client import Client, to_frame
assay = Client()
frame = to_frame(assay.items(assay.list_ratings), index="asset.symbol")
print(frame.loc["TIDE", "band"], frame["as_of"].dtype, frame["score"].dtype)
odd = to_frame([{"name": "=cmd()", "at": "2026-01-01T00:00:00Z", "n": None}, {"name": "2026-01-01T00:00:00Z", "at": None, "n": 2}])
print(odd["name"].tolist(), odd["at"].isna().tolist(), odd["n"].dtype, to_frame([]).shape)
print(to_frame([{"at": "2026-01-01T00:00:00Z"}, {"at": "2026-01-01T00:00:00.125Z"}])["at"].dt.microsecond.tolist())
`,
    {},
    withPandas,
  );
  assert.match(out, /^BBB? datetime64\[ns, UTC\] float64\n/, err);
  assert.match(out, /\['=cmd\(\)', '2026-01-01T00:00:00Z'\] \[False, True\] float64 \(0, 0\)\n\[0, 125000\]\n$/);
});
