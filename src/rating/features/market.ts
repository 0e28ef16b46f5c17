import { medianHigh, sourcesFor } from '../../domain/index.ts';
import { pointsOf } from '../../methodology/index.ts';
import { effectiveVenues, priceDispersion } from '../../metrics/index.ts';
import { ageOf, statedAgeOf } from '../age.ts';
import {
  booleanOf,
  type Context,
  countedVenuesOf,
  daysSince,
  depthOf,
  type FeatureReading,
  gradedVolumeOf,
  isTightened,
  keyOf,
  notApplicable,
  numberOf,
  observed,
  readOr,
  unknown,
  venuesOf,
  washOf,
} from '../context.ts';
import { creatorLiquidityOf } from '../creator-liquidity.ts';

const MARKETS = sourcesFor('market_figures');

/** MQ: depth, organic volume, wash estimate, graded venues, volatility, dispersion, venues. */
export function marketFeatures(context: Context): readonly FeatureReading[] {
  const venues = venuesOf(context);
  return [
    depth(context),
    organicVolume(context),
    wash(context),
    graded(context),
    volatility(context),
    sales(context),
    dispersion(context, venues),
    effective(context, venues),
  ];
}

function depth(context: Context): FeatureReading {
  if (isWhitelisted(context)) return notApplicable('mq_depth2', WHITELISTED);
  const found = depthOf(context);
  if (!found) return unknown(context, 'mq_depth2', MARKETS);
  const depth = Math.min(found.upUsd, found.downUsd);
  const creator = launchCounts(context) ? creatorLiquidityOf(context) : null;
  if (creator === null || creator.value <= 0)
    return facingSales(context, observed('mq_depth2', depth, found.support, found.method, found.confidence));
  // Liquidity that the creator can withdraw at any moment does not count as depth.
  const reading = observed(
    'mq_depth2',
    depth * Math.max(0, 1 - creator.value),
    [...found.support, ...creator.support],
    `${found.method}, less the share of the liquidity that the creator holds`,
    found.confidence,
  );
  return facingSales(context, reading);
}

const WHITELISTED = 'only listed holders may receive it';

/** True for a fund that only listed holders may receive: it has no open market. */
function isWhitelisted(context: Context): boolean {
  return context.class === 'rwa_sec' && booleanOf(context, 'whitelist_function')?.value === true;
}

function organicVolume(context: Context): FeatureReading {
  if (isWhitelisted(context)) return notApplicable('mq_vol', WHITELISTED);
  const volume = numberOf(context, 'volume_24h_usd') ?? numberOf(context, 'volume_24h_dex_usd');
  if (!volume) return unknown(context, 'mq_vol', MARKETS);
  const share = washOf(context)?.share ?? 0;
  const reading = observed(
    'mq_vol',
    volume.value * (1 - share),
    [volume],
    share > 0
      ? `reported volume less an estimated wash share of ${(share * 100).toFixed(0)} %`
      : 'reported volume; the wash share could not be estimated',
  );
  return facingSales(context, reading);
}

/**
 * A launch's volume or depth, as far as a sale in pools faces each purchase: a market in which buyers do not sell shows
 * no market to sell in. The part of the volume outside pools counts whole. Sales only restore what purchases without
 * sales take away, so that bought ones earn nothing. The confidence is unchanged: a doubtful count would otherwise move
 * the feature towards its prior, and be worth more than a certain one.
 */
function facingSales(context: Context, reading: FeatureReading): FeatureReading {
  const buys = numberOf(context, 'buys_24h');
  const sells = numberOf(context, 'sells_24h');
  if (!isTightened(context) || !launchCounts(context) || !buys || !sells) return reading;
  if (typeof reading.raw !== 'number' || sells.value >= buys.value) return reading;
  const pools = poolShareOf(context) ?? 1;
  const factor = 1 - pools * (1 - sells.value / buys.value);
  return {
    ...reading,
    raw: reading.raw * factor,
    method: `${reading.method}, times ${factor.toFixed(2)}: sales over purchases of a day in pools`,
    basis: [...reading.basis, keyOf(buys.consensus), keyOf(sells.consensus)],
  };
}

