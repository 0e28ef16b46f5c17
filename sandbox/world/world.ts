import { DAY_MS, HOUR_MS } from '../../src/domain/statistics.ts';
import { buildAsset } from './asset.ts';
import { type BareToken, bareTokens } from './bare.ts';
import { crowdOf, type SmallHolder } from './crowd.ts';
import { happenedTo } from './events.ts';
import { topHolders } from './holders.ts';
import { allTimeHigh, type MarketState, marketAt, priceAt } from './market.ts';
import { ASSET_SPECS, copiesOf } from './specs.ts';
import { earthBeforeSpecs, earthSpecs } from './specs-earth.ts';
import type { AssetSpec, SandboxAsset, SandboxHolder } from './types.ts';

/** All assets of the sandbox. Pure: the same seed, anchor and time give the same result. */
export interface World {
  readonly seed: number;
  /** Unix ms: the day from which ages count back. */
  readonly anchor: number;
  readonly assets: readonly SandboxAsset[];
  readonly tokens: readonly SandboxAsset[];
  /** Tokens and coins: all assets with a price. */
  readonly traded: readonly SandboxAsset[];
  /** Tokens that exist only on their chain. */
  readonly bare: readonly BareToken[];
  byAddress(chain: string, address: string): SandboxAsset | null;
  byDomain(domain: string): readonly SandboxAsset[];
  market(asset: SandboxAsset, at: number): MarketState;
  price(asset: SandboxAsset, at: number): number;
  ath(asset: SandboxAsset, at: number): { readonly usd: number; readonly at: number };
  /** The largest holders, as of the last full hour: balances change by the hour. */
  holders(asset: SandboxAsset, at: number): readonly SandboxHolder[];
  /** All other holders, so that balances add up to the supply; null where there are too many to list. */
  crowd(asset: SandboxAsset, at: number): readonly SmallHolder[] | null;
  /** The market whose pools the chain shows: that of the last full hour. */
  chainMarket(asset: SandboxAsset, at: number): MarketState;
}

/** The world with every asset at a given time, after its events. */
export function worldThen(world: World, at: number): World {
  const changed = new Map<string, SandboxAsset>();
  for (const asset of world.assets) {
    const { asset: then } = happenedTo(asset, world.anchor, at);
    if (then !== asset) changed.set(asset.slug, then);
  }
  if (changed.size === 0) return world;
  const then = (asset: SandboxAsset) => changed.get(asset.slug) ?? asset;
  return {
    ...world,
    assets: world.assets.map(then),
    tokens: world.tokens.map(then),
    traded: world.traded.map(then),
    byAddress(chain, address) {
      const found = world.byAddress(chain, address);
      return found && then(found);
    },
    byDomain: (domain) => world.byDomain(domain).map(then),
  };
}

/** The last full hour, not before the anchor. */
export function chainHour(anchor: number, at: number): number {
  return Math.max(anchor, Math.floor(at / HOUR_MS) * HOUR_MS);
}

// A high is read by many facades at once; a minute is precise enough.
const HIGH_STEP_MS = 60_000;
const MOST_HIGHS = 10_000;
const MOST_CROWDS = 400;

/**
 * The worlds: `fiction` with fictional names and domains, `earth` with real assets and values of a past day, and
 * `earth-before` with some of them before they failed.
 */
const WORLDS = ['fiction', 'earth', 'earth-before'] as const;
export type WorldName = (typeof WORLDS)[number];

/** The world of that name. Throws with the existing names. */
export function worldNamed(text: string): WorldName {
  const found = WORLDS.find((name) => name === text);
  if (found === undefined) throw new Error(`--world: expected ${WORLDS.join(' or ')}, got ${text}`);
  return found;
}

/** Every project of a world, best known first. */
export function specsOf(name: WorldName): readonly AssetSpec[] {
  if (name === 'fiction') return ASSET_SPECS;
  return name === 'earth' ? earthSpecs() : earthBeforeSpecs();
}

/** `copies`: number of further healthy projects. */
export function createWorld({
  seed,
  anchor,
  copies = 0,
  name = 'fiction',
}: {
  readonly seed: number;
  readonly anchor: number;
  readonly copies?: number;
  readonly name?: WorldName;
}): World {
  const day = Math.floor(anchor / DAY_MS) * DAY_MS;
  const assets = [...specsOf(name), ...copiesOf(copies)].map((spec, index) => buildAsset(seed, spec, index + 1));
  const tokens = assets.filter((asset) => asset.chain !== null);
  const lookup = new Map(tokens.map((asset) => [`${asset.chain}:${asset.address}`, asset]));
  const highs = new Map<string, { readonly usd: number; readonly at: number }>();
  const market = (asset: SandboxAsset, at: number) => marketAt(seed, day, asset, at);
  const tops = new Map<string, readonly SandboxHolder[]>();
  const holders = (asset: SandboxAsset, at: number) => {
    const hour = chainHour(day, at);
    const key = `${asset.slug}:${hour}`;
    const top = tops.get(key) ?? topHolders(seed, asset, market(asset, hour));
    if (tops.size > MOST_CROWDS) tops.clear();
    tops.set(key, top);
    return top;
  };
  const crowds = new Map<string, readonly SmallHolder[] | null>();
  return {
    seed,
    anchor: day,
    assets,
    tokens,
    traded: assets.filter((asset) => asset.chain !== null || asset.isCoin),
    bare: bareTokens(seed),
    byAddress: (chain, address) =>
      lookup.get(`${chain}:${chain === 'solana' ? address : address.toLowerCase()}`) ?? null,
    byDomain: (domain) => assets.filter((asset) => asset.domain === domain),
    market,
    price: (asset, at) => priceAt(seed, day, asset, at),
    ath: (asset, at) => {
      const key = `${asset.slug}:${Math.floor(at / HIGH_STEP_MS)}`;
      const high = highs.get(key) ?? allTimeHigh(seed, day, asset, at);
      if (highs.size > MOST_HIGHS) highs.clear();
      highs.set(key, high);
      return high;
    },
    holders,
    crowd: (asset, at) => {
      const hour = chainHour(day, at);
      const key = `${asset.slug}:${hour}`;
      const known = crowds.get(key);
      if (known !== undefined) return known;
      if (crowds.size > MOST_CROWDS) crowds.clear();
      const crowd = crowdOf(seed, asset, holders(asset, day), holders(asset, hour));
      crowds.set(key, crowd);
      return crowd;
    },
    chainMarket: (asset, at) => market(asset, chainHour(day, at)),
  };
}
