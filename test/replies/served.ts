import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createCertificateAuthority } from '../../sandbox/certificates.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { createEngine, type Engine } from '../../src/compose/engine.ts';
import type { Json } from '../../src/domain/index.ts';
import { factsOfAsset } from '../../src/evidence/inspect.ts';
import { type Finding, type Panel, prove } from '../../src/proving/index.ts';
import { SOURCES } from '../../src/sources/index.ts';
import type { Endpoint, Params, Source } from '../../src/sources/source.ts';
import { type Row, readIndex } from './run.ts';

/** A recorded reply that can be requested again. */
export interface ServedRow {
  readonly row: Row;
  readonly source: Source;
  readonly endpoint: Endpoint;
  readonly params: Params;
  readonly body: Buffer;
}

/** What is served in place of a body; null: the recording. */
export type Planted = (served: ServedRow) => { readonly body: Buffer; readonly contentType?: string } | null;

export interface ServedReplies {
  readonly rows: readonly ServedRow[];
  /** Proves the sources on these recordings, through sockets, with something planted into the bodies. */
  prove(rows: readonly ServedRow[], plant?: Planted): Promise<readonly Finding[]>;
  close(): Promise<void>;
}

const TYPES = {
  json: 'application/json',
  html: 'text/html',
  text: 'text/plain',
  xml: 'application/xml',
  pdf: 'application/json',
  tls: 'application/json',
};

/**
 * Serves the recordings of a folder in the form of the reply runner on loopback, in place of the sources and of any other host. Left
 * out are TLS facts and texts of files, which are no HTTP replies.
 */
