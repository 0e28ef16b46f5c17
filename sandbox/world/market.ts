import { DAY_MS } from '../../src/domain/statistics.ts';
import { coinUsdAt, quoteUsdAt } from './coins.ts';
import { happenedTo } from './events.ts';
import { seededNormal, seededUnit } from './random.ts';
import type { PoolSpec, SandboxAsset } from './types.ts';

/** A market's share of the volume outside of pools, and its depth within 2 % as a share of that volume. */
export interface BookShares {
  readonly volumeShare: number;
  readonly depthShare: number;
}

/** Markets outside of pools of an asset that exchanges list. */
const BOOKS = {
  binance: { volumeShare: 0.7, depthShare: 0.012 },
  coinbase: { volumeShare: 0.3, depthShare: 0.006 },
} as const;
/** The same of an asset that every exchange of the sandbox lists. */
const WIDE_BOOKS = {
  binance: { volumeShare: 0.4, depthShare: 0.008 },
  coinbase: { volumeShare: 0.2, depthShare: 0.004 },
  kraken: { volumeShare: 0.1, depthShare: 0.002 },
  okx: { volumeShare: 0.1, depthShare: 0.002 },
  bybit: { volumeShare: 0.08, depthShare: 0.002 },
  kucoin: { volumeShare: 0.04, depthShare: 0.001 },
  gateio: { volumeShare: 0.04, depthShare: 0.001 },
  bitstamp: { volumeShare: 0.04, depthShare: 0.001 },
} as const;
export type ExchangeId = keyof typeof WIDE_BOOKS;

/** Exchanges that quote in dollars; the others in USDT. */
export const DOLLAR_MARKETS: ReadonlySet<string> = new Set(['coinbase', 'kraken', 'bitstamp']);

/** The exchanges that list an asset; {} for one that trades in pools only. */
export function booksOf(
  asset: Pick<SandboxAsset, 'slug' | 'traits'>,
): Readonly<Partial<Record<ExchangeId, BookShares>>> {
  if (!asset.traits.cex) return {};
  return asset.slug === 'veyra-network' ? WIDE_BOOKS : BOOKS;
}

export interface PoolState {
  readonly pool: PoolSpec;
  readonly quoteUsd: number;
  readonly baseAmount: number;
  readonly quoteAmount: number;
  readonly liquidityUsd: number;
  readonly volume24hUsd: number;
  readonly trades24h: number;
}

export interface MarketState {
  /** Time of the numbers, unix ms. */
  readonly at: number;
  readonly priceUsd: number;
  readonly volumeUsd: number;
  readonly dexVolumeUsd: number;
  readonly cexVolumeUsd: number;
  readonly liquidityUsd: number;
  readonly totalSupply: number;
  readonly circulatingSupply: number;
  readonly marketCapUsd: number;
  readonly fdvUsd: number;
  readonly holders: number;
  readonly tvlUsd: number | null;
  readonly feesPerDayUsd: number | null;
  readonly pools: readonly PoolState[];
}

/** The true state of an asset at a given time: a function of (seed, anchor, time), so that all readers agree. */
export function marketAt(seed: number, anchor: number, asset: SandboxAsset, at: number): MarketState {
  const priceUsd = priceAt(seed, anchor, asset, at);
  const happened = happenedTo(asset, anchor, at);
  const relative = asset.priceUsd > 0 ? priceUsd / asset.priceUsd : 1;
  const liquidityUsd = asset.liquidityUsd * happened.liquidity * Math.sqrt(relative);
  const volumeUsd = asset.volumeUsd * happened.volume * activity(seed, asset, at);
  const cexVolumeUsd = asset.isCoin ? volumeUsd : asset.traits.cex ? 0.62 * volumeUsd : 0;
  const dexVolumeUsd = volumeUsd - cexVolumeUsd;
  const circulatingSupply = asset.totalSupply * asset.circulatingShare;
  const pools = asset.pools.map((pool) => poolAt(anchor, at, pool, priceUsd, liquidityUsd, dexVolumeUsd, asset));
  return {
    at,
    priceUsd,
    volumeUsd,
    dexVolumeUsd,
    cexVolumeUsd,
    liquidityUsd: pools.reduce((sum, pool) => sum + pool.liquidityUsd, 0),
    totalSupply: asset.totalSupply,
    circulatingSupply,
    marketCapUsd: priceUsd * circulatingSupply,
    fdvUsd: priceUsd * asset.totalSupply,
    holders: Math.round(asset.holders * (1 + 0.0004 * Math.max(-200, (at - anchor) / DAY_MS))),
    tvlUsd: asset.tvlUsd === undefined ? null : asset.tvlUsd * drift(asset, anchor, at, 0.4),
    feesPerDayUsd:
      asset.feesPerDayUsd === undefined
        ? null
        : asset.feesPerDayUsd * activity(seed, asset, at) * drift(asset, anchor, at, 0.3),
    pools,
  };
}

/** Price at any time; days before the token's birth have its first price. */
export function priceAt(seed: number, anchor: number, asset: SandboxAsset, at: number): number {
  const birth = anchor - asset.ageDays * DAY_MS;
  const time = Math.max(at, birth);
  if (asset.peg !== undefined) return asset.priceUsd * (1 + 0.0012 * daily(seed, asset, time));
  if (asset.redemption !== undefined) {
    const { coin, rate, trades } = asset.redemption;
    return coinUsdAt(anchor, time, coin) * rate * trades * (1 + 0.0012 * daily(seed, asset, time));
  }
  const begun = beginningOf(seed, anchor, asset);
  const waves = logWaves(begun.phases, asset, time) - begun.waves;
  return (
    asset.priceUsd *
    happenedTo(asset, anchor, at).price *
    Math.exp(waves + volatility(asset) * (daily(seed, asset, time) - begun.daily)) *
    drift(asset, anchor, time, 1)
  );
}

