import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { NodeSocket, NodeSockets } from '../upstream/index.ts';

/** A block that a node has appended. */
export interface Head {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
}

/** Content of a notification: a new head, or an event at a pool (`removed`: in a replaced block). */
export type NodeNotification =
  | Head
  | { readonly pool: string; readonly block: number | null; readonly removed: boolean };

interface Subscription {
  readonly method: string;
  readonly params: readonly unknown[];
  /** The pool of its notifications, when these do not name it. */
  readonly pool: string | null;
}

/** Subscription protocol for the nodes of a kind of chain. */
export interface WatchProtocol {
  /** Subscriptions that every connection has. */
  readonly always: readonly Subscription[];
  subscribe(pools: readonly string[]): readonly Subscription[];
  /** Null for irrelevant messages. */
  read(method: string, result: unknown, pool: string | null): NodeNotification | null;
  /** A cheap request that checks whether the connection works. */
  readonly ping: string;
}

export interface NodeWatch {
  /** Follows these pools from now on; changes of others are not reported. */
  follow(pools: readonly string[]): void;
  close(): void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
const PING_EVERY_MS = 20_000;
/**
 * Subscriptions are only added on a connection; beyond this number it is reopened with those that are still followed,
 * when these are at most half of them: each reopening reports every pool as changed.
 */
const MOST_SUBSCRIPTIONS = 2_000;

const Message = Type.Object({
  id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ message: Type.Optional(Type.String()) })),
  method: Type.Optional(Type.String()),
  params: Type.Optional(
    Type.Object({ subscription: Type.Union([Type.String(), Type.Integer()]), result: Type.Unknown() }),
  ),
});
const isMessage = Compile(Message);

/**
 * Keeps a subscription to a node: a connection that is lost, idle or refused is reopened, at growing intervals. After
 * each reconnection all followed pools are reported as changed, since nodes do not send missed notifications again.
 */
export function watchNode(options: {
  readonly sockets: NodeSockets;
  readonly url: string;
  readonly protocol: WatchProtocol;
  readonly seen: (sighting: NodeNotification) => void;
  readonly onError: (error: unknown) => void;
  readonly firstPauseMs?: number;
}): NodeWatch {
  const { sockets, url, protocol, seen, onError, firstPauseMs = FIRST_PAUSE_MS } = options;
  let wanted = new Set<string>();
  let followed = new Set<string>();
  let socket: NodeSocket | null = null;
  let asked = new Map<number, Subscription>();
  let pools = new Map<string | number, string | null>();
  let nextId = 1;
  let connections = 0;
  let pauseMs = firstPauseMs;
  let heard = true;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const heartbeat = setInterval(ping, PING_EVERY_MS).unref();
  connect();

  function connect(): void {
    if (closed) return;
    followed = new Set();
    asked = new Map();
    pools = new Map();
    heard = true;
    const own = sockets.open(url, {
      opened() {
        if (closed) {
          own.close();
          return;
        }
        socket = own;
        connections += 1;
        for (const subscription of protocol.always) ask(subscription);
        extend();
        if (connections > 1) for (const pool of wanted) seen({ pool, block: null, removed: false });
      },
      message(text) {
        heard = true;
        read(text);
      },
      closed() {
        if (socket === own) socket = null;
        if (closed) return;
        retry = setTimeout(connect, pauseMs * (0.5 + Math.random() / 2));
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      },
    });
  }

  function ask(subscription: Subscription): void {
    const id = nextId;
    nextId += 1;
    asked.set(id, subscription);
    const { method, params } = subscription;
    socket?.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }

  function extend(): void {
    if (socket === null) return;
    const added = [...wanted].filter((pool) => !followed.has(pool));
    if (added.length === 0) return;
    const held = asked.size + pools.size;
    if (held > MOST_SUBSCRIPTIONS && 2 * protocol.subscribe([...wanted]).length <= held) {
      socket.close();
      return;
    }
    for (const pool of added) followed.add(pool);
    for (const subscription of protocol.subscribe(added)) ask(subscription);
  }

  function read(text: string): void {
    const message = messageOf(text);
    if (message === null) return;
    const { id, result, error, method, params } = message;
    if (method !== undefined && params !== undefined) {
      const sighting = protocol.read(method, params.result, pools.get(params.subscription) ?? null);
      if (sighting !== null && (!('pool' in sighting) || wanted.has(sighting.pool))) seen(sighting);
      return;
    }
    const subscription = typeof id === 'number' ? asked.get(id) : undefined;
    if (subscription === undefined || typeof id !== 'number') return;
    asked.delete(id);
    if (error !== undefined) {
      onError(
        new Error(`the node refused ${subscription.method}: ${(error.message ?? 'without a word').slice(0, 200)}`),
      );
      socket?.close();
    } else if (typeof result === 'string' || typeof result === 'number') {
      pools.set(result, subscription.pool);
      // A refused subscription may follow others that were granted.
      if (asked.size === 0) pauseMs = firstPauseMs;
    }
  }

  function ping(): void {
    if (socket === null) return;
    if (heard) socket.send(JSON.stringify({ jsonrpc: '2.0', id: 0, method: protocol.ping, params: [] }));
    else socket.close();
    heard = false;
  }

  return {
    follow(next) {
      wanted = new Set(next);
      extend();
    },
    close() {
      closed = true;
      clearTimeout(retry);
      clearInterval(heartbeat);
      socket?.close();
    },
  };
}

