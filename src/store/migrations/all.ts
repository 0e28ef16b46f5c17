import { first } from './0001-first.ts';
import { snapshots } from './0002-snapshots.ts';
import { signing } from './0003-signing.ts';
import { scanLedgers } from './0004-scan-ledgers.ts';
import { scanLedgerPages } from './0005-scan-ledger-pages.ts';
import { ratingService } from './0006-ratings.ts';
import { processes } from './0007-processes.ts';
import { search, searchIndexes } from './0008-search.ts';
import { monitoring, monitoringIndexes } from './0009-monitoring.ts';
import { collectionIndexes, collections } from './0010-collections.ts';
import { sourceLists } from './0011-source-lists.ts';
import { leaseIndexes, leases } from './0012-leases.ts';
import { sourceWatch } from './0013-source-watch.ts';
import { ratingClass, ratingClassIndexes } from './0014-rating-class.ts';
import { sourceDriftAlerts } from './0015-source-drift-alerts.ts';
import type { Change } from './change.ts';

/** Every change of the tables that this version knows, the oldest first (docs/decisions/0017-changes-side-by-side.md). */
export const CHANGES: readonly Change[] = [
  { name: '0001-first', migration: first, compatibleFrom: '0001-first' },
  { name: '0002-snapshots', migration: snapshots, compatibleFrom: '0002-snapshots' },
  { name: '0003-signing', migration: signing, compatibleFrom: '0003-signing' },
  { name: '0004-scan-ledgers', migration: scanLedgers, compatibleFrom: '0004-scan-ledgers' },
  { name: '0005-scan-ledger-pages', migration: scanLedgerPages, compatibleFrom: '0005-scan-ledger-pages' },
  { name: '0006-ratings', migration: ratingService, compatibleFrom: '0006-ratings' },
  { name: '0007-processes', migration: processes, compatibleFrom: '0006-ratings' },
  { name: '0008-search', migration: search, compatibleFrom: '0006-ratings', indexes: searchIndexes },
  { name: '0009-monitoring', migration: monitoring, compatibleFrom: '0006-ratings', indexes: monitoringIndexes },
  { name: '0010-collections', migration: collections, compatibleFrom: '0006-ratings', indexes: collectionIndexes },
  { name: '0011-source-lists', migration: sourceLists, compatibleFrom: '0006-ratings' },
  { name: '0012-leases', migration: leases, compatibleFrom: '0006-ratings', indexes: leaseIndexes },
  { name: '0013-source-watch', migration: sourceWatch, compatibleFrom: '0006-ratings' },
  { name: '0014-rating-class', migration: ratingClass, compatibleFrom: '0006-ratings', indexes: ratingClassIndexes },
  { name: '0015-source-drift-alerts', migration: sourceDriftAlerts, compatibleFrom: '0006-ratings' },
];