/** The wash-trading tests apply to pools; they are not applicable to an asset that mostly trades elsewhere. */
function wash(context: Context): FeatureReading {
  const share = poolShareOf(context);
  if (context.native || (share !== null && share < context.methodology.featureRules.washPoolShare))
    return notApplicable('mq_wash', 'hardly traded in pools');
  const found = washOf(context);
  return found
    ? observed('mq_wash', found.share, found.support, found.method, found.confidence)
    : unknown(context, 'mq_wash', MARKETS);
}

/**
 * Sales of a day in pools: buyers must be able to sell, and some of them do. Where the share of the last six hours is
 * known, the lower of the day's sales and four times those of the six hours counts: pools in which sales have stopped are
 * drained more often. The confidence remains that of the day's sales: a doubtful share would otherwise move
 * the feature towards its prior, and be worth more than a certain one.
 */
function sales(context: Context): FeatureReading {
  const share = poolShareOf(context);
  if (context.native || (share !== null && share < context.methodology.featureRules.washPoolShare))
    return notApplicable('mq_sells', 'hardly traded in pools');
  const day = numberOf(context, 'sells_24h');
  const late = numberOf(context, 'sells_6h_share');
  if (day === null || late === null) return readOr(context, 'mq_sells', day, 'sales of a day, over pools', MARKETS);
  const part = Math.min(1, context.methodology.featureRules.lateSalesMultiple * late.value);
  const isFading = part < 1;
  const reading = observed(
    'mq_sells',
    isFading ? Math.round(day.value * part) : day.value,
    [day],
    isFading ? 'four times the sales of the last six hours, over pools' : 'sales of a day, over pools',
  );
  return { ...reading, basis: [...reading.basis, keyOf(late.consensus)] };
}

function volatility(context: Context): FeatureReading {
  const year = numberOf(context, 'volatility_365d');
  const found = year ?? numberOf(context, 'volatility_30d');
  if (found === null) return unknown(context, 'mq_vola365', MARKETS);
  const { volatilityDays, shortVolatilityDays } = context.methodology.featureRules;
  const days = year === null ? shortVolatilityDays : (numberOf(context, 'price_history_days')?.value ?? volatilityDays);
  const share = Math.sqrt(Math.min(1, days / volatilityDays));
  const method = `standard deviation of daily ln returns over ${Math.round(days)} days`;
  return observed('mq_vola365', found.value, [found], method, found.confidence * share);
}

function dispersion(context: Context, venues: ReturnType<typeof venuesOf>): FeatureReading {
  const found = priceDispersion(venues);
  if (!found) return unknown(context, 'mq_disp', MARKETS);
  return observed(
    'mq_disp',
    found.value,
    found.support,
    `1.4826 x MAD of ln prices over ${found.support.length} venues`,
    overVenues(context, found.support),
  );
}

function effective(context: Context, venues: ReturnType<typeof venuesOf>): FeatureReading {
  const found = effectiveVenues(venues);
  if (!found) return unknown(context, 'mq_venues', MARKETS);
  return observed(
    'mq_venues',
    found.count,
    found.support,
    `1 / HHI of volume over ${found.of} venues`,
    overVenues(context, found.support),
  );
}

/** Computed from the venues of the evidence; otherwise the value that a source states. */
function graded(context: Context): FeatureReading {
  const found = gradedVolumeOf(context);
  const method = 'share of volume on counted exchanges, and in pools less what is wash trading';
  return found
    ? observed('mq_graded', found.share, found.support, method, overVenues(context, found.support))
    : readOr(context, 'mq_graded', numberOf(context, 'graded_volume_share'), method, MARKETS);
}

function overVenues({ methodology }: Context, support: readonly { readonly confidence: number }[]): number {
  return Math.min(methodology.featureRules.venueConfidence, medianHigh(support.map((row) => row.confidence)) ?? 0);
}

