import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemResolver } from './agents.ts';
import { createUpstream } from './client.ts';
import { AMPLE_BUDGET, get, reply, startHost, testResolver, testUpstream } from './fixtures/test-host.ts';
import type { Resolver, UpstreamReply } from './types.ts';

const outside = { trust: 'outside', maxRedirects: 5 } as const;

function reasonOf(got: UpstreamReply): string {
  if (!got.ok) assert.doesNotMatch(got.detail, /\d+\.\d+\.\d+\.\d+/);
  return got.ok ? 'ok' : got.reason;
}

describe('an address that an outsider chose', () => {
  test('reaches the host the resolver vouches for, by name, and nothing else on loopback', async () => {
    const host = await startHost((_path, socket) => socket.write(reply(200)));
    const upstream = testUpstream({
      resolver: testResolver({ 'site.example': host.port }, { 'evil.example': ['127.0.0.1'] }),
      allowedPorts: [80, 443, host.port],
    });
    try {
      assert.equal(reasonOf(await upstream.request(get('http://site.example/', outside))), 'ok');
      assert.match(host.seen[0] ?? '', /host: site\.example\r\n/i);
      const refused = [
        `http://127.0.0.1:${host.port}/`,
        `http://localhost:${host.port}/`,
        `http://2130706433:${host.port}/`,
        `http://[::ffff:127.0.0.1]:${host.port}/`,
        `http://evil.example:${host.port}/`,
      ];
      for (const url of refused)
        assert.equal(reasonOf(await upstream.request(get(url, outside))), 'refused_address', url);
      assert.equal(reasonOf(await upstream.request(get('http://nobody.example/', outside))), 'unreachable');
      assert.equal(host.seen.length, 1);
    } finally {
      await upstream.close();
      host.close();
    }
  });

  test('one private address among public ones refuses the name', async () => {
    const upstream = testUpstream({ resolver: testResolver({}, { 'mixed.example': ['1.1.1.1', '10.0.0.1'] }) });
    assert.equal(reasonOf(await upstream.request(get('http://mixed.example/', outside))), 'refused_address');
    await upstream.close();
  });

  test('a name that is public first and private second (rebinding) is resolved once per connection and never reached', async () => {
    const host = await startHost((_path, socket) => socket.write(reply(200)));
    let calls = 0;
    const resolver: Resolver = {
      // 2d00::/8 is global unicast space that IANA has given to nobody: it passes the guard and no packet arrives.
      async resolve() {
        calls += 1;
        return calls === 1 ? [{ address: '2d00::1', family: 6 }] : [{ address: '127.0.0.1', family: 4 }];
      },
      vouch: () => null,
    };
    const upstream = testUpstream({ resolver, allowedPorts: [host.port] });
    const deadlines = { connectMs: 150, headersMs: 150, bodyMs: 150, totalMs: 600 };
    const url = `http://rebind.example:${host.port}/`;
    const got = await upstream.request(get(url, { ...outside, retries: 3, deadlines }));
    assert.notEqual(reasonOf(got), 'ok');
    assert.equal(reasonOf(await upstream.request(get(url, { ...outside, deadlines }))), 'refused_address');
    assert.equal(host.seen.length, 0);
    await upstream.close();
    host.close();
  });

  for (const target of [
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://localhost/',
    'http://user:pw@site.example/',
    'http://site.example:22/',
    'file:///etc/passwd',
    '//0x7f.1/',
    'http://evil.example/',
  ])
    test(`a redirect to ${target} is refused`, async () => {
      const host = await startHost((_path, socket) => socket.write(reply(302, '', { location: target })));
      const resolver = testResolver({ 'site.example': host.port }, { 'evil.example': ['127.0.0.1'] });
      const upstream = testUpstream({ resolver });
      try {
        assert.equal(reasonOf(await upstream.request(get('http://site.example/', outside))), 'refused_address');
        assert.equal(host.seen.length, 1);
      } finally {
        await upstream.close();
        host.close();
      }
    });

  test('a redirect to a good address is followed without our keys, a circle and a long chain are not', async () => {
    const host = await startHost((path, socket) => {
      if (path === '/start') socket.write(reply(302, '', { location: 'http://other.example/end' }));
      else if (path === '/end') socket.write(reply(200));
      else if (path === '/a') socket.write(reply(302, '', { location: '/b' }));
      else if (path === '/b') socket.write(reply(302, '', { location: '/a' }));
      else socket.write(reply(302, '', { location: `${path}x` }));
    });
    const upstream = testUpstream({
      resolver: testResolver({ 'site.example': host.port, 'other.example': host.port }),
    });
    try {
      const secretHeaders = { 'x-key': 'header-secret' };
      const got = await upstream.request(get('http://site.example/start', { ...outside, secretHeaders }));
      assert.equal(got.ok && got.url, 'http://other.example/end');
      assert.match(host.seen[0] ?? '', /header-secret/);
      assert.doesNotMatch(host.seen[1] ?? '', /header-secret/);
      assert.equal(reasonOf(await upstream.request(get('http://site.example/a', outside))), 'http_error');
      assert.equal(reasonOf(await upstream.request(get('http://site.example/long', outside))), 'http_error');
      assert.ok(host.seen.length < 12);
    } finally {
      await upstream.close();
      host.close();
    }
  });

  test('a host that asks for a pause pauses itself only', async () => {
    const host = await startHost((_path, socket, count) =>
      socket.write(count === 1 ? reply(429, '{}', { 'retry-after': '3600' }) : reply(200)),
    );
    const upstream = testUpstream({ resolver: testResolver({ 'bad.example': host.port, 'good.example': host.port }) });
    try {
      assert.equal(reasonOf(await upstream.request(get('http://bad.example/', outside))), 'rate_limited');
      assert.equal(reasonOf(await upstream.request(get('http://bad.example/2', outside))), 'budget_spent');
      assert.equal(reasonOf(await upstream.request(get('http://good.example/', outside))), 'ok');
    } finally {
      await upstream.close();
      host.close();
    }
  });
});

