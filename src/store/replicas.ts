import { sql } from 'kysely';
import { connect, type Database, type Store } from './database.ts';

/**
 * State of a replica. `place` is its position among the configured urls, from 1, since the url itself holds a password.
 */
export interface ReplicaStatus {
  readonly place: number;
  /** Upper bound of its delay in seconds; null: not known, since it does not reply or is not a replica. */
  readonly lagSeconds: number | null;
  readonly isRead: boolean;
  /** Why it is not read, as text. */
  readonly detail: string | null;
}

/** Reads that may lag. */
export interface Reads {
  /** Runs a read on a replica that is recent enough; on the primary when there is none, or when the replica fails. */
  run<Value>(
    read: (db: Database) => Promise<Value>,
    /**
     * Only a replica that has everything that the primary had written at this time of the monotonic clock
     * (milliseconds).
     */
    writtenAt?: number,
  ): Promise<Value>;
  status(): readonly ReplicaStatus[];
  close(): Promise<void>;
}

export interface ReadsOptions {
  readonly primary: Pick<Store, 'db'>;
  readonly urls: readonly string[];
  readonly dataMode: string;
  /** Longest allowed delay of a replica. */
  readonly mostLagSeconds: number;
  readonly onError: (error: unknown) => void;
  /** A replica replied, with an upper bound of its delay in milliseconds. */
  readonly onRead?: (lagMs: number) => void;
  readonly lookMs?: number;
}

interface Replica {
  readonly store: Store;
  readonly place: number;
  /** The replica has all that the primary had written at this time of the monotonic clock. */
  freshAt: number;
  detail: string | null;
  isChecked: boolean;
  /** One check at a time per replica: one that hangs delays no other. */
  looking: Promise<void> | null;
}

interface Mark {
  readonly at: number;
  readonly position: bigint;
}

const LOOK_MS = 500;
const IMPATIENT = { connectionTimeoutMillis: 1_500, query_timeout: 10_000 };

/** Every read on the primary. */
export function primaryReads({ db }: Pick<Store, 'db'>): Reads {
  return { run: (read) => read(db), status: () => [], close: async () => undefined };
}

/**
 * Monitors streaming replicas. The primary's write position is recorded twice a second; a replica that has replayed a
 * recorded position lags by at most the time since then, even while nothing is written.
 */
export async function openReads(options: ReadsOptions): Promise<Reads> {
  const replicas = options.urls.map((url, index): Replica => {
    const store = connect(url, IMPATIENT);
    return {
      store,
      place: index + 1,
      freshAt: Number.NEGATIVE_INFINITY,
      detail: 'not looked at yet',
      isChecked: false,
      looking: null,
    };
  });
  const mostLagMs = options.mostLagSeconds * 1000;
  let marks: readonly Mark[] = [];
  let turn = 0;
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();
  let closed = false;

  async function look(): Promise<void> {
    const at = performance.now();
    const { rows } = await sql<{ position: string }>`select pg_current_wal_lsn()::text as position`.execute(
      options.primary.db,
    );
    marks = [...marks.filter((mark) => mark.at > at - mostLagMs), { at, position: positionOf(rows[0]?.position) }];
    for (const replica of replicas)
      replica.looking ??= lookAt(replica).finally(() => {
        replica.looking = null;
      });
  }

  async function lookAt(replica: Replica): Promise<void> {
    try {
      if (!replica.isChecked) await check(replica);
      replica.isChecked = true;
      const { rows } = await sql<{
        position: string | null;
      }>`select pg_last_wal_replay_lsn()::text as position`.execute(replica.store.db);
      const replayed = positionOf(rows[0]?.position);
      const reached = marks.findLast((mark) => mark.position <= replayed);
      if (reached) replica.freshAt = Math.max(replica.freshAt, reached.at);
      replica.detail = null;
    } catch (error) {
      const detail = error instanceof Error ? error.message : 'it does not answer';
      if (replica.detail !== detail) options.onError(error);
      replica.detail = detail;
      replica.isChecked = false;
      replica.freshAt = Number.NEGATIVE_INFINITY;
    }
  }

  /**
   * Throws when this is not a replica of this database: reading another database's ratings is worse than reading none.
   */
  async function check({ store, place }: Replica): Promise<void> {
    const facts = sql<{ system: string; mode: string | null; follows: boolean }>`select
      (select system_identifier::text from pg_control_system()) as system, pg_is_in_recovery() as follows,
      (select data_mode from installation) as mode`;
    const [own, its] = await Promise.all([facts.execute(options.primary.db), facts.execute(store.db)]);
    const [primary, replica] = [own.rows[0], its.rows[0]];
    if (replica?.follows !== true) throw new Error(`read replica ${place} is no replica: it takes writes of its own`);
    if (replica.system !== primary?.system || replica.mode !== options.dataMode)
      throw new Error(`read replica ${place} follows another database`);
  }

  const lagMsOf = (replica: Replica) => performance.now() - replica.freshAt;
  const isFresh = (replica: Replica) => replica.detail === null && lagMsOf(replica) <= mostLagMs;

  function watch(): void {
    looking = look().catch((error: unknown) => {
      if (!closed) options.onError(error);
    });
    void looking.then(() => {
      if (!closed) timer = setTimeout(watch, options.lookMs ?? LOOK_MS);
    });
  }

  const looks = () => Promise.all(replicas.map((replica) => replica.looking));
  if (replicas.length > 0) watch();
  await looking;
  await looks();

  return {
    async run(read, writtenAt = Number.NEGATIVE_INFINITY) {
      const fresh = replicas.filter((replica) => isFresh(replica) && replica.freshAt >= writtenAt);
      turn += 1;
      const replica = fresh[turn % Math.max(1, fresh.length)];
      if (replica === undefined) return read(options.primary.db);
      const lagMs = lagMsOf(replica);
      try {
        const value = await read(replica.store.db);
        options.onRead?.(lagMs);
        return value;
      } catch {
        replica.freshAt = Number.NEGATIVE_INFINITY;
        // The replica is lost, is too slow, or cancelled the read for its replay: the primary runs it, or fails itself.
        return read(options.primary.db);
      }
    },
    status: () =>
      replicas.map((replica) => ({
        place: replica.place,
        lagSeconds: replica.detail === null && Number.isFinite(replica.freshAt) ? lagMsOf(replica) / 1000 : null,
        isRead: isFresh(replica),
        detail: isFresh(replica) ? null : (replica.detail ?? 'too far behind'),
      })),
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      await looking;
      await looks();
      await Promise.all(replicas.map(({ store }) => store.close()));
    },
  };
}

/** A write position as a number; `16/B374D848` is its high and low half in hex. */
function positionOf(text: string | null | undefined): bigint {
  const [high, low] = (text ?? '').split('/');
  if (!high || !low) throw new Error('it does not say how far it has replayed');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
