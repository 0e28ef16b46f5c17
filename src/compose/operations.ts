import { createRequire } from 'node:module';
import type { OperationTools } from '../cli/context.ts';
import { type Config, exportsRoot } from '../config/index.ts';
import type { Examined, Probe } from '../operations/index.ts';
import {
  examine,
  LOOK_ONLY,
  moveDatabase,
  PIECE_BYTES,
  readBackup,
  restoreBackup,
  writeBackup,
} from '../operations/index.ts';
import {
  connect,
  distributionScript,
  hasEmbeddedDatabase,
  migrate,
  migrationState,
  openDatabase,
} from '../store/index.ts';
import type { MovedEvidence } from './moved-evidence.ts';

const { version, dependencies } = createRequire(import.meta.url)('../../package.json') as {
  version: string;
  dependencies: { node: string };
};

/** The functions of `assay backup`, `restore` and `migrate`; none of them migrates tables without being told to. */
export function openOperations(
  config: Config,
  now: () => number,
  probes: () => AsyncIterable<Probe>,
  moved: () => Promise<MovedEvidence>,
): OperationTools {
  const root = exportsRoot(config);
  const onDatabase = async <Value>(url: string | null, work: (url: string) => Promise<Value>): Promise<Value> => {
    const database = await openDatabase({
      databaseUrl: url,
      dataDir: config.dataDir,
      role: 'visitor',
      log: () => undefined,
    });
    try {
      return await work(database.url);
    } finally {
      await database.close();
    }
  };
  return {
    backup: (out, onProgress) =>
      onDatabase(config.databaseUrl, (databaseUrl) =>
        writeBackup({ databaseUrl, exportsRoot: root, out, version, now, onProgress }),
      ),
    look: (file, onProgress) => readBackup(file, LOOK_ONLY, onProgress, 'check'),
    restore: ({ to, ...options }) =>
      onDatabase(to ?? config.databaseUrl, (databaseUrl) =>
        restoreBackup({ ...options, databaseUrl, exportsRoot: root, dataMode: config.dataMode }),
      ),
    migrations: (apply) =>
      onDatabase(config.databaseUrl, async (url) => {
        const store = connect(url);
        try {
          const before = await migrationState(store.db);
          if (apply) await migrate(store.db);
          return before;
        } finally {
          await store.close();
        }
      }),
    distribution: distributionScript,
    migrateTo: async ({ to, ...options }) =>
      config.databaseUrl === null && !(await hasEmbeddedDatabase(config.dataDir))
        ? { ok: false, reason: 'nothing_there', detail: `there is no database in ${config.dataDir} yet` }
        : onDatabase(config.databaseUrl, (sourceUrl) =>
            moveDatabase({
              ...options,
              sourceUrl,
              targetUrl: to,
              dataMode: config.dataMode,
              pieceBytes: PIECE_BYTES,
            }),
          ),
    examine: ({ offline }) =>
      examine({
        ...config,
        runtime: process.versions.node,
        wantedRuntime: dependencies.node,
        clockAheadMs: config.sandboxClockSeconds * 1000,
        exportsRoot: root,
        now,
        openDatabase: async () =>
          config.databaseUrl === null && !(await hasEmbeddedDatabase(config.dataDir))
            ? null
            : openDatabase({ ...config, role: 'visitor', log: () => undefined }),
        objects: config.objectStoreUrl === null ? null : lookInto(moved),
        probes: offline ? null : probes(),
        keyed: new Set(Object.keys(config.sources).filter((name) => config.sources[name]?.key != null)),
      }),
  };
}

/** Reads of the object store for the doctor; the first one opens it. */
function lookInto(moved: () => Promise<MovedEvidence>): Examined['objects'] {
  return {
    read: async (object) => (await moved()).readMoved(object),
    async reach() {
      const { bucket, prefix } = await moved();
      await bucket?.get(`${prefix}doctor`, 0);
    },
  };
}
