import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';

/** Answers a request from memory, or leaves it alone (false): nothing has happened then. */
export type HotAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** What is asked before the router: reads whose bytes are ready need neither routing nor hooks. */
export interface HotFront {
  add(answer: HotAnswer): void;
  /** A HTTP server whose requests come here first, and to `handler` when nobody answers. */
  server(handler: RequestListener): Server;
  /** No more answers from memory: the service stops. */
  close(): void;
}

export function createHotFront(): HotFront {
  const answers: HotAnswer[] = [];
  let open = true;
  return {
    add: (answer) => void answers.push(answer),
    server: (handler) =>
      createServer((request, response) => {
        if (open && request.method === 'GET') for (const answer of answers) if (answer(request, response)) return;
        handler(request, response);
      }),
    close() {
      open = false;
    },
  };
}
