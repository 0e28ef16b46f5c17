import type { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';

/** Says of replies that a replica had a part in how late it was at most: `Assay-Read-Lag`, seconds. */
export function stateReadLag(server: FastifyInstance, readLag: AsyncLocalStorage<{ ms: number }>): void {
  server.addHook('onRequest', (_request, _reply, done) => readLag.run({ ms: 0 }, done));
  server.addHook('onSend', async (_request, reply) => {
    const lagMs = readLag.getStore()?.ms ?? 0;
    if (lagMs > 0) reply.header('assay-read-lag', (Math.ceil(lagMs) / 1000).toFixed(3));
  });
}
