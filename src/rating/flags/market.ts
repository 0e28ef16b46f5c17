import { DAY_MS, marketOfScope } from '../../domain/index.ts';
import { type FlagThresholds, flagThresholds } from '../../methodology/index.ts';
import { booksIn, effectiveVenues, poolsIn, priceDispersion } from '../../metrics/index.ts';
import { ageOf } from '../age.ts';
import { pegTarget } from '../category.ts';
import type { Known } from '../context.ts';
import {
  booleanOf,
  type Context,
  countsShownLiquidity,
  daysSince,
  depthOf,
  isHardened,
  isRevised,
  liquidityOf,
  mostDepthUsd,
  numberOf,
  shownLiquidityOf,
  textOf,
  venuesOf,
  washOf,
} from '../context.ts';
import { heldLiquidityOf } from '../creator-liquidity.ts';
import { countedExchangeVolume } from '../features/market.ts';
import { isSiteLost } from '../missing-values.ts';
import { hasLaunchLiquidity, isDepositBacked, isPegged, isPlacedPrivately, pegCurrency } from './classes.ts';
import { type FlagRule, isCorroborated, percent, raised, reportersOf, rule, usd } from './rule.ts';

/** Flags on liquidity, trading and price (catalogue 21-34, 48-51). */
export const MARKET_FLAGS: readonly FlagRule[] = [
  rule('LP_UNLOCKED', (context, t) => {
    const share = numberOf(context, 'lp_locked_share');
    const age = ageOf(context);
    if (!share || share.value >= t.locked || (age && age.value >= t.ageDays) || !hasLaunchLiquidity(context))
      return null;
    return raised([share], `only ${percent(share.value)} of the fungible LP is locked or burned`, share.value, {
      confidence: Math.max(share.confidence, t.confidence),
    });
  }),
  rule('LP_CREATOR_CONTROLLED', (context, t) => {
    const share = heldLiquidityOf(context);
    if (!share || share.value < t.share || !hasLaunchLiquidity(context)) return null;
    // Nearly always, one scanner reads this on chain: no second lineage group covers the same chain.
    const who = reportersOf(share.consensus);
    const holder = share.unnamed ? `${share.unnamed} that no source names` : 'the creator and linked wallets';
    return raised(share.support, `${percent(share.value)} of the LP is with ${holder} (${who})`, share.value, {
      confidence: share.consensus.status === 'disputed' ? share.confidence : Math.max(share.confidence, t.confidence),
    });
  }),
  rule('LP_UNLOCK_SOON', (context, t) => {
    const unlock = textOf(context, 'lp_unlock_at');
    const days = unlock ? (Date.parse(unlock.value) - context.now) / DAY_MS : Number.POSITIVE_INFINITY;
    // No source states how much this lock holds; the maximum is everything that is locked and not burned.
    const locked = numberOf(context, 'lp_locked_share');
    const most = locked ? locked.value - (numberOf(context, 'lp_burned_share')?.value ?? 0) : 1;
    if (most < t.share || !hasLaunchLiquidity(context)) return null;
    return unlock && days >= 0 && days <= t.days
      ? raised([unlock], `locked liquidity can be taken out in ${Math.ceil(days)} days`, unlock.value)
      : null;
  }),
  rule('LOCKER_UNKNOWN', (context) => {
    const known = booleanOf(context, 'lp_locker_known');
    return known && !known.value && hasLaunchLiquidity(context)
      ? raised([known], 'the contract that locks the liquidity is on no list of lockers', false)
      : null;
  }),
  rule('LIQUIDITY_CRITICAL', (context, t) => {
    const liquidity = liquidityOf(context);
    const depth = depthOf(context);
    const side = depth ? Math.min(depth.upUsd, depth.downUsd) : null;
    // A proxy is no evidence for the depth of concentrated pools: only computed depth may knock out.
    const most = mostDepthUsd(context);
    const thinBook = most !== null && most < t.depthUsd && (depth?.confidence ?? 0) >= t.depthConfidence;
    if (!liquidity || (liquidity.value >= t.liquidityUsd && !thinBook)) return null;
    if (hasBooks(context, t) || isPlacedPrivately(context)) return null;
    return raised(
      [liquidity],
      `liquidity ${usd(liquidity.value)}${ownSide(liquidity)}${side === null ? '' : `, depth at 2 % ${usd(side)}`}`,
      liquidity.value,
    );
  }),
  rule('LIQUIDITY_THIN', (context, t) => {
    const liquidity = liquidityOf(context);
    return liquidity && liquidity.value < t.liquidityUsd && !hasBooks(context, t) && !isPlacedPrivately(context)
      ? raised([liquidity], `liquidity ${usd(liquidity.value)} over all pools${ownSide(liquidity)}`, liquidity.value)
      : null;
  }),
  rule('DEPTH_ONE_SIDED', (context, t) => {
    const depth = depthOf(context);
    if (!depth || depth.upUsd <= 0 || depth.downUsd <= 0) return null;
    const ratio = Math.max(depth.upUsd / depth.downUsd, depth.downUsd / depth.upUsd);
    return ratio > t.ratio
      ? raised(depth.support, `one side is ${ratio.toFixed(1)} times the other`, ratio, {
          confidence: depth.confidence,
        })
      : null;
  }),
  rule('WASH_TRADING_SUSPECTED', (context, t) => {
    const wash = washOf(context);
    return wash && wash.share >= t.share
      ? raised(wash.support, `estimated wash share ${percent(wash.share)} by ${wash.method}`, wash.share, {
          confidence: Math.max(t.confidence, wash.confidence),
        })
      : null;
  }),
  rule('VENUE_CONCENTRATION', (context, t) => {
    const venues = effectiveVenues(venuesOf(context));
    return venues && venues.largestShare > t.share
      ? raised(venues.support, `${percent(venues.largestShare)} of the volume is on one venue`, venues.largestShare, {
          confidence: t.confidence,
        })
      : null;
  }),
  rule('PRICE_DISPERSION', (context, t) => {
    const found = priceDispersion(venuesOf(context));
    return found && found.value > t.dispersion
      ? raised(
          found.support,
          `prices of ${found.support.length} venues spread by ${percent(found.value)}`,
          found.value,
          { confidence: t.confidence },
        )
      : null;
  }),
  rule('VOLATILITY_EXTREME', (context, t) =>
    above(
      numberOf(context, 'volatility_30d'),
      t.daily,
      (value) => `daily standard deviation ${percent(value)} over 30 days`,
    ),
  ),
  rule('PRICE_COLLAPSE', (context, t) => {
    const change = numberOf(context, 'price_change_7d_pct');
    return change && change.value <= t.changePct
      ? raised([change], `price changed by ${change.value.toFixed(1)} % in 7 days`, change.value, {
          confidence: Math.max(t.confidence, change.confidence),
        })
      : null;
  }),
  rule('DEPEG', (context, t) => offPeg(context, t.distance)),
  rule('DEPEG_SEVERE', (context, t) => offPeg(context, t.distance)),
  rule('RESERVE_UNVERIFIED', (context, { days, lostConfidence }) => {
    if (!isBacked(context)) return null;
    const report = textOf(context, 'reserve_report_state');
    // The text of a site does not override a register: a report that the register shows as on schedule counts.
    if (report !== null && !UNPROVEN.has(report.value)) return null;
    const state = textOf(context, 'reserve_attestation_state');
    const age = daysSince(context, 'attestation_at');
    const isShown = state !== null && !UNPROVEN.has(state.value);
    if (report !== null && !isShown)
      return raised([report], 'no report on the reserves by a firm is known or is in its cadence', report.value);
    if (age && age.value > days)
      return raised([age], `the newest attestation of the reserves is ${Math.round(age.value)} days old`, age.value);
    if (state === null && isSiteLost(context))
      return {
        confidence: lostConfidence,
        detail: 'no attestation of the reserves could be read',
        evidence: [],
        value: 'none',
      };
    return state !== null && !isShown
      ? raised([state], 'no attestation of the reserves by a firm was found', state.value)
      : null;
  }),
  rule('BACKING_SHORTFALL', (context, t) => {
    const measured = shortfallMeasured(context, t);
    if (measured !== null)
      return raised([measured], `what is locked is ${percent(measured.value)} of what is owed`, measured.value, {
        severity: isCorroborated(context, measured.consensus, (value) => Number(value) < t.ratio) ? 'critical' : 'high',
      });
    const ratio = numberOf(context, 'collateral_ratio');
    return ratio && ratio.value < t.ratio
      ? // An issuer's own page alone may be misread: severity high, and critical with a second lineage group.
        raised([ratio], `proven backing is ${percent(ratio.value)} of what is owed`, ratio.value, {
          severity: ratio.consensus.families >= context.methodology.flagConfidence.witnesses ? 'critical' : 'high',
        })
      : null;
  }),
];

