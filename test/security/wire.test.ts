import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type TestService, testService } from '../support/service.ts';
import { sendRaw, statusesIn } from './raw-socket.ts';
import { tally } from './tally.ts';

const tidewell = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
let world: TestService;
let hotPath: string;

before(async () => {
  world = await testService();
  await (await world.call('/v1/score', { json: tidewell })).text();
  const list = (await (await world.call('/v1/rms')).json()) as {
    readonly data: readonly { readonly asset: { readonly id: string } }[];
  };
  hotPath = `/v1/rms/${list.data[0]?.asset.id}`;
  // Asked twice, it is answered from memory, before the router.
  for (let i = 0; i < 2; i += 1) assert.equal((await world.call(hotPath)).status, 200);
});
after(() => world.close());

const head = (path: string, more: string, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: assay\r\nX-API-Key: ${world.key}\r\n${more}`;
const inner = () => head('/v1/admin/keys', '\r\n');

/** Requests that two servers in a row may cut apart differently; `path` is answered by a route or from memory. */
function ambiguous(path: string): Readonly<Record<string, string>> {
  const post = (more: string) => head(path, more, 'POST');
  return {
    'length and chunks': post(`Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner()}`),
    'chunks and length': post(`Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${inner()}`),
    'two lengths': post(`Content-Length: 0\r\nContent-Length: 40\r\n\r\n${inner()}`),
    'a list of lengths': post(`Content-Length: 0, 40\r\n\r\n${inner()}`),
    'a length with a sign': post(`Content-Length: +4\r\n\r\nabcd${inner()}`),
    'a length below nothing': post(`Content-Length: -1\r\n\r\n${inner()}`),
    'a length in hex': post(`Content-Length: 0x4\r\n\r\nabcd${inner()}`),
    'a length too large to count': post(`Content-Length: 99999999999999999999999\r\n\r\n${inner()}`),
    'an unknown coding': post(`Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner()}`),
    'a coding twice': post(`Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${inner()}`),
    'a blank before the colon': post(`Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner()}`),
    'a folded header': head(
      path,
      `X-A: b\r\n c: d\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${inner()}`,
      'POST',
    ),
    'a chunk size that is none': post(`Transfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n0\r\n\r\n${inner()}`),
    'a chunk size with a sign': post(`Transfer-Encoding: chunked\r\n\r\n-1\r\nabc\r\n0\r\n\r\n${inner()}`),
    'a chunk size without end': post(`Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(64)}\r\nabc\r\n${inner()}`),
    'a chunk longer than it says': post(`Transfer-Encoding: chunked\r\n\r\n1\r\nabcdef\r\n0\r\n\r\n${inner()}`),
    'a header line that ends with LF alone': `POST ${path} HTTP/1.1\r\nHost: assay\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner()}`,
    'a NUL in a header': head(path, `X-A: a\u0000b\r\n\r\n`),
    'a CR in a header': head(path, `X-A: a\rTransfer-Encoding: chunked\r\n\r\n${inner()}`),
    'no host': `GET ${path} HTTP/1.1\r\nX-API-Key: ${world.key}\r\n\r\n`,
    'two hosts': head(path, 'Host: other\r\n\r\n'),
    'a blank in the path': head(`${path} x`, '\r\n'),
    'HTTP/0.9': `GET ${path}\r\n`,
    'HTTP/2 in words': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    'a method that is none': head(path, '\r\n', 'GE\u0000T'),
  };
}

/** Status, code and type of the problem that is the last reply of what came over the wire. */
function problemIn(got: string): readonly unknown[] {
  const { status, code, type, request_id: id } = JSON.parse(got.slice(got.lastIndexOf('\r\n\r\n') + 4));
  assert.match(got, new RegExp(`\\r\\nx-request-id: ${id}\\r\\n`));
  return [status, code, type];
}

describe('a request that can be read in two ways', () => {
  for (const kind of ['a route', 'memory'] as const)
    test(`is refused and the connection closed, on any path (${kind})`, async () => {
      const path = kind === 'a route' ? '/v1/rms/batch' : hotPath;
      const passed: string[] = [];
      const cases = Object.entries(ambiguous(path));
      for (const [name, bytes] of cases) {
        const got = await sendRaw(world.service.url, bytes, 150);
        const statuses = statusesIn(got);
        // Refused, and no second request found inside the first: at most the parser's own word follows.
        const isSafe = statuses.every((status, index) => (index === 0 ? status >= 400 : index === 1 && status === 400));
        if (!isSafe) passed.push(`${name}: ${statuses}`);
      }
      tally({
        part: 'smuggling',
        claim: 'ambiguous requests are refused and the connection closed',
        tried: cases.length,
      });
      assert.deepEqual(passed, []);
    });

  test('pipelined requests each get the reply for their own key, in order, from memory and by routes', async () => {
    const bytes = [
      head(hotPath, 'Accept-Encoding: identity\r\n\r\n'),
      `GET ${hotPath} HTTP/1.1\r\nHost: assay\r\n\r\n`,
      `GET ${hotPath} HTTP/1.1\r\nHost: assay\r\nX-API-Key: ak_live_AAAAAAAAAAAAAAAAAAAAAAAAAA_000000\r\n\r\n`,
      head('/v1/rms', 'Accept-Encoding: identity\r\n\r\n'),
      `GET /v1/admin/keys HTTP/1.1\r\nHost: assay\r\nConnection: close\r\n\r\n`,
    ].join('');
    assert.deepEqual(statusesIn(await sendRaw(world.service.url, bytes)), [200, 401, 401, 200, 401]);
  });

  test('an absolute address, an authority or an asterisk as the target opens nothing', async () => {
    for (const target of [
      `http://127.0.0.1:1${hotPath}`,
      'http://evil.example/v1/admin/keys',
      '*',
      'evil.example:443',
      '//evil.example/x',
    ]) {
      const got = await sendRaw(
        world.service.url,
        `GET ${target} HTTP/1.1\r\nHost: assay\r\nConnection: close\r\n\r\n`,
      );
      assert.ok(
        statusesIn(got).every((status) => status >= 400),
        `${target}: ${got.slice(0, 100)}`,
      );
    }
  });

  test('endless heads are refused by size, on either path', async () => {
    for (const path of [hotPath, '/healthz']) {
      const big = `GET ${path} HTTP/1.1\r\nHost: assay\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`;
      const got = await sendRaw(world.service.url, big);
      assert.deepEqual(statusesIn(got), [431]);
      assert.deepEqual(problemIn(got), [431, 'request_head_too_large', 'urn:assay:problem:request_head_too_large']);
    }
  });

  test('what is not HTTP, and what may be read in two ways, gets a problem and the connection closed', async () => {
    for (const bytes of [
      'GE\u0000T / HTTP/1.1\r\nHost: assay\r\n\r\n',
      `GET ${hotPath} HTTP/1.1\r\nHost: assay\r\nHost: other\r\n\r\n`,
      `GET /healthz HTTP/1.1\r\nHost: assay\r\nHost: other\r\n\r\n`,
    ]) {
      const got = await sendRaw(world.service.url, bytes);
      assert.deepEqual(problemIn(got), [400, 'malformed_request', 'urn:assay:problem:malformed_request'], got);
      assert.match(got, /\r\nconnection: close\r\n/i);
      assert.match(got, /\r\nassay-data-mode: \w+\r\n/i);
    }
  });
});

