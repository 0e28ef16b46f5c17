import { HOUR_MS, type Severity } from '../../domain/index.ts';
import given from './peg-rules.json' with { type: 'json' };

/** Tolerated distance of a coin from its peg, by currency, and the thresholds for alerts. */
export interface PegLimits {
  /** Allowance in basis points: normal fluctuation of a market. */
  readonly allowanceBps: number;
  /** Basis points above it, times hours. */
  readonly alarmBpsHours: number;
}

export interface PegRules {
  readonly currencies: Readonly<Record<string, PegLimits>>;
  readonly other: PegLimits;
  /** Multiple of `alarmBpsHours` from which an alarm is severe. */
  readonly severeTimes: number;
  /** Longest time for which a price counts. */
  readonly longestGapHours: number;
  /** Hours within the allowance after which an alarm is over. */
  readonly closedAfterHours: number;
  /** A peg that no rating has stated for this long is not watched. */
  readonly targetWithinHours: number;
}

export const PEG_RULES: PegRules = given;

export function limitsOf(currency: string, { currencies, other }: PegRules): PegLimits {
  return currencies[currency] ?? other;
}

/** State of a peg between two prices. */
export interface PegState {
  /** RFC 3339: time of the newest processed price; null before the first. */
  readonly seenAt: string | null;
  /** Basis points above the allowance, times hours, since the coin was last on its peg. */
  readonly bpsHours: number;
  readonly state: 'quiet' | 'opened' | 'worsened';
  /** RFC 3339: start of the time within the allowance; null while above it, or when no alarm is open. */
  readonly since: string | null;
}

export const QUIET_PEG: PegState = { seenAt: null, bpsHours: 0, state: 'quiet', since: null };

export interface PegPrice {
  readonly at: string;
  /** In units of the peg: 1 is on it. */
  readonly price: number;
}

/** What watchers are notified of. */
export interface PegEvent {
  readonly state: 'opened' | 'worsened' | 'closed';
  readonly severity: Severity;
  readonly at: string;
  readonly price: number;
  /** Signed: below the peg is negative. */
  readonly distanceBps: number;
  readonly bpsHours: number;
}

/**
 * Processes a price: the distance from the peg above the allowance is accumulated over time (a cumulative sum after
 * Page 1954), so that a large distance is reported at once and a small one when it persists. Prices not newer than the
 * last one change nothing. Pure.
 */
export function nextPeg(
  before: PegState,
  { at, price }: PegPrice,
  limits: PegLimits,
  rules: PegRules,
): { readonly state: PegState; readonly event: PegEvent | null } {
  const now = Date.parse(at);
  const last = Date.parse(before.seenAt ?? '');
  if (!Number.isFinite(now) || !(price > 0) || now <= last) return { state: before, event: null };
  const passed = Number.isFinite(last) ? (now - last) / HOUR_MS : 0;
  const hours = Math.min(rules.longestGapHours, passed);
  const distanceBps = (price - 1) * 10_000;
  const above = Math.abs(distanceBps) - limits.allowanceBps;
  const bpsHours = Math.max(0, before.bpsHours + above * hours);
  // Hours without a valid price show nothing: the time within the allowance begins later by them.
  const since =
    above > 0
      ? null
      : before.since === null
        ? at
        : new Date(Date.parse(before.since) + (passed - hours) * HOUR_MS).toISOString();
  const told = (state: PegEvent['state'], severity: Severity): PegEvent => ({
    state,
    severity,
    at,
    price,
    distanceBps: Math.round(distanceBps),
    bpsHours: Math.round(bpsHours),
  });
  const isSevere = bpsHours >= limits.alarmBpsHours * rules.severeTimes;
  if (before.state === 'quiet') {
    if (bpsHours < limits.alarmBpsHours)
      return { state: { seenAt: at, bpsHours, state: 'quiet', since: null }, event: null };
    const severity = isSevere ? 'high' : 'medium';
    return {
      state: { seenAt: at, bpsHours, state: isSevere ? 'worsened' : 'opened', since: null },
      event: told('opened', severity),
    };
  }
  if (since !== null && now - Date.parse(since) >= rules.closedAfterHours * HOUR_MS)
    return { state: { ...QUIET_PEG, seenAt: at }, event: told('closed', 'info') };
  if (before.state === 'opened' && isSevere)
    return { state: { seenAt: at, bpsHours, state: 'worsened', since }, event: told('worsened', 'high') };
  return { state: { seenAt: at, bpsHours, state: before.state, since }, event: null };
}
