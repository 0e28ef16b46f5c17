import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';

/**
 * Answers a request from memory, or leaves it alone (false): nothing has happened then. One that takes a request over (true)
 * and cannot answer it after all gives it to `pass`.
 */
export type HotAnswer = (request: IncomingMessage, response: ServerResponse, pass: () => void) => boolean;

/** What is asked before the router: replies whose bytes are ready need neither routing nor hooks. */
export interface HotFront {
  add(method: 'GET' | 'POST', answer: HotAnswer): void;
  /** A HTTP server whose requests come here first, and to `handler` when nobody answers. */
  server(handler: RequestListener): Server;
  /** No more answers from memory: the service stops. */
  close(): void;
}

export function createHotFront(): HotFront {
  const answers: Record<string, HotAnswer[]> = { GET: [], POST: [] };
  let open = true;
  return {
    add: (method, answer) => void answers[method]?.push(answer),
    server: (handler) =>
      createServer((request, response) => {
        const pass = () => handler(request, response);
        if (open) for (const answer of answers[request.method ?? ''] ?? []) if (answer(request, response, pass)) return;
        pass();
      }),
    close() {
      open = false;
    },
  };
}
