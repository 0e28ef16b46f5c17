import assert from 'node:assert/strict';
import { request as httpsRequest } from 'node:https';
import { after, before, beforeEach, test } from 'node:test';
import type { FaultKind } from './faults.ts';
import { type Sandbox, startSandbox } from './server.ts';
import { sandboxConfig, sandboxResolver } from './settings.ts';

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
});
after(() => sandbox.close());
beforeEach(() => sandbox.faults.clear());

const SEARCH = '/coingecko/main/search?query=Lumenfall';
const ask = (path: string, init?: RequestInit) => fetch(sandbox.url + path, { redirect: 'manual', ...init });
const fault = (kind: FaultKind, more: object = {}) => sandbox.faults.add({ source: 'coingecko', kind, ...more });

test('a source without a fault replies in its shape', async () => {
  const reply = await ask(SEARCH);
  assert.equal(reply.status, 200);
  const body = (await reply.json()) as { coins: { id: string }[] };
  assert.equal(body.coins[0]?.id, 'lumenfall');
});

test('a rate limit states when to retry', async () => {
  fault('rate_limited', { retryAfterSeconds: 7 });
  const reply = await ask(SEARCH);
  assert.equal(reply.status, 429);
  assert.equal(reply.headers.get('retry-after'), '7');
});

test('server errors, wrong types, empty and truncated bodies and error bodies arrive as ordered', async () => {
  fault('server_error', { times: 1 });
  assert.equal((await ask(SEARCH)).status, 503);
  fault('wrong_content_type', { times: 1 });
  assert.equal((await ask(SEARCH)).headers.get('content-type'), 'image/png');
  fault('empty', { times: 1 });
  assert.equal(await (await ask(SEARCH)).text(), '');
  fault('truncated_json', { times: 1 });
  const cut = await (await ask(SEARCH)).text();
  assert.throws(() => JSON.parse(cut));
  fault('error_body', { times: 1 });
  assert.match(await (await ask(SEARCH)).text(), /error_code/);
  assert.equal((await ask(SEARCH)).status, 200, 'a fault with `times` goes away');
});

test('redirects point where no client may follow', async () => {
  fault('redirect_loopback', { times: 1 });
  assert.match((await ask(SEARCH)).headers.get('location') ?? '', /127\.0\.0\.1/);
  fault('redirect_metadata', { times: 1 });
  assert.match((await ask(SEARCH)).headers.get('location') ?? '', /169\.254\.169\.254/);
});

test('a connection breaks before the reply or in the middle of the body', async () => {
  fault('refused', { times: 1 });
  await assert.rejects(ask(SEARCH));
  fault('reset_mid_body', { times: 1 });
  const reply = await ask(SEARCH);
  await assert.rejects(reply.text());
});

test('a slow drip sends headers at once and the body very slowly', async () => {
  fault('slow_drip', { ms: 50, times: 1 });
  const reply = await ask(SEARCH, { signal: AbortSignal.timeout(200) });
  assert.equal(reply.status, 200);
  await assert.rejects(reply.text(), { name: 'TimeoutError' });
});

test('a gzip bomb is small on the wire', async () => {
  fault('gzip_bomb', { times: 1 });
  const reply = await ask(SEARCH);
  assert.equal(reply.headers.get('content-encoding'), 'gzip');
  assert.ok(Number(reply.headers.get('content-length')) < 1_000_000);
  await reply.body?.cancel();
});

test('latency delays, and only the named endpoint', async () => {
  fault('latency', { ms: 150, endpoint: '/search' });
  const started = performance.now();
  await ask('/coingecko/main/coins/lumenfall');
  const quick = performance.now() - started;
  await ask(SEARCH);
  assert.ok(performance.now() - started - quick >= 145);
});

test('a scale fault moves one source by a power of ten and no other', async () => {
  const price = async () => {
    const coin = (await (await ask('/coingecko/main/coins/lumenfall')).json()) as {
      market_data: { current_price: { usd: number } };
    };
    return coin.market_data.current_price.usd;
  };
  const before = await price();
  fault('scale', { quantity: 'price', factor: 1000 });
  assert.ok(Math.abs((await price()) / before / 1000 - 1) < 0.01);
  const lumenfall = sandbox.world.tokens[0];
  const reply = await ask(`/dexscreener/main/token-pairs/v1/ethereum/${lumenfall?.address}`);
  const pairs = (await reply.json()) as { priceUsd: string }[];
  assert.ok(Math.abs(Number(pairs[0]?.priceUsd) / before - 1) < 0.02);
});

test('the control interface sets and clears faults, lists the world and counts requests', async () => {
  const set = await ask('/__control/faults', {
    method: 'POST',
    body: JSON.stringify({ source: '*', kind: 'server_error' }),
  });
  assert.equal(set.status, 200);
  assert.equal((await ask('/goplus/main/api/v1/token_security/1')).status, 503);
  assert.equal((await ask('/__control/faults', { method: 'DELETE' })).status, 200);
  assert.equal((await ask(SEARCH)).status, 200);
  const wrong = await ask('/__control/faults', { method: 'POST', body: '{"source":"*","kind":"nonsense"}' });
  assert.equal(wrong.status, 400);
  const world = (await (await ask('/__control/world')).json()) as { kind: string }[];
  assert.ok(world.some((asset) => asset.kind === 'honeypot'));
  const counts = (await (await ask('/__control/requests')).json()) as Record<string, number>;
  assert.ok((counts.coingecko ?? 0) > 0);
});

test('a site answers over TLS with a certificate of the sandbox authority', async () => {
  const resolver = sandboxResolver(sandbox);
  const vouched = resolver.vouch('lumenfall.example', 443);
  assert.ok(vouched);
  const page = await new Promise<string>((resolve, reject) => {
    const options = {
      host: vouched.address,
      port: vouched.port,
      servername: 'lumenfall.example',
      ca: vouched.ca ?? '',
      headers: { host: 'lumenfall.example' },
    };
    httpsRequest(options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
  assert.match(page, /<title>Lumenfall \(LUMF\)<\/title>/);
});

test('the resolver resolves the names of the world only', async () => {
  const resolver = sandboxResolver(sandbox);
  assert.equal((await resolver.resolve('tidewell.example')).length, 1);
  for (const host of ['localhost', '127.0.0.1', 'nowhere.example', 'example.com']) {
    assert.deepEqual(await resolver.resolve(host), []);
    assert.equal(resolver.vouch(host, 443), null);
  }
  assert.equal(resolver.vouch('tidewell.example', 22), null);
});

test('every base of every source points at the sandbox', () => {
  const { sources } = sandboxConfig(sandbox);
  assert.equal(sources.evm_rpc?.bases.base_2, `${sandbox.url}/evm_rpc/base_2`);
  for (const settings of Object.values(sources)) {
    for (const url of Object.values(settings.bases)) assert.ok(url.startsWith(sandbox.url));
  }
});
