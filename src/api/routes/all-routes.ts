import { CHAINS } from '../../chains/index.ts';
import type { SnapshotKind } from '../../domain/index.ts';
import type { ChainRouting } from '../chain/chain-routing.ts';
import { createSnapshotFeed } from '../chain/snapshot-feed.ts';
import type { ApiContext, RatingServices } from '../context.ts';
import { createAssetLookup } from '../hot/asset-lookup.ts';
import type { HotEntry } from '../hot/hot-entry.ts';
import { createSnapshotCache } from '../hot/snapshot-cache.ts';
import { keylessGuard } from '../public/keyless.ts';
import type { Routes } from '../requests/read-requests.ts';
import type { RmsRouting } from '../rms/choose-rating.ts';
import { createRatedLookup } from '../rms/rated-lookup.ts';
import { createRatingCache } from '../rms/rating-cache.ts';
import { accountRoutes } from './account.ts';
import { adminKeyRoutes } from './admin-keys.ts';
import { alertRoutes } from './alerts.ts';
import { appealRoutes } from './appeals.ts';
import { attestationRoutes, revocationRoutes } from './attestation.ts';
import { bulkRoutes } from './bulk.ts';
import { historyRoutes } from './chain-history.ts';
import { chainIndexRoutes } from './chain-index.ts';
import { snapshotEntry, snapshotRoutes } from './chain-snapshots.ts';
import { chainStreamRoutes } from './chain-stream.ts';
import { changelogRoutes } from './changelog.ts';
import { chainExportRoutes, ratingExportRoutes } from './daily-export.ts';
import { disputeRoutes } from './disputes.ts';
import { jobRoutes } from './jobs.ts';
import { llmsRoutes } from './llms.ts';
import { mcpRoutes } from './mcp.ts';
import { methodologyRoutes, registerRoutes } from './methodology.ts';
import { mutePageRoutes } from './mute-pages.ts';
import { openBbRoutes } from './openbb.ts';
import { dashboardRoutes } from './pages.ts';
import { policyRoutes } from './policy.ts';
import { publicPageRoutes } from './public-pages.ts';
import { ratingChangeRoutes } from './rating-changes.ts';
import { receiptRoutes } from './receipts.ts';
import { ratingBatchRoutes } from './rms-batch.ts';
import { ratingBreakdownRoutes } from './rms-breakdown.ts';
import { ratingComparisonRoutes } from './rms-comparison.ts';
import { ratingDossierRoutes } from './rms-dossier.ts';
import { ratingForensicsRoutes } from './rms-forensics.ts';
import { overviewRoutes } from './rms-overview.ts';
import { ratingHistoryRoutes, ratingListRoutes } from './rms-pages.ts';
import { ratingReportRoutes } from './rms-report.ts';
import { ratingEntry, ratingScoreRoutes } from './rms-score.ts';
import { scoreRoutes } from './score.ts';
import { setupRoutes } from './setup.ts';
import { chainStatusRoutes, healthRoutes, planRoutes, wellKnownRoutes } from './status.ts';
import { thresholdRoutes } from './thresholds.ts';
import { restatementRoutes, trackRecordRoutes } from './track-record.ts';
import { ratingProofRoutes, transparencyRoutes } from './transparency.ts';
import { usageRoutes } from './usage.ts';
import { webhookRoutes } from './webhooks.ts';
import { whitelistRoutes } from './whitelist.ts';

/**
 * Adds the routes of all services in the context. Routes that reply from memory before the router are added to
 * `entries`.
 */