/** TR: age since the first trade, drawdown from the all-time high, deviations from a peg, the creator's record. */
export function trackFeatures(context: Context): readonly FeatureReading[] {
  const price = numberOf(context, 'price_usd');
  const high = numberOf(context, 'ath_usd');
  return [
    age(context),
    price && high && high.value > 0
      ? observed(
          'tr_dd',
          Math.min(1, Math.max(0, 1 - price.value / high.value)),
          [price, high],
          'one minus price over the all-time high',
        )
      : unknown(context, 'tr_dd', MARKETS),
    readOr(
      context,
      'tr_depeg',
      numberOf(context, 'depeg_aged_sum'),
      'largest distance of each departure from the peg, aged',
      MARKETS,
    ),
    creatorRecord(context),
    leadTime(context),
  ];
}

/** An age that one group alone states costs points where it is low, and earns none. */
function age(context: Context): FeatureReading {
  const found = ageOf(context) ?? statedAgeOf(context);
  const definition = context.methodology.features.find(({ id }) => id === 'tr_age');
  const points = found === null || definition === undefined ? null : pointsOf(definition, found.value);
  if (ageOf(context) === null && points !== null && points >= context.methodology.aggregation.prior)
    return { ...unknown(context, 'tr_age', MARKETS), method: 'stated by one source alone, borne out by nothing' };
  return readOr(context, 'tr_age', found, `first trace: ${found?.consensus.quantity}`, MARKETS);
}

function creatorRecord(context: Context): FeatureReading {
  if (!launchCounts(context)) return notApplicable('tr_creator', PAST_LAUNCH);
  const others = numberOf(context, 'creator_tokens_count');
  return readOr(context, 'tr_creator', others, 'other tokens of the same creator', sourcesFor('creators'));
}

function leadTime(context: Context): FeatureReading {
  if (!launchCounts(context)) return notApplicable('tr_lead', PAST_LAUNCH);
  const created = daysSince(context, 'token_created_at');
  const traded = daysSince(context, 'first_trade_at');
  return created && traded
    ? observed('tr_lead', Math.max(0, created.value - traded.value), [created, traded], 'creation to first trade')
    : unknown(context, 'tr_lead', sourcesFor('creation'));
}

export const PAST_LAUNCH = 'older than its launch, and traded on exchanges';

/**
 * Whether facts about the launch (who owns the liquidity, the creator's other tokens) are relevant to the token: while
 * it is young, and as long as most of its volume trades in pools. Depends on age and market only, which nobody can
 * withhold; an unknown value counts as yes.
 */
export function launchCounts(context: Context): boolean {
  if (context.native) return false;
  const { launchDays, launchPoolShare } = context.methodology.aggregation;
  const age = ageOf(context);
  const share = poolShareOf(context);
  return age === null || share === null || age.value < launchDays || share > launchPoolShare;
}

/**
 * Share of pools in the counted volume (pools and counted exchanges). Volume stated by other exchanges has no effect,
 * so that invented trades cannot exempt an asset from the launch rules. Where no source counts pools, it is what graded
 * exchanges leave. Null when unknown.
 */
function poolShareOf(context: Context): number | null {
  const pools = numberOf(context, 'volume_24h_dex_usd');
  const graded = numberOf(context, 'graded_volume_share');
  if (pools === null) return graded === null ? null : 1 - graded.value;
  const exchanges = countedExchangeVolume(context, graded?.value ?? null);
  const total = pools.value + (exchanges ?? 0);
  return exchanges === null || total <= 0 ? null : pools.value / total;
}

/**
 * 24-hour volume on counted exchanges in US dollars, from their markets or from their stated share. Null where a source
 * states only a sum, which cannot be checked.
 */
export function countedExchangeVolume(context: Context, graded: number | null): number | null {
  const isMarket = ({ scope }: { readonly scope: string }) => scope.startsWith('venue:');
  const volumeOf = (venues: ReturnType<typeof venuesOf>) =>
    venues.filter(isMarket).reduce((sum, { volumeUsd }) => sum + (volumeUsd?.value ?? 0), 0);
  if (volumeOf(venuesOf(context)) > 0) return volumeOf(countedVenuesOf(context));
  const stated = numberOf(context, 'volume_24h_cex_usd')?.value ?? 0;
  return stated <= 0 ? 0 : graded === null ? null : stated * graded;
}