function messageOf(text: string): Static<typeof Message> | null {
  try {
    const message: unknown = JSON.parse(text);
    return isMessage.Check(message) ? message : null;
  } catch {
    return null;
  }
}

const hex = Type.String({ pattern: '^0x[0-9a-fA-F]{1,64}$' });
const isHead = Compile(Type.Object({ number: hex, hash: hex, parentHash: hex }));
const isLog = Compile(
  Type.Object({ address: hex, blockNumber: Type.Union([hex, Type.Null()]), removed: Type.Optional(Type.Boolean()) }),
);
/** Addresses in one filter of logs. */
const ADDRESSES_AT_ONCE = 500;

/**
 * `eth_subscribe` to `newHeads` and to `logs` of pools
 * (https://geth.ethereum.org/docs/interacting-with-geth/rpc/pubsub).
 */
export const EVM_WATCH: WatchProtocol = {
  always: [{ method: 'eth_subscribe', params: ['newHeads'], pool: null }],
  subscribe: (pools) =>
    Array.from({ length: Math.ceil(pools.length / ADDRESSES_AT_ONCE) }, (_, part) => ({
      method: 'eth_subscribe',
      params: ['logs', { address: pools.slice(part * ADDRESSES_AT_ONCE, (part + 1) * ADDRESSES_AT_ONCE) }],
      pool: null,
    })),
  read(method, result) {
    if (method !== 'eth_subscription') return null;
    if (isLog.Check(result))
      return {
        pool: result.address.toLowerCase(),
        block: result.blockNumber === null ? null : Number(result.blockNumber),
        removed: result.removed === true,
      };
    if (!isHead.Check(result)) return null;
    return { number: Number(result.number), hash: result.hash, parentHash: result.parentHash };
  },
  ping: 'eth_chainId',
};

const isSolanaLogs = Compile(
  Type.Object({ context: Type.Object({ slot: Type.Integer() }), value: Type.Object({ err: Type.Unknown() }) }),
);

/**
 * `logsSubscribe` for each pool, of confirmed blocks (https://solana.com/docs/rpc/websocket/logssubscribe). Confirmed
 * blocks are not reverted in practice, so nothing is reported as removed.
 */
export const SOLANA_WATCH: WatchProtocol = {
  always: [],
  subscribe: (pools) =>
    pools.map((pool) => ({
      method: 'logsSubscribe',
      params: [{ mentions: [pool] }, { commitment: 'confirmed' }],
      pool,
    })),
  read(method, result, pool) {
    if (method !== 'logsNotification' || pool === null || !isSolanaLogs.Check(result)) return null;
    // A failed transaction moved nothing in a pool.
    return result.value.err === null ? { pool, block: result.context.slot, removed: false } : null;
  },
  ping: 'getHealth',
};
