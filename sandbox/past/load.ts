import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createAccess } from '../../src/access/access.ts';
import { SCOPES } from '../../src/access/keys.ts';
import { type Config, clockOf, exportsRoot } from '../../src/config/types.ts';
import { restoreBackup } from '../../src/operations/backup/restore.ts';
import { type Database, openStore } from '../../src/store/database.ts';
import { KEY_TABLES, unpackPast } from './pack.ts';

/** The shipped past, made by `npm run demo:past`. */
export const PAST_FILE = join(import.meta.dirname, 'past.seed');

/** The account that watched, read and disputed in the past: that of its first key. */
const DESK_KEY = 'first admin key';

/** Days whose exports are published: each takes seconds of a processor, and files are not part of the past. */
const EXPORT_DAYS = 7;

/**
 * Older days count as published and deleted: their files would keep a processor busy in the first minutes of the demo.
 */
async function clearOldDays(db: Database, at: string): Promise<void> {
  const last = sql`${at}::timestamptz - ${EXPORT_DAYS}::int * interval '1 day'`;
  await sql`update daily_closes set state = 'expired' where day < ${last}`.execute(db);
  await sql`delete from rating_days where day < ${last}`.execute(db);
}

/** Retires the keys of the past: their private halves were never stored. */
async function retireKeys(db: Database, at: string): Promise<void> {
  for (const table of KEY_TABLES)
    await sql`update ${sql.table(table)} set retired_at = ${at} where length(private_key) = 0`.execute(db);
}

/**
 * Last replies of each source, from the stored hours of the past, since a starting service has sent no requests yet. A
 * reply is dated by the start of its hour, the earliest possible time.
 */
async function recallSources(db: Database): Promise<void> {
  await sql`insert into source_watch (source, reachable, succeeded_at)
    select distinct on (source) source, answered > 0, max(hour) filter (where answered > 0) over (partition by source)
    from source_hours order by source, hour desc
    on conflict (source) do nothing`.execute(db);
}

/**
 * Unpacks the shipped past into `dataDir`, which needs no database, and resolves with the path of the backup:
 * `loadPast` removes it.
 */
export async function unpackedPast(dataDir: string): Promise<string> {
  const backup = join(dataDir, 'past.backup');
  await unpackPast(PAST_FILE, backup);
  return backup;
}

/**
 * Restores the unpacked past into the empty database at `databaseUrl`, as `assay restore` does, and creates a new admin
 * key of its account, since the secrets of its own keys were never stored.
 */
export async function loadPast(
  config: Pick<Config, 'dataDir' | 'dataMode' | 'sandboxClockSeconds'>,
  databaseUrl: string,
  backup: string,
): Promise<string> {
  try {
    const restored = await restoreBackup({
      file: backup,
      databaseUrl,
      exportsRoot: exportsRoot(config),
      dataMode: config.dataMode,
      force: false,
      onProgress: () => undefined,
    });
    if (!restored.ok) throw new Error(`the past could not be loaded: ${restored.reason}: ${restored.detail}`);
  } finally {
    await rm(backup, { force: true });
  }
  const store = await openStore(databaseUrl, config.dataMode);
  const now = clockOf(config);
  try {
    const at = new Date(now()).toISOString();
    await retireKeys(store.db, at);
    await clearOldDays(store.db, at);
    await recallSources(store.db);
    const access = createAccess(store.db, now, randomBytes);
    const desk = (await access.list()).find((key) => key.name === DESK_KEY);
    if (!desk) throw new Error(`the past has no account of the key ${DESK_KEY}`);
    const { secret } = await access.create({
      name: 'demo',
      accountId: desk.accountId,
      scopes: SCOPES,
      plan: 'INTERNAL',
      expiresAt: null,
      allowedIps: [],
    });
    return secret;
  } finally {
    await store.close();
  }
}
