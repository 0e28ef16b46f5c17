import type { FastifyInstance } from 'fastify';
import type { Limiter, PlanBook } from '../../access/index.ts';
import { CHAINS } from '../../chains/index.ts';
import type { SnapshotKind } from '../../domain/index.ts';
import type { ChainRouting } from '../chain/chain-routing.ts';
import type { ApiContext, ChainServices } from '../context.ts';
import { createAssetLookup } from '../hot/asset-lookup.ts';
import type { HotEntry } from '../hot/hot-entry.ts';
import { createSnapshotCache } from '../hot/snapshot-cache.ts';
import { historyRoutes } from './chain-history.ts';
import { chainIndexRoutes } from './chain-index.ts';
import { snapshotEntry, snapshotRoutes } from './chain-snapshots.ts';
import { chainExportRoutes } from './daily-export.ts';
import { chainStatusRoutes } from './status.ts';

const USUAL_REFRESH_SECONDS: Readonly<Record<SnapshotKind, number>> = { market: 60, holders: 3_600, pools: 300 };

interface Parts {
  readonly context: ApiContext;
  readonly services: ChainServices;
  readonly plans: PlanBook;
  readonly limiter: Limiter;
  readonly entries: HotEntry[];
}

/** All routes of chain data. */
export function chainRoutes(server: FastifyInstance, { context, services, plans, limiter, entries }: Parts): void {
  const cache = createSnapshotCache(services.reader, context.dataMode, context.now, services.hotBytes);
  server.addHook('onClose', async () => cache.close());
  const routing: ChainRouting = {
    context,
    services,
    plans,
    limiter,
    cache,
    chains: services.chains ?? CHAINS,
    lookup: createAssetLookup(services.reader, context.now),
    refreshSeconds: services.refreshSeconds ?? USUAL_REFRESH_SECONDS,
  };
  entries.push(snapshotEntry(routing, (line) => server.log.info(line, 'request')));
  chainStatusRoutes(server, routing);
  chainExportRoutes(server, routing);
  chainIndexRoutes(server, routing);
  snapshotRoutes(server, routing);
  historyRoutes(server, routing);
}