/** Says of liquidity that is stated, and of which no source shows that anything but the token was paid in, how much it is. */
function ownSide({ value, statedUsd }: NonNullable<ReturnType<typeof liquidityOf>>): string {
  return statedUsd > value ? ` (stated ${usd(statedUsd)}: the rest is the token itself, or not shown)` : '';
}

/** The backing by the chain or a reserve feed where it falls short, whatever the issuer's own page states. */
function shortfallMeasured(context: Context, { measured }: FlagThresholds['BACKING_SHORTFALL']): Known<number> | null {
  const found = isHardened(context) ? numberOf(context, 'backing_ratio') : null;
  return found !== null && measured !== undefined && found.value < measured ? found : null;
}

/**
 * True where order books of exchanges trade the asset, so that its pools are not decisive. Volume counts only on counted
 * exchanges, and not beyond the stated sum: other exchanges can be paid to report it. Earlier methodologies take any stated sum.
 */
export function hasBooks(context: Context, { bookVolumeUsd, bookDepthUsd }: FlagThresholds['LIQUIDITY_THIN']): boolean {
  const stated = numberOf(context, 'volume_24h_cex_usd')?.value ?? 0;
  const graded = numberOf(context, 'graded_volume_share')?.value ?? null;
  const counted = isHardened(context) ? (countedExchangeVolume(context, graded) ?? 0) : stated;
  return Math.min(stated, counted) > bookVolumeUsd || bookDepthOf(context) > bookDepthUsd;
}

