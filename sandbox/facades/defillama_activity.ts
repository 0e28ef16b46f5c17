import { CHAINS } from '../../src/chains/index.ts';
import type { Facade } from '../facade.ts';
import type { SandboxAsset } from '../world/types.ts';

/** DefiLlama's lists of volumes and yields: each protocol with fees is a DEX and a bridge, each listed token can be lent. */
export const defillama_activity: Facade = ({ path, base }, scene) => {
  const listed = scene.world.assets.filter(({ traits }) => traits.listed);
  const withFees = listed.filter(({ feesPerDayUsd }) => feesPerDayUsd !== undefined);
  if (base === 'bridges' && path === '/bridges') return { json: { bridges: withFees.map(bridge), chains: [] } };
  if (base === 'yields' && path === '/pools') return { json: { status: 'success', data: listed.flatMap(pools) } };
  if (path === '/overview/dexs') return { json: { protocols: withFees.map(dex), allChains: ['Ethereum', 'Solana'] } };
  return { status: 404, text: 'Not Found', contentType: 'text/plain' };
};

const volumeOf = ({ feesPerDayUsd = 0 }: SandboxAsset) => feesPerDayUsd * 300;
const nameOf = ({ chain }: SandboxAsset) => CHAINS.find(({ name }) => name === (chain ?? 'ethereum'));

function dex(asset: SandboxAsset) {
  const day = volumeOf(asset);
  return {
    name: asset.name,
    displayName: asset.name,
    slug: asset.llamaSlug,
    category: 'Dexs',
    protocolType: 'protocol',
    chains: [nameOf(asset)?.title],
    total24h: day,
    total7d: day * 7,
    total30d: day * 30,
    breakdown24h: { [nameOf(asset)?.names.defillama ?? '']: { [asset.name]: day } },
    breakdown30d: { [nameOf(asset)?.names.defillama ?? '']: { [asset.name]: day * 30 } },
  };
}

function bridge(asset: SandboxAsset) {
  const day = volumeOf(asset) / 10;
  return {
    id: asset.rank,
    name: asset.slug,
    displayName: asset.name,
    volumePrevDay: day,
    lastDailyVolume: day,
    weeklyVolume: day * 7,
    monthlyVolume: day * 30,
    chains: [nameOf(asset)?.title],
    destinationChain: 'false',
    slug: asset.llamaSlug,
  };
}

/** Two pools of the token alone, of which one pays rewards, and a pair without that field. */
function pools(asset: SandboxAsset) {
  if (asset.chain === null) return [];
  const row = (number: number, apy: number, isPair = false) => ({
    chain: nameOf(asset)?.title,
    project: `lender-${number}`,
    symbol: asset.symbol,
    tvlUsd: 1_000_000 * number,
    apyBase: apy,
    apyReward: null,
    apy,
    pool: `00000000-0000-4000-8000-${String(asset.rank * 10 + number).padStart(12, '0')}`,
    stablecoin: false,
    ilRisk: isPair ? 'yes' : 'no',
    exposure: isPair ? 'multi' : 'single',
    outlier: false,
    underlyingTokens: [asset.address, ...(isPair ? ['0x00000000000000000000000000000000000000aa'] : [])],
  });
  return [row(1, 4), row(3, 2), row(5, 40, true)];
}
