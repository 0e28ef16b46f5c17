import { DAY_MS, HOUR_MS } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import {
  alertsOf,
  type Baseline,
  nextPeg,
  type PegLimits,
  type PegPrice,
  type PegRules,
  QUIET_PEG,
} from '../../src/monitoring/index.ts';
import type { Mapping } from '../mapping.ts';
import { scoreMember } from '../score-member.ts';
import type { Series } from './series.ts';

/** When watchers were notified of a problem, RFC 3339, oldest first. */
export type Alarms = readonly string[];

export type Detector = (prices: readonly PegPrice[]) => Alarms;

/** The peg alerts of the monitor, price by price. */
export function byPegRule(limits: PegLimits, rules: PegRules): Detector {
  return (prices) => {
    let state = QUIET_PEG;
    return prices.flatMap((price) => {
      const next = nextPeg(state, price, limits, rules);
      state = next.state;
      return next.event?.state === 'opened' ? [price.at] : [];
    });
  };
}

/** Longest interval between ratings of a watched coin. */
const RATED_EVERY_MS = HOUR_MS;

/**
 * Alerts on ratings. Each hour the coin is rated by its price and the smallest distance from the peg of the last day,
 * with nothing else known, and the rating goes through the rules of alerts with the default thresholds. Scores are
 * momentary; the smoothing of publication would delay alerts.
 */
export function byRatings(methodology: Methodology): Detector {
  const severities = new Map(methodology.flags.map((row) => [row.code, row]));
  return (prices) => {
    const alarms: string[] = [];
    let baseline: Baseline = { score: null, band: null, flags: [] };
    let ratedAt = Number.NEGATIVE_INFINITY;
    for (const [index, { at, price }] of prices.entries()) {
      const now = Date.parse(at);
      if (now - ratedAt < RATED_EVERY_MS) continue;
      ratedAt = now;
      const { score, band, flags } = scoreMember(memberAt(prices, index, price), STABLECOIN, methodology);
      const judged = {
        score,
        band,
        action: 'affirm',
        actionReason: '',
        flags: flags.map((code) => ({
          code,
          severity: severities.get(code)?.severity ?? 'info',
          title: code,
          detail: '',
          since: at,
        })),
      } as const;
      const told = alertsOf(THRESHOLDS, baseline, judged);
      baseline = told.baseline;
      if (told.alerts.some((alert) => alert.severity !== 'info' && alert.severity !== 'low')) alarms.push(at);
    }
    return alarms;
  };
}

/** Default thresholds of a watchlist entry. */
const THRESHOLDS = { minScoreChange: 5, flagSeverities: ['high', 'critical'], bands: null } as const;

/** A dollar stablecoin of which only the price is known. */
const STABLECOIN: Mapping = {
  chain: null,
  class: 'stable_fiat',
  confidence: 0.9,
  searched: [],
  features: {},
  quantities: {},
} as unknown as Mapping;

function memberAt(prices: readonly PegPrice[], index: number, price: number) {
  const now = Date.parse(prices[index]?.at ?? '');
  let held = Math.abs(price - 1);
  for (let back = index; back >= 0; back -= 1) {
    const row = prices[back];
    if (row === undefined || now - Date.parse(row.at) > DAY_MS) break;
    held = Math.min(held, Math.abs(row.price - 1));
  }
  return {
    id: 'coin',
    class: STABLECOIN.class,
    group: null,
    failed: false,
    featureAt: now,
    outcomeAt: null,
    features: {},
    quantities: { peg_target_usd: 1, peg_deviation_24h_held: held, price_usd: price },
  };
}

export interface Watched {
  readonly series: Series;
  /**
   * Hours from the first alarm in the two weeks before the worst price to that price; null without such an alarm.
   * Breaks only.
   */
  readonly hoursBefore: number | null;
  /** Distance from the peg at that alarm, and at the worst price, basis points. */
  readonly alarmBps: number | null;
  readonly worstBps: number;
  /**
   * Alarms without a break: all alarms of a quiet coin, and those more than two weeks before the worst price of
   * another.
   */
  readonly falseAlarms: number;
  /** Time over which false alarms are counted. */
  readonly months: number;
}

const MONTH_MS = 30.44 * DAY_MS;
/** An alarm earlier than this before the worst price does not count as a warning of it. */
const OF_THE_BREAK_MS = 14 * DAY_MS;

export function watch(series: Series, detector: Detector): Watched {
  const { prices, kind } = series;
  const alarms = detector(prices);
  const worst = prices.reduce((low, row) => (Math.abs(row.price - 1) > Math.abs(low.price - 1) ? row : low));
  const worstAt = Date.parse(worst.at);
  const isOfBreak = (at: string) => {
    const time = Date.parse(at);
    return kind === 'break' && time >= worstAt - OF_THE_BREAK_MS;
  };
  const first = alarms.find((at) => isOfBreak(at) && Date.parse(at) <= worstAt) ?? null;
  const price = prices.find((row) => row.at === first)?.price;
  const span = Date.parse(prices.at(-1)?.at ?? '') - Date.parse(prices[0]?.at ?? '');
  const quiet = kind === 'quiet' ? span : Math.max(0, worstAt - OF_THE_BREAK_MS - Date.parse(prices[0]?.at ?? ''));
  return {
    series,
    hoursBefore: first === null ? null : (worstAt - Date.parse(first)) / HOUR_MS,
    alarmBps: price === undefined ? null : Math.round((price - 1) * 10_000),
    worstBps: Math.round((worst.price - 1) * 10_000),
    falseAlarms: alarms.filter((at) => !isOfBreak(at)).length,
    months: quiet / MONTH_MS,
  };
}

export interface Summary {
  readonly breaks: number;
  readonly warned: number;
  readonly meanHours: number;
  readonly falseAlarms: number;
  readonly months: number;
}

/** Breaks without a warning count as zero hours. */
export function summaryOf(rows: readonly Watched[]): Summary {
  const breaks = rows.filter((row) => row.series.kind === 'break');
  const hours = breaks.map((row) => row.hoursBefore ?? 0);
  return {
    breaks: breaks.length,
    warned: breaks.filter((row) => row.hoursBefore !== null).length,
    meanHours: hours.reduce((sum, one) => sum + one, 0) / Math.max(1, breaks.length),
    falseAlarms: rows.reduce((sum, row) => sum + row.falseAlarms, 0),
    months: rows.reduce((sum, row) => sum + row.months, 0),
  };
}
