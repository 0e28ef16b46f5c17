import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import type { Database } from './database.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** How long a process that fetches a list keeps others from fetching it too. */
const CLAIM_SECONDS = 60;

export interface StoredList {
  /** JSON of the reply's record. */
  readonly record: string;
  /** Decoded. */
  readonly body: Uint8Array;
}

/** The list, when it was fetched after `since` (RFC 3339); null: there is none so new. */
export async function readList(db: Database, name: string, since: string): Promise<StoredList | null> {
  const row = await db
    .selectFrom('source_lists')
    .select(['record', 'body'])
    .where('name', '=', name)
    .where('fetched_at', '>', since)
    .executeTakeFirst();
  return row?.record && row.body ? { record: row.record, body: await decompress(row.body) } : null;
}

/** True for the one process that may fetch the list now; the others wait for what it puts. By the database's clock. */
export async function claimList(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`insert into source_lists as held (name, claimed_until)
    values (${name}, clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}))
    on conflict (name) do update set claimed_until = excluded.claimed_until
      where held.claimed_until is null or held.claimed_until < clock_timestamp()
    returning name`.execute(db);
  return rows.length > 0;
}

/** Stores a list that was fetched at `fetchedAt` (RFC 3339) in place of the one before, and gives the claim back. */
export async function writeList(
  db: Database,
  name: string,
  fetchedAt: string,
  { record, body }: StoredList,
): Promise<void> {
  const row = { fetched_at: fetchedAt, record, body: Buffer.from(await compress(body)), claimed_until: null };
  await db
    .insertInto('source_lists')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** Gives the claim back without a list. */
export async function releaseList(db: Database, name: string): Promise<void> {
  await db.updateTable('source_lists').set({ claimed_until: null }).where('name', '=', name).execute();
}
