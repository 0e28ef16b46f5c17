import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ok, type Result } from '../../domain/index.ts';
import {
  connect,
  holdStill,
  migrationState,
  moveSource,
  type Occupancy,
  occupancy,
  otherSessions,
  pinFormats,
  tablesInOrder,
  unfinished,
} from '../../store/index.ts';

/** One of the two databases, with the connection that works on it. */
export interface End {
  readonly client: pg.Client;
  readonly name: 'source' | 'target';
}

/** Keys of advisory locks: of the reader of a database, and of its writer. Each is held as long as its connection. */
const LOCKS = { source: 7_301_117, target: 7_301_118 };
const PATIENCE_MS = 5_000;
const LOCK_PATIENCE_MS = 10_000;
const OLDEST_SERVER = 140_000;

/** Connects to one database and locks it. The server ends the session within a second after this process dies. */
export async function openEnd(name: End['name'], url: string): Promise<Result<End, MoveFault>> {
  const client = new pg.Client({ connectionString: url, application_name: 'assay-migrate-to', keepAlive: true });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`set client_connection_check_interval = '1s'`).catch(() => undefined);
    const { rows } = await client.query<{ version: number; encoding: string; standby: boolean }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
         pg_is_in_recovery() as standby`,
    );
    const { version = 0, encoding, standby } = rows[0] ?? {};
    const unfit =
      version < OLDEST_SERVER
        ? 'is older than PostgreSQL 14'
        : encoding !== 'UTF8'
          ? `keeps text as ${encoding}, not UTF8`
          : standby
            ? 'is a standby: name the primary'
            : null;
    if (unfit === null) return ok({ client, name });
    await client.end();
    return { ok: false, reason: 'unfit', detail: `the ${name} ${unfit}` };
  } catch (error) {
    await client.end().catch(() => undefined);
    return { ok: false, reason: 'unreachable', detail: `the ${name} database cannot be used: ${messageOf(error)}` };
  }
}

/** The error message of the server or the system; neither contains the password. */
export function messageOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return typeof message === 'string' && message !== '' ? message : String(code ?? 'no reason given');
}

/** Null if the two are different databases, no other move uses them, and no other client is connected. */
export async function lockBoth(source: End, target: End): Promise<MoveFault | null> {
  if (!(await hold(source, LOCKS.source, PATIENCE_MS)))
    return { reason: 'in_use', detail: 'another move reads from the source' };
  if (!(await hold(target, LOCKS.source, 0)))
    return { reason: 'same_database', detail: 'the target is the database that is to be moved: name another one' };
  if (!(await hold(target, LOCKS.target, PATIENCE_MS)))
    return { reason: 'in_use', detail: 'another move fills the target' };
  for (const { client, name } of [source, target]) {
    const others = await otherSessions(client, PATIENCE_MS);
    if (others > 0)
      return {
        reason: 'in_use',
        detail: `${others} other connections use the ${name} database: stop the services on it first`,
      };
  }
  return null;
}

/** True if the lock is obtained in time; the lock of a killed process remains until its server notices. */
async function hold({ client }: End, lock: number, patienceMs: number): Promise<boolean> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [lock]);
    if (rows[0]?.held) return true;
    if (Date.now() > until) return false;
    await sleep(100);
  }
}

/** Null when the source is a whole installation of this version and mode. */
export async function judgeSource(
  { client }: End,
  url: string,
  dataMode: 'live' | 'sandbox',
): Promise<MoveFault | null> {
  const reason = await unfinished(client);
  if (reason !== null) return { reason: 'unfinished', detail: `the source cannot be moved: ${reason}` };
  const { kind } = await occupancy(client);
  if (kind !== 'ours')
    return { reason: 'nothing_there', detail: 'there is nothing to move: the source database has no tables of Assay' };
  const store = connect(url);
  const { pending, newer, unknown } = await migrationState(store.db).finally(() => store.close());
  if (newer.length + unknown.length > 0)
    return {
      reason: 'newer_version',
      detail: `the source was brought up to date by a newer version of Assay (${[...newer, ...unknown].join(', ')}): move it with that version`,
    };
  if (pending.length > 0)
    return {
      reason: 'behind',
      detail: `the source lacks ${pending.join(', ')}: make a backup and run \`assay migrate\` first`,
    };
  const { rows } = await client.query<{ mode: string }>('select data_mode as mode from installation');
  if (rows[0]?.mode !== dataMode)
    return {
      reason: 'other_data_mode',
      detail: `the source holds ${rows[0]?.mode ?? 'no'} data: set ASSAY_DATA_MODE=${rows[0]?.mode ?? 'live'} to move it`,
    };
  return null;
}

