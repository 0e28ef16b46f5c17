import { DAY_MS } from '../../src/domain/statistics.ts';
import type { Facade } from '../facade.ts';
import { hasSpace, spaceOf } from '../world/ties.ts';
import type { SandboxAsset } from '../world/types.ts';

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
      strategies: strategiesOf(asset),
    }));
  return { json: { data: { spaces } } };
};

function strategiesOf(asset: SandboxAsset) {
  return [
    { name: 'erc20-balance-of', network: '1', params: { address: asset.address, symbol: asset.symbol, decimals: 18 } },
  ];
}

const PROPOSALS_EACH = 12;

/** Proposals and votes of the same hub: one proposal a month, the ten largest voters with three fifths of the power. */
export const snapshot_votes: Facade = ({ path, body }, scene) => {
  const { variables } = (body ?? {}) as {
    readonly variables?: { readonly spaces?: unknown; readonly proposal?: unknown };
  };
  if (path !== '/graphql' || variables === undefined) return { status: 404, json: { message: 'Not Found' } };
  const { spaces, proposal } = variables;
  const all = scene.world.assets
    .filter((asset) => hasSpace(asset) && (!Array.isArray(spaces) || spaces.includes(spaceOf(asset))))
    .flatMap((asset) =>
      Array.from({ length: PROPOSALS_EACH }, (_, index) => ({
        id: `0x${String(asset.cmcId).padStart(32, 'a')}${String(index).padStart(32, '0')}`,
        end: Math.floor((scene.now - (index + 1) * 30 * DAY_MS) / 1_000),
        votes: 400 + index,
        scores_total: 1_000_000,
        scores_state: 'final',
        quorum: 0,
        space: { id: spaceOf(asset) },
        strategies: strategiesOf(asset),
      })),
    );
  if (Array.isArray(spaces)) return { json: { data: { proposals: all.slice(0, 20) } } };
  const isThere = all.some(({ id }) => id === proposal);
  const votes = isThere
    ? Array.from({ length: 10 }, (_, at) => ({ voter: `0x${String(at).repeat(40)}`, vp: 60_000 }))
    : [];
  return { json: { data: { votes } } };
};
