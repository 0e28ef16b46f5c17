import {
  type Category,
  type ConsensusSet,
  consensusKey,
  DAY_MS,
  type DayPoint,
  type DefaultTest,
  type Flag,
  foreignPeg,
  type PublicationState,
} from '../domain/index.ts';
import type { PublicationRules } from '../methodology/index.ts';
import { type ConditionState, daysBetween, isRevised, lastDays, numberOf, wordOf } from './facts.ts';
import { receipt } from './receipts.ts';

type Pending = PublicationState['pendingTests'];
type Default = PublicationState['default'];

/**
 * Counts how long the condition of each test has been true. While a condition is unknown, its count pauses. The time
 * between two observations counts only up to a limit, because nothing was read in between.
 */
export function countTests(
  sights: readonly ConditionState[],
  pending: Pending,
  before: string | null,
  asOf: string,
  rules: PublicationRules,
): { readonly pending: Pending; readonly met: readonly DefaultTest[] } {
  const gapDays = before === null ? 0 : daysBetween(before, asOf);
  const unseenMs = Math.max(0, gapDays - rules.default.longestGapDays) * DAY_MS;
  const counted: { code: string; since: string }[] = [];
  const met = new Map<string, DefaultTest>();
  for (const { key, code, isTrue, days, detail } of sights) {
    const known = pending.find((one) => one.code === key);
    if (isTrue === false) continue;
    if (isTrue === null) {
      // The count pauses: its start is moved by the time without observations.
      if (known) counted.push({ code: key, since: later(known.since, gapDays * DAY_MS, asOf) });
      continue;
    }
    const since = known === undefined ? asOf : later(known.since, unseenMs, asOf);
    counted.push({ code: key, since });
    if (daysBetween(since, asOf) >= days && !met.has(code)) met.set(code, { code, detail, since });
  }
  return { pending: counted, met: [...met.values()] };
}

/**
 * A default begins when a test is met, and is cured when all tests were observed to be false for the time in
 * `rules.cure`.
 */
export function updateDefault(
  state: Default,
  sights: readonly ConditionState[],
  met: readonly DefaultTest[],
  before: string | null,
  asOf: string,
  rules: PublicationRules,
): { readonly state: Default; readonly cured: boolean } {
  if (met.length > 0) return { state: begun(state, sights, met, asOf, rules), cured: false };
  if (state === null) return { state: null, cured: false };
  const isClear = sights.every((sight) => sight.isTrue !== true);
  if (!isClear) return { state: { ...state, clearSince: null }, cured: false };
  // A default is not cured while all tests are unknown: the test that caused it must be observed to be false.
  const seen =
    sights.some((sight) => sight.isTrue === false && sight.code !== 'D6') &&
    state.tests.every(({ code }) =>
      isOver(
        sights.filter((sight) => sight.code === code),
        rules,
      ),
    );
  const gapDays = before === null ? 0 : daysBetween(before, asOf);
  const unseenMs = (seen ? Math.max(0, gapDays - rules.hysteresis.existingDays) : gapDays) * DAY_MS;
  const clearSince = state.clearSince === null ? (seen ? asOf : null) : later(state.clearSince, unseenMs, asOf);
  const cured = clearSince !== null && daysBetween(clearSince, asOf) >= rules.cure.days;
  return { state: cured ? null : { ...state, clearSince }, cured };
}

/** The default with the tests that are met now and, from revision 3 on, those of before that were not seen to be over. */
function begun(
  state: Default,
  sights: readonly ConditionState[],
  met: readonly DefaultTest[],
  asOf: string,
  rules: PublicationRules,
): Default {
  const since = state?.since ?? asOf;
  if (!isRevised(rules, 3)) return { since, clearSince: null, tests: met };
  const sightsOf = (code: string) => sights.filter((sight) => sight.code === code);
  const earlier = (state?.tests ?? []).filter(
    ({ code }) => met.every((one) => one.code !== code) && !isOver(sightsOf(code), rules),
  );
  const tests = [...met, ...earlier];
  const liquidityUsd = state?.liquidityUsd ?? sightsOf('D1')[0]?.liquidityUsd;
  const isDrained = tests.some(({ code }) => code === 'D1') && liquidityUsd !== undefined;
  return { since, clearSince: null, tests, ...(isDrained && { liquidityUsd }) };
}

/** True if a test was observed to be false. A test that no longer applies to the asset is not: its promise was broken. */
function isOver(sights: readonly ConditionState[], rules: PublicationRules): boolean {
  return (sights.length === 0 && !isRevised(rules, 3)) || sights.some((sight) => sight.isTrue === false);
}

function later(time: string, milliseconds: number, latest: string): string {
  return new Date(Math.min(Date.parse(time) + milliseconds, Date.parse(latest))).toISOString();
}

