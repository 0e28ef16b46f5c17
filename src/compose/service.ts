import { AsyncLocalStorage } from 'node:async_hooks';
import { clientAddressReader, openUsage, type Usage } from '../access/index.ts';
import { type AlertServices, buildServer, type RatingServices } from '../api/index.ts';
import { openAttestations } from '../attestation/index.ts';
import { clockOf } from '../config/index.ts';
import { requestNaming } from '../contract/index.ts';
import { openDisclosures } from '../disclosure/index.ts';
import type { Namesakes } from '../domain/index.ts';
import { createRatingChanges } from '../exports/index.ts';
import { isFresh, type ScoringService } from '../jobs/index.ts';
import { methodologyJson } from '../methodology/index.ts';
import {
  createAlertBook,
  createRatingReader,
  createThresholdBook,
  createWatchlist,
  freshRating,
  type RatingReader,
} from '../monitoring/index.ts';
import { forgetPayments, openPayments, purchaseOf } from '../payments/index.ts';
import { SOURCE_TITLES } from '../sources/index.ts';
import { driftSubscription, type Reads, type Store, subscribeToDrift, unsubscribeFromDrift } from '../store/index.ts';
import { judgeProjectUrl, systemResolver } from '../upstream/index.ts';
import { openWebhooks } from '../webhooks/index.ts';
import { callContractBy } from './appeal-contracts.ts';
import { readTxtBy } from './appeal-dns.ts';
import { repositoryHostBy } from './appeal-repository.ts';
import { openForensics } from './chain-reads.ts';
import { openFoundation, type ProcessOptions } from './foundation.ts';
import { openHoldings } from './holdings.ts';
import { openNamesakes } from './namesakes.ts';
import { counterfactualByItsMethodology, openCommitteeReports } from './report.ts';
import { openBulkOn } from './scoring.ts';
import { openSetup } from './setup.ts';
import { panelOf } from './source-monitor.ts';
import { openTransparencyLog } from './transparency.ts';
import { startWork } from './worker.ts';

export interface ServiceOptions extends ProcessOptions {
  /** `api`: only serves requests, and other processes work; `all` (the default): both. */
  readonly role?: 'all' | 'api';
}

export interface RunningService {
  readonly url: string;
  readonly docsUrl: string;
  /** The first admin key; only at the very first start. */
  readonly adminKey: string | null;
  /**
   * Stops taking work, gives running jobs a short time to end, returns the others to the queue, and closes the
   * database.
   */
  readonly close: () => Promise<void>;
}

