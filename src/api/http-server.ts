import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { HotEntry } from './hot/hot-entry.ts';
import { type UnreadReplies, watchUnread } from './replies/unread-replies.ts';
import { closingReply, UNREADABLE } from './replies/unreadable-requests.ts';

/**
 * Milliseconds. Limits for a slow request head, a slow request and an idle connection. Node checks them every two
 * seconds here; its default of 30 seconds would let a slow head hold its connection for a minute.
 */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};

/**
 * Node's HTTP server with our timeouts. Refuses requests that two servers in a row may interpret differently. `hold`
 * records the size of a reply that stays in memory until it is read. `entries` are called before the handler, until
 * `close`. `onEnded` is called for connections that were closed because the client did not read
 * (src/api/replies/unread-replies.ts).
 */
export function createHttpServer(dataMode: string, onEnded: Parameters<typeof watchUnread>[1]) {
  let unread: UnreadReplies | null = null;
  const entries: HotEntry[] = [];
  return {
    server(handler: RequestListener): Server {
      const server = createServer(TIMEOUTS, (request, response) => {
        if (request.socket.destroyed) return;
        if (isAmbiguous(request)) {
          const { status, headers, body } = closingReply(UNREADABLE.malformed, dataMode);
          response.writeHead(status, headers).end(body);
          return;
        }
        const pass = () => handler(request, response);
        for (const entry of entries) if (entry(request, response, pass)) return;
        pass();
      });
      unread = watchUnread(server, onEnded);
      return server;
    },
    entries,
    close: (): void => void entries.splice(0),
    hold: (response: ServerResponse, bytes: number): void => unread?.hold(response, bytes),
  };
}

/**
 * True for a head with two hosts, which servers in a row may interpret differently (RFC 9112, 3.2), and for the target
 * `*`, which no route has.
 */
function isAmbiguous({ rawHeaders, url }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 || url === '*';
}
