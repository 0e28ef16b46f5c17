import { gridPoint } from '../../access/index.ts';
import type { HotAnswer } from '../hot/front.ts';
import { keyedFront, rememberPaths } from '../hot/keyed-front.ts';
import { ratingMaxAge } from './choose-rating.ts';
import { FIXED_WORDS, type RmsRouting } from './context.ts';

const ROUTE = '/v1/rms/:asset';
const PATH = /^\/v1\/rms\/([^/?%#]{1,150}(?:\/(?:token|erc20|slip44):[^/?%#]{1,150})?)$/;
const MOST_PATHS = 20_000;

/** Ratings that are in memory. */
export function ratingFront(routing: RmsRouting, log: Parameters<typeof keyedFront>[0]['log']): HotAnswer {
  const { lookup, cache } = routing;
  return keyedFront<string>(
    { ...routing, log },
    {
      scope: 'rms:read',
      targetOf: rememberPaths(readPath, MOST_PATHS),
      chainOf: () => null,
      routeOf: () => ROUTE,
      find(asset, plan, now) {
        const outcome = lookup.peek(asset);
        if (!outcome?.ok) return undefined;
        const hot = cache.peek(outcome.assetId, gridPoint(now, plan.freshnessGridSeconds));
        return hot && { body: hot.reply, maxAgeSeconds: ratingMaxAge(plan, now) };
      },
    },
  );
}

function readPath(url: string): string | null {
  const asset = PATH.exec(url)?.[1];
  return asset === undefined || FIXED_WORDS.includes(asset) ? null : asset;
}
