import { Gauge, type Registry } from 'prom-client';

/** What waits for somebody, over all processes on the database, and the room on this one's disk. */
export interface BacklogRow {
  readonly waitingJobs: number;
  readonly runningJobs: number;
  readonly lostJobs: number;
  readonly oldestWaitingSeconds: number;
  readonly webhooksOff: number;
  readonly webhooksFailing: number;
  readonly messagesLate: number;
  readonly oldestDueSeconds: number;
  readonly freeBytes: number;
}

export type BacklogReader = () => Promise<BacklogRow>;

interface Row {
  readonly name: string;
  readonly help: string;
  /** Values by the label `state`, or one without. */
  readonly of: (row: BacklogRow) => number | Readonly<Record<string, number>>;
}

const ROWS: readonly Row[] = [
  {
    name: 'assay_jobs',
    help: 'Scoring jobs over all processes: queued, running, lost (running, and nobody works on them).',
    of: (row) => ({ queued: row.waitingJobs, running: row.runningJobs, lost: row.lostJobs }),
  },
  {
    name: 'assay_jobs_oldest_waiting_seconds',
    help: 'How long the oldest queued job has waited.',
    of: (row) => row.oldestWaitingSeconds,
  },
  {
    name: 'assay_webhooks',
    help: 'Webhooks in trouble: failing, or switched off after failing for days.',
    of: (row) => ({ failing: row.webhooksFailing, off: row.webhooksOff }),
  },
  {
    name: 'assay_webhook_messages_late',
    help: 'Messages whose time came over a minute ago and that are not delivered.',
    of: (row) => row.messagesLate,
  },
  {
    name: 'assay_ratings_oldest_due_seconds',
    help: 'How long the monitored asset that is due longest has waited for its rating.',
    of: (row) => row.oldestDueSeconds,
  },
  {
    name: 'assay_data_free_bytes',
    help: 'Free room on the disk of the data folder.',
    of: (row) => row.freeBytes,
  },
];

/**
 * Adds the gauges of the backlog to a registry. One reading of the metrics reads the backlog once; a database that is away
 * shows as 0 in `assay_database_up`, and the rest is left out.
 */
export function watchBacklog(registry: Registry, read: BacklogReader): void {
  let reading: Promise<BacklogRow | null> | null = null;
  const once = () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const registers = [registry];
  new Gauge({
    name: 'assay_database_up',
    help: '1 while the database answers.',
    registers,
    async collect() {
      this.set((await once()) === null ? 0 : 1);
    },
  });
  for (const { name, help, of } of ROWS)
    new Gauge<string>({
      name,
      help,
      labelNames: ['state'],
      registers,
      async collect() {
        const row = await once();
        this.reset();
        const value = row === null ? {} : of(row);
        if (typeof value === 'number') this.set(value);
        else for (const [state, count] of Object.entries(value)) this.set({ state }, count);
      },
    });
}

/** One process on the database. */
export interface ProcessLine {
  readonly role: string;
  readonly version: string;
}

/** One read replica, by its place among the configured ones. */
export interface ReplicaLine {
  readonly place: number;
  readonly lagSeconds: number | null;
  readonly isRead: boolean;
}

/** Adds the gauge of processes by role and version: two versions side by side are an upgrade under way. */
export function watchProcesses(registry: Registry, read: () => readonly ProcessLine[]): void {
  new Gauge({
    name: 'assay_processes',
    help: 'Processes on the database that were heard of lately, by role and version.',
    labelNames: ['role', 'version'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { role, version } of read()) this.inc({ role, version });
    },
  });
}

/** Adds the gauges of read replicas. */
export function watchReplicas(registry: Registry, read: () => readonly ReplicaLine[]): void {
  const labelNames = ['place'] as const;
  new Gauge({
    name: 'assay_read_replica_lag_seconds',
    help: 'How far a read replica is behind at most; absent while it does not answer.',
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { place, lagSeconds } of read()) if (lagSeconds !== null) this.set({ place }, lagSeconds);
    },
  });
  new Gauge({
    name: 'assay_read_replica_read',
    help: '1 while a read replica is fresh enough to be read, 0 otherwise.',
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { place, isRead } of read()) this.set({ place }, isRead ? 1 : 0);
    },
  });
}

/** One source, as far as metrics show it. */
export interface SourceLine {
  readonly source: string;
  readonly weight: number;
  readonly drifting: readonly string[];
  readonly reachable: boolean | null;
  readonly acceptedShare: number | null;
}

/** Adds the gauges of the sources: weight, drift, reachable, share of observations accepted. While the database is away they are left out. */
export function watchSources(registry: Registry, read: () => Promise<readonly SourceLine[]>): void {
  const gauge = (name: string, help: string, of: (row: SourceLine) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'] as const,
      registers: [registry],
      async collect() {
        this.reset();
        for (const row of await read().catch(() => [])) {
          const value = of(row);
          if (value !== null) this.set({ source: row.source }, value);
        }
      },
    });
  gauge('assay_source_weight', 'What the reliability of a source is multiplied with.', (row) => row.weight);
  gauge(
    'assay_source_drifting',
    'Signals of a source that are off: it changed what it says.',
    (row) => row.drifting.length,
  );
  gauge('assay_source_reachable', '1 when the last requests to a source were answered.', (row) =>
    row.reachable === null ? null : Number(row.reachable),
  );
  gauge(
    'assay_source_accepted_share',
    'Share of a source’s observations that consensus accepted.',
    (row) => row.acceptedShare,
  );
}
