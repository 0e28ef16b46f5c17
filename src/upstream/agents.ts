import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { Resolver, TrustClass } from './types.ts';
import { type Destination, vet } from './vet.ts';

/** Largest reply head in bytes: sixteen times what a public API sends. */
const MAX_HEADER_BYTES = 32 * 1024;
/** Backstop only; every request brings its own, shorter, connect deadline. */
const CONNECT_BACKSTOP_MS = 15_000;
/**
 * How many requests a host sees at once is the budgets' business, per source. This is the backstop behind them: several
 * sources may live behind one host (an operator's gateway, the sandbox) and must not wait for each other.
 */
const CONNECTIONS_PER_HOST: Readonly<Record<TrustClass, number>> = { operator: 256, outside: 16 };

/** One connection pool per trust class, so that a connection an operator's base opened is never used for an outsider's address. */
export function createAgents(resolver: Resolver): Readonly<Record<TrustClass, Agent>> {
  return { operator: createAgent('operator', resolver), outside: createAgent('outside', resolver) };
}

/** A lookup that knows one answer: the addresses that were vetted. It is what makes rebinding impossible. */
export function pinnedLookup(destination: Destination): LookupFunction {
  const [first] = destination.addresses;
  return (_host, options, callback) => {
    if (options.all) callback(null, [...destination.addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function createAgent(trust: TrustClass, resolver: Resolver): Agent {
  return new Agent({
    connect: (options, callback) => {
      const port = options.port === '' ? (options.protocol === 'https:' ? 443 : 80) : Number(options.port);
      vet(options.hostname, port, trust, resolver).then(
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
    },
    connections: CONNECTIONS_PER_HOST[trust],
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Deadlines are ours, per request; undici's coarse timers would only blur them.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 30_000,
  });
}
