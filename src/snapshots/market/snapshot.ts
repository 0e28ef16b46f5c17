import type { MarketNumbers, MarketSnapshot, Provenance } from '../../contract/index.ts';
import {
  type Asset,
  type ConsensusSet,
  consensusKey,
  DAY_MS,
  HOUR_MS,
  type Observation,
  SUPPLY_OF_ALL_CHAINS,
  sourcesFor,
} from '../../domain/index.ts';
import { type Known, liquidityOf, numberAt, priceDispersion, type Venue, venuesOf } from '../../metrics/index.ts';
import type { Gathered } from '../gather.ts';
import {
  agreed,
  changeOver,
  derived,
  highestOf,
  type PricePoint,
  type Sourced,
  scaled,
  sourced,
  sourcesOf,
  volatilityOf,
} from './number.ts';

interface MarketInput extends Omit<Gathered, 'notRedistributable'> {
  readonly asset: Asset;
  /** Our own prices of this asset, in any order; at most the last 400 days are used. */
  readonly history: readonly PricePoint[];
}

/** A market snapshot from the consensus of the sources (methodology 1 and 9). Pure. */
export function buildMarketSnapshot(input: MarketInput): MarketSnapshot {
  const { consensus } = input;
  const now = Date.parse(input.asOf);
  const warnings = [...input.warnings];
  const price = agreed(consensus, 'price_usd');
  const change = (told: Sourced | null, spanMs: number) =>
    told ?? (price === null ? null : changeOver(input.history, now, price.value, spanMs));
  const volume = volumeOf(consensus, warnings);
  const circulating = agreed(consensus, 'circulating_supply');
  const total = agreed(consensus, 'total_supply');
  const max = agreed(consensus, 'max_supply');
  const times = (a: number, b: number) => a * b;
  const cap = agreed(consensus, 'market_cap_usd') ?? derived([price, circulating], times);
  // What registries count over all chains is the whole; a token's supply on one of several chains is a part of it.
  const whole = agreed(consensus, 'total_supply', SUPPLY_OF_ALL_CHAINS) ?? total;
  const diluted = agreed(consensus, 'fdv_usd') ?? derived([price, max ?? whole], times);
  const liquidity = sourced(liquidityOf(consensus));
  const ratio = (a: number, b: number) => (b > 0 ? a / b : null);
  const high = highOf(consensus, input.history, price);
  const venues = venuesOf(consensus);
  const rows = venueRows(consensus, venues);
  const numbers: { readonly [Name in keyof MarketNumbers]: Sourced | null } = {
    price_usd: price,
    change_1h_pct: change(agreed(consensus, 'price_change_1h_pct'), HOUR_MS),
    change_24h_pct: change(agreed(consensus, 'price_change_24h_pct'), DAY_MS),
    change_7d_pct: change(agreed(consensus, 'price_change_7d_pct'), 7 * DAY_MS),
    change_30d_pct: change(agreed(consensus, 'price_change_30d_pct'), 30 * DAY_MS),
    volume_24h_usd: volume,
    market_cap_usd: cap,
    fully_diluted_value_usd: diluted,
    circulating_supply: circulating,
    total_supply: total,
    max_supply: max,
    liquidity_usd: liquidity,
    turnover_pct: scaled(derived([volume, cap], ratio), 100),
    volume_to_liquidity: derived([volume, liquidity], ratio),
    volatility_30d_pct: scaled(agreed(consensus, 'volatility_30d') ?? volatilityOf(input.history, now), 100),
    ath_usd: high?.number ?? null,
    drawdown_pct: derived([price, high?.number ?? null], (now: number, top: number) =>
      top > 0 ? Math.max(0, 1 - now / top) * 100 : null,
    ),
    price_dispersion_pct: dispersionOf(venues),
  };
  for (const [name, key] of DISPUTABLE) {
    if (numbers[name] !== null && consensus[consensusKey(key)]?.status === 'disputed')
      warnings.push(`${name}: the sources stand against each other; see its provenance`);
  }
  if (price === null) warnings.push('no source gave a price that counts');
  const values = Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, number?.value ?? null]));
  const provenance: Record<string, Provenance> = {};
  for (const [name, number] of Object.entries(numbers)) if (number) provenance[name] = number.provenance;
  const exact = exactSupplyOf(consensus, input.observations);
  const sources = new Set(Object.values(provenance).flatMap((row) => row.sources));
  for (const row of rows) for (const source of row.sources) sources.add(source);
  return {
    kind: 'market',
    asset: input.asset,
    as_of: input.asOf,
    sources: [...sources].sort(),
    ...(values as unknown as MarketNumbers),
    total_supply_exact: exact?.tokens ?? null,
    total_supply_exact_source: exact?.source ?? null,
    ath_at: high?.at ?? null,
    venues: rows,
    provenance,
    attributions: input.attributions,
    warnings,
  };
}

const DISPUTABLE = [
  ['price_usd', 'price_usd'],
  ['volume_24h_usd', 'volume_24h_usd'],
  ['market_cap_usd', 'market_cap_usd'],
  ['circulating_supply', 'circulating_supply'],
  ['total_supply', 'total_supply'],
  ['liquidity_usd', 'liquidity_dex_usd'],
] as const;

