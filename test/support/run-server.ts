import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemplate } from '../../src/store/fixtures/run-server.ts';
import { postgresServer } from './postgres-server.ts';

/** The data of a test need not outlive the server. A service has up to fifty connections, and a file up to five services. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=1000'];

export interface RunServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts the server on which the test files of one run have their databases. */
export async function startRunServer(): Promise<RunServer> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-test-run-'));
  // As root the server runs as another user, who has to walk there.
  await chmod(folder, 0o755);
  // Each service opens a dozen connections: the exchange of `scram` would cost a second of a processor in a hundred of them.
  const server = await postgresServer(join(folder, 'postgres'), 'password');
  await server.start(...SETTINGS);
  await makeTemplate(server.url);
  return {
    url: server.url,
    async close() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
