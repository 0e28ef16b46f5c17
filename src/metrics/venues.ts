import { type ConsensusSet, marketOfScope, median, robustSd } from '../domain/index.ts';
import { type Known, liquidityOf, numberAt, SMALLEST_POOL_USD, scopesWith } from './agreed.ts';

/** A pool or a centralised market with its price. */
export interface Venue {
  /** `pool:<address>` or `venue:<exchange>:<base>-<quote>`. */
  readonly scope: string;
  readonly priceUsd: Known<number> | null;
  readonly volumeUsd: Known<number> | null;
}

/** All venues of the asset, pools first, each group by scope; pools below `SMALLEST_POOL_USD` are excluded. */
export function venuesOf(set: ConsensusSet): readonly Venue[] {
  const pools = scopesWith(set, 'pool_liquidity_usd')
    .filter((scope) => (numberAt(set, 'pool_liquidity_usd', scope)?.value ?? 0) >= SMALLEST_POOL_USD)
    .map((scope) => ({
      scope,
      priceUsd: numberAt(set, 'pool_price_usd', scope),
      volumeUsd: numberAt(set, 'pool_volume_24h_usd', scope),
    }));
  const markets = scopesWith(set, 'venue_volume_24h_usd').map((scope) => ({
    scope,
    priceUsd: numberAt(set, 'venue_price_usd', scope),
    volumeUsd: numberAt(set, 'venue_volume_24h_usd', scope),
  }));
  return [...pools, ...markets];
}

/**
 * Effective number of venues, 1 / HHI of the volume; null without volume. All markets of an exchange are one venue,
 * since it fails or delists as a whole; each pool is one venue, since its liquidity is its own.
 */
export function effectiveVenues(venues: readonly Venue[]): {
  readonly count: number;
  /** Number of venues with volume. */
  readonly of: number;
  /** 0-1. */
  readonly largestShare: number;
  readonly support: readonly Known<unknown>[];
} | null {
  const volumes = new Map<string, number>();
  const support: Known<unknown>[] = [];
  for (const { scope, volumeUsd } of venues) {
    if (!volumeUsd || volumeUsd.value <= 0) continue;
    const venue = marketOfScope(scope)?.exchange ?? scope;
    volumes.set(venue, (volumes.get(venue) ?? 0) + volumeUsd.value);
    support.push(volumeUsd);
  }
  const total = [...volumes.values()].reduce((sum, volume) => sum + volume, 0);
  if (total <= 0) return null;
  const shares = [...volumes.values()].map((volume) => volume / total);
  return {
    count: 1 / shares.reduce((sum, share) => sum + share ** 2, 0),
    of: shares.length,
    largestShare: Math.max(...shares),
    support,
  };
}

/**
 * Dispersion of prices: the robust deviation (1.4826 x MAD) of ln prices over venues, as a fraction. Venues that report
 * zero volume do not count; null with fewer than two prices.
 */
export function priceDispersion(
  venues: readonly Venue[],
): { readonly value: number; readonly support: readonly Known<number>[] } | null {
  const priced = venues.flatMap((venue) =>
    venue.priceUsd && venue.priceUsd.value > 0 && (venue.volumeUsd?.value ?? 1) > 0 ? [venue.priceUsd] : [],
  );
  const logs = priced.map((row) => Math.log(row.value));
  const value = robustSd(logs, median(logs) ?? 0);
  return value === null || priced.length < 2 ? null : { value, support: priced };
}

export interface WashEstimate {
  /** Share of the volume that looks fabricated, 0-0.5 (soft tests alone never give more). */
  readonly share: number;
  readonly confidence: number;
  readonly support: readonly Known<unknown>[];
  readonly method: string;
}

interface SoftTest {
  readonly name: string;
  /** 0-1: how positive the test is. */
  readonly positive: number;
  readonly support: readonly Known<unknown>[];
}

/** Data of the methodology. A ramp is 0 up to its first number and 1 from its second number on. */
export interface WashRules {
  /** Share that a fully positive test contributes; `most`: limit for all tests together. */
  readonly testShare: number;
  readonly most: number;
  /** Second highest result from which the estimate counts in full. */
  readonly borneOut: number;
  /** Highest confidence of the estimate. */
  readonly confidence: number;
  readonly turnover: Ramp;
  readonly usdPerTrader: Ramp;
  readonly tradesPerTrader: Ramp;
}

type Ramp = readonly [from: number, to: number];

/**
 * Authenticity of volume from public aggregates (methodology 9): turnover against liquidity, volume per trader, trades
 * per trader. At least two soft tests must be positive before an asset is suspected; the direct lower bound needs
 * single trades and cannot be computed here. Null when fewer than two tests can be run.
 */
