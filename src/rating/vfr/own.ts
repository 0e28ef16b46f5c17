import type { Identification } from '../../domain/index.ts';
import type { Subject } from './panel.ts';

/** The names under which a panel may know the asset: another chain's copy of it is no peer. */
export function subjectOf({ asset, keys }: Identification): Subject {
  return {
    assetId: asset.id,
    aliases: [
      ...keys.deployments.map(({ chain, address }) => `${chain}:${address.toLowerCase()}`),
      ...(asset.chain !== null && asset.address !== null && asset.address !== 'native'
        ? [`${asset.chain}:${asset.address.toLowerCase()}`]
        : []),
      ...(keys.coingeckoId === null ? [] : [`coingecko:${keys.coingeckoId}`]),
      ...(keys.cmcId === null ? [] : [`coinmarketcap:${keys.cmcId}`]),
    ].sort(),
  };
}