/**
 * False where pools are listed, no source shows of any of them what else than the asset it holds, and no order book
 * trades it: that it can be sold is then not known. Since methodology 1.8.0.
 */
export function isMarketShown(context: Context): boolean {
  if (!countsShownLiquidity(context) || shownLiquidityOf(context) !== null) return true;
  const listed = poolsIn(context.input.consensus).length;
  return listed === 0 || hasBooks(context, flagThresholds(context.methodology).LIQUIDITY_THIN);
}

/**
 * Depth of the weaker side where order books trade the asset, US dollars. Since methodology 1.7.0 only of the books, on
 * counted exchanges or by several lineage groups: one registry repeats what any other exchange states.
 */
function bookDepthOf(context: Context): number {
  const depth = depthOf(context);
  if (depth?.method.includes('order books') !== true) return 0;
  if (!isHardened(context)) return Math.min(depth.upUsd, depth.downUsd);
  const { flagConfidence, metrics } = context.methodology;
  const books = booksIn(context.input.consensus).filter(({ up, down }) => {
    const exchange = marketOfScope(up.consensus.scope)?.exchange;
    const groups = Math.min(up.consensus.families, down.consensus.families);
    return (
      groups >= flagConfidence.witnesses || (exchange !== undefined && metrics.countedExchanges.includes(exchange))
    );
  });
  const sumOf = (side: 'up' | 'down') => books.reduce((sum, book) => sum + book[side].value, 0);
  return Math.min(sumOf('up'), sumOf('down'));
}

