import { randomBytes, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { createAccess } from '../access/access.ts';
import { loadPlans } from '../access/plans/load.ts';
import { buildServer } from '../api/server.ts';
import type { Config } from '../config/types.ts';
import { methodologyJson } from '../methodology/load.ts';
import { createMonitor } from '../monitoring/monitor.ts';
import { createSigner } from '../signing/signer.ts';
import { isReachable } from '../store/database.ts';
import { createLogger } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { serveMetrics } from '../telemetry/serve-metrics.ts';
import type { Resolver } from '../upstream/types.ts';
import { openAlerts } from './alerts.ts';
import { backlogReader } from './backlog-reader.ts';
import { openChain } from './chain.ts';
import { openDisclosures } from './disclosures.ts';
import { createEngine } from './engine.ts';
import { openEvents } from './events.ts';
import { openForensics } from './forensics.ts';
import { judgeProjectUrl } from './judge-url.ts';
import { openRatingExports } from './publish-rms-day.ts';
import { openRatingBook, openRatings } from './ratings.ts';
import { openScoring, openStorage } from './scoring.ts';
import { openUsage } from './usage.ts';
import { openWebhooks } from './webhooks.ts';

export interface ServiceOptions {
  readonly config: Config;
  /** How names become addresses; the sandbox brings its own. */
  readonly resolver?: Resolver;
  /** Log nothing below warnings. */
  readonly quiet?: boolean;
  /**
   * Milliseconds since the epoch by which jobs and evidence are dated, for replaying old replies at the time they were
   * recorded. Only in data mode `sandbox`, which has a database of its own: a set clock can never date a live rating.
   */
  readonly now?: () => number;
}

export interface RunningService {
  readonly url: string;
  readonly docsUrl: string;
  /** The first admin key, at the very first start only. */
  readonly adminKey: string | null;
  /** Stops taking work, lets running jobs finish for a moment, hands the rest back, closes the database. */
  readonly close: () => Promise<void>;
}

const MONITOR_EVERY_MS = 5_000;
const PUBLISH_EVERY_MS = 60_000;

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** Starts the whole service in this process. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  if (options.now && options.config.dataMode === 'live')
    throw new Error('a clock can be set in data mode sandbox only: live ratings are dated by the real one');
  const now = options.now ?? Date.now;
  const config = options.quiet ? { ...options.config, logLevel: 'warn' } : options.config;
  const logger = createLogger(config);
  const metrics = createMetrics();
  const engine = createEngine(config, options.resolver, now);
  const storage = await openStorage(config, 'service', (message) => logger.info(message));
  const access = createAccess(storage.store.db, Date.now, randomBytes);
  const adminKey = await access.bootstrap();
  const onError = (error: unknown, what: string) => logger.error({ err: error }, what);
  const plans = loadPlans(config.plansFile);
  const usage = openUsage(config, storage.store.db, { access, plans }, onError);
  const signer = await createSigner(storage.store.db, now);
  const chain = await openChain({ config, engine, store: storage.store, now, onError });
  const ratingExports = openRatingExports({
    config,
    store: storage.store,
    exports: chain.services.exports,
    now,
    onError,
  });
  ratingExports.start(PUBLISH_EVERY_MS);
  const webhooks = openWebhooks({ config, db: storage.store.db, upstream: engine.upstream, plans, onError });
  const scoring = await openScoring(config, engine, storage.store.db, {
    instanceId: randomUUID(),
    now,
    book: openRatingBook(config, signer),
    onError,
    onRated: chain.noteRated,
    onAsk: (source, outcome, milliseconds) => metrics.asked(source, outcome, milliseconds / 1000),
    onFinished: (state, seconds) => metrics.jobEnded(state, seconds),
  });
  const ratings = openRatings(storage.store, scoring, now, onError, usage.quotaOf);
  const alerts = openAlerts(storage.store, ratings.reader, now, onError);
  const snapshots = chain.services.reader;
  const forensics = openForensics({ config, engine, store: storage.store, snapshots, now, onError });
  const disclosures = openDisclosures({
    store: storage.store,
    dataMode: config.dataMode,
    reader: ratings.reader,
    signer,
    now,
    onError,
  });
  const monitor = createMonitor({
    db: storage.store.db,
    scoring,
    now,
    mostUnderWay: config.monitorJobs,
    deadlineSeconds: config.scoreDeadlineSeconds,
    onError,
  });
  const events = openEvents(engine, storage.store.db, now, onError);
  if (config.monitorJobs > 0) {
    monitor.start(MONITOR_EVERY_MS);
    events.start();
  }
  metrics.watchIndex(async () => (await chain.indexer.status()).lag);
  metrics.watchBacklog(backlogReader(storage.store.pool, config.dataDir, now));
  metrics.watchCircuits(() => engine.upstream.health());
  engine.bulk.start();
  let stopping = false;
  const server = await buildServer(
    {
      dataMode: config.dataMode,
      version,
      scoringPath: config.scoringPath,
      scoreDeadlineSeconds: config.scoreDeadlineSeconds,
      scoreDeadlineMaxSeconds: config.scoreDeadlineMaxSeconds,
      bodyLimitBytes: config.bodyLimitBytes,
      corsOrigins: config.corsOrigins,
      trustProxy: config.trustProxy,
      scoring,
      access,
      plans,
      limiter: usage.limiter,
      usage: usage.service,
      chain: chain.services,
      alerts,
      webhooks,
      ratings: { ...ratings, forensics },
      disclosures,
      signingKeys: () => signer.keys(),
      judgeUrl: judgeProjectUrl,
      methodologyJson: methodologyJson(),
      methodologyHash: engine.methodology.hash,
      now,
      ready: async () => {
        const database = await isReachable(storage.store.db);
        return { ok: database && !stopping, checks: { database, accepting: !stopping } };
      },
      onRequest: (route, method, status, seconds, key, bytes) => {
        metrics.request(route, method, status, seconds);
        usage.onRequest(route, status, seconds, key, bytes);
      },
    },
    logger,
  );
  const metricsServer =
    config.metricsPort === null ? null : await serveMetrics(config.metricsPort, metrics.registry, config.metricsHost);
  const address = await server.listen({ host: config.host, port: config.port });
  const url = address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '127.0.0.1');
  let closing: Promise<void> | null = null;
  return {
    url,
    docsUrl: `${url}/docs`,
    adminKey,
    close() {
      closing ??= (async () => {
        stopping = true;
        await Promise.all([monitor.close(), events.close(), ratingExports.close(), disclosures.close()]);
        await Promise.all([scoring.close(config.shutdownSeconds * 1000), chain.close(config.shutdownSeconds * 1000)]);
        await Promise.all([alerts.close(), webhooks.close(), ratings.reader.close()]);
        await server.close();
        await usage.close();
        await metricsServer?.close();
        await engine.close();
        await storage.close();
      })();
      return closing;
    },
  };
}