/** Volume of all venues when a source states it; else of the pools alone, with a warning. */
function volumeOf(consensus: ConsensusSet, warnings: string[]): Sourced | null {
  const all = agreed(consensus, 'volume_24h_usd');
  if (all !== null) return all;
  const pools = agreed(consensus, 'volume_24h_dex_usd');
  if (pools !== null) warnings.push('volume_24h_usd: pools of decentralised exchanges only');
  return pools;
}

/** The highest reported price, or recorded one that held; the present one when it is higher than both. */
function highOf(
  consensus: ConsensusSet,
  history: readonly PricePoint[],
  price: Sourced | null,
): { readonly number: Sourced; readonly at: string | null } | null {
  const told = agreed(consensus, 'ath_usd');
  const at = consensus[consensusKey('ath_at')]?.value;
  const seen = highestOf(history);
  // Our own history is short: alone it does not cover all time.
  if (told === null) return null;
  const best = { number: told, at: typeof at === 'string' ? at : null };
  if (seen !== null && seen.priceUsd > best.number.value)
    return {
      number: { value: seen.priceUsd, provenance: { ...told.provenance, interval: null, method: 'history' } },
      at: seen.at,
    };
  if (price !== null && price.value > best.number.value)
    return { number: { value: price.value, provenance: price.provenance }, at: null };
  return best;
}

/** The total supply as one source read it from the chain. */
export interface ExactSupply {
  /** Whole tokens, decimal text. */
  readonly tokens: string;
  readonly source: string;
}

/**
 * The total supply without rounding. Of the chain reads that count in the consensus and lie inside its interval, the
 * one nearest to its value; of equally near ones the first observation. Null when there is none, and when the sources
 * contradict each other: exact digits would claim more than is known. Pure.
 */
export function exactSupplyOf(set: ConsensusSet, observations: readonly Observation[]): ExactSupply | null {
  const found = set[consensusKey('total_supply')];
  if (found === undefined || typeof found.value !== 'number' || found.low === null) return null;
  if (found.status !== 'agreed' && found.status !== 'single_source') return null;
  const [value, low, high] = [found.value, found.low, found.high ?? found.value];
  let best: { readonly exact: ExactSupply; readonly off: number } | null = null;
  for (const voice of found.voices) {
    if (!voice.accepted || voice.tier !== 'chain') continue;
    const read = observations.find(
      (row) => row.quantity === 'total_supply' && row.responseId === voice.responseId && row.value === voice.value,
    );
    if (read?.exact === undefined) continue;
    const tokens = Number(read.exact);
    const off = Math.abs(tokens - value);
    if (tokens < low || tokens > high || (best !== null && off >= best.off)) continue;
    best = { exact: { tokens: read.exact, source: read.source }, off };
  }
  return best?.exact ?? null;
}

type VenueRow = MarketSnapshot['venues'][number];

const MOST_VENUES = 100;

/** The venues as served: largest volume first, at most a hundred. */
export function venueRows(consensus: ConsensusSet, venues: readonly Venue[]): readonly VenueRow[] {
  return venues
    .map((venue) => venueRow(consensus, venue))
    .sort((a, b) => (b.volume_24h_usd ?? 0) - (a.volume_24h_usd ?? 0) || (a.venue < b.venue ? -1 : 1))
    .slice(0, MOST_VENUES);
}

/** Dispersion of the venues' prices in percent; null with fewer than two. */
export function dispersionOf(venues: readonly Venue[]): Sourced | null {
  const found = priceDispersion(venues);
  return (
    found && {
      value: found.value * 100,
      provenance: {
        sources: namesOf(found.support),
        outvoted: [],
        confidence: Math.min(...found.support.map((price) => price.confidence)),
        interval: null,
        method: 'derived',
      },
    }
  );
}

function venueRow(consensus: ConsensusSet, { scope, priceUsd, volumeUsd }: Venue): VenueRow {
  const isPool = scope.startsWith('pool:');
  const dex = consensus[consensusKey('pool_dex', scope)]?.value;
  return {
    venue: isPool && typeof dex === 'string' ? `${dex} ${scope.slice('pool:'.length)}` : scope.replace(/^venue:/, ''),
    price_usd: priceUsd?.value ?? null,
    volume_24h_usd: volumeUsd?.value ?? null,
    sources: namesOf([priceUsd, volumeUsd, numberAt(consensus, 'pool_liquidity_usd', scope)]),
  };
}

function namesOf(known: readonly (Known<number> | null)[]): readonly string[] {
  return [...new Set(known.flatMap((row) => (row === null ? [] : sourcesOf(row.consensus))))].sort();
}

/** Sources of prices, volumes, supplies or markets. */
export const MARKET_SOURCES: ReadonlySet<string> = new Set(sourcesFor('market'));

/**
 * The market snapshot of the gathered evidence; values that may not be redistributed by a source's terms are removed.
 */
export function marketOf(asset: Asset, gathered: Gathered, history: readonly PricePoint[]): MarketSnapshot {
  const snapshot = buildMarketSnapshot({ asset, history, ...gathered });
  const provenance = Object.fromEntries(
    Object.entries(snapshot.provenance).map(([name, row]) => [name, withoutForeignValues(row, gathered)]),
  );
  return { ...snapshot, provenance };
}

function withoutForeignValues(provenance: Provenance, { notRedistributable }: Gathered): Provenance {
  return {
    ...provenance,
    outvoted: provenance.outvoted.map((voice) =>
      notRedistributable.has(voice.source) ? { ...voice, value: null } : voice,
    ),
  };
}
