import { join } from 'node:path';
import type { TrustedProxies } from '../domain/index.ts';

/** Settings of one source: where, with which key, on or off. */
export interface SourceSettings {
  /** Base urls that replace the source's own, by base name. */
  readonly bases: Readonly<Record<string, string>>;
  readonly key: string | null;
  /** Null: the source's own default. */
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
  /** Streaming replicas that reads may go to. */
  readonly readUrls: readonly string[];
  /** How far a replica may be behind and still be read. */
  readonly readLagSeconds: number;
  /** Default `/v1/score`. */
  readonly scoringPath: string;
  readonly scoreDeadlineSeconds: number;
  readonly scoreDeadlineMaxSeconds: number;
  /** How long a collection for publication may ask sources. */
  readonly collectionSeconds: number;
  /** A score of an asset whose published rating is younger is answered with it. */
  readonly freshSeconds: number;
  /** Days that results which are not published, and callers' jobs, are kept. */
  readonly unpublishedDays: number;
  readonly concurrentJobs: number;
  readonly queuedJobs: number;
  /** Seconds that requests are still taken after a stop was asked for, while the balancer learns of it. */
  readonly drainSeconds: number;
  /** Several processes of one machine listen on one port. */
  readonly reusePort: boolean;
  /** Seconds that running work gets at a stop. */
  readonly shutdownSeconds: number;
  readonly snapshotRetentionDays: number;
  /** Days that a scored asset stays monitored. */
  readonly monitorDays: number;
  /** Ratings of the monitor's own under way at once; 0: the monitor rests. */
  readonly monitorJobs: number;
  /** Where people reach the service, without a slash at the end; null: no links. */
  readonly publicUrl: string | null;
  /** In data mode `sandbox` alone: webhooks may lead to this machine's loopback. */
  readonly webhookLoopback: boolean;
  /** In data mode `sandbox` alone: how many times as fast as the sources' real request budgets turns come; 0: no budgets. */
  readonly sandboxBudgets: number;
  /** In data mode `sandbox` alone: seconds that the clock is ahead of the machine's; negative: behind. */
  readonly sandboxClockSeconds: number;
  /** Assets indexed from the start, as the operator wrote them. */
  readonly indexedAssets: readonly string[];
  /** Websockets of the operator's own nodes, by our name of the chain. */
  readonly nodeSockets: readonly { readonly chain: string; readonly url: string }[];
  /** Keys of witnesses of the log, in the format of signed notes. */
  readonly logWitnesses: readonly string[];
  readonly attestationHours: number;
  /** Path of the operator's plans, or null for the built-in ones. */
  readonly plansFile: string | null;
  /** Path of the operator's assets that sources are read about each hour, or null for the built-in ones. */
  readonly panelFile: string | null;
  /** Pages and objections that need no key are served. */
  readonly publicPages: boolean;
  /** Facilitator of payments by x402, without a slash at the end; null: nothing is sold without a key. */
  readonly x402Facilitator: string | null;
  /** Address that payments go to. */
  readonly x402PayTo: string | null;
  /** CAIP-2 id of the EVM chain of the payments. */
  readonly x402Network: string | null;
  /** Contract of the token (EIP-3009) in which prices are. */
  readonly x402Token: string | null;
  /** Name and version of the token's EIP-712 domain, and the decimals of its units. */
  readonly x402TokenName: string;
  readonly x402TokenVersion: string;
  readonly x402TokenDecimals: number;
  /** Days that payments are kept at least; null: for good. */
  readonly x402KeepDays: number | null;
  readonly bodyLimitBytes: number;
  /** Days raw bodies are kept at most, whatever a source's terms allow. */
  readonly bodyRetentionDays: number;
  /** Address of an object store with the S3 API, without a trailing slash; null: evidence stays in the database. */
  readonly objectStoreUrl: string | null;
  readonly objectStoreBucket: string | null;
  readonly objectStoreRegion: string;
  readonly objectStoreKeyId: string | null;
  readonly objectStoreSecret: string | null;
  /** The bucket is in the path, not in the host name. */
  readonly objectStorePathStyle: boolean;
  /** What keys begin with: empty, or with a slash at the end. */
  readonly objectStorePrefix: string;
  /** Days that evidence stays in the database before it moves to the object store. */
  readonly evidenceLocalDays: number;
  readonly corsOrigins: readonly string[];
  /** The service `assay mcp` asks; no slash at its end. */
  /** The service that commands ask; null: they work on the data folder. */
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

/** Folder of all published exports. Fictional days never lie beside real ones. */
export function exportsRoot(config: Pick<Config, 'dataDir' | 'dataMode'>): string {
  return join(config.dataDir, 'exports', config.dataMode);
}

/** Milliseconds since the epoch by the clock of this configuration: the machine's, in a sandbox with its offset. */
export function clockOf(config: Pick<Config, 'sandboxClockSeconds'>): () => number {
  return () => Date.now() + config.sandboxClockSeconds * 1000;
}
