import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { RequestHistogram } from './request-histogram.ts';

/** Circuit breaker state of one source, from the HTTP client. */
interface CircuitRow {
  readonly label: string;
  readonly circuit: 'closed' | 'open' | 'half_open';
}

/** Delay of snapshots of one chain and kind, from the indexer. */
interface IndexRow {
  readonly chain: string;
  readonly kind: string;
  readonly assets: number;
  readonly due: number;
  readonly running: number;
  readonly failing: number;
  readonly lateSecondsP50: number;
  readonly lateSecondsP99: number;
}

/** One process that uses the database. */
interface ProcessLine {
  readonly role: string;
  readonly version: string;
}

/** One read replica, by its position in the configuration. */
interface ReplicaLine {
  readonly place: number;
  readonly lagSeconds: number | null;
  readonly isRead: boolean;
}

/** The metrics of one source. */
interface SourceLine {
  readonly source: string;
  readonly weight: number;
  readonly drifting: readonly string[];
  readonly reachable: boolean | null;
  readonly acceptedShare: number | null;
}

/**
 * The service's metrics. Label values come from closed sets (routes, states, sources, outcomes), never from callers.
 */
export interface Metrics {
  readonly registry: Registry;
  request(route: string, method: string, status: number, seconds: number): void;
  jobEnded(state: string, seconds: number): void;
  /** Counts a request to a source, with or without a reply. */
  countRequest(source: string, outcome: string, seconds: number): void;
  /** Counts expired data deleted by this process: jobs with their evidence, and replies. */
  evidenceDeleted(deleted: { readonly jobs: number; readonly bodies: number }): void;
  /** Counts the objects that a pass of this process moved, or its failure. */
  evidenceMoved(
    pass: { readonly evidence: number; readonly bodies: number; readonly deleted: number } | 'failed',
  ): void;
  /** Sets the reader of the index's delay, called at each scrape. */
  watchIndex(read: () => Promise<readonly IndexRow[]>): void;
  /**
   * Sets the reader of the backlogs of all processes, called at each scrape. If the database is unreachable,
   * `assay_database_up` is 0 and the other backlog metrics are omitted.
   */
  watchBacklog(read: BacklogReader): void;
  /**
   * Sets the reader of the processes on the database, called at each scrape. Two versions mean an upgrade in progress.
   */
  watchProcesses(read: () => readonly ProcessLine[]): void;
  /** Sets the reader of the read replicas, called at each scrape. */
  watchReplicas(read: () => readonly ReplicaLine[]): void;
  /**
   * Sets the reader of weight and drift of all sources, called at each scrape; omitted while the database is
   * unavailable.
   */
  watchSources(read: () => Promise<readonly SourceLine[]>): void;
  /** Sets the reader of all circuit breakers, called at each scrape. */
  watchCircuits(read: () => readonly CircuitRow[]): void;
}

const REQUEST_SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const ASK_SECONDS = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const CIRCUIT_VALUE: Readonly<Record<CircuitRow['circuit'], number>> = { closed: 0, half_open: 1, open: 2 };

