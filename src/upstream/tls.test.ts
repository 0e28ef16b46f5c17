import 'reflect-metadata';
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { createServer as createPlainServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createServer, type Server } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { get, reply, testResolver, testUpstream } from './fixtures/test-host.ts';

const notBefore = new Date('2026-01-01T00:00:00Z');
const notAfter = new Date('2099-01-01T00:00:00Z');

describe('a TLS host', () => {
  let server: Server;
  let port = 0;
  let ca = '';
  const names: (string | undefined)[] = [];

  before(async () => {
    const made = await makeCertificate();
    ca = made.certificate;
    server = createServer({ cert: made.certificate, key: made.key }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.write(reply(200)));
    });
    server.on('secureConnection', (socket) =>
      names.push(socket.servername === false ? undefined : (socket.servername ?? undefined)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  after(() => {
    server.close();
  });

  test('is asked by its name, at the pinned address, trusting the vouched authority', async () => {
    const upstream = testUpstream({ resolver: testResolver({ 'site.example': port }, {}, ca) });
    const got = await upstream.request(get('https://site.example/', { trust: 'outside' }));
    await upstream.close();
    assert.equal(got.ok, true);
    assert.equal(names.at(-1), 'site.example');
  });

  test('whose certificate is not trusted, or is for another name, is unreachable', async () => {
    const untrusted = testUpstream({ resolver: testResolver({ 'site.example': port }) });
    const other = testUpstream({ resolver: testResolver({ 'other.example': port }, {}, ca) });
    const replies = [
      await untrusted.request(get('https://site.example/', { trust: 'outside' })),
      await other.request(get('https://other.example/', { trust: 'outside' })),
    ];
    await Promise.all([untrusted.close(), other.close()]);
    for (const got of replies) {
      assert.equal(got.ok ? 'ok' : got.reason, 'unreachable');
      assert.match(got.ok ? '' : got.detail, /certificate/);
    }
  });

  test('never redirects an outsider from https to http', async () => {
    const upstream = testUpstream({ resolver: testResolver({ 'site.example': port }, {}, ca) });
    server.removeAllListeners('secureConnection');
    server.on('secureConnection', (socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.write(reply(301, '', { location: 'http://site.example/' })));
    });
    const got = await upstream.request(get('https://site.example/', { trust: 'outside' }));
    await upstream.close();
    assert.equal(got.ok ? 'ok' : got.reason, 'refused_address');
  });

  test('shows its certificate, trusted or not', async () => {
    const trusted = testUpstream({ resolver: testResolver({ 'site.example': port }, {}, ca) });
    const untrusted = testUpstream({ resolver: testResolver({ 'site.example': port }) });
    const seen = await trusted.inspectTls('site.example', 443, 1_000);
    const doubted = await untrusted.inspectTls('site.example', 443, 1_000);
    await Promise.all([trusted.close(), untrusted.close()]);
    assert.ok(seen.ok && doubted.ok);
    assert.equal(seen.facts.authorized, true);
    assert.equal(seen.facts.notAfter, notAfter.toISOString());
    assert.equal(seen.facts.notBefore, notBefore.toISOString());
    assert.equal(seen.facts.issuer, 'Test Authority');
    assert.deepEqual(seen.facts.subjectAltNames, ['site.example', 'www.site.example']);
    assert.equal(seen.facts.protocol, 'TLSv1.3');
    assert.equal(doubted.facts.authorized, false);
    assert.equal(doubted.facts.authorizationError, 'DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  test('inside our own network is not read, one that sends nothing ends by the deadline', async () => {
    const silent = createPlainServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const silentPort = typeof address === 'object' && address !== null ? address.port : 0;
    const resolver = testResolver({ 'silent.example': silentPort }, { 'evil.example': ['10.0.0.1'] });
    const upstream = testUpstream({ resolver });
    const reasons: string[] = [];
    for (const [host, at] of [
      ['127.0.0.1', 443],
      ['[::1]', 443],
      ['localhost', 443],
      ['evil.example', 443],
      ['silent.example', 22],
      ['a/b@c', 443],
      ['silent.example', 443],
    ] as const) {
      const got = await upstream.inspectTls(host, at, 100);
      reasons.push(got.ok ? 'ok' : got.reason);
    }
    assert.deepEqual(reasons, [...Array.from({ length: 6 }, () => 'refused_address'), 'timeout']);
    await upstream.close();
    silent.close();
  });
});

async function makeCertificate(): Promise<{ certificate: string; key: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'O=Test Authority',
    notBefore,
    notAfter,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'site.example' },
        { type: 'dns', value: 'www.site.example' },
      ]),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    certificate: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
  };
}
