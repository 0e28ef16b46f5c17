import type { Facade } from '../facade.ts';
import { hasSpace, spaceOf } from '../world/ties.ts';

/** Snapshot's hub: GraphQL `spaces` by id. */
export const snapshot: Facade = ({ path, body }, scene) => {
  const { variables } = (body ?? {}) as { readonly variables?: { readonly ids?: unknown } };
  if (path !== '/graphql' || !Array.isArray(variables?.ids)) return { status: 404, json: { message: 'Not Found' } };
  const { ids } = variables;
  const spaces = scene.world.assets
    .filter((asset) => hasSpace(asset) && ids.includes(spaceOf(asset)))
    .map((asset) => ({
      id: spaceOf(asset),
      name: asset.name,
      network: '1',
      symbol: asset.symbol,
      strategies: [
        {
          name: 'erc20-balance-of',
          network: '1',
          params: { address: asset.address, symbol: asset.symbol, decimals: 18 },
        },
      ],
    }));
  return { json: { data: { spaces } } };
};