export function washOf(
  set: ConsensusSet,
  rules: WashRules,
  liquidity: Known<number> | null = liquidityOf(set),
): WashEstimate | null {
  const volume = numberAt(set, 'volume_24h_dex_usd') ?? numberAt(set, 'volume_24h_usd');
  if (!volume || volume.value <= 0) return null;
  const tests = [
    turnover(volume, liquidity, rules.turnover),
    perTrader(set, volume, rules.usdPerTrader),
    tradesPerTrader(set, rules.tradesPerTrader),
  ].filter((test) => test !== null);
  if (tests.length < 2) return null;
  const ranked = tests.map((test) => test.positive).sort((a, b) => b - a);
  // One statistic alone is not sufficient: the second highest result scales the estimate, without a step.
  const borneOut = Math.min(1, (ranked[1] ?? 0) / rules.borneOut);
  const share = Math.min(rules.most, rules.testShare * borneOut * ranked.reduce((sum, positive) => sum + positive, 0));
  const support = tests.flatMap((test) => test.support);
  const confidence = Math.min(rules.confidence, ...support.map((row) => row.confidence));
  return {
    share,
    confidence,
    support,
    method: `soft tests ${tests.map((test) => `${test.name} ${test.positive.toFixed(2)}`).join(', ')}`,
  };
}

/** A daily volume above 20 times the liquidity does not come from ordinary trading. */
function turnover(volume: Known<number>, liquidity: Known<number> | null, limits: Ramp): SoftTest | null {
  if (!liquidity || liquidity.value <= 0) return null;
  return { name: 'turnover', positive: ramp(volume.value / liquidity.value, limits), support: [volume, liquidity] };
}

function perTrader(set: ConsensusSet, volume: Known<number>, limits: Ramp): SoftTest | null {
  const traders = numberAt(set, 'traders_24h');
  if (!traders || traders.value <= 0) return null;
  return {
    name: 'volume per trader',
    positive: ramp(volume.value / traders.value, limits),
    support: [volume, traders],
  };
}

function tradesPerTrader(set: ConsensusSet, limits: Ramp): SoftTest | null {
  const trades = numberAt(set, 'trades_24h');
  const traders = numberAt(set, 'traders_24h');
  if (!trades || !traders || traders.value <= 0) return null;
  return {
    name: 'trades per trader',
    positive: ramp(trades.value / traders.value, limits),
    support: [trades, traders],
  };
}

function ramp(value: number, [from, to]: Ramp): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** Pools, and the markets of counted exchanges: the venues whose number is computed. */
export function countedVenues(venues: readonly Venue[], counted: ReadonlySet<string>): readonly Venue[] {
  return venues.filter(({ scope }) => {
    const market = marketOfScope(scope);
    return scope.startsWith('pool:') || (market !== null && counted.has(market.exchange));
  });
}

export interface CountedVolume {
  /**
   * Counted share of the reported volume, 0-1: the volume of counted exchanges, and that of pools less wash trading.
   */
  readonly share: number;
  /**
   * Share of pools in the counted volume, 0-1; null when nothing counts. Volume that an uncounted exchange reports has
   * no effect.
   */
  readonly dexShare: number | null;
  /** US dollars in 24 h. */
  readonly volumeUsd: number;
  readonly support: readonly Known<unknown>[];
}

/**
 * The part of the volume that counts; null without volume. `wash` null: no test could be run, and pools count in full.
 */
export function gradedVolumeShare(
  venues: readonly Venue[],
  counted: ReadonlySet<string>,
  wash: WashEstimate | null,
): CountedVolume | null {
  const traded = venues.filter(({ volumeUsd }) => volumeUsd !== null && volumeUsd.value > 0);
  const total = volumeOf(traded);
  if (total <= 0) return null;
  const [pools, markets] = [
    traded.filter(({ scope }) => scope.startsWith('pool:')),
    countedVenues(traded, counted).filter(({ scope }) => !scope.startsWith('pool:')),
  ];
  const real = volumeOf(pools) * (1 - (wash?.share ?? 0));
  const volumeUsd = real + volumeOf(markets);
  return {
    share: Math.min(1, volumeUsd / total),
    dexShare: volumeUsd > 0 ? real / volumeUsd : null,
    volumeUsd,
    support: [
      ...traded.flatMap((venue) => venue.volumeUsd ?? []),
      ...(pools.length > 0 && wash !== null ? wash.support : []),
    ],
  };
}

function volumeOf(venues: readonly Venue[]): number {
  return venues.reduce((sum, { volumeUsd }) => sum + (volumeUsd?.value ?? 0), 0);
}