describe('an address of the operator', () => {
  test('may be loopback, may redirect on its own origin, and leads nowhere else inside', async () => {
    const inner = await startHost((_path, socket) => socket.write(reply(200)));
    const host = await startHost((path, socket) => {
      if (path === '/own') socket.write(reply(301, '', { location: '/end' }));
      else if (path === '/inner') socket.write(reply(301, '', { location: inner.url }));
      else if (path === '/away') socket.write(reply(301, '', { location: 'https://example.com/' }));
      else socket.write(reply(200));
    });
    const upstream = testUpstream();
    try {
      assert.equal(reasonOf(await upstream.request(get(`${host.url}/own`))), 'ok');
      assert.equal(reasonOf(await upstream.request(get(`${host.url}/inner`))), 'refused_address');
      assert.equal(reasonOf(await upstream.request(get(`${host.url}/away`))), 'refused_address');
      assert.equal(inner.seen.length, 0);
    } finally {
      await upstream.close();
      inner.close();
      host.close();
    }
  });

  test('is found by the system resolver, which says "none" for a name that does not exist and vouches for nobody', async () => {
    const host = await startHost((_path, socket) => socket.write(reply(200)));
    const resolver = systemResolver();
    const upstream = createUpstream({ resolver, userAgent: 'assay-test' });
    upstream.setBudget('test', AMPLE_BUDGET);
    try {
      assert.equal(reasonOf(await upstream.request(get(`http://localhost:${host.port}/`))), 'ok');
      assert.equal(resolver.vouch('site.example', 443), null);
    } finally {
      await upstream.close();
      host.close();
    }
  });

  test('no proxy of the environment is used', async () => {
    const proxy = await startHost((_path, socket) => socket.write(reply(200)));
    const host = await startHost((_path, socket) => socket.write(reply(200)));
    process.env.HTTP_PROXY = proxy.url;
    process.env.http_proxy = proxy.url;
    const upstream = testUpstream();
    try {
      assert.equal(reasonOf(await upstream.request(get(`${host.url}/`))), 'ok');
      assert.equal(proxy.seen.length, 0);
    } finally {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
      await upstream.close();
      proxy.close();
      host.close();
    }
  });
});
