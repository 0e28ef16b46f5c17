import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { HotEntry } from './hot/hot-entry.ts';
import { type UnreadReplies, watchUnread } from './replies/unread-replies.ts';
import { closingReply, UNREADABLE } from './replies/unreadable-requests.ts';

/**
 * Milliseconds. A head that trickles in, a request that does, and a connection that lies idle, end after these; Node looks
 * whether they are over every two seconds (by itself every thirty, so that a slow head would hold its connection a minute).
 */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};

/**
 * Node's HTTP server with our timeouts. It refuses requests that two servers in a row may read differently. `hold` notes the
 * size of a reply that is in memory until it is read; `entries` come before the handler, until `close`; `onEnded` is called for connections that were ended because their reader
 * did not read (src/api/replies/unread-replies.ts).
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

/** Two hosts in one head, which servers in a row may read differently (RFC 9112, 3.2), and a target that is no path of ours. */
function isAmbiguous({ rawHeaders, url }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 || url === '*';
}