interface Facts {
  readonly consensus: ConsensusSet;
  readonly flags: readonly Flag[];
  readonly category: Category;
  readonly days: readonly DayPoint[];
  readonly asOf: string;
  /** The default before this collection. */
  readonly standing: Default;
}

/** Evaluates the default tests of methodology 4.4 now. Values below the minimum confidence count as unknown. */
export function seeDefaults(facts: Facts, rules: PublicationRules): readonly ConditionState[] {
  const known: Known = (quantity) => numberOf(facts.consensus, quantity, rules.default.evidence);
  const traded: Known = (quantity) => numberOf(facts.consensus, quantity, rules.default.marketEvidence);
  return [
    liquidityDeath(facts, rules, traded),
    exploitDeath(facts, rules, known),
    delisting(rules, traded),
    abandonment(rules, traded),
    executedRug(facts, rules),
    insolvency(facts, rules),
    ...(isPegged(facts) ? stablecoin(facts, rules, known) : []),
    ...(facts.category === 'lst_wrapped' ? receipt(facts.consensus, rules) : []),
  ];
}

type Known = (quantity: Parameters<typeof numberOf>[1]) => number | null;

function liquidityDeath({ days, asOf, standing }: Facts, rules: PublicationRules, known: Known): ConditionState {
  const { liquidityUsd, liquidityShare, priceShare, days: needed } = rules.default.liquidityDeath;
  const [liquidity, price] = [known('liquidity_dex_usd'), known('price_usd')];
  const past = lastDays(days, asOf, rules.default.peakDays);
  const peakOf = (values: readonly (number | null)[]) =>
    Math.max(0, ...values.filter((value): value is number => value !== null));
  const peakLiquidity = peakOf(past.map((day) => day.liquidityUsd));
  const peakPrice = peakOf(past.map((day) => day.priceUsd));
  // A default lasts until the liquidity is back: 90 days later the peak is that of the dead market.
  const isStanding = isRevised(rules, 3) && (standing?.tests.some(({ code }) => code === 'D1') ?? false);
  const least = Math.max(liquidityUsd, liquidityShare * peakLiquidity, isStanding ? (standing?.liquidityUsd ?? 0) : 0);
  // Liquidity and purchases of a single day are cheap to fake: today's value is limited to the median of the recent
  // days.
  const recent = lastDays(days, asOf, needed);
  const lesser = (now: number, kept: readonly (number | null)[]) => Math.min(now, usual(kept) ?? now);
  const isDry =
    liquidity === null
      ? null
      : lesser(
          liquidity,
          recent.map((day) => day.liquidityUsd),
        ) < least;
  const isFallen =
    price === null || peakPrice === 0
      ? null
      : lesser(
          price,
          recent.map((day) => day.priceUsd),
        ) <=
        priceShare * peakPrice;
  return {
    key: 'D1',
    code: 'D1',
    isTrue: isStanding ? isDry : isDry === null || isFallen === null ? null : isDry && isFallen,
    days: needed,
    liquidityUsd: least,
    detail: isStanding
      ? `liquidity still below ${Math.round(least)} USD`
      : `liquidity below ${Math.round(least)} USD and price at most ${percent(priceShare)} of its ${rules.default.peakDays}-day peak`,
  };
}

/** The median of the known days, or the lower one of the two middle values. Null without known days. */
function usual(kept: readonly (number | null)[]): number | null {
  const known = kept.filter((value) => value !== null).sort((a, b) => a - b);
  return known[(known.length - 1) >> 1] ?? null;
}

function exploitDeath({ flags, consensus }: Facts, rules: PublicationRules, known: Known): ConditionState {
  const { lossShare, days } = rules.default.exploitDeath;
  const raised = flags.filter((one) => one.code === 'EXPLOIT_UNRESOLVED' || one.code === 'EXPLOIT_RECENT');
  const losses = raised.flatMap(({ value, confidence }) =>
    typeof value === 'number' && confidence >= rules.default.evidence ? [value] : [],
  );
  const loss = losses.length === 0 ? null : Math.max(...losses);
  const [peak, now] = [known('tvl_peak_usd'), known('tvl_usd')];
  const isClear = raised.length === 0 && consensus.incidents !== undefined;
  const holds =
    loss === null
      ? isClear
        ? false
        : null
      : peak === null || now === null
        ? null
        : loss >= lossShare * peak && now < (1 - lossShare) * peak;
  return {
    key: 'D2',
    code: 'D2',
    isTrue: holds,
    days,
    detail: `an exploit took at least ${percent(lossShare)} of the value locked, and it was not restored`,
  };
}

function delisting({ default: { delisting: limits } }: PublicationRules, known: Known): ConditionState {
  const [cex, dex] = [known('volume_24h_cex_usd'), known('liquidity_dex_usd')];
  return {
    key: 'D3',
    code: 'D3',
    isTrue: cex === null || dex === null ? null : cex <= limits.venueVolumeUsd && dex <= limits.poolUsd,
    days: 0,
    detail: `no venue trades more than ${limits.venueVolumeUsd} USD a day and no pool holds more than ${limits.poolUsd} USD`,
  };
}

