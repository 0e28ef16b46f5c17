import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCertificateAuthority } from '../../sandbox/certificates.ts';
import type { Sandbox } from '../../sandbox/server.ts';

/** One text of a source's reply: who said it, where it stands, what it is. What comes back is said instead. */
export type Spoil = (text: string, place: { readonly source: string; readonly path: string }) => string;

export interface SpoilingProxy {
  readonly url: string;
  readonly httpPort: number;
  readonly tlsPort: number;
  readonly ca: string;
  /** Null lets everything pass as it is. */
  spoil: Spoil | null;
  /** Puts members into every object that a careless copy would take for the prototype's. */
  pollute: boolean;
  /** What is added to every page of a site. */
  addedToPages: string;
  /** Sent instead of any answer of these sources' paths, when it gives one. */
  redirect: ((path: string) => string | null) | null;
  readonly spoiled: () => number;
  close(): Promise<void>;
}

/** Stands between the service and the sandbox, and bends what strangers say. */
export async function startSpoilingProxy(sandbox: Sandbox): Promise<SpoilingProxy> {
  const authority = await createCertificateAuthority();
  let spoiled = 0;

  const answer = (incoming: IncomingMessage, response: ServerResponse): void => {
    const location = proxy.redirect?.(incoming.url ?? '/') ?? null;
    if (location !== null) {
      response
        .writeHead(302, {
          location: Buffer.from(location)
            .toString('latin1')
            .replace(/[^\x20-\xff]/g, ''),
        })
        .end();
      return;
    }
    const onwards = request(
      {
        port: sandbox.httpPort,
        host: '127.0.0.1',
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, 'accept-encoding': 'identity' },
      },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => {
          const type = reply.headers['content-type'] ?? '';
          const host = incoming.headers.host ?? '';
          const source = host.includes('.example') ? host : (incoming.url?.split('/')[1] ?? '');
          const body = bent(Buffer.concat(chunks), type, source);
          const { 'content-length': _length, 'transfer-encoding': _coding, ...headers } = reply.headers;
          response.writeHead(reply.statusCode ?? 500, { ...headers, 'content-length': String(body.length) }).end(body);
        });
      },
    );
    onwards.on('error', () => response.destroy());
    incoming.pipe(onwards);
  };

  function bent(body: Buffer, type: string, source: string): Buffer {
    const { spoil } = proxy;
    if (/html/.test(type) && proxy.addedToPages !== '') return Buffer.concat([body, Buffer.from(proxy.addedToPages)]);
    if (spoil === null || !/json/.test(type)) return body;
    try {
      return Buffer.from(JSON.stringify(walk(JSON.parse(body.toString('utf8')), spoil, source, '')));
    } catch {
      return body;
    }
  }

  function walk(value: unknown, spoil: Spoil, source: string, path: string): unknown {
    if (typeof value === 'string') {
      const said = spoil(value, { source, path });
      if (said !== value) spoiled += 1;
      return said;
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, spoil, source, `${path}/*`));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [
      name,
      walk(member, spoil, source, `${path}/${name}`),
    ]);
    return Object.fromEntries(proxy.pollute ? [...members, ...POLLUTION] : members);
  }

  const plain = createServer(answer);
  const secure = createTlsServer(
    { SNICallback: (name, done) => void authority.contextFor(name).then((context) => done(null, context), done) },
    answer,
  );
  secure.on('tlsClientError', (_error, socket) => socket.destroy());
  const [httpPort, tlsPort] = await Promise.all([listen(plain), listen(secure)]);
  const proxy: SpoilingProxy = {
    url: `http://127.0.0.1:${httpPort}`,
    httpPort,
    tlsPort,
    ca: authority.pem,
    spoil: null,
    pollute: false,
    addedToPages: '',
    redirect: null,
    spoiled: () => spoiled,
    close: async () => {
      await Promise.all([plain, secure].map(shut));
    },
  };
  return proxy;
}

const POLLUTION = [
  ['__proto__', { polluted: true }],
  ['constructor', { prototype: { polluted: true } }],
] as const;

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
