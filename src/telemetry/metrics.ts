import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import {
  type BacklogReader,
  type ProcessLine,
  type ReplicaLine,
  type SourceLine,
  watchBacklog,
  watchProcesses,
  watchReplicas,
  watchSources,
} from './backlog.ts';
import { RequestHistogram } from './request-histogram.ts';

/** State of one source's circuit, as the HTTP client reports it. */
export interface CircuitRow {
  readonly label: string;
  readonly circuit: 'closed' | 'open' | 'half_open';
}

/** Lag of one chain and kind of snapshots, as the indexer reports it. */
export interface IndexRow {
  readonly chain: string;
  readonly kind: string;
  readonly assets: number;
  readonly due: number;
  readonly running: number;
  readonly failing: number;
  readonly lateSecondsP50: number;
  readonly lateSecondsP99: number;
}

/** What the service counts. Labels come from closed sets (routes, states, sources, outcomes), never from callers. */
export interface Metrics {
  readonly registry: Registry;
  request(route: string, method: string, status: number, seconds: number): void;
  jobEnded(state: string, seconds: number): void;
  /** One request to a source, answered or failed. */
  asked(source: string, outcome: string, seconds: number): void;
  /** Read whenever metrics are: how far the index of chain data is behind. */
  watchIndex(read: () => Promise<readonly IndexRow[]>): void;
  /** Read whenever metrics are: what waits for somebody, over all processes. */
  watchBacklog(read: BacklogReader): void;
  /** Read whenever metrics are: the processes that share the database. */
  watchProcesses(read: () => readonly ProcessLine[]): void;
  /** Read whenever metrics are: the read replicas. */
  watchReplicas(read: () => readonly ReplicaLine[]): void;
  /** Read whenever metrics are: weight and drift of all sources. */
  watchSources(read: () => Promise<readonly SourceLine[]>): void;
  /** Read whenever metrics are: the circuits of all sources. */
  watchCircuits(read: () => readonly CircuitRow[]): void;
}

const REQUEST_SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const ASK_SECONDS = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const CIRCUIT_VALUE: Readonly<Record<CircuitRow['circuit'], number>> = { closed: 0, half_open: 1, open: 2 };

/** Builds the metrics with a registry of their own, so that two services in one process do not mix. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let readCircuits: () => readonly CircuitRow[] = () => [];
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
  new Gauge({
    name: 'assay_source_circuit',
    help: 'Circuit of a source: 0 closed, 1 half open, 2 open.',
    labelNames: ['source'] as const,
    registers,
    collect() {
      this.reset();
      for (const { label, circuit } of readCircuits()) this.set({ source: label }, CIRCUIT_VALUE[circuit]);
    },
  });
  let readIndex: () => Promise<readonly IndexRow[]> = async () => [];
  // A database that is away is told by /readyz; the other metrics are given all the same.
  const indexNow = () => readIndex().catch(() => [] as readonly IndexRow[]);
  new Gauge({
    name: 'assay_index_late_seconds',
    help: 'How far snapshots are behind their plan, by quantile over assets.',
    labelNames: ['chain', 'kind', 'quantile'] as const,
    registers,
    async collect() {
      this.reset();
      for (const { chain, kind, lateSecondsP50, lateSecondsP99 } of await indexNow()) {
        this.set({ chain, kind, quantile: '0.5' }, lateSecondsP50);
        this.set({ chain, kind, quantile: '0.99' }, lateSecondsP99);
      }
    },
  });
  new Gauge({
    name: 'assay_index_assets',
    help: 'Indexed assets: all, due, running, failing.',
    labelNames: ['chain', 'kind', 'state'] as const,
    registers,
    async collect() {
      this.reset();
      for (const row of await indexNow()) {
        const { chain, kind } = row;
        for (const state of ['due', 'running', 'failing'] as const) this.set({ chain, kind, state }, row[state]);
        this.set({ chain, kind, state: 'all' }, row.assets);
      }
    },
  });
  return {
    registry,
    request: (route, method, status, seconds) => requests.ended(route, method, status, seconds),
    jobEnded: (state, seconds) => jobs.observe({ state }, seconds),
    asked(source, outcome, seconds) {
      asks.inc({ source, outcome });
      latency.observe({ source }, seconds);
    },
    watchBacklog: (read) => watchBacklog(registry, read),
    watchProcesses: (read) => watchProcesses(registry, read),
    watchReplicas: (read) => watchReplicas(registry, read),
    watchSources: (read) => watchSources(registry, read),
    watchIndex(read) {
      readIndex = read;
    },
    watchCircuits(read) {
      readCircuits = read;
    },
  };
}
