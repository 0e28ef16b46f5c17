import type { Config } from '../config/index.ts';
import { type OpenDatabase, openDatabase, openStore, type Store, watchConnections } from '../store/index.ts';

export interface Storage {
  readonly store: Store;
  readonly close: () => Promise<void>;
}

/**
 * Opens the database (the operator's or the embedded one; `database` if it is already open) and migrates its tables.
 */
export async function openStorage(
  config: Config,
  role: 'service' | 'visitor',
  log: (message: string) => void,
  database: Promise<OpenDatabase> = openDatabase({ ...config, role, log }),
): Promise<Storage> {
  const server = await database;
  try {
    const store = await openStore(server.url, config.dataMode);
    // A service runs unattended and needs a watchdog; a command can be interrupted by its user.
    const watchdog = role === 'service' ? watchConnections(store) : null;
    return {
      store,
      async close() {
        await watchdog?.close();
        await store.close();
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
