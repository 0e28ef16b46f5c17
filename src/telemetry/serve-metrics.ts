import { createServer } from 'node:http';
import type { Registry } from 'prom-client';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` on a port of its own, metrics are for the operator, not for callers; and `/healthz` and `/readyz`, which a
 * worker has nowhere else. Rejects when the port is taken.
 */
export async function serveMetrics(
  port: number,
  registry: Registry,
  host: string,
  isReady: () => Promise<boolean>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
    const fail = () => response.writeHead(500).end();
    const say = (status: number, word: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ status: word }));
    if (path === '/metrics')
      registry
        .metrics()
        .then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text), fail);
    else if (path === '/healthz') say(200, 'ok');
    else if (path === '/readyz') isReady().then((ready) => say(ready ? 200 : 503, ready ? 'ready' : 'not_ready'), fail);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
