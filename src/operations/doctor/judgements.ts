import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalIpRange, counted } from '../../domain/index.ts';
import type {
  Backlog,
  IndexLag,
  Marks,
  MigrationState,
  MovedCounts,
  Retained,
  ServerFacts,
} from '../../store/index.ts';

/** The result of one check of the doctor. */
export interface Finding {
  /** Short name, such as `database` or `sources`. */
  readonly check: string;
  /** `wrong` needs an action; `watch` will need one if it continues; `skipped` could not be checked. */
  readonly state: 'good' | 'watch' | 'wrong' | 'skipped';
  /** The state, as text. */
  readonly detail: string;
  /** The action to take; null where none is needed. */
  readonly mend: string | null;
}

export function good(check: string, detail: string): Finding {
  return { check, state: 'good', detail, mend: null };
}

export function watch(check: string, detail: string, mend: string): Finding {
  return { check, state: 'watch', detail, mend };
}

export function wrong(check: string, detail: string, mend: string): Finding {
  return { check, state: 'wrong', detail, mend };
}

export function skipped(check: string, detail: string): Finding {
  return { check, state: 'skipped', detail, mend: null };
}

/** The running Node compared with the one that npm installs (both as `26.10.0`). */
export function checkRuntime(running: string, wanted: string): Finding {
  const major = (version: string) => Number(version.replace(/^v/, '').split('.')[0]);
  if (major(running) >= major(wanted)) return good('node', `Node ${running}`);
  return wrong(
    'node',
    `this is Node ${running}; Assay is written for ${wanted}, which npm installs beside it`,
    'start it with `npm start` or `npx assay`, not with the node of the system; when it is missing, run `npm ci`',
  );
}

const LEAST_BYTES = 512 * 1024 ** 2;
const COMFORT_BYTES = 5 * 1024 ** 3;

