import { type ConsensusObservation, DAY_MS, oncePer, type QuantityId } from '../domain/index.ts';
import { rowsWith } from '../metrics/index.ts';
import { type Context, daysSince, isHardened, type Known } from './context.ts';

/** Dates by which the asset existed, with its oldest price and the length of its chart. */
const TRACES: readonly QuantityId[] = [
  'first_trade_at',
  'token_created_at',
  'listed_at',
  'pool_created_at',
  'ath_at',
  'price_history_days',
];

/**
 * Age of the asset in days as far as it is borne out: read from a chain, or the age that a second independent group
 * states too. One registry's date can be bought. Earlier methodologies take the oldest trace. Null if there is none.
 */
export const ageOf = oncePer((context: Context): Known<number> | null =>
  isHardened(context) ? borneOutAge(context) : statedAgeOf(context),
);

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
  const oldest = new Map<string, Known<number>>();
  let read: Known<number> | null = null;
  for (const consensus of TRACES.flatMap((quantity) => rowsWith(context.input.consensus, quantity)))
    for (const voice of consensus.voices) {
      const value = daysOf(voice, context.now);
      if (value === null) continue;
      const trace = { value, confidence: consensus.confidence, consensus };
      if (voice.tier === 'chain' && value > (read?.value ?? -1)) read = trace;
      if (value > (oldest.get(voice.family)?.value ?? -1)) oldest.set(voice.family, trace);
    }
  const { witnesses } = context.methodology.flagConfidence;
  const confirmed = [...oldest.values()].sort((a, b) => b.value - a.value)[witnesses - 1] ?? null;
  return read !== null && read.value >= (confirmed?.value ?? 0) ? read : confirmed;
}

/** Days before the rating of a trace that counts; null for another, and for the project's own word. */
function daysOf({ accepted, tier, value }: ConsensusObservation, now: number): number | null {
  if (!accepted || tier === 'self_reported') return null;
  const days = typeof value === 'string' ? (now - Date.parse(value)) / DAY_MS : value;
  return typeof days === 'number' && Number.isFinite(days) ? Math.max(0, days) : null;
}
