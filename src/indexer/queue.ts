import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { SNAPSHOT_KINDS, type SnapshotKind } from '../domain/index.ts';
import type { DueSnapshot, OfferedSnapshot } from '../store/index.ts';

/** A job in this process's hands. */
export interface QueuedRun {
  readonly id: string;
  readonly due: DueSnapshot;
  /** The first snapshot of its kind: it goes before those that are made again. */
  readonly isFirst: boolean;
}

/** Which jobs are taken: any, first ones before the others; or those of one class alone. */
export type JobClass = 'any' | 'first' | 'routine';

/**
 * One queue per kind in pg-boss's own schema. A queue holds one job at most for an asset, waiting or running (policy
 * `exclusive`); a job that is not heard of for `HEARTBEAT_SECONDS` is given up, so that the schedule can offer it again.
 */
export interface SnapshotQueue {
  start(): Promise<void>;
  /** Within the transaction of `client`. What the queue still has is refused without a word. */
  offer(client: pg.ClientBase, kind: SnapshotKind, due: readonly OfferedSnapshot[]): Promise<void>;
  take(kind: SnapshotKind, most: number, of: JobClass): Promise<readonly QueuedRun[]>;
  /** Says that these are still worked on. Gives those that the queue has given up meanwhile: they may run elsewhere. */
  touch(kind: SnapshotKind, ids: readonly string[]): Promise<readonly string[]>;
  /** Within the transaction of `client`. */
  complete(client: pg.ClientBase, kind: SnapshotKind, ids: readonly string[]): Promise<void>;
  /** Looks for jobs that nobody works on any more. */
  supervise(): Promise<void>;
  stop(): Promise<void>;
}

export interface QueueOptions {
  readonly url: string;
  /** Longest run of each kind, seconds. */
  readonly longestSeconds: Readonly<Record<SnapshotKind, number>>;
  readonly onError: (error: unknown, what: string) => void;
}

const SCHEMA = 'assay_queue';
export const HEARTBEAT_SECONDS = 30;
const SUPERVISE_SECONDS = 10;
/** Jobs only carry the work to somebody; what became of it is in the schedule. */
const KEPT_SECONDS = 600;
/** A little more than the runner's own limit, which ends a run in an orderly way. */
const EXPIRY_MARGIN_SECONDS = 60;
/** Priorities in the queue; the higher is taken first. */
const FIRST = 1;
const ROUTINE = 0;
/** Handed on to node-postgres: a wire that goes silent is given up, and the next statement connects anew. */
const PATIENCE = { query_timeout: 30_000 };

/** The queue on pg-boss 12, with a few connections of its own. */
export function createSnapshotQueue({ url, longestSeconds, onError }: QueueOptions): SnapshotQueue {
  const boss = new PgBoss({
    connectionString: url,
    schema: SCHEMA,
    application_name: 'assay-indexer',
    max: 4,
    ...PATIENCE,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    registerInstance: false,
  });
  boss.on('error', (error) => onError(error, 'snapshot queue'));
  const within = (client: pg.ClientBase) => ({
    db: { executeSql: (text: string, values?: unknown[]) => client.query(text, values) },
  });

  return {
    async start() {
      await boss.start();
      for (const kind of SNAPSHOT_KINDS) {
        const settings = {
          retryLimit: 0,
          heartbeatSeconds: HEARTBEAT_SECONDS,
          expireInSeconds: longestSeconds[kind] + EXPIRY_MARGIN_SECONDS,
          deleteAfterSeconds: KEPT_SECONDS,
        };
        await boss.createQueue(nameOf(kind), { policy: 'exclusive', ...settings });
        await boss.updateQueue(nameOf(kind), settings);
      }
    },
    async offer(client, kind, due) {
      await boss.insert(
        nameOf(kind),
        due.map(({ assetId, isFirst }) => ({
          data: { assetId, isFirst },
          singletonKey: assetId,
          priority: isFirst ? FIRST : ROUTINE,
        })),
        within(client),
      );
    },
    async take(kind, most, of) {
      const bounds = { any: {}, first: { minPriority: FIRST }, routine: { maxPriority: ROUTINE } }[of];
      const jobs = await boss.fetch<Omit<OfferedSnapshot, 'kind'>>(nameOf(kind), { batchSize: most, ...bounds });
      return jobs.map(({ id, data }) => ({ id, due: { assetId: data.assetId, kind }, isFirst: data.isFirst === true }));
    },
    async touch(kind, ids) {
      if (ids.length === 0) return [];
      if (affectedBy(await boss.touch(nameOf(kind), [...ids])) >= ids.length) return [];
      const lost: string[] = [];
      for (const id of ids) if (affectedBy(await boss.touch(nameOf(kind), id)) === 0) lost.push(id);
      return lost;
    },
    async complete(client, kind, ids) {
      if (ids.length > 0) await boss.complete(nameOf(kind), [...ids], null, within(client));
    },
    supervise: () => boss.supervise(),
    async stop() {
      await boss.stop({ graceful: false, close: true });
    },
  };
}

function nameOf(kind: SnapshotKind): string {
  return `snapshot-${kind}`;
}

/** pg-boss gives the number but leaves it out of its types. */
function affectedBy(response: object): number {
  return (response as { readonly affected: number }).affected;
}
