import { CHAINS, type Chain } from '../src/chains/index.ts';
import { DAY_MS } from '../src/domain/statistics.ts';
import type { MarketState } from './world/market.ts';
import { seededSigned } from './world/random.ts';
import type { PoolSpec, SandboxAsset, ScaledQuantity } from './world/types.ts';
import { type World, worldThen } from './world/world.ts';

export interface PoolView {
  readonly pool: PoolSpec;
  readonly priceUsd: number;
  readonly quoteUsd: number;
  readonly baseAmount: number;
  readonly quoteAmount: number;
  readonly liquidityUsd: number;
  readonly volume24hUsd: number;
  readonly buys: number;
  readonly sells: number;
  readonly createdAt: number;
}

/** An asset as one source sees it: the truth with that source's own small errors, delay and (on demand) unit faults. */
export interface AssetView extends Omit<MarketState, 'pools'> {
  readonly asset: SandboxAsset;
  readonly chain: Chain;
  readonly change24hPct: number;
  readonly change7dPct: number;
  readonly change30dPct: number;
  readonly maxSupply: number | null;
  readonly athUsd: number;
  readonly athAt: number;
  readonly createdAt: number;
  readonly pools: readonly PoolView[];
}

export interface Scene {
  readonly world: World;
  /** Unix ms. */
  readonly now: number;
  see(source: string, asset: SandboxAsset): AssetView;
}

/** `scale` gives the factor a fault puts on a source's quantity; 1 without one. */
export function createScene(
  beginning: World,
  now: number,
  scale: (source: string, quantity: ScaledQuantity) => number,
): Scene {
  const world = worldThen(beginning, now);
  const seen = new Map<string, AssetView>();
  return {
    world,
    now,
    see: (source, asset) => {
      const key = `${source}:${asset.slug}`;
      const view = seen.get(key) ?? seeAs(world, now, scale, source, asset);
      seen.set(key, view);
      return view;
    },
  };
}

/** The chain row of an asset; a world without that chain is a bug. */
export function chainOf(asset: SandboxAsset): Chain {
  const chain = CHAINS.find((row) => row.name === asset.chain);
  if (!chain) throw new Error(`no chain for ${asset.slug}`);
  return chain;
}

function seeAs(
  world: World,
  now: number,
  scale: (source: string, quantity: ScaledQuantity) => number,
  source: string,
  asset: SandboxAsset,
): AssetView {
  const { unitError, stale } = asset.traits;
  const at = stale?.source === source ? now - stale.hours * 3_600_000 : now;
  const market = world.market(asset, at);
  const factor = (quantity: ScaledQuantity, spread: number): number => {
    const own = unitError?.source === source && unitError.quantity === quantity ? unitError.factor : 1;
    const noise = 1 + spread * seededSigned(world.seed, source, asset.slug, quantity, Math.floor(at / 600_000));
    return own * scale(source, quantity) * noise;
  };
  // Spreads between indexers as in recorded replies about one token in one quarter of an hour.
  const price = factor('price', 0.003);
  const volume = factor('volume', 0.05);
  const liquidity = factor('liquidity', 0.02);
  const supply = factor('supply', 0);
  const change = (days: number) => 100 * (market.priceUsd / world.price(asset, at - days * DAY_MS) - 1);
  const priceUsd = market.priceUsd * price;
  return {
    asset,
    get chain() {
      return chainOf(asset);
    },
    at,
    priceUsd,
    change24hPct: change(1),
    change7dPct: change(7),
    change30dPct: change(30),
    volumeUsd: market.volumeUsd * volume,
    dexVolumeUsd: market.dexVolumeUsd * volume,
    cexVolumeUsd: market.cexVolumeUsd * volume,
    liquidityUsd: market.liquidityUsd * liquidity,
    totalSupply: market.totalSupply * supply,
    circulatingSupply: market.circulatingSupply * supply,
    maxSupply: asset.maxSupply === null ? null : asset.maxSupply * supply,
    marketCapUsd: priceUsd * market.circulatingSupply * supply * scale(source, 'market_cap'),
    fdvUsd: priceUsd * market.totalSupply * supply,
    holders: Math.round(market.holders * factor('holders', 0.03)),
    tvlUsd: market.tvlUsd === null ? null : market.tvlUsd * factor('tvl', 0),
    feesPerDayUsd: market.feesPerDayUsd,
    get athUsd() {
      return world.ath(asset, at).usd * price;
    },
    get athAt() {
      return world.ath(asset, at).at;
    },
    createdAt: world.anchor - asset.ageDays * DAY_MS,
    pools: market.pools.map((state) => ({
      pool: state.pool,
      priceUsd: priceUsd * (1 + 0.001 * seededSigned(world.seed, state.pool.address, Math.floor(at / 600_000))),
      quoteUsd: state.quoteUsd,
      baseAmount: state.baseAmount,
      quoteAmount: state.quoteAmount,
      liquidityUsd: state.liquidityUsd * liquidity,
      volume24hUsd: state.volume24hUsd * volume,
      buys: Math.ceil(state.trades24h * 0.53),
      sells: asset.traits.honeypot ? 0 : Math.floor(state.trades24h * 0.47),
      createdAt: world.anchor - state.pool.ageDays * DAY_MS,
    })),
  };
}