function abandonment({ default: { abandonment: limits } }: PublicationRules, known: Known): ConditionState {
  const volume = known('volume_24h_usd');
  return {
    key: 'D4',
    code: 'D4',
    isTrue: volume === null ? null : volume === 0,
    days: limits.days,
    detail: `no trade for ${limits.days} days`,
  };
}

function stablecoin(facts: Facts, rules: PublicationRules, known: Known): readonly ConditionState[] {
  const { consensus } = facts;
  const { price, days, suspendedPrice, suspendedDays } = rules.default.stablecoin;
  const now = known('price_usd');
  const peg = known('peg_target_usd') ?? ownRate(consensus);
  const share = now === null || peg === null || peg <= 0 ? null : now / peg;
  const route =
    wordOf(consensus, 'redemption_state', rules.default.evidence) ??
    wordOf(consensus, 'redemption_route_state', rules.default.evidence);
  return [
    brokenPeg(facts, rules),
    {
      key: 'D5',
      code: 'D5',
      isTrue: share === null ? null : share < price,
      days,
      detail: `below ${price} of its peg for ${days} days`,
    },
    {
      key: 'D5 suspended',
      code: 'D5',
      isTrue: share === null || route === null ? null : route === 'none' && share < suspendedPrice,
      days: suspendedDays,
      detail: `redemption is suspended and it is below ${suspendedPrice} of its peg for ${suspendedDays} days`,
    },
  ];
}

/**
 * True when a peg or a redemption at a stated value is promised, whatever the category: registries often list a failed
 * coin under another category. A wrapped or staked asset follows its underlying and no currency.
 */
function isPegged({ category, consensus }: Facts): boolean {
  if (category === 'stablecoin') return true;
  const isStated = (['peg_target_usd', 'peg_currency', 'peg_mechanism'] as const).some(
    (quantity) => (consensus[quantity]?.value ?? null) !== null,
  );
  return isStated && (consensus.underlying_asset?.value ?? null) === null;
}

/**
 * Tests whether price charts show a broken peg for consecutive days before the first rating. The required number of
 * lineage groups must show it, either in their charts or, in addition to one chart, in the agreed price.
 */
function brokenPeg({ consensus }: Facts, rules: PublicationRules): ConditionState {
  const { price, days, witnesses } = rules.default.stablecoin;
  const foreign = foreignPeg(consensus);
  // A chart in dollars only shows a peg to the dollar. A peg to another currency is measured in that currency or not at
  // all.
  const chart = consensus[consensusKey('peg_days_below_80', foreign?.scope ?? 'asset')];
  const run = typeof chart?.value === 'number' && Number.isFinite(chart.value) ? chart.value : null;
  const peg = foreign === null ? numberOf(consensus, 'peg_target_usd') : ownRate(consensus);
  const now = numberOf(consensus, 'price_usd', rules.default.marketEvidence);
  const isKnown = foreign === null ? peg === 1 : peg !== null;
  const isSeenNow =
    now !== null && peg !== null && now / peg < price && (consensus.price_usd?.families ?? 0) >= witnesses;
  const isWitnessed = (chart?.families ?? 0) >= witnesses || isSeenNow;
  return {
    key: 'D5 chart',
    code: 'D5',
    isTrue: run === null || !isKnown ? null : run < days ? false : isWitnessed ? true : null,
    days: 0,
    detail: `below ${price} of its peg for ${run ?? days} days in a row of the last 90, by its price chart`,
  };
}

/**
 * US dollars per unit of the foreign currency of the peg. Null without a rate, and for metals, whose unit per token is
 * unknown.
 */
function ownRate(consensus: ConsensusSet): number | null {
  const foreign = foreignPeg(consensus);
  return foreign === null || foreign.isMetal ? null : (foreign.rate?.value ?? null);
}

function insolvency({ consensus }: Facts, rules: PublicationRules): ConditionState {
  const state = wordOf(consensus, 'insolvency_state', rules.default.evidence);
  return {
    key: 'D8',
    code: 'D8',
    isTrue: state === null ? null : state === 'extinguished',
    days: 0,
    detail: 'a court or a confirmed plan of insolvency extinguished what the issuer owed to holders',
  };
}

function executedRug({ flags }: Facts, rules: PublicationRules): ConditionState {
  const flag = flags.find((one) => one.code === 'RUG_EXECUTED');
  return {
    key: 'D6',
    code: 'D6',
    isTrue: flag !== undefined && flag.confidence >= rules.default.evidence,
    days: 0,
    detail: 'the liquidity was taken out by wallets linked to the creator',
  };
}

function percent(share: number): string {
  return `${share * 100} %`;
}
