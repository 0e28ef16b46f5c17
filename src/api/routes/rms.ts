import type { FastifyInstance } from 'fastify';
import type { Limiter, PlanBook } from '../../access/index.ts';
import type { ApiContext, RatingServices } from '../context.ts';
import type { HotEntry } from '../hot/hot-entry.ts';
import type { RmsRouting } from '../rms/choose-rating.ts';
import { createRatedLookup } from '../rms/rated-lookup.ts';
import { createRatingCache } from '../rms/rating-cache.ts';
import { ratingBatchRoutes } from './rms-batch.ts';
import { ratingBreakdownRoutes } from './rms-breakdown.ts';
import { ratingForensicsRoutes } from './rms-forensics.ts';
import { ratingHistoryRoutes, ratingListRoutes } from './rms-pages.ts';
import { ratingEntry, ratingScoreRoutes } from './rms-score.ts';

interface Parts {
  readonly context: ApiContext;
  readonly services: RatingServices;
  readonly plans: PlanBook;
  readonly limiter: Limiter;
  readonly entries: HotEntry[];
}

/** All reads of ratings. */
export function ratingRoutes(server: FastifyInstance, { context, services, plans, limiter, entries }: Parts): void {
  const cache = createRatingCache(services.reader, context.now, services.hotBytes);
  server.addHook('onClose', async () => cache.close());
  const routing: RmsRouting = {
    context,
    services,
    plans,
    limiter,
    cache,
    lookup: createRatedLookup(services.reader, context.now),
  };
  entries.push(ratingEntry(routing, (line) => server.log.info(line, 'request')));
  ratingBatchRoutes(server, routing, entries);
  ratingListRoutes(server, routing);
  ratingScoreRoutes(server, routing);
  ratingBreakdownRoutes(server, routing);
  ratingHistoryRoutes(server, routing);
  if (services.forensics) ratingForensicsRoutes(server, routing, services.forensics);
}
