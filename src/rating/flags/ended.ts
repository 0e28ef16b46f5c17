import { marketOfScope } from '../../domain/index.ts';
import type { FlagThresholds } from '../../methodology/index.ts';
import { type Context, consensusOf, countedVenuesOf, isTightened, numberOf } from '../context.ts';
import { backingOf, isProvenBacking } from '../features/fundamentals.ts';
import { isBeyondProtocol } from './classes.ts';
import { type FlagRule, isCorroborated, percent, type Raised, raised, reportersOf, rule } from './rule.ts';

/** The flag on a protocol that has ended (catalogue 73). */
export const ENDED_FLAGS: readonly FlagRule[] = [rule('PROTOCOL_ENDED', ended)];

/**
 * A list calls the protocol ended, and what was locked there was gone before it was listed so, or a second lineage group
 * says the same. What was locked is the median of a quarter: a deposit does not end the flag, and neither does a commit.
 * Large exchanges that still trade the token contradict the list: it may mean one product of a project that goes on.
 */
function ended(context: Context, t: FlagThresholds['PROTOCOL_ENDED']): Raised | null {
  const end = consensusOf(context, 'protocol_ended_at');
  if (t === undefined || !isTightened(context) || end === null || typeof end.value !== 'string') return null;
  const backing = backingOf(context);
  const isBacked = backing !== null && backing.value >= 1 && isProvenBacking(context, backing);
  if (isBeyondProtocol(context) || isBacked) return null;
  const [last, peak] = [numberOf(context, 'tvl_last_quarter_usd'), numberOf(context, 'tvl_peak_usd')];
  const left = last !== null && peak !== null && peak.value > 0 ? last.value / peak.value : null;
  const isLost = left !== null && left <= t.left;
  const isWitnessed = isCorroborated(context, end, (value) => value !== null);
  const exchanges = exchangesOf(context);
  const isTraded = exchanges >= t.exchanges;
  const confidence = isWitnessed ? t.witnessedConfidence : isLost ? t.lostConfidence : t.confidence;
  const about = [
    `ended on ${end.value.slice(0, 10)} (${reportersOf(end)})`,
    ...(left === null ? [] : [`${percent(Math.min(1, left))} of the largest value locked were left`]),
    ...(isTraded ? [`${exchanges} large exchanges still trade it`] : []),
  ];
  const support = [{ value: null, confidence, consensus: end }, ...(isLost && last && peak ? [last, peak] : [])];
  return raised(support, about.join('; '), end.value, {
    confidence,
    unconfirmed: isTraded || !(isWitnessed || isLost),
  });
}

/** Number of counted exchanges on which the token was traded in the last day. */
function exchangesOf(context: Context): number {
  const traded = countedVenuesOf(context).flatMap(({ scope, volumeUsd }) =>
    volumeUsd !== null && volumeUsd.value > 0 ? (marketOfScope(scope)?.exchange ?? []) : [],
  );
  return new Set(traded).size;
}
