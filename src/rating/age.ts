import {
  type AssetClass,
  type Consensus,
  type ConsensusObservation,
  DAY_MS,
  oncePer,
  type QuantityId,
} from '../domain/index.ts';
import { capThresholds } from '../methodology/index.ts';
import { rowsWith } from '../metrics/index.ts';
import { type Context, countedVenuesOf, daysSince, isGuarded, isHardened, isOfLaunch, type Known } from './context.ts';

/** Dates by which the asset existed, with its oldest price and the length of its chart. */
const TRACES: readonly QuantityId[] = [
  'first_trade_at',
  'token_created_at',
  'listed_at',
  'pool_created_at',
  'ath_at',
  'price_history_days',
];
/** Those that a contract without a market does not leave. */
const MARKET_TRACES = TRACES.filter((quantity) => quantity !== 'token_created_at');

/**
 * Age of the asset in days as far as it is borne out: read from a chain, or the age that a second independent group
 * states too. One registry's date can be bought. Earlier methodologies take the oldest trace. Since methodology 1.9.0 a
 * market that is known to be new (below the highest age cap) makes the asset as new as its market. Null if there is none.
 */
export const ageOf = oncePer((context: Context): Known<number> | null => {
  const age = isHardened(context) ? borneOutAge(context) : statedAgeOf(context);
  const market = marketAgeOf(context);
  return age !== null && market !== null && market.value < age.value ? market : age;
});

/** How `ageOf` is meant, for the texts of caps and flags. */
export function traceOf(context: Context): string {
  return ageOf(context) !== null && ageOf(context) === marketAgeOf(context) ? 'its market opened' : 'first trace';
}

/** Classes whose market is a launch, not one of several ways to trade what an issuer, a reserve or a chain stands for. */
const LAUNCHED: readonly AssetClass[] = ['memecoin', 'default', 'defi_gov', 'infra', 'gaming'];

/**
 * Days since the oldest trace of a market that two independent groups or the chain show: a contract that lay unused for
 * years can be bought. A date of first trade that one registry alone states is no trace. Null where nothing is known,
 * where exchanges trade the asset, and where the service itself stored an earlier price.
 */
const marketAgeOf = oncePer((context: Context): Known<number> | null => {
  const isListed = countedVenuesOf(context).some(({ scope }) => scope.startsWith('venue:'));
  if (!isGuarded(context) || context.native || isListed) return null;
  if (!LAUNCHED.includes(context.class) && !isOfLaunch(context)) return null;
  const traces = tracesOf(context, MARKET_TRACES);
  const families = new Set(traces.map(({ voice }) => voice.family));
  const { witnesses } = context.methodology.flagConfidence;
  if (families.size < witnesses && !traces.some(({ voice }) => voice.tier === 'chain')) return null;
  const isStated = ({ consensus }: { readonly consensus: Consensus }) => consensus.quantity === 'first_trade_at';
  const stated = confirmedOf(traces.filter(isStated), witnesses);
  const oldest = [
    ...traces.filter((row) => !isStated(row)),
    ...(stated === null ? [] : [stated]),
  ].reduce<Known<number> | null>((most, row) => (row.value > (most?.value ?? -1) ? row : most), null);
  const { hours, days } = context.input.history ?? { hours: [], days: [] };
  const isOlder = [...hours, ...days].some(
    ({ at, priceUsd }) => priceUsd !== null && oldest !== null && context.now - Date.parse(at) > oldest.value * DAY_MS,
  );
  const isNew = oldest !== null && oldest.value < capThresholds(context.methodology).AGE_180D.days;
  return isNew && !isOlder ? oldest : null;
});

/** Age of the asset in days from the oldest trace, whoever states it; null if there is none. */
export const statedAgeOf = oncePer((context: Context): Known<number> | null => {
  const traces = [
    daysSince(context, 'first_trade_at'),
    daysSince(context, 'token_created_at'),
    daysSince(context, 'listed_at'),
    ...rowsWith(context.input.consensus, 'pool_created_at').map((row) =>
      daysSince(context, 'pool_created_at', row.scope),
    ),
  ].filter((row) => row !== null);
  return traces.reduce<Known<number> | null>(
    (oldest, row) => (oldest === null || row.value > oldest.value ? row : oldest),
    null,
  );
});

function borneOutAge(context: Context): Known<number> | null {
  const traces = tracesOf(context, TRACES);
  const read = traces.reduce<Known<number> | null>(
    (oldest, row) => (row.voice.tier === 'chain' && row.value > (oldest?.value ?? -1) ? row : oldest),
    null,
  );
  const confirmed = confirmedOf(traces, context.methodology.flagConfidence.witnesses);
  return read !== null && read.value >= (confirmed?.value ?? 0) ? read : confirmed;
}

/** A trace that one source states, in days. */
interface Trace extends Known<number> {
  readonly voice: ConsensusObservation;
}

function tracesOf({ input, now }: Context, quantities: readonly QuantityId[]): readonly Trace[] {
  return quantities
    .flatMap((quantity) => rowsWith(input.consensus, quantity))
    .flatMap((consensus) =>
      consensus.voices.flatMap((voice): readonly Trace[] => {
        const value = daysOf(voice, now);
        return value === null ? [] : [{ value, confidence: consensus.confidence, consensus, voice }];
      }),
    );
}

/** The oldest trace for which so many independent groups have one as old; null without so many groups. */
function confirmedOf(traces: readonly Trace[], witnesses: number): Trace | null {
  const oldest = new Map<string, Trace>();
  for (const trace of traces)
    if (trace.value > (oldest.get(trace.voice.family)?.value ?? -1)) oldest.set(trace.voice.family, trace);
  return [...oldest.values()].sort((a, b) => b.value - a.value)[witnesses - 1] ?? null;
}

/** Days before the rating of a trace that counts; null for another, and for the project's own word. */
function daysOf({ accepted, tier, value }: ConsensusObservation, now: number): number | null {
  if (!accepted || tier === 'self_reported') return null;
  const days = typeof value === 'string' ? (now - Date.parse(value)) / DAY_MS : value;
  return typeof days === 'number' && Number.isFinite(days) ? Math.max(0, days) : null;
}
