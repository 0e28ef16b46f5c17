import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { createUpstream, type UpstreamOptions } from './client.ts';
import type { Resolver, Upstream, UpstreamBudget, UpstreamReply, UpstreamRequest } from './types.ts';

/** A host on a real loopback socket that answers as the test says, byte by byte. Only for tests. */
export interface TestHost {
  readonly port: number;
  readonly url: string;
  /** Heads of the requests seen, in order. */
  readonly seen: string[];
  close(): void;
}

/** `answer` gets the path, the socket and the count of requests so far (from 1). */
export async function startHost(
  answer: (path: string, socket: Socket, count: number) => void,
  host = '127.0.0.1',
): Promise<TestHost> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = text.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      text = text.slice(end + 4 + length);
      seen.push(head);
      answer(head.split(' ')[1] ?? '', socket, seen.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    seen,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A whole reply with a right content-length. */
export function reply(
  status: number,
  body: string | Buffer = '{}',
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const bytes = Buffer.from(body);
  const all = { 'content-type': 'application/json', 'content-length': String(bytes.byteLength), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n`), bytes]);
}

/** Vouches for each of `vouched` names at its port, trusting `ca`; every other name resolves to what `names` says. */
export function testResolver(
  vouched: Readonly<Record<string, number>> = {},
  names: Readonly<Record<string, readonly string[]>> = {},
  ca: string | null = null,
): Resolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async resolve(host) {
      asked.push(host);
      return (names[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
    vouch(host) {
      const port = vouched[host];
      return port === undefined ? null : { address: '127.0.0.1', family: 4, port, ca };
    },
  };
}

/** Enough of everything, so that only what a test is about limits it. */
export const PLENTY: UpstreamBudget = { perMinute: 60_000, burst: 1_000, concurrency: 100, shareSeconds: 0 };

/** A client whose label `test` has plenty of budget. */
export function testUpstream(options: Partial<UpstreamOptions> = {}, budget: UpstreamBudget = PLENTY): Upstream {
  const upstream = createUpstream({ resolver: testResolver(), userAgent: 'assay-test', random: () => 0.1, ...options });
  upstream.setBudget('test', budget);
  return upstream;
}

/** A GET with sensible bounds. */
export function get(url: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    label: 'test',
    trust: 'operator',
    method: 'GET',
    url,
    headers: {},
    secretHeaders: {},
    secretQuery: [],
    body: null,
    deadlines: { connectMs: 1_000, headersMs: 1_000, bodyMs: 1_000, totalMs: 2_000 },
    maxBytes: 1_048_576,
    accept: ['application/json'],
    okStatuses: [],
    retries: 0,
    maxRedirects: 5,
    traceparent: null,
    ...more,
  };
}

/** Deadlines that all end after so many milliseconds. */
export function within(totalMs: number): UpstreamRequest['deadlines'] {
  return { connectMs: totalMs, headersMs: totalMs, bodyMs: totalMs, totalMs };
}

type Ask = (more?: Partial<UpstreamRequest>, path?: string) => Promise<UpstreamReply>;

/** Runs a test between a host that answers so and a client that may ask it. */
export async function facing(
  answer: (path: string, socket: Socket, count: number) => void,
  run: (ask: Ask, host: TestHost, upstream: Upstream) => Promise<void>,
): Promise<void> {
  const host = await startHost(answer);
  const upstream = testUpstream();
  try {
    await run((more, path = '/x') => upstream.request(get(host.url + path, more)), host, upstream);
  } finally {
    await upstream.close();
    host.close();
  }
}

/** The failure, when it is one of that reason and tells nothing of our network. */
export function expectFailure(got: UpstreamReply, reason: string): Extract<UpstreamReply, { ok: false }> {
  assert.equal(got.ok, false, 'expected a failure');
  if (got.ok) throw new Error('unreachable');
  assert.equal(got.reason, reason, got.detail);
  assert.doesNotMatch(got.detail, /\d+\.\d+\.\d+\.\d+|::1|localhost/);
  return got;
}

/** The body as text of a reply that must be an answer. */
export function expectBody(got: UpstreamReply): string {
  if (!got.ok) throw new Error(`${got.reason}: ${got.detail}`);
  return Buffer.from(got.body).toString();
}
