import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const FOLDER = new URL('../../../integrations/openbb/', import.meta.url);

/**
 * `/widgets.json` and `/apps.json`, which make this service a custom backend of OpenBB Workspace (docs/places.md).
 * Open: they name routes and columns and hold no data. Not served if the files are not installed.
 */
export function openBbRoutes(server: FastifyInstance): void {
  for (const name of ['widgets.json', 'apps.json']) {
    const file = new URL(name, FOLDER);
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    server.get(`/${name}`, { schema: { hide: true } }, (_request, reply) =>
      reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(text),
    );
  }
}
