import type { MigrationState, ServerFacts } from '../../store/index.ts';
import { type Finding, good, watch, wrong } from './finding.ts';

/** Oldest PostgreSQL that is still kept up by its makers and that the tests have run on. */
const OLDEST_VERSION = 140_000;
const SKEW_MS = { watch: 2_000, wrong: 30_000 };
const CONNECTIONS_PER_PROCESS = 20;

/** The server's version and what this user may do there. */
export function judgeServer(facts: ServerFacts): readonly Finding[] {
  const version =
    facts.versionNumber < OLDEST_VERSION
      ? wrong('database', `PostgreSQL ${facts.version} is too old`, 'upgrade the server to PostgreSQL 14 or newer')
      : good('database', `PostgreSQL ${facts.version}, ${(facts.sizeBytes / 1e6).toFixed(0)} MB`);
  const rights =
    facts.mayMakeTables && facts.mayMakeSchemas
      ? good('permissions', 'the user may make tables and the schema of the queue')
      : wrong(
          'permissions',
          `the database user may not make ${facts.mayMakeTables ? 'schemas' : 'tables'}`,
          'as the owner of the database: GRANT CREATE ON DATABASE ... TO user; GRANT USAGE, CREATE ON SCHEMA public TO user',
        );
  const room = facts.mostConnections - facts.connections;
  const connections =
    room < CONNECTIONS_PER_PROCESS
      ? watch(
          'connections',
          `${facts.connections} of ${facts.mostConnections} connections are taken`,
          `each process wants up to ${CONNECTIONS_PER_PROCESS}: raise max_connections, or run fewer processes`,
        )
      : good('connections', `${facts.connections} of ${facts.mostConnections} taken`);
  return [version, rights, connections];
}

/** The tables against what this version knows. */
export function judgeMigrations({ applied, pending, newer, unknown }: MigrationState): Finding {
  if (unknown.length > 0)
    return wrong(
      'tables',
      `they were brought up to date by a newer version (${unknown.join(', ')})`,
      'start that version, or restore a backup made with this one',
    );
  if (pending.length > 0)
    return wrong(
      'tables',
      `not up to date: ${pending.join(', ')}`,
      'make a backup, then run `assay migrate` or start the service',
    );
  if (newer.length > 0)
    return watch(
      'tables',
      `a newer version changed them (${newer.join(', ')}); this version works on them`,
      'finish the upgrade: start the newer version everywhere',
    );
  return good('tables', `up to date (${applied.at(-1)})`);
}

/** Both times in milliseconds since the epoch, taken at the same moment. */
export function judgeClock(ours: number, theirs: number): Finding {
  const skew = Math.abs(ours - theirs);
  const words = `our clock and the database's are ${(skew / 1000).toFixed(1)} s apart`;
  const mend = 'switch on time synchronisation (chrony, systemd-timesyncd) on both machines';
  if (skew > SKEW_MS.wrong) return wrong('clock', words, mend);
  if (skew > SKEW_MS.watch) return watch('clock', words, mend);
  return good('clock', words);
}

/** A database of fictional data is never opened as live data, nor the other way round. */
export function judgeDataMode(stored: string | null, configured: string): Finding {
  if (stored === null || stored === configured) return good('data mode', configured);
  return wrong(
    'data mode',
    `the database holds ${stored} data and the settings say ${configured}`,
    `set ASSAY_DATA_MODE=${stored}, or name another database (DATABASE_URL) or folder (ASSAY_DATA_DIR)`,
  );
}