export function allRoutes(server: Routes, context: ApiContext, entries: HotEntry[]): void {
  dashboardRoutes(server);
  healthRoutes(server, context);
  methodologyRoutes(server, context);
  registerRoutes(server, context);
  llmsRoutes(server, context);
  changelogRoutes(server, context);
  openBbRoutes(server);
  scoreRoutes(server, context);
  jobRoutes(server, context);
  if (context.bulk) bulkRoutes(server, context, context.bulk);
  adminKeyRoutes(server, context);
  accountRoutes(server, context);
  mcpRoutes(server, context);
  if (context.alerts) {
    alertRoutes(server, context, context.alerts);
    whitelistRoutes(server, context, context.alerts.whitelist);
    if (context.purchaseOf) receiptRoutes(server, context, { book: context.alerts.book, find: context.purchaseOf });
  }
  if (context.webhooks) {
    webhookRoutes(server, context, context.webhooks);
    mutePageRoutes(server, context, context.webhooks);
  }
  planRoutes(server, context);
  if (context.setup) setupRoutes(server, context.setup);
  if (context.usage) usageRoutes(server, context, context.usage);
  wellKnownRoutes(server, context);
  ratingExportRoutes(server, context);
  if (context.ratingChanges) ratingChangeRoutes(server, context, context.ratingChanges);
  if (context.disclosures) {
    disputeRoutes(server, context, context.disclosures);
    restatementRoutes(server, context, context.disclosures);
    trackRecordRoutes(server, context, context.disclosures);
    const guard = keylessGuard(context);
    appealRoutes(server, context, context.disclosures, guard);
    if (context.ratings)
      publicPageRoutes(server, context, { disclosures: context.disclosures, ratings: context.ratings }, guard);
  }
  if (context.log) transparencyRoutes(server, context, context.log);
  if (context.attestations) revocationRoutes(server, context, context.attestations);
  if (context.ratings) ratingRoutes(server, context, context.ratings, entries);
  chainRoutes(server, context, entries);
}

/** All routes that read ratings. */
function ratingRoutes(server: Routes, context: ApiContext, services: RatingServices, entries: HotEntry[]): void {
  const { plans, limiter } = context;
  const cache = createRatingCache(services.reader, context.now, services.hotBytes);
  const lookup = createRatedLookup(services.reader, context.now);
  server.addHook('onClose', async () => {
    cache.close();
    lookup.close();
  });
  const routing: RmsRouting = { context, services, plans, limiter, cache, lookup };
  entries.push(ratingEntry(routing, (line) => server.log.info(line, 'request')));
  ratingBatchRoutes(server, routing, entries);
  ratingListRoutes(server, routing);
  overviewRoutes(server, routing);
  ratingScoreRoutes(server, routing);
  ratingBreakdownRoutes(server, routing);
  ratingComparisonRoutes(server, routing);
  ratingReportRoutes(server, routing);
  ratingDossierRoutes(server, routing);
  policyRoutes(server, routing);
  ratingHistoryRoutes(server, routing);
  if (context.log) ratingProofRoutes(server, routing, context.log);
  if (context.attestations) attestationRoutes(server, routing, context.attestations);
  if (services.forensics) ratingForensicsRoutes(server, routing, services.forensics);
}

const USUAL_REFRESH_SECONDS: Readonly<Record<SnapshotKind, number>> = { market: 60, holders: 3_600, pools: 300 };

/** All routes of chain data. */
function chainRoutes(server: Routes, context: ApiContext, entries: HotEntry[]): void {
  const { chain: services, plans, limiter, dataMode, now } = context;
  const cache = createSnapshotCache(services.reader, dataMode, now, services.hotBytes);
  // Must follow the cache, which drops outdated entries before subscribers are notified.
  const feed = createSnapshotFeed(services.reader);
  server.addHook('onClose', async () => {
    feed.close();
    cache.close();
  });
  const routing: ChainRouting = {
    context,
    services,
    plans,
    limiter,
    cache,
    chains: services.chains ?? CHAINS,
    lookup: createAssetLookup(services.reader, now, services.namesakes),
    refreshSeconds: services.refreshSeconds ?? USUAL_REFRESH_SECONDS,
  };
  entries.push(snapshotEntry(routing, (line) => server.log.info(line, 'request')));
  chainStatusRoutes(server, routing);
  chainExportRoutes(server, routing);
  chainIndexRoutes(server, routing);
  snapshotRoutes(server, routing);
  historyRoutes(server, routing);
  chainStreamRoutes(server, routing, feed);
  if (context.alerts) thresholdRoutes(server, routing, context.alerts.thresholds);
}
