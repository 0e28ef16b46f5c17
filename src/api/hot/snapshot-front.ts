import { gridPoint } from '../../access/index.ts';
import type { Chain } from '../../chains/index.ts';
import type { SnapshotKind } from '../../domain/index.ts';
import type { ChainRouting } from '../chain/chain-routing.ts';
import type { HotAnswer } from './front.ts';
import { keyedFront, rememberPaths } from './keyed-front.ts';
import { snapshotMaxAge } from './max-age.ts';

/** What a path asks for. */
interface Target {
  readonly kind: SnapshotKind;
  readonly chain: Chain;
  readonly asset: string;
  readonly route: string;
}

const MOST_PATHS = 10_000;

/** Snapshots that are in memory. */
export function snapshotFront(routing: ChainRouting, log: Parameters<typeof keyedFront>[0]['log']): HotAnswer {
  const { lookup, cache } = routing;
  return keyedFront<Target>(
    { ...routing, log },
    {
      scope: 'chain:read',
      targetOf: rememberPaths((url) => readPath(routing, url), MOST_PATHS),
      chainOf: ({ chain }) => chain.name,
      routeOf: ({ route }) => route,
      find({ chain, asset, kind }, plan, now) {
        const outcome = lookup.peek(chain, asset);
        if (!outcome?.ok) return undefined;
        const point = gridPoint(now, plan.freshnessGridSeconds);
        const body = cache.peek({ assetId: outcome.asset.id, kind, point, shape: 'all' });
        return body && { body, maxAgeSeconds: snapshotMaxAge(routing, kind, plan, body, now) };
      },
    },
  );
}

const PATHS: readonly (readonly [SnapshotKind, RegExp, string])[] = [
  ['market', /^\/v1\/([a-z]{2,20})\/market\/([^/?%#]{1,300})\/snapshot$/, '/market/:asset/snapshot'],
  ['holders', /^\/v1\/([a-z]{2,20})\/([^/?%#]{1,300})\/holders\/snapshot$/, '/:asset/holders/snapshot'],
  ['pools', /^\/v1\/([a-z]{2,20})\/([^/?%#]{1,300})\/liquidity\/pools$/, '/:asset/liquidity/pools'],
];

function readPath({ chains }: ChainRouting, url: string): Target | null {
  for (const [kind, pattern, route] of PATHS) {
    const found = pattern.exec(url);
    const chain = chains.find((one) => one.name === found?.[1]);
    if (found?.[2] !== undefined && chain)
      return { kind, chain, asset: found[2], route: `/v1/${chain.name === 'solana' ? 'solana' : ':chain'}${route}` };
  }
  return null;
}