export async function serveReplies(folder: string): Promise<ServedReplies> {
  const rows = (await Promise.all((await readIndex(folder)).map((row) => servedOf(folder, row)))).filter(
    (row) => row !== null,
  );
  let current = new Map<string, { readonly served: ServedRow; readonly plant: Planted }>();
  const listener: RequestListener = (request, response) =>
    void reply(request, response).catch(() => response.destroy());
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const found = current.get(keyOf(request.headers.host ?? '', request.url ?? '/', Buffer.concat(chunks).toString()));
    if (found === undefined) return void response.writeHead(501, { 'content-type': 'application/json' }).end('{}');
    const { served, plant } = found;
    const planted = plant(served);
    const contentType = planted?.contentType ?? TYPES[served.endpoint.format ?? 'json'];
    response
      .writeHead(served.row.status ?? 200, { ...served.row.headers, 'content-type': contentType })
      .end(planted?.body ?? served.body);
  }
  const authority = await createCertificateAuthority();
  const plain = createServer(listener);
  const secure = createTlsServer(
    { SNICallback: (name, done) => void authority.contextFor(name).then((context) => done(null, context), done) },
    listener,
  );
  const [httpPort, tlsPort] = await Promise.all(
    [plain, secure].map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
        ),
    ),
  );
  const engine = engineOn(httpPort ?? 0, tlsPort ?? 0, authority.pem);
  return {
    rows,
    async prove(wanted, plant = () => null) {
      const findings: Finding[] = [];
      // Two recordings of one request cannot be served at once.
      for (const round of rounds(wanted, keysOfRound)) {
        current = new Map(round.map((served) => [urlKey(served), { served, plant }]));
        const tools = { book: engine.book, upstream: engine.upstream, now: Date.now, mostMs: 60_000 };
        findings.push(...(await prove(tools, panelOf(round), engine.methodology)).findings);
      }
      return findings;
    },
    async close() {
      await engine.close();
      for (const server of [plain, secure]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

async function servedOf(folder: string, row: Row): Promise<ServedRow | null> {
  const source = SOURCES.find(({ name }) => name === row.source);
  const endpoint = source?.endpoints.find(({ name }) => name === row.endpoint);
  const facts = typeof row.asset === 'string' ? factsOfAsset(row.asset) : null;
  if (!source || !endpoint || !facts || endpoint.format === 'tls' || endpoint.format === 'pdf') return null;
  const planned = endpoint.plan(facts)[0] ?? { chain: facts.chain?.name ?? null, address: facts.address };
  const saved = await readFile(join(folder, row.file));
  const body = saved[0] === 0x1f && saved[1] === 0x8b ? gunzipSync(saved) : saved;
  const served = { row, source, endpoint, params: { ...planned, ...row.params } as Params, body };
  try {
    urlKey(served);
    return served;
  } catch {
    // Parameters that a hand gave for the reading alone make no request.
    return null;
  }
}

function urlKey({ source, endpoint, params }: ServedRow): string {
  const spec = endpoint.request(params);
  if (spec.url === undefined && !Object.hasOwn(source.bases, spec.base ?? 'main')) throw new Error('no such base');
  const url = new URL(spec.url ?? `http://loopback/${source.name}/${spec.base ?? 'main'}${spec.path ?? ''}`);
  for (const [name, value] of Object.entries(spec.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const body = spec.body === undefined ? '' : JSON.stringify(spec.body);
  return keyOf(spec.url === undefined ? '127.0.0.1' : url.hostname, `${url.pathname}${url.search}`, body);
}

/** Keys that sources send in the query are of no account. */
function keyOf(host: string, path: string, body: string): string {
  const url = new URL(path, 'http://loopback');
  for (const source of SOURCES) if (source.key?.query) url.searchParams.delete(source.key.query);
  url.searchParams.sort();
  return `${host.replace(/:\d+$/, '')} ${url.pathname.replace(/\/$/, '')}${url.search} ${body}`;
}

function engineOn(httpPort: number, tlsPort: number, ca: string): Engine {
  const url = `http://127.0.0.1:${httpPort}`;
  const sources = Object.fromEntries(
    SOURCES.map((source) => [
      source.name,
      {
        bases: Object.fromEntries(Object.keys(source.bases).map((base) => [base, `${url}/${source.name}/${base}`])),
        key: 'a-key-of-nobody',
        enabled: true,
      },
    ]),
  );
  return createEngine(serviceOnSandbox({ url }, { sources }), {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    vouch: (_host, port) => ({
      address: '127.0.0.1',
      family: 4,
      port: port === 443 ? tlsPort : httpPort,
      ca: port === 443 ? ca : null,
    }),
  });
}

/** Each recording is an asset of its own that is known as its checks say, at the time when it was recorded. */
function panelOf(round: readonly ServedRow[]): Panel {
  const assets = round.map((served): Panel['assets'][number] => {
    const { row, source, endpoint, params } = served;
    const at = recordedAt(served);
    const name = `${source.name}.${endpoint.name}`;
    return {
      id: String(row.asset),
      name: row.file,
      requests: [{ source: source.name, endpoint: endpoint.name, params: params as Record<string, Json>, at }],
      known: row.checks.map(({ quantity, value, scope }) =>
        typeof value === 'string' && value.startsWith('ABSENT')
          ? { quantity, absent: true, scope, endpoint: name }
          : { quantity, value, scope, endpoint: name },
      ),
    };
  });
  return { about: 'recorded replies', assets };
}

/** Parts of which none holds two values with a key in common. */
function rounds<Value>(
  values: readonly Value[],
  keysOf: (value: Value) => readonly string[],
): readonly (readonly Value[])[] {
  const made: { readonly values: Value[]; readonly keys: Set<string> }[] = [];
  for (const value of values) {
    const keys = keysOf(value);
    let round = made.find((one) => !keys.some((key) => one.keys.has(key)));
    if (round === undefined) {
      round = { values: [], keys: new Set() };
      made.push(round);
    }
    round.values.push(value);
    for (const key of keys) round.keys.add(key);
  }
  return made.map((round) => round.values);
}

/** A recording that is dated by its day alone is not of the same moment as another one of that day. */
function keysOfRound(served: ServedRow): readonly string[] {
  const { asset } = served.row;
  const at = recordedAt(served);
  return /T00:00:00/.test(at) ? [urlKey(served), `${asset} ${at}`] : [urlKey(served)];
}

function recordedAt({ row }: ServedRow): string {
  const at = Date.parse(row.fetched_at ?? row.recorded ?? '');
  return new Date(Number.isNaN(at) ? 0 : at).toISOString();
}