/** The data folder: existence, write permission, free space. */
export async function checkFolder(dataDir: string): Promise<Finding> {
  const probe = join(dataDir, `.doctor.${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    return wrong(
      'data folder',
      `${dataDir} cannot be written: ${error instanceof Error ? error.message : 'no reason given'}`,
      `give the user that runs Assay the folder (chown), or set another one with ASSAY_DATA_DIR`,
    );
  }
  const { bavail, bsize } = await statfs(dataDir);
  return judgeSpace(dataDir, bavail * bsize);
}

/** Free space on the disk of the data folder. PostgreSQL stops when its disk is full, and exports are not published. */
export function judgeSpace(dataDir: string, freeBytes: number): Finding {
  const free = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free in ${dataDir}`;
  const mend =
    'free some room, move the folder (ASSAY_DATA_DIR), or keep less (ASSAY_SNAPSHOT_RETENTION_DAYS, ASSAY_BODY_RETENTION_DAYS)';
  if (freeBytes < LEAST_BYTES) return wrong('disk', `only ${free}`, mend);
  if (freeBytes < COMFORT_BYTES) return watch('disk', free, mend);
  return good('disk', free);
}

/** Oldest PostgreSQL version that is still maintained and that the tests have run on. */
const OLDEST_VERSION = 140_000;
const SKEW_MS = { watch: 2_000, wrong: 30_000 };
const CONNECTIONS_PER_PROCESS = 20;

/** The server's version and the permissions of this user. */
export function judgeServer(facts: ServerFacts): readonly Finding[] {
  const version =
    facts.versionNumber < OLDEST_VERSION
      ? wrong('database', `PostgreSQL ${facts.version} is too old`, 'upgrade the server to PostgreSQL 14 or newer')
      : good('database', `PostgreSQL ${facts.version}, ${(facts.sizeBytes / 1e6).toFixed(0)} MB`);
  const rights =
    facts.mayMakeTables && facts.mayMakeSchemas
      ? good('permissions', 'the user may create tables and the schema of the queue')
      : wrong(
          'permissions',
          `the database user may not create ${facts.mayMakeTables ? 'schemas' : 'tables'}`,
          'as the owner of the database: GRANT CREATE ON DATABASE ... TO user; GRANT USAGE, CREATE ON SCHEMA public TO user',
        );
  const room = facts.mostConnections - facts.connections;
  const connections =
    room < CONNECTIONS_PER_PROCESS
      ? watch(
          'connections',
          `${facts.connections} of ${facts.mostConnections} connections are used`,
          `each process uses up to ${CONNECTIONS_PER_PROCESS}: raise max_connections, or run fewer processes`,
        )
      : good('connections', `${facts.connections} of ${facts.mostConnections} used`);
  return [version, rights, connections];
}

/** The tables compared with the migrations of this version. */
export function judgeMigrations({ applied, pending, newer, unknown }: MigrationState): Finding {
  if (unknown.length > 0)
    return wrong(
      'tables',
      `a newer version migrated them (${unknown.join(', ')})`,
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
      `a newer version changed them (${newer.join(', ')}); this version works with them`,
      'finish the upgrade: start the newer version everywhere',
    );
  return good('tables', `up to date (${applied.at(-1)})`);
}

/** Both times in milliseconds since the epoch, taken at the same moment. */
export function judgeClock(ours: number, theirs: number): Finding {
  const skew = Math.abs(ours - theirs);
  const words = `the clocks of this machine and the database differ by ${(skew / 1000).toFixed(1)} s`;
  const mend = 'switch on time synchronisation (chrony, systemd-timesyncd) on both machines';
  if (skew > SKEW_MS.wrong) return wrong('clock', words, mend);
  if (skew > SKEW_MS.watch) return watch('clock', words, mend);
  return good('clock', words);
}

/** A database of fictional data is never opened as live data, nor vice versa. */
export function judgeDataMode(stored: string | null, configured: string): Finding {
  if (stored === null || stored === configured) return good('data mode', configured);
  return wrong(
    'data mode',
    `the database holds ${stored} data and the settings require ${configured}`,
    `set ASSAY_DATA_MODE=${stored}, or set another database (DATABASE_URL) or folder (ASSAY_DATA_DIR)`,
  );
}

const WAIT_SECONDS = 300;
const DUE_SECONDS = 21_600;
const FUTURE_SECONDS = 60;
const LATE_SECONDS = { watch: 900, wrong: 7_200 };

/** IP ranges stored by an earlier version that cannot be parsed: they allow no address. */
function allowLists({ limitedKeys }: Marks): readonly Finding[] {
  return limitedKeys.flatMap(({ id, ranges }) => {
    const unreadable = ranges.filter((range) => canonicalIpRange(range) === null);
    if (unreadable.length === 0) return [];
    const named = unreadable.slice(0, 5).map((range) => JSON.stringify(range.slice(0, 60)));
    return [
      watch(
        'keys',
        `allowed_ips of ${id} holds ${named.join(', ')}, which is not an address or range: it allows no address`,
        'create a key with the right ranges (`assay keys create --ips ...`) and revoke this one',
      ),
    ];
  });
}

/** Keys, jobs and webhooks that need attention. */
export function judgeWork(facts: Backlog & Marks): readonly Finding[] {
  return [
    facts.adminKeys > 0
      ? good('keys', `${facts.adminKeys} admin ${facts.adminKeys === 1 ? 'key' : 'keys'} active`)
      : wrong(
          'keys',
          'no active key has the scope admin',
          'create one: `assay keys create --name admin --scopes admin`',
        ),
    ...allowLists(facts),
    jobs(facts),
    ratings(facts),
    ...parked(facts),
    facts.futureSeconds > FUTURE_SECONDS
      ? wrong(
          'dates',
          `the newest job is dated ${Math.round(facts.futureSeconds)} s ahead of this machine's clock: a clock was or is wrong`,
          'switch on time synchronisation; ratings dated by the wrong clock keep their dates',
        )
      : good('dates', 'nothing is dated in the future'),
    webhooks(facts),
  ];
}

/** Delay of snapshots of indexed assets against their plan. */
export function judgeIndex(lag: readonly IndexLag[]): Finding {
  const late = lag.filter((row) => row.lateSecondsP99 > LATE_SECONDS.watch);
  const worst = [...late].sort((a, b) => b.lateSecondsP99 - a.lateSecondsP99)[0];
  const mend =
    '`assay sources check` shows whether the sources respond; own nodes (ASSAY_SOURCE_..._URL) lift public limits; GET /v1/status names the failing assets';
  if (worst === undefined) {
    // A failed snapshot is due later each time, so that an index in which everything fails is never late.
    const failing = lag.find((row) => row.failing > row.assets / 2);
    if (failing !== undefined)
      return watch(
        'index',
        `${failing.chain} ${failing.kind}: ${failing.failing} of ${counted(failing.assets, 'asset')} fail, and are tried less and less often`,
        mend,
      );
    const assets = lag.reduce((most, row) => Math.max(most, row.assets), 0);
    return good('index', assets === 0 ? 'no asset is indexed' : 'every chain is on time');
  }
  const words = `${worst.chain} ${worst.kind} is ${counted(Math.round(worst.lateSecondsP99 / 60), 'minute')} behind (99 % of ${worst.assets} assets are better), ${worst.failing} failing`;
  return worst.lateSecondsP99 > LATE_SECONDS.wrong ? wrong('index', words, mend) : watch('index', words, mend);
}

/** Days whose export files are looked for. */
export const EXPORT_DAYS = 7;

/** Closed days whose files are missing, of the last `EXPORT_DAYS`. */
export function judgeExports(missing: readonly string[]): Finding {
  if (missing.length === 0) return good('exports', `every day closed in the last ${EXPORT_DAYS} days is published`);
  return wrong(
    'exports',
    `closed and not published: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? `, and ${missing.length - 5} more` : ''}`,
    'run `assay export build`; it reports the reason (often a full disk or the rights on the exports folder)',
  );
}

/** Jobs and evidence with a limited retention. */
export function judgeRetention({ ending, late, next }: Retained): Finding {
  if (late > 0)
    return watch(
      'retention',
      `${counted(late, 'expired job is', 'expired jobs are')} still stored`,
      'a running service (`assay all` or `assay worker`) deletes them each hour: is one running on this database?',
    );
  return good(
    'retention',
    next === null
      ? 'no job expires'
      : `${counted(ending, 'job expires', 'jobs expire')}, the next on ${next.slice(0, 10)}; published evidence does not expire`,
  );
}

/**
 * The object store. `reading`: outcome of reading one object, or of requesting a missing one where none was moved;
 * null: success; `not asked`: --offline; `not configured`.
 */
export function judgeObjects({ kept, keptBytes, unwanted }: MovedCounts, reading: string | null): Finding {
  const lie = `${counted(kept, 'object')} (${(keptBytes / 1e6).toFixed(0)} MB)`;
  if (reading === 'not configured')
    return kept === 0
      ? good('object store', 'none: all evidence is in the database')
      : wrong(
          'object store',
          `${lie} of evidence are in an object store, and none is configured: old ratings cannot be replayed`,
          'set ASSAY_OBJECT_STORE_URL and the settings beside it as they were',
        );
  if (reading === 'not asked') return skipped('object store', `${lie}; not checked (--offline)`);
  if (reading !== null)
    return wrong(
      'object store',
      `${reading} ${lie} are there`,
      'check ASSAY_OBJECT_STORE_URL, _BUCKET, _REGION, _KEY_ID and _SECRET, and that the key may read and write objects of the bucket',
    );
  return good('object store', `responds; ${lie} moved, ${unwanted} to be deleted`);
}

function jobs({ lostJobs, waitingJobs, oldestWaitingSeconds }: Backlog): Finding {
  if (lostJobs > 0)
    return wrong(
      'jobs',
      `${counted(lostJobs, 'job is', 'jobs are')} marked as running and no process works on ${lostJobs === 1 ? 'it' : 'them'}`,
      'start a service on this database: it continues them, or ends them, within seconds',
    );
  if (oldestWaitingSeconds > WAIT_SECONDS)
    return wrong(
      'jobs',
      `${counted(waitingJobs, 'job is', 'jobs are')} queued, the oldest for ${counted(Math.round(oldestWaitingSeconds / 60), 'minute')}`,
      'is a service running on this database? If so, raise ASSAY_CONCURRENT_JOBS or start another process',
    );
  return good(
    'jobs',
    waitingJobs === 0 ? 'none queued' : `${waitingJobs} queued, the oldest for ${Math.round(oldestWaitingSeconds)} s`,
  );
}

function ratings({ oldestDueSeconds }: Backlog): Finding {
  const hours = Math.round(oldestDueSeconds / 3_600);
  return oldestDueSeconds > DUE_SECONDS
    ? watch(
        'ratings',
        `a monitored asset has waited ${counted(hours, 'hour')} for its rating`,
        'is a service running on this database, with ASSAY_MONITOR_JOBS above 0? If so the limits of public sources are the reason: set keys, or nodes of your own',
      )
    : good('ratings', 'no monitored asset has waited long for its rating');
}

function parked({ parkedJobs, parkedJob }: Marks): readonly Finding[] {
  if (parkedJobs === 0) return [];
  return [
    watch(
      'parked jobs',
      `${counted(parkedJobs, 'score')} of the last day failed because ${parkedJobs === 1 ? 'its' : 'their'} process ended twice (one is ${parkedJob})`,
      'the log before each restart has the reason; please report a project that ends a process each time',
    ),
  ];
}

function webhooks({ webhooksOff, webhooksFailing, messagesLate }: Backlog): Finding {
  if (webhooksOff > 0)
    return wrong(
      'webhooks',
      `${counted(webhooksOff, 'was', 'were')} switched off after failing for days`,
      'ask their owners to repair the receiver and to switch them on again (PUT /v1/webhooks/{id})',
    );
  if (webhooksFailing > 0 || messagesLate > 0)
    return watch(
      'webhooks',
      `${counted(webhooksFailing, 'webhook is', 'webhooks are')} failing, ${counted(messagesLate, 'message is', 'messages are')} late`,
      'GET /v1/webhooks/{id}/deliveries shows the replies of the receivers',
    );
  return good('webhooks', 'all are delivered');
}
