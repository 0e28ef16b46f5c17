import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a reader that does not read may hold, and for how long. Times in milliseconds. */
export interface UnreadLimits {
  /**
   * A connection with something to read has to take `leastBytes` within this time, again and again, or is ended. The server sees
   * the kernel's send buffer empty in steps of up to about a third of its size (Linux: at most 4 MiB), not byte by byte.
   */
  readonly slowestMs: number;
  readonly leastBytes: number;
  /** Bytes of replies that all connections together leave unread; beyond it those that hold most are ended. */
  readonly mostBytes: number;
  /** For so long a connection may hold unread bytes even then, unless there are twice as many. */
  readonly graceMs: number;
  /** Concurrent requests of one connection: pipelined requests are kept in memory. */
  readonly mostRequests: number;
  readonly lookEveryMs: number;
}

export const UNREAD_LIMITS: UnreadLimits = {
  slowestMs: 20_000,
  leastBytes: 16_384,
  mostBytes: 64 * 2 ** 20,
  graceMs: 2_000,
  mostRequests: 32,
  lookEveryMs: 1_000,
};

/** Why a connection was ended: it read too slowly, held too much while too much was held, or sent too many requests ahead. */
type UnreadReason = 'slow_reader' | 'too_much_unread' | 'too_many_requests_ahead';

export interface UnreadReplies {
  /** Notes that a response keeps its whole payload in memory until it is read, as a compressed one does. */
  hold(response: ServerResponse, bytes: number): void;
}

interface Connection {
  /** Those under way, and the last one that is over until the next request or look. */
  responses: ServerResponse[];
  /** When the present time to take `leastBytes` began, and what had been taken then; null while nothing is unread. */
  since: number | null;
  taken: number;
  /** Since when something is unread, without a break. */
  unreadSince: number | null;
}

/**
 * Ends connections of clients that do not read their replies, on any route: Node keeps a reply in memory until its
 * reader has taken it, and by itself waits for ever.
 */
export function watchUnread(
  server: Server,
  onEnded: (reason: UnreadReason, bytes: number) => void,
  limits: UnreadLimits = UNREAD_LIMITS,
): UnreadReplies {
  const connections = new Map<Socket, Connection>();
  const held = new WeakMap<ServerResponse, number>();
  let heldSinceLook = 0;

  function look(): void {
    heldSinceLook = 0;
    const now = performance.now();
    const unread: { readonly socket: Socket; readonly bytes: number; readonly since: number }[] = [];
    let total = 0;
    for (const [socket, connection] of connections) {
      connection.responses = connection.responses.filter(isUnderWay);
      if (isTooSlow(socket, connection, now, limits)) {
        end(socket, 'slow_reader', unreadOf(socket, connection, held));
        continue;
      }
      const bytes = unreadOf(socket, connection, held);
      connection.unreadSince = bytes === 0 ? null : (connection.unreadSince ?? now);
      if (connection.unreadSince === null) continue;
      total += bytes;
      unread.push({ socket, bytes, since: connection.unreadSince });
    }
    if (total <= limits.mostBytes) return;
    for (const { socket, bytes, since } of unread.sort((a, b) => b.bytes - a.bytes)) {
      if (total <= limits.mostBytes) return;
      if (now - since < limits.graceMs && total <= 2 * limits.mostBytes) continue;
      end(socket, 'too_much_unread', bytes);
      total -= bytes;
    }
  }

  function end(socket: Socket, reason: UnreadReason, bytes: number): void {
    connections.delete(socket);
    socket.destroy();
    onEnded(reason, bytes);
  }

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { responses: [], since: null, taken: 0, unreadSince: null });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (!connection) return;
    const { responses } = connection;
    // Ended responses are released at once: retained ones outlive the young generation, and the collector copies each of them.
    // A listener on each response would cost a read from memory a fiftieth of its time.
    if (responses.length === 1 && responses[0]?.closed) responses[0] = response;
    else if (responses[0]?.closed) connection.responses = [...responses.filter(isUnderWay), response];
    else responses.push(response);
    if (connection.responses.length > limits.mostRequests)
      end(socket, 'too_many_requests_ahead', unreadOf(socket, connection, held));
  });
  const timer = setInterval(look, limits.lookEveryMs).unref();
  server.once('close', () => clearInterval(timer));
  return {
    hold(response, bytes) {
      held.set(response, bytes);
      heldSinceLook += bytes;
      // Many large replies within one turn of the clock must not wait for it.
      if (heldSinceLook > limits.mostBytes) look();
    },
  };
}

function isUnderWay({ closed }: ServerResponse): boolean {
  return !closed;
}

function isTooSlow(socket: Socket, connection: Connection, now: number, limits: UnreadLimits): boolean {
  if (socket.writableLength === 0) {
    connection.since = null;
    return false;
  }
  const taken = takenOf(socket);
  if (connection.since === null || taken - connection.taken >= limits.leastBytes) {
    connection.since = now;
    connection.taken = taken;
    return false;
  }
  // A larger piece has begun: what is left of it counts as not taken.
  connection.taken = Math.min(connection.taken, taken);
  return now - connection.since >= limits.slowestMs;
}

/** Grows as the reader takes bytes, also while one large chunk is being sent, which the stream itself does not report. */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}

/** Bytes in memory for this reader: what its socket and the replies behind the first have, or what their payloads hold. */
function unreadOf(socket: Socket, { responses }: Connection, held: WeakMap<ServerResponse, number>): number {
  let written = socket.writableLength;
  let payloads = 0;
  for (const response of responses.filter(isUnderWay)) {
    // The first reply's own count includes its socket's.
    written += Math.max(0, response.writableLength - (response.socket === null ? 0 : socket.writableLength));
    payloads += held.get(response) ?? 0;
  }
  return Math.max(written, payloads);
}