/** Null when nothing in the source can change until the end of the transaction that begins here. */
export async function holdSource({ client }: End): Promise<MoveFault | null> {
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = ${LOCK_PATIENCE_MS}`);
    await holdStill(client, await tablesInOrder(client));
    await pinFormats(client);
    return null;
  } catch (error) {
    await client.query('rollback');
    return { reason: 'in_use', detail: `the source database cannot be held still: ${messageOf(error)}` };
  }
}

/** Identity of a database: the same after a restart, another for a copy of it. */
export async function identityOf({ client }: End): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select system_identifier::text || '/' || current_database() as id from pg_control_system()`,
  );
  return createHash('sha256')
    .update(rows[0]?.id ?? '')
    .digest('hex');
}

/** State of the target: `fresh`, or `begun` by an earlier run of the same move. */
export async function judgeTarget(
  { client }: End,
  source: string,
  dataMode: 'live' | 'sandbox',
): Promise<Result<'fresh' | 'begun', MoveFault>> {
  const { kind, filled } = await occupancy(client);
  const filler = await moveSource(client);
  if (kind === 'foreign')
    return fault(
      'foreign',
      `the target holds tables that are not Assay's (${some(filled)}): name a database of its own`,
    );
  if (filler !== null)
    return filler === source
      ? ok('begun')
      : fault('other_source', 'the target is half filled from another database: drop it, or name another one');
  const reason = await unfinished(client);
  if (reason !== null) return fault('unfinished', `the target cannot be filled: ${reason}`);
  if (kind === 'empty') return ok('fresh');
  const { rows } = await client.query<{ mode: string }>('select data_mode as mode from installation');
  if (rows[0] !== undefined && rows[0].mode !== dataMode)
    return fault('other_data_mode', `the target holds ${rows[0].mode} data, the source ${dataMode} data`);
  if (filled.length > 0)
    return fault(
      'not_empty',
      `the target holds an installation already (${some(filled)}): name an empty database, or compare the two with --verify`,
    );
  return ok('fresh');
}

function fault(reason: MoveFault['reason'], detail: string): { readonly ok: false } & MoveFault {
  return { ok: false, reason, detail };
}

function some(names: Occupancy['filled']): string {
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', ...' : ''}`;
}

export interface MoveOptions {
  readonly sourceUrl: string;
  readonly targetUrl: string;
  /** Requirements on the source. */
  readonly dataMode: 'live' | 'sandbox';
  /** Approximate bytes per transaction, which is the most that is lost when the move is killed. */
  readonly pieceBytes: number;
  /** Copy nothing; only compare the two databases. */
  readonly verifyOnly: boolean;
  readonly onProgress: (progress: MoveProgress) => void;
}

/** Progress for display. */
export interface MoveProgress {
  readonly step: 'copy' | 'verify';
  /** Current table, or day of a table. */
  readonly part: string;
  /** Number of the part, from 1. */
  readonly at: number;
  readonly of: number;
  /** Copied by this run. */
  readonly rows: number;
  readonly bytes: number;
  /** Since the start of this run. */
  readonly seconds: number;
}

export interface MoveSummary {
  readonly parts: number;
  /** Rows that are equal on both sides. */
  readonly rows: number;
  /** Rows copied by this run; the others were copied by an earlier one. */
  readonly copied: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Parts that were copied again, since the source or the target had changed after an earlier run. */
  readonly again: readonly string[];
}

export interface MoveFault {
  readonly reason:
    | 'unreachable'
    | 'nothing_there'
    | 'same_database'
    | 'in_use'
    | 'other_data_mode'
    | 'newer_version'
    | 'behind'
    | 'foreign'
    | 'not_empty'
    | 'other_source'
    | 'unfit'
    | 'unfinished'
    | 'differs'
    | 'interrupted';
  readonly detail: string;
}