/** Base of a price, cached: it never changes, and a history needs hundreds of prices. */
interface Beginning {
  readonly seed: number;
  readonly anchor: number;
  readonly phases: readonly number[];
  readonly waves: number;
  readonly daily: number;
}
const beginnings = new WeakMap<SandboxAsset, Beginning>();

function beginningOf(seed: number, anchor: number, asset: SandboxAsset): Beginning {
  const known = beginnings.get(asset);
  if (known?.seed === seed && known.anchor === anchor) return known;
  const phases = WAVE_DAYS.map((_, index) => 2 * Math.PI * seededUnit(seed, asset.slug, 'phase', index));
  const made = {
    seed,
    anchor,
    phases,
    waves: logWaves(phases, asset, anchor),
    daily: daily(seed, asset, anchor),
  };
  beginnings.set(asset, made);
  return made;
}

/** Highest price of the year before `at`, by days, with its moment. */
export function allTimeHigh(
  seed: number,
  anchor: number,
  asset: SandboxAsset,
  at: number,
): { usd: number; at: number } {
  let best = { usd: priceAt(seed, anchor, asset, at), at };
  for (let day = 1; day <= Math.min(asset.ageDays, 900); day += 3) {
    const moment = at - day * DAY_MS;
    const usd = priceAt(seed, anchor, asset, moment);
    if (usd > best.usd) best = { usd, at: moment };
  }
  return best;
}

function poolAt(
  anchor: number,
  at: number,
  pool: PoolSpec,
  priceUsd: number,
  liquidityUsd: number,
  dexVolumeUsd: number,
  asset: SandboxAsset,
): PoolState {
  const value = liquidityUsd * pool.liquidityShare;
  const quoteUsd = quoteUsdAt(anchor, at, pool.quote);
  const volume24hUsd = dexVolumeUsd * pool.liquidityShare;
  const tradeSize = asset.traits.washShare > 0.5 ? 5200 : asset.grade === 'strong' ? 3100 : 420;
  return {
    pool,
    quoteUsd,
    baseAmount: priceUsd > 0 ? (value * pool.baseSide) / priceUsd : 0,
    quoteAmount: (value * (1 - pool.baseSide)) / quoteUsd,
    liquidityUsd: value,
    volume24hUsd,
    trades24h: Math.max(1, Math.round(volume24hUsd / tradeSize)),
  };
}

const VOLATILITY = { strong: 0.022, healthy: 0.034, mediocre: 0.05, dying: 0.05, bad: 0.07 } as const;

function volatility(asset: SandboxAsset): number {
  return asset.category === 'rwa' || asset.category === 'lst' ? 0.008 : VOLATILITY[asset.grade];
}

/** Change of ln price per day, drawn per day and interpolated linearly. */
function daily(seed: number, asset: SandboxAsset, at: number): number {
  const day = Math.floor(at / DAY_MS);
  const part = at / DAY_MS - day;
  const here = drawOf(seed, asset, day);
  const next = drawOf(seed, asset, day + 1);
  // 0.7: the difference of two independent days has sqrt(2) times the spread of one.
  return 0.7 * (here + (next - here) * part);
}

/** Of a day, kept: a history needs two for each of its points, and each list of prices those of today. */
const draws = new WeakMap<SandboxAsset, { readonly seed: number; readonly byDay: Map<number, number> }>();

function drawOf(seed: number, asset: SandboxAsset, day: number): number {
  const kept = draws.get(asset);
  const known = kept?.seed === seed ? kept : { seed, byDay: new Map<number, number>() };
  if (known !== kept) draws.set(asset, known);
  const drawn = known.byDay.get(day) ?? seededNormal(seed, asset.slug, 'day', day);
  known.byDay.set(day, drawn);
  return drawn;
}

const WAVE_DAYS = [0.35, 6, 31, 140];

function logWaves(phases: readonly number[], asset: SandboxAsset, at: number): number {
  const scale = volatility(asset);
  return WAVE_DAYS.reduce((sum, days, index) => {
    const phase = phases[index] ?? 0;
    return sum + scale * (0.3 + index * 1.1) * Math.sin((2 * Math.PI * at) / (days * DAY_MS) + phase);
  }, 0);
}

const YEARLY_LN = { strong: 0.35, healthy: 0.2, mediocre: -0.35, dying: -2.3, bad: -0.9 } as const;

function drift(asset: SandboxAsset, anchor: number, at: number, weight: number): number {
  if (asset.category === 'lst' || asset.peg !== undefined) return 1;
  const days = Math.max(-700, Math.min(700, (at - anchor) / DAY_MS));
  const collapse = asset.traits.rugged && days < -1 ? 5.5 : 0;
  return Math.exp(weight * ((YEARLY_LN[asset.grade] * days) / 365 + collapse));
}

function activity(seed: number, asset: SandboxAsset, at: number): number {
  const hours = at / 3_600_000;
  return Math.exp(0.18 * Math.sin((2 * Math.PI * hours) / 173 + 6 * seededUnit(seed, asset.slug, 'volume')));
}
