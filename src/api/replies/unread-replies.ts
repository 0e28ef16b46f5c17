import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits on the data that a client may leave unread, and for how long. Times in milliseconds. */
export interface UnreadLimits {
  /**
   * A connection with data to read must take `leastBytes` in every period of this length, or it is closed. The server
   * sees the kernel's send buffer drain in steps of up to about a third of its size (Linux: at most 4 MiB), not byte by
   * byte.
   */
  readonly slowestMs: number;
  readonly leastBytes: number;
  /**
   * Maximum unread reply bytes of all connections together. Beyond it, the connections that hold the most are closed.
   */
  readonly mostBytes: number;
  /** Time for which a connection may hold unread bytes even then, unless the total is more than twice `mostBytes`. */
  readonly graceMs: number;
  /** Maximum concurrent requests of one connection: pipelined requests are kept in memory. */
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

/**
 * Why a connection was closed: it read too slowly, held too much while the total was too high, or pipelined too many
 * requests.
 */
type UnreadReason = 'slow_reader' | 'too_much_unread' | 'too_many_requests_ahead';

export interface UnreadReplies {
  /** Records that a response keeps its whole payload in memory until it is read, as a compressed one does. */
  hold(response: ServerResponse, bytes: number): void;
}

interface Connection {
  /** Responses under way. The last finished one stays until the next request or check. */
  responses: ServerResponse[];
  /** Start of the current period for taking `leastBytes`, and the bytes taken by then; null while nothing is unread. */
  since: number | null;
  taken: number;
  /** Time since which something has been unread without a break. */
  unreadSince: number | null;
}

/**
 * Closes connections of clients that do not read their replies, on any route. Node keeps a reply in memory until the
 * client has read it and, by default, waits forever.
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
    // Finished responses are released at once: retained ones survive the young generation, and the garbage collector
    // copies each of them. A listener on each response would cost 2 % of the time of a read from memory.
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
      // Many large replies within one turn of the event loop must not wait for the timer.
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
  // A larger chunk has begun: its remaining bytes count as not taken.
  connection.taken = Math.min(connection.taken, taken);
  return now - connection.since >= limits.slowestMs;
}

/**
 * Bytes taken by the reader. It also grows while one large chunk is being sent, which the stream itself does not
 * report.
 */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}

/**
 * Bytes held in memory for this reader: those of its socket and of the replies behind the first one, or those of their
 * payloads if larger.
 */
function unreadOf(socket: Socket, { responses }: Connection, held: WeakMap<ServerResponse, number>): number {
  let written = socket.writableLength;
  let payloads = 0;
  for (const response of responses.filter(isUnderWay)) {
    // The count of the first reply includes that of its socket.
    written += Math.max(0, response.writableLength - (response.socket === null ? 0 : socket.writableLength));
    payloads += held.get(response) ?? 0;
  }
  return Math.max(written, payloads);
}
