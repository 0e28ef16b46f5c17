import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificateAuthority } from './certificates.ts';
import { createClock, type SandboxClock } from './clock.ts';
import { control } from './control.ts';
import type { FacadeReply, FacadeRequest } from './facade.ts';
import { FACADES } from './facades/index.ts';
import { RDAP_HOST } from './facades/registries.ts';
import { createFaultBook, type FaultBook } from './faults.ts';
import { createLimiter, type Limiter } from './limits.ts';
import { writeRegisters } from './registers.ts';
import { createScene, type Scene } from './scene.ts';
import { send } from './wire.ts';
import { THIRD_PARTY_HOSTS } from './world/firms.ts';
import { createWorld, type World, type WorldName } from './world/world.ts';

export interface SandboxOptions {
  readonly seed: number;
  /** 0 takes a free one; `tlsPort` always is a free one. */
  readonly port: number;
  readonly host: string;
  /** Unix ms. */
  readonly now: () => number;
  /** Unix ms: start of the world, from which its ages and events count; default now. */
  readonly anchor?: number;
  /** Manipulation of a reply before it is sent, for tests with an adversary; absent: none. */
  readonly rewrite?: (request: FacadeRequest, reply: FacadeReply) => FacadeReply;
  /** Which world is played; default `fiction`. */
  readonly name?: WorldName;
  /** Further healthy projects beside those of the world; default none. */
  readonly copies?: number;
  /** Sources refuse requests beyond this multiple of their real limits; default 0: they refuse nothing. */
  readonly limits?: number;
}

export interface Sandbox {
  readonly url: string;
  /** Certificate authority (PEM) that vouches for the world's https names. */
  readonly ca: string;
  readonly httpPort: number;
  readonly tlsPort: number;
  /** Registers of the world, in a folder of its own; null where the world has none. */
  readonly registersDir: string | null;
  readonly world: World;
  readonly faults: FaultBook;
  readonly clock: SandboxClock;
  /** Requests since the start, per source. */
  readonly requests: ReadonlyMap<string, number>;
  /** Refused requests since the start, per source. */
  readonly refused: Limiter['refused'];
  close(): Promise<void>;
}

/**
 * Starts the world's servers on loopback: every source under `/<source>/<base>/...`, and every host of the world by
 * name on both ports.
 */
export async function startSandbox({
  seed,
  port,
  host,
  now: hostNow,
  anchor,
  rewrite,
  name = 'fiction',
  copies = 0,
  limits = 0,
}: SandboxOptions): Promise<Sandbox> {
  const clock = createClock(hostNow);
  const { now } = clock;
  const world = createWorld({ seed, anchor: anchor ?? now(), copies, name });
  const faults = createFaultBook();
  const requests = new Map<string, number>();
  const limiter = createLimiter(limits);
  const authority = await createCertificateAuthority();
  const sceneNow = createSceneStore(world, faults, now);

  const domains = new Set(world.assets.map((asset) => asset.domain));
  const isSite = (name: string) =>
    name.endsWith('.example') || domains.has(name) || domains.has(name.slice(name.indexOf('.') + 1));

  const listener: RequestListener = (incoming, response) => {
    handle(incoming)
      .then(({ source, reply, hits }) => send(response, source, reply, hits))
      .catch((error: unknown) => {
        process.stderr.write(
          `sandbox: ${incoming.method} ${incoming.url}: ${error instanceof Error ? error.stack : String(error)}\n`,
        );
        if (response.headersSent) response.destroy();
        else response.writeHead(500, { 'content-type': 'text/plain' }).end('sandbox fault');
      });
  };

  async function handle(incoming: IncomingMessage) {
    const request = await readRequest(incoming, isSite);
    if (request.source === '__control')
      return { source: '__control', reply: control(request, world, faults, requests, clock), hits: [] };
    requests.set(request.source, (requests.get(request.source) ?? 0) + 1);
    const refused = limiter.refuse(request);
    if (refused) return { source: request.source, reply: refused, hits: [] };
    const facade = FACADES[request.source];
    const hits = faults.hit(request.source, request.path);
    const reply = facade
      ? facade(request, sceneNow())
      : { status: 404, json: { error: `no source called ${request.source}` } };
    return { source: request.source, reply: rewrite ? rewrite(request, reply) : reply, hits };
  }

  const plain = createServer(listener);
  const secure = createTlsServer(
    {
      SNICallback: (name, done) => {
        authority.contextFor(name).then((context) => done(null, context), done);
      },
    },
    listener,
  );
  secure.on('connection', (socket: Socket) => {
    requests.set('tls', (requests.get('tls') ?? 0) + 1);
    if (faults.hit('tls', '').some(({ kind }) => kind !== 'latency' && kind !== 'scale')) socket.destroy();
  });
  secure.on('tlsClientError', (_error, socket) => socket.destroy());
  const madeDir = await mkdtemp(join(tmpdir(), 'assay-sandbox-registers-'));
  await chmod(madeDir, 0o755);
  const registersDir = writeRegisters(world, madeDir, name) ? madeDir : null;
  const httpPort = await listen(plain, port, host);
  const tlsPort = await listen(secure, 0, host);
  return {
    url: `http://${host}:${httpPort}`,
    ca: authority.pem,
    httpPort,
    tlsPort,
    registersDir,
    world,
    faults,
    clock,
    requests,
    refused: limiter.refused,
    close: async () => {
      await Promise.all([plain, secure].map(shut));
      await rm(madeDir, { recursive: true, force: true });
    },
  };
}

/** One scene serves all requests of the same second, so that they are consistent and it is computed once. */
function createSceneStore(world: World, faults: FaultBook, now: () => number): () => Scene {
  let key = '';
  let scene: Scene | null = null;
  return () => {
    const second = Math.floor(now() / 1000) * 1000;
    const wanted = `${second}:${faults.version()}`;
    if (scene === null || wanted !== key) {
      scene = createScene(world, second, faults.scale);
      key = wanted;
    }
    return scene;
  };
}

const MOST_BODY_BYTES = 4 * 1024 * 1024;

async function readRequest(incoming: IncomingMessage, isSite: (host: string) => boolean): Promise<FacadeRequest> {
  const host = (incoming.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  const url = new URL(incoming.url ?? '/', 'http://sandbox.invalid');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length;
    if (size > MOST_BODY_BYTES) throw new Error('request body too large');
    chunks.push(chunk as Buffer);
  }
  const common = {
    method: incoming.method ?? 'GET',
    query: url.searchParams,
    body: parseBody(Buffer.concat(chunks)),
    host,
  };
  if (isSite(host)) {
    return { ...common, source: host === RDAP_HOST ? 'rdap' : 'website', base: 'main', path: url.pathname };
  }
  if (THIRD_PARTY_HOSTS.includes(host)) return { ...common, source: 'third_parties', base: 'main', path: url.pathname };
  const [, source = '', second = '', ...rest] = url.pathname.split('/');
  if (source === '__control') return { ...common, source, base: '', path: `/${[second, ...rest].join('/')}` };
  return { ...common, source, base: second, path: `/${rest.join('/')}` };
}

function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return null;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
