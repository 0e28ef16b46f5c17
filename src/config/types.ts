import { join } from 'node:path';
import type { TrustedProxies } from '../domain/index.ts';

/** Settings of one source. */
export interface SourceSettings {
  /** Base URLs that replace the source's own, by name. */
  readonly bases: Readonly<Record<string, string>>;
  readonly key: string | null;
  /** Null: the default of the source. */
  readonly enabled: boolean | null;
}

export interface Config {
  readonly dataMode: 'live' | 'sandbox';
  readonly host: string;
  readonly port: number;
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  readonly dataDir: string;
  /** Folder of the operator's own registers; null without any. */
  readonly registersDir: string | null;
  readonly databaseUrl: string | null;
  /** Streaming replicas for reads. */
  readonly readUrls: readonly string[];
  /** Longest delay with which a replica is still read, seconds. */
  readonly readLagSeconds: number;
  /** Default `/v1/score`. */
  readonly scoringPath: string;
  readonly scoreDeadlineSeconds: number;
  readonly scoreDeadlineMaxSeconds: number;
  /** Seconds for which a collection for publication may send requests to sources. */
  readonly collectionSeconds: number;
  /** Age in seconds below which a published rating is returned without a new collection. */
  readonly freshSeconds: number;
  /** Days for which unpublished results and callers' jobs are kept. */
  readonly unpublishedDays: number;
  readonly concurrentJobs: number;
  readonly queuedJobs: number;
  /** Seconds for which requests are still accepted after a stop signal, so that a load balancer notices it. */
  readonly drainSeconds: number;
  /** Several processes of one machine may listen on one port. */
  readonly reusePort: boolean;
  /** Seconds for which running work may continue after a stop signal. */
  readonly shutdownSeconds: number;
  readonly snapshotRetentionDays: number;
  /** Days for which a scored asset is monitored. */
  readonly monitorDays: number;
  /** Concurrent ratings by the monitor; 0: it is disabled. */
  readonly monitorJobs: number;
  /** Public URL of the service without a trailing slash; null: no links. */
  readonly publicUrl: string | null;
  /** Only in data mode `sandbox`: webhooks may have loopback addresses. */
  readonly webhookLoopback: boolean;
  /** Only in data mode `sandbox`: speed of request budgets relative to live mode; 0: no budgets. */
  readonly sandboxBudgets: number;
  /** Only in data mode `sandbox`: seconds by which the clock is ahead of the system clock; negative: behind. */
  readonly sandboxClockSeconds: number;
  /** Assets indexed from the start, as the operator entered them. */
  readonly indexedAssets: readonly string[];
  /** Websockets of the operator's nodes, by chain name. */
  readonly nodeSockets: readonly { readonly chain: string; readonly url: string }[];
  /** Keys of witnesses of the log, in the format of signed notes. */
  readonly logWitnesses: readonly string[];
  readonly attestationHours: number;
  /** Path of the operator's plans; null: the built-in ones. */
  readonly plansFile: string | null;
  /** Path of the operator's panel of assets, which sources are checked with each hour; null: the built-in one. */
  readonly panelFile: string | null;
  /** Whether pages and objections without a key are served. */
  readonly publicPages: boolean;
  /** URL of the x402 facilitator without a trailing slash; null: nothing is sold without a key. */
  readonly x402Facilitator: string | null;
  /** Address that receives payments. */
  readonly x402PayTo: string | null;
  /** CAIP-2 id of the EVM chain of the payments. */
  readonly x402Network: string | null;
  /** Contract of the token (EIP-3009) in which prices are stated. */
  readonly x402Token: string | null;
  /** Name and version of the token's EIP-712 domain, and the decimals of its units. */
  readonly x402TokenName: string;
  readonly x402TokenVersion: string;
  readonly x402TokenDecimals: number;
  /** Least days for which payments are kept; null: for ever. */
  readonly x402KeepDays: number | null;
  readonly bodyLimitBytes: number;
  /** Most days for which raw bodies are kept, whatever a source's terms allow. */
  readonly bodyRetentionDays: number;
  /** Address of an object store with the S3 API, without a trailing slash; null: evidence stays in the database. */
  readonly objectStoreUrl: string | null;
  readonly objectStoreBucket: string | null;
  readonly objectStoreRegion: string;
  readonly objectStoreKeyId: string | null;
  readonly objectStoreSecret: string | null;
  /** The bucket is in the path, not in the host name. */
  readonly objectStorePathStyle: boolean;
  /** Prefix of keys: empty, or with a trailing slash. */
  readonly objectStorePrefix: string;
  /** Days for which evidence stays in the database before it moves to the object store. */
  readonly evidenceLocalDays: number;
  readonly corsOrigins: readonly string[];
  /** The service that commands use; null: they use the data folder. */
  readonly serviceUrl: string | null;
  readonly serviceKey: string | null;
  readonly mcpUrl: string | null;
  readonly mcpKey: string | null;
  readonly logLevel: string;
  /** Contact shown in our User-Agent. */
  readonly contact: string;
  readonly sources: Readonly<Record<string, SourceSettings>>;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: TrustedProxies;
}

/** Folder of all published exports; sandbox and live exports are in different folders. */
export function exportsRoot(config: Pick<Config, 'dataDir' | 'dataMode'>): string {
  return join(config.dataDir, 'exports', config.dataMode);
}

/** The clock of this configuration in milliseconds since the epoch: the system clock, in a sandbox with its offset. */
export function clockOf(config: Pick<Config, 'sandboxClockSeconds'>): () => number {
  return () => Date.now() + config.sandboxClockSeconds * 1000;
}
