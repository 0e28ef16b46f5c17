import type { Limiter, PlanBook } from '../../access/index.ts';
import type { ApiContext, RatingServices } from '../context.ts';
import type { RatedLookup } from './rated-lookup.ts';
import type { RatingCache } from './rating-cache.ts';

/** What the routes of ratings share. */
export interface RmsRouting {
  readonly context: ApiContext;
  readonly services: RatingServices;
  readonly plans: PlanBook;
  readonly limiter: Limiter;
  readonly lookup: RatedLookup;
  readonly cache: RatingCache;
}

/** Names of paths under /v1/rms, which are no symbols there. */
export const FIXED_WORDS: readonly string[] = ['batch', 'whitelist', 'actions'];
