import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import { Fault, toFault } from './fault.ts';
import { isLiteral, isPublicAddress, judgeUrl } from './guard.ts';
import type { Resolver, TlsFacts, TrustClass } from './types.ts';

/** Maximum size of a reply head in bytes: sixteen times what a public API sends. */
const MAX_HEADER_BYTES = 32 * 1024;
/** Fallback only: every request sets its own, shorter connect deadline. */
const CONNECT_BACKSTOP_MS = 15_000;
/**
 * Fallback limit on connections per host. The budgets of the sources limit concurrent requests. Several sources may
 * share one host (an operator's gateway, the sandbox) and must not wait for each other.
 */
const CONNECTIONS_PER_HOST: Readonly<Record<TrustClass, number>> = { operator: 256, outside: 16 };

/**
 * One connection pool per trust class, so that a connection opened for an operator's base URL is never used for an
 * address chosen by others.
 */
export function createAgents(resolver: Resolver): Readonly<Record<TrustClass, Agent>> {
  return { operator: createAgent('operator', resolver), outside: createAgent('outside', resolver) };
}

/** A DNS lookup that always returns the checked addresses, which prevents DNS rebinding. */
export function pinnedLookup(destination: Destination): LookupFunction {
  const [first] = destination.addresses;
  return (_host, options, callback) => {
    if (options.all) callback(null, [...destination.addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** Connects only to checked addresses. */
export function guardedConnect(trust: TrustClass, resolver: Resolver): buildConnector.connector {
  return (options, callback) => {
    const port = options.port === '' ? (options.protocol === 'https:' ? 443 : 80) : Number(options.port);
    resolveAllowed(options.hostname, port, trust, resolver).then(
      (destination) => {
        const connect = buildConnector({
          lookup: pinnedLookup(destination),
          autoSelectFamily: true,
          timeout: CONNECT_BACKSTOP_MS,
          maxCachedSessions: 0,
          ...(destination.ca === null ? {} : { ca: destination.ca }),
        });
        connect({ ...options, port: String(destination.port) }, callback);
      },
      (error: Error) => callback(error, null),
    );
  };
}

function createAgent(trust: TrustClass, resolver: Resolver): Agent {
  return new Agent({
    connect: guardedConnect(trust, resolver),
    connections: CONNECTIONS_PER_HOST[trust],
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Each request has its own deadlines; undici's coarse timers would make them less precise.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 30_000,
  });
}

/** Allowed targets of a connection: the checked addresses only. */
export interface Destination {
  readonly addresses: readonly { readonly address: string; readonly family: 4 | 6 }[];
  readonly port: number;
  /** Certificate authority to trust instead of the public ones; null: the public ones. */
  readonly ca: string | null;
}

/**
 * Resolves a host to allowed addresses. A single private address among public ones refuses the whole name, because it
 * is a misconfiguration or an attack. Throws `Fault` (`refused_address`, `unreachable`).
 */
export async function resolveAllowed(
  host: string,
  port: number,
  trust: TrustClass,
  resolver: Resolver,
): Promise<Destination> {
  const name = host.replace(/^\[|\]$/g, '');
  if (isLiteral(name)) {
    if (trust === 'outside') throw new Fault('refused_address', 'the host is an IP address; a name is needed');
    return { addresses: [{ address: name, family: name.includes(':') ? 6 : 4 }], port, ca: null };
  }
  const vouched = resolver.vouch(name, port);
  if (vouched)
    return {
      addresses: [{ address: vouched.address, family: vouched.family }],
      port: vouched.port,
      ca: vouched.ca,
    };
  const addresses = await resolve(name, resolver);
  if (addresses.length === 0) throw new Fault('unreachable', 'the host name does not exist');
  if (trust === 'outside' && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new Fault('refused_address', 'the host name leads to an address that is not public');
  return { addresses, port, ca: null };
}

/** A name with more addresses is refused. */
const MOST_ADDRESSES = 16;

async function resolve(name: string, resolver: Resolver): Promise<Destination['addresses']> {
  try {
    const found = await resolver.resolve(name);
    if (found.length > MOST_ADDRESSES) throw new Fault('refused_address', 'the host name has too many addresses');
    return found;
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('unreachable', 'the host name could not be resolved');
  }
}

/** Name resolution of the operating system (hosts file and DNS). It vouches for no host. */
export function systemResolver(): Resolver {
  return {
    async resolve(host) {
      try {
        const found = await lookup(host, { all: true, order: 'ipv4first' });
        return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
      } catch (error) {
        if (error instanceof Error && 'code' in error && NO_SUCH_NAME.has(error.code)) return [];
        throw error;
      }
    },
    vouch: () => null,
  };
}

const NO_SUCH_NAME: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Reads the certificate of a host chosen by others, with the same checks and pinning as a request. An untrusted
 * certificate is a result (`authorized: false`) and not a failure. No data is sent over the connection. Throws `Fault`.
 */
export async function readCertificate(
  host: string,
  port: number,
  tools: { readonly resolver: Resolver; readonly allowedPorts: readonly number[]; readonly signal: AbortSignal },
): Promise<TlsFacts> {
  const judged = judgeUrl(`https://${host}:${port}/`, tools.allowedPorts);
  if (!judged.ok) throw new Fault('refused_address', judged.detail, false);
  const name = judged.value.hostname;
  return untilAborted(tools.signal, async (onSocket) => {
    const destination = await resolveAllowed(name, port, 'outside', tools.resolver);
    tools.signal.throwIfAborted();
    return new Promise<TlsFacts>((resolve, reject) => {
      // `autoSelectFamily` is passed on to net.connect, although the types of tls.connect do not list it.
      const options = {
        host: name,
        servername: name.replace(/\.$/, ''),
        port: destination.port,
        lookup: pinnedLookup(destination),
        autoSelectFamily: true,
        rejectUnauthorized: false,
        ...(destination.ca === null ? {} : { ca: destination.ca }),
      };
      const socket = connect(options);
      onSocket(socket);
      socket.once('secureConnect', () => {
        resolve(factsOf(socket));
        socket.destroy();
      });
      socket.once('error', (error) => reject(toFault(error, 'headers')));
      socket.once('close', () => reject(new Fault('unreachable', 'the host closed the connection')));
    });
  });
}

/** Maximum number of alternative names kept; certificates of large content networks have hundreds. */
const MOST_NAMES = 200;

function factsOf(socket: TLSSocket): TlsFacts {
  const certificate: Partial<PeerCertificate> = socket.getPeerCertificate();
  return {
    authorized: socket.authorized,
    authorizationError: socket.authorized ? null : String(socket.authorizationError ?? 'not trusted').slice(0, 100),
    notBefore: dateOf(certificate.valid_from),
    notAfter: dateOf(certificate.valid_to),
    issuer: textOf(certificate.issuer?.O) ?? textOf(certificate.issuer?.CN),
    subjectAltNames: (certificate.subjectaltname ?? '')
      .split(', ')
      .filter((name) => name.startsWith('DNS:'))
      .slice(0, MOST_NAMES)
      .map((name) => name.slice(4, 260)),
    protocol: socket.getProtocol(),
  };
}

function dateOf(text: string | undefined): string | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

function textOf(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined ? null : text.slice(0, 200);
}

function untilAborted<Value>(
  signal: AbortSignal,
  work: (onSocket: (socket: TLSSocket) => void) => Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let socket: TLSSocket | null = null;
    const onAbort = () => {
      reject(signal.reason);
      socket?.destroy();
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work((opened) => {
      socket = opened;
    })
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