function above(found: Known<number> | null, limit: number, detail: (value: number) => string) {
  return found && found.value > limit ? raised([found], detail(found.value), found.value) : null;
}

/** States of a reserve report that prove nothing. */
const UNPROVEN: ReadonlySet<string> = new Set(['none', 'self_declared']);

/**
 * True when a reserve is held for the holders. Collateral held by code is read on chain, and no firm reports on it. If
 * none of it was read and the project withholds its pages, there is no further source to request.
 */
function isBacked(context: Context): boolean {
  if (context.category !== 'stablecoin' && context.category !== 'rwa') return false;
  const mechanism = textOf(context, 'peg_mechanism');
  if (isDepositBacked(context)) return false;
  if (mechanism === null || mechanism.value === 'fiat_backed') return true;
  const isRead = (['backing_onchain_share', 'backing_risk_adjusted'] as const).some(
    (quantity) => numberOf(context, quantity) !== null,
  );
  return !isRead && isSiteLost(context);
}

/**
 * The stated peg of a yield-accruing coin whose price is below the peg; null otherwise, because a price above the peg
 * is not a deviation.
 */
function brokenFloor(context: Context): number | null {
  const [stated, price] = [numberOf(context, 'peg_target_usd'), numberOf(context, 'price_usd')];
  return stated !== null && price !== null && price.value < stated.value ? stated.value : null;
}

/** True when enough lineage groups other than those of the chart agree on a price. */
function isHeldByOthers({ methodology }: Context, chart: Known<number>, price: Known<number> | null): boolean {
  if (price === null || price.consensus.status === 'disputed') return false;
  const groupsOf = ({ consensus }: Known<number>) =>
    new Set(consensus.voices.filter((voice) => voice.accepted).map((voice) => voice.family));
  return groupsOf(price).difference(groupsOf(chart)).size >= methodology.flagConfidence.witnesses;
}

/**
 * Distance from the peg, in the currency of the peg: the 24-hour extreme where a source gives one, otherwise from the
 * current price. An asset without a known peg is never off it, and a price in dollars says nothing about a peg to
 * another currency.
 */
function offPeg(context: Context, from: number) {
  if (!isPegged(context)) return null;
  const currency = pegCurrency(context);
  const isDollar = currency === null || currency === 'USD';
  const target = isDollar ? (pegTarget(context) ?? brokenFloor(context)) : null;
  if (target === null && isDollar) return null;
  // Charts are read in the currency of the peg; a chart in dollars measures the deviation from one dollar.
  const held = target === 1 || !isDollar ? numberOf(context, 'peg_deviation_24h_held') : null;
  const price = target === null ? null : numberOf(context, 'price_usd');
  const now = price && target !== null ? Math.abs(price.value / target - 1) : null;
  const distance = held ? held.value : now;
  if (distance === null || distance <= from) return null;
  const support = [held, price].filter((row) => row !== null);
  // One chart says that the deviation lasted all day; the price agreed by all sources confirms that it persists.
  const confirmed = price !== null && now !== null && now > from;
  const { witnesses, witnessed } = context.methodology.flagConfidence;
  const sure = Math.max(confirmed ? price.confidence : 0, held?.confidence ?? 0);
  const isWitnessed = confirmed && held !== null && price.consensus.families >= witnesses;
  const confidence = isWitnessed ? Math.max(witnessed, sure) : sure;
  const isAlone = held !== null && held.consensus.families < witnesses;
  return raised(support, `${percent(distance)} off the peg${held ? ' for 24 hours' : ''}`, distance, {
    confidence,
    unconfirmed: isRevised(context) && isAlone && !confirmed && isHeldByOthers(context, held, price),
  });
}