describe('replies from memory, before the router', () => {
  test('is held by the same rules: keys, scopes, addresses, data mode, limits', async () => {
    const make = async (body: object) =>
      (
        (await (await world.call('/v1/admin/keys', { json: { name: 'hot', ...body } })).json()) as {
          readonly secret: string;
        }
      ).secret;
    const other = await make({ scopes: ['chain:read'], plan: 'INTERNAL' });
    const elsewhere = await make({ scopes: ['rms:read'], plan: 'INTERNAL', allowed_ips: ['10.0.0.0/8'] });
    const chain = await make({ scopes: ['rms:read'], plan: 'CHAIN-1500' });
    for (const [key, status] of [
      [null, 401],
      [other, 403],
      [elsewhere, 403],
      [chain, 403],
    ] as const)
      for (let i = 0; i < 3; i += 1) assert.equal((await world.call(hotPath, { key })).status, status);
    const good = await world.call(hotPath);
    for (const name of ['assay-data-mode', 'x-request-id', 'x-content-type-options', 'ratelimit', 'ratelimit-policy'])
      assert.ok(good.headers.get(name), name);
    assert.equal(
      (await world.call(`${hotPath}?api_key=${world.key}`)).status,
      401,
      'a key in the query is refused here too',
    );
    const forged = await world.call(hotPath, { headers: { 'x-request-id': 'a\u00e9<script>' } });
    assert.match(forged.headers.get('x-request-id') ?? '', /^[\w.:-]+$/);
  });
});

describe('a body that swells', () => {
  test('is read in four codings; of another the reply lists them', async () => {
    const body = Buffer.from('{"asset":"TIDE"}');
    const send = (coding: string, packed: Buffer) =>
      world.call('/v1/policy/check', {
        method: 'POST',
        body: packed,
        headers: { 'content-encoding': coding, 'content-type': 'application/json' },
      });
    const packed = {
      gzip: gzipSync(body),
      br: brotliCompressSync(body),
      zstd: zstdCompressSync(body),
      deflate: deflateSync(body),
    };
    const plain = await world.call('/v1/policy/check', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    for (const [coding, bytes] of Object.entries(packed))
      assert.equal((await send(coding, bytes)).status, plain.status, coding);
    const other = await send('compress', body);
    const problem = (await other.json()) as { readonly code: string; readonly detail: string };
    assert.deepEqual([other.status, problem.code], [415, 'unsupported_content_encoding']);
    assert.match(problem.detail, /zstd, br, gzip or deflate/);
  });

  test('is measured unpacked: a bomb of any coding is refused and costs no memory', async () => {
    const bomb = Buffer.alloc(64 * 2 ** 20, ' ');
    const packed = {
      gzip: gzipSync(bomb),
      br: brotliCompressSync(bomb.subarray(0, 16 * 2 ** 20)),
      zstd: zstdCompressSync(bomb),
      deflate: deflateSync(bomb),
      'gzip, gzip': gzipSync(gzipSync(bomb)),
    };
    const before = process.memoryUsage().rss;
    for (const [coding, body] of Object.entries(packed)) {
      for (const path of ['/v1/score', '/v1/rms/batch', '/mcp']) {
        const headers = { 'content-encoding': coding, 'content-type': 'application/json' };
        const got = await world.call(path, { method: 'POST', body, headers }).catch(() => null);
        // Some are refused before all of it was sent: the connection then ends.
        if (got) assert.ok([400, 413, 415].includes(got.status), `${coding} ${path} ${got.status}`);
        await got?.body?.cancel();
      }
    }
    const grown = (process.memoryUsage().rss - before) / 2 ** 20;
    tally({
      part: 'bombs',
      claim: 'packed requests are measured unpacked',
      tried: 15,
      counts: { 'MiB grown': Math.round(grown) },
    });
    assert.ok(grown < 200, `${grown} MiB`);
    assert.equal((await world.call('/healthz')).status, 200);
  });
});