/** Creates the metrics with a separate registry, so that two services in one process do not share values. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new RequestHistogram(
    'assay_http_request_seconds',
    'Duration of HTTP requests by route and status.',
    REQUEST_SECONDS,
    registry,
  );
  const jobs = new Histogram({
    name: 'assay_job_seconds',
    help: 'Duration of scoring jobs by the state they ended in.',
    labelNames: ['state'] as const,
    buckets: REQUEST_SECONDS,
    registers,
  });
  const asks = new Counter({
    name: 'assay_source_asks_total',
    help: 'Requests to sources by outcome; budget_spent and circuit_open were never sent.',
    labelNames: ['source', 'outcome'] as const,
    registers,
  });
  const latency = new Histogram({
    name: 'assay_source_ask_seconds',
    help: 'Time until a source answered or failed.',
    labelNames: ['source'] as const,
    buckets: ASK_SECONDS,
    registers,
  });

  const deleted = new Counter({
    name: 'assay_evidence_deleted_total',
    help: 'Jobs with their evidence, and raw replies (body), that this process deleted because their time was over.',
    labelNames: ['kind'] as const,
    registers,
  });
  const moved = new Counter({
    name: 'assay_evidence_moved_total',
    help: 'Objects that this process moved to the object store (evidence, body) or deleted there (deleted).',
    labelNames: ['kind'] as const,
    registers,
  });
  const moveFailures = new Counter({
    name: 'assay_evidence_move_failures_total',
    help: 'Passes of moving old evidence that ended early: the object store or the database did not do its work.',
    registers,
  });

  /** A gauge whose samples are read at each scrape; samples with equal labels are added. */
  function gauge(name: string, help: string, labelNames: string[], read: () => Samples | Promise<Samples>): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const samples = await read();
        this.reset();
        for (const [labels, value] of samples) this.inc(labels, value);
      },
    });
  }

  let readCircuits: () => readonly CircuitRow[] = () => [];
  gauge('assay_source_circuit', 'Circuit of a source: 0 closed, 1 half open, 2 open.', ['source'], () =>
    readCircuits().map(({ label, circuit }) => [{ source: label }, CIRCUIT_VALUE[circuit]]),
  );
  let readIndex: () => Promise<readonly IndexRow[]> = async () => [];
  // /readyz reports an unreachable database; the other metrics are still served.
  const indexNow = () => readIndex().catch(() => [] as readonly IndexRow[]);
  gauge(
    'assay_index_late_seconds',
    'How far snapshots are behind their plan, by quantile over assets.',
    ['chain', 'kind', 'quantile'],
    async () =>
      (await indexNow()).flatMap(({ chain, kind, lateSecondsP50, lateSecondsP99 }) => [
        [{ chain, kind, quantile: '0.5' }, lateSecondsP50],
        [{ chain, kind, quantile: '0.99' }, lateSecondsP99],
      ]),
  );
  gauge('assay_index_assets', 'Indexed assets: all, due, running, failing.', ['chain', 'kind', 'state'], async () =>
    (await indexNow()).flatMap(({ chain, kind, assets, ...counts }) => [
      ...(['due', 'running', 'failing'] as const).map((state): Sample => [{ chain, kind, state }, counts[state]]),
      [{ chain, kind, state: 'all' }, assets],
    ]),
  );
  return {
    registry,
    request: (route, method, status, seconds) => requests.ended(route, method, status, seconds),
    jobEnded: (state, seconds) => jobs.observe({ state }, seconds),
    evidenceDeleted({ jobs, bodies }) {
      deleted.inc({ kind: 'job' }, jobs);
      deleted.inc({ kind: 'body' }, bodies);
    },
    evidenceMoved(pass) {
      if (pass === 'failed') return moveFailures.inc();
      moved.inc({ kind: 'evidence' }, pass.evidence);
      moved.inc({ kind: 'body' }, pass.bodies);
      moved.inc({ kind: 'deleted' }, pass.deleted);
    },
    countRequest(source, outcome, seconds) {
      asks.inc({ source, outcome });
      latency.observe({ source }, seconds);
    },
    watchIndex(read) {
      readIndex = read;
    },
    watchCircuits(read) {
      readCircuits = read;
    },
    watchBacklog(read) {
      let reading: Promise<BacklogRow | null> | null = null;
      // The gauges of one scrape share one read of the backlog.
      const once = () => {
        reading ??= read()
          .catch(() => null)
          .finally(() => {
            reading = null;
          });
        return reading;
      };
      gauge('assay_database_up', '1 while the database answers.', [], async () => [
        [{}, (await once()) === null ? 0 : 1],
      ]);
      for (const { name, help, of } of BACKLOG)
        gauge(name, help, ['state'], async () => {
          const row = await once();
          const value = row === null ? {} : of(row);
          if (typeof value === 'number') return [[{}, value]];
          return Object.entries(value).map(([state, count]) => [{ state }, count]);
        });
    },
    watchProcesses(read) {
      gauge(
        'assay_processes',
        'Processes on the database that were heard of lately, by role and version.',
        ['role', 'version'],
        () => read().map(({ role, version }) => [{ role, version }, 1]),
      );
    },
    watchReplicas(read) {
      gauge(
        'assay_read_replica_lag_seconds',
        'How far a read replica is behind at most; absent while it does not answer.',
        ['place'],
        () => read().flatMap(({ place, lagSeconds }) => (lagSeconds === null ? [] : [[{ place }, lagSeconds]])),
      );
      gauge(
        'assay_read_replica_read',
        '1 while a read replica is fresh enough to be read, 0 otherwise.',
        ['place'],
        () => read().map(({ place, isRead }) => [{ place }, Number(isRead)]),
      );
    },
    watchSources(read) {
      const ofSources = (name: string, help: string, of: (row: SourceLine) => number | null) =>
        gauge(name, help, ['source'], async () =>
          (await read().catch(() => [])).flatMap((row) => {
            const value = of(row);
            return value === null ? [] : [[{ source: row.source }, value]];
          }),
        );
      ofSources('assay_source_weight', 'What the reliability of a source is multiplied with.', (row) => row.weight);
      ofSources(
        'assay_source_drifting',
        'Signals of a source that are off: it changed what it says.',
        (row) => row.drifting.length,
      );
      ofSources('assay_source_reachable', '1 when the last requests to a source were answered.', (row) =>
        row.reachable === null ? null : Number(row.reachable),
      );
      ofSources(
        'assay_source_accepted_share',
        'Share of a source’s observations that consensus accepted.',
        (row) => row.acceptedShare,
      );
    },
  };
}

/** A value of a gauge with its labels. */
type Sample = readonly [labels: Readonly<Record<string, string | number>>, value: number];
type Samples = readonly Sample[];

/** Backlogs of all processes on the database, and the free disk space of this one. */
interface BacklogRow {
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

interface BacklogGauge {
  readonly name: string;
  readonly help: string;
  /** One value, or values by the label `state`. */
  readonly of: (row: BacklogRow) => number | Readonly<Record<string, number>>;
}

const BACKLOG: readonly BacklogGauge[] = [
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

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` on a separate port, because metrics are for the operator and not for callers; also `/healthz` and
 * `/readyz`, which a worker serves nowhere else. Rejects when the port is in use.
 */
export async function serveMetrics(
  port: number,
  registry: Registry,
  host: string,
  isReady: () => Promise<boolean>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
    const fail = () => response.writeHead(500).end();
    const say = (status: number, word: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ status: word }));
    if (path === '/metrics')
      registry
        .metrics()
        .then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text), fail);
    else if (path === '/healthz') say(200, 'ok');
    else if (path === '/readyz') isReady().then((ready) => say(ready ? 200 : 503, ready ? 'ready' : 'not_ready'), fail);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
