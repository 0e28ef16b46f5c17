import type { Config } from '../config/index.ts';
import type { OpenDatabase } from '../store/index.ts';

/** A database that is being opened. */
export interface EarlyDatabase {
  readonly opened: Promise<OpenDatabase>;
  /** Passes earlier and later messages to `log`. */
  readonly setLog: (log: (message: string) => void) => void;
}

/**
 * Begins to open the database of a service, and resolves once the server process is started: loading the other modules
 * blocks this thread, and the server starts meanwhile. Callers that await `opened` get its error.
 */
export async function beginDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<EarlyDatabase> {
  const { openDatabase } = await import('../store/embedded.ts');
  const begun = Promise.withResolvers<void>();
  const said: string[] = [];
  let log = (message: string): void => void said.push(message);
  const opened = openDatabase({
    ...config,
    role: 'service',
    log: (message) => log(message),
    onProcess: begun.resolve,
  }).finally(begun.resolve);
  opened.catch(() => undefined);
  await begun.promise;
  return {
    opened,
    setLog(sink) {
      for (const message of said.splice(0)) sink(message);
      log = sink;
    },
  };
}