/** Starts the service in this process: the API and, with role `all`, the background work. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const role = options.role ?? 'all';
  const readLag = new AsyncLocalStorage<{ ms: number }>();
  const foundation = await openFoundation(options, role, (lagMs) => {
    const request = readLag.getStore();
    if (request) request.ms = Math.max(request.ms, lagMs);
  });
  const { config, store, access, plans, signer, attester, scoring, chain, engine, metrics, reads, now, onError } =
    foundation;
  const stopping = new AbortController();
  const adminKey = await access.bootstrap();
  const work = role === 'all' ? startWork(foundation) : null;
  const usage = openUsage(config, store.db, { access, plans, now: clockOf(config) }, onError);
  const bulk = openBulkOn(foundation, role === 'all');
  const webhooks = openWebhooks({ ...foundation, db: store.db, upstream: engine.upstream, works: role === 'all' });
  const namesakes = openNamesakes(engine, store.db, role === 'all', now);
  const ratings = openRatings(store, reads, namesakes, scoring, now, onError, usage.quotaOf, config.freshSeconds);
  const alerts = openAlerts(store, ratings.reader, now, onError);
  const snapshots = chain.services.reader;
  const forensics = openForensics({ config, engine, store, snapshots, now, onError });
  const disclosures = openDisclosures({
    store,
    dataMode: config.dataMode,
    reader: ratings.reader,
    signer,
    now,
    onError,
    readTxt: readTxtBy(engine, options.resolver ?? systemResolver()),
    callContract: callContractBy(engine),
    repositoryHost: repositoryHostBy(engine, now),
    reportOf: (jobId) => scoring.report(jobId),
  });
  const setup = openSetup({
    config,
    engine,
    version: foundation.version,
    panel: options.panel ?? panelOf(config),
    now,
    onError,
  });
  const paying = { db: store.db, plans, upstream: engine.upstream, clock: Date.now, onError };
  const payments = openPayments(config, paying);
  const forgetting = forgetPayments(config.x402KeepDays, paying);
  const server = await buildServer(
    {
      dataMode: config.dataMode,
      version: foundation.version,
      scoringPath: config.scoringPath,
      scoreDeadlineSeconds: config.scoreDeadlineSeconds,
      scoreDeadlineMaxSeconds: config.scoreDeadlineMaxSeconds,
      bodyLimitBytes: config.bodyLimitBytes,
      corsOrigins: config.corsOrigins,
      publicPages: config.publicPages,
      clientAddress: clientAddressReader(config.trustProxy),
      takeStream: alerts.book.takeStream,
      stopping: stopping.signal,
      scoring,
      sourceTitles: SOURCE_TITLES,
      committee: openCommitteeReports(store.db, ratings.reader, engine.methodology, foundation.moved.readMoved),
      bulk,
      access,
      plans,
      limiter: usage.limiter,
      usage: usage.service,
      chain: { ...chain.services, namesakes },
      sources: foundation.sources.statuses,
      setup,
      payments,
      purchaseOf: (receipt) => purchaseOf(store.db, receipt),
      holdings: openHoldings(engine, store.db),
      publicUrl: config.publicUrl,
      alerts,
      webhooks,
      ratingChanges: createRatingChanges(store.db),
      ratings: {
        ...ratings,
        forensics,
        counterfactual: counterfactualByItsMethodology,
      },
      disclosures,
      log: openTransparencyLog(foundation),
      signingKeys: () => signer.keys(),
      attestations: openAttestations({
        db: store.db,
        signer,
        attester,
        mode: config.dataMode,
        validHours: config.attestationHours,
        now,
      }),
      attestationKeys: () => attester.keys(),
      judgeUrl: judgeProjectUrl,
      methodologyJson: methodologyJson(),
      methodologyHash: engine.methodology.hash,
      now,
      ready: async () => {
        const checks = await foundation.ready();
        return { ok: checks.database && checks.accepting, checks: { ...checks } };
      },
      ...(config.readUrls.length > 0 ? { readLag } : {}),
      onRequest: (route, method, status, seconds, key, bytes) => {
        metrics.request(route, method, status, seconds);
        usage.onRequest(route, status, seconds, key, bytes);
      },
    },
    foundation.logger,
  );
  const { host, port, reusePort } = config;
  const address = await server.listen({ host, port, ...(reusePort ? { reusePort } : {}) });
  const url = address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '127.0.0.1');
  let closing: Promise<void> | null = null;
  return {
    url,
    docsUrl: `${url}/docs`,
    adminKey,
    close() {
      closing ??= (async () => {
        foundation.stopAccepting();
        await new Promise((resolve) => setTimeout(resolve, config.drainSeconds * 1000));
        stopping.abort();
        await Promise.all([work?.close(), disclosures.close(), bulk.close()]);
        // With role `api` other processes run the jobs, so jobs can be accepted until the server is closed.
        if (role === 'all') await foundation.endWork();
        scoring.answerWaiting();
        await Promise.all([alerts.close(), webhooks.close(), forensics.close(), setup.close(), forgetting.close()]);
        await server.close();
        await ratings.reader.close();
        if (role === 'api') await foundation.endWork();
        await usage.close();
        await foundation.close();
      })();
      return closing;
    },
  };
}

/** Reads of published ratings, and new ratings on request. */
function openRatings(
  store: Store,
  reads: Reads,
  namesakes: Namesakes,
  scoring: ScoringService,
  now: () => number,
  onError: (error: unknown, what: string) => void,
  quotaOf: Usage['quotaOf'],
  freshSeconds: number,
): RatingServices {
  return {
    reader: createRatingReader({ store, reads, namesakes, now, onError }),
    freshRating: (assetId, { accountId, plan, ...wanted }) =>
      freshRating(
        { db: store.db, scoring, requestOf: requestNaming, isFresh: (asOf) => isFresh(asOf, now(), freshSeconds) },
        assetId,
        {
          ...wanted,
          quota: quotaOf(accountId, 'fresh_ratings', plan.freshRatingsPerDay),
          ...(plan.concurrentScoringJobs === null ? {} : { share: { accountId, most: plan.concurrentScoringJobs } }),
        },
      ),
  };
}

/** Watchlists and alerts for the API. */
function openAlerts(
  store: Store,
  reader: Pick<RatingReader, 'find'>,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): AlertServices & { readonly close: () => Promise<void> } {
  const book = createAlertBook(store, now, onError);
  const { db } = store;
  return {
    book,
    whitelist: { watchlist: createWatchlist(db, now), find: reader.find },
    drift: {
      read: (accountId) => driftSubscription(db, accountId),
      put: (accountId, sources) => subscribeToDrift(db, { accountId, sources, at: new Date(now()).toISOString() }),
      remove: async (accountId) => void (await unsubscribeFromDrift(db, accountId)),
    },
    thresholds: createThresholdBook(db, now),
    close: book.close,
  };
}
