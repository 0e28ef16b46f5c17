import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type UnreadReplies, watchUnread } from '../replies/unread-replies.ts';

/**
 * Answers a request from memory, or leaves it alone (false): nothing has happened then. One that takes a request over (true)
 * and cannot answer it after all gives it to `pass`.
 */
export type HotAnswer = (request: IncomingMessage, response: ServerResponse, pass: () => void) => boolean;

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

/** What is asked before the router: replies whose bytes are ready need neither routing nor hooks. */
export interface HotFront {
  add(method: 'GET' | 'POST', answer: HotAnswer): void;
  /** A HTTP server whose requests come here first, and to `handler` when nobody answers. */
  server(handler: RequestListener): Server;
  /** Notes the size of a reply that is in memory until it is read. */
  hold(response: ServerResponse, bytes: number): void;
  /** No more answers from memory: the service stops. */
  close(): void;
}

/** `onEnded` hears of connections that were ended because their reader did not read (src/api/replies/unread-replies.ts). */
export function createHotFront(onEnded: Parameters<typeof watchUnread>[1]): HotFront {
  const answers: Record<string, HotAnswer[]> = { GET: [], POST: [] };
  let open = true;
  let unread: UnreadReplies | null = null;
  return {
    add: (method, answer) => void answers[method]?.push(answer),
    server(handler) {
      const server = createServer(TIMEOUTS, (request, response) => {
        if (request.socket.destroyed) return;
        if (isAmbiguous(request)) {
          response.writeHead(400, { connection: 'close' }).end();
          return;
        }
        const pass = () => handler(request, response);
        if (open) for (const answer of answers[request.method ?? ''] ?? []) if (answer(request, response, pass)) return;
        pass();
      });
      unread = watchUnread(server, onEnded);
      return server;
    },
    hold: (response, bytes) => unread?.hold(response, bytes),
    close() {
      open = false;
    },
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
