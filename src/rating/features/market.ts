import type { FeatureInput } from '../../domain/index.ts';
import { medianHigh, tellersOf } from '../../domain/index.ts';
import { effectiveVenues, priceDispersion } from '../../metrics/index.ts';
import {
  type Context,
  daysSince,
  depthOf,
  notApplicable,
  numberOf,
  observed,
  unknown,
  venuesOf,
  washOf,
} from '../context.ts';

const MARKETS = tellersOf('market_figures');

/** MQ: depth, organic volume, wash estimate, volatility, dispersion, venues. */
export function marketFeatures(context: Context): readonly FeatureInput[] {
  const venues = venuesOf(context);
  return [
    depth(context),
    organicVolume(context),
    wash(context),
    volatility(context),
    dispersion(context, venues),
    effective(context, venues),
  ];
}

function depth(context: Context): FeatureInput {
  const found = depthOf(context);
  if (!found) return unknown(context, 'mq_depth2', 'usd', MARKETS);
  return observed(
    'mq_depth2',
    Math.min(found.upUsd, found.downUsd),
    'usd',
    found.support,
    found.method,
    found.confidence,
  );
}

function organicVolume(context: Context): FeatureInput {
  const volume = numberOf(context, 'volume_24h_usd') ?? numberOf(context, 'volume_24h_dex_usd');
  if (!volume) return unknown(context, 'mq_vol', 'usd', MARKETS);
  const share = washOf(context)?.share ?? 0;
  return observed(
    'mq_vol',
    volume.value * (1 - share),
    'usd',
    [volume],
    share > 0
      ? `reported volume less an estimated wash share of ${(share * 100).toFixed(0)} %`
      : 'reported volume; the wash share could not be estimated',
  );
}

function wash(context: Context): FeatureInput {
  const found = washOf(context);
  return found
    ? observed('mq_wash', found.share, 'fraction', found.support, found.method, found.confidence)
    : unknown(context, 'mq_wash', 'fraction', MARKETS);
}

function volatility(context: Context): FeatureInput {
  const found = numberOf(context, 'volatility_30d');
  return found
    ? observed(
        'mq_vola',
        found.value,
        'fraction_per_day',
        [found],
        'standard deviation of daily ln returns over 30 days',
      )
    : unknown(context, 'mq_vola', 'fraction_per_day', MARKETS);
}

function dispersion(context: Context, venues: ReturnType<typeof venuesOf>): FeatureInput {
  const found = priceDispersion(venues);
  if (!found) return unknown(context, 'mq_disp', 'fraction', MARKETS);
  return observed(
    'mq_disp',
    found.value,
    'fraction',
    found.support,
    `1.4826 x MAD of ln prices over ${found.support.length} venues`,
    overVenues(context, found.support),
  );
}

function effective(context: Context, venues: ReturnType<typeof venuesOf>): FeatureInput {
  const found = effectiveVenues(venues);
  if (!found) return unknown(context, 'mq_venues', 'count', MARKETS);
  return observed(
    'mq_venues',
    found.count,
    'count',
    found.support,
    `1 / HHI of volume over ${found.of} venues`,
    overVenues(context, found.support),
  );
}

function overVenues({ methodology }: Context, support: readonly { readonly confidence: number }[]): number {
  return Math.min(methodology.featureRules.venueConfidence, medianHigh(support.map((row) => row.confidence)) ?? 0);
}

/** TR: age since the first trade, drawdown from the all-time high. */
export function trackFeatures(context: Context): readonly FeatureInput[] {
  const age = ageOf(context);
  const price = numberOf(context, 'price_usd');
  const high = numberOf(context, 'ath_usd');
  return [
    age
      ? observed('tr_age', age.value, 'days', [age], `first trace: ${age.consensus.quantity}`)
      : unknown(context, 'tr_age', 'days', MARKETS),
    price && high && high.value > 0
      ? observed(
          'tr_dd',
          Math.min(1, Math.max(0, 1 - price.value / high.value)),
          'fraction',
          [price, high],
          'one minus price over the all-time high',
        )
      : unknown(context, 'tr_dd', 'fraction', MARKETS),
    creatorRecord(context),
    leadTime(context),
  ];
}

function creatorRecord(context: Context): FeatureInput {
  if (!launchCounts(context)) return notApplicable('tr_creator', 'count', PAST_LAUNCH);
  const others = numberOf(context, 'creator_tokens_count');
  return others
    ? observed('tr_creator', others.value, 'count', [others], 'other tokens of the same creator')
    : unknown(context, 'tr_creator', 'count', tellersOf('creators'));
}

function leadTime(context: Context): FeatureInput {
  if (!launchCounts(context)) return notApplicable('tr_lead', 'days', PAST_LAUNCH);
  const created = daysSince(context, 'token_created_at');
  const traded = daysSince(context, 'first_trade_at');
  return created && traded
    ? observed(
        'tr_lead',
        Math.max(0, created.value - traded.value),
        'days',
        [created, traded],
        'creation to first trade',
      )
    : unknown(context, 'tr_lead', 'days', tellersOf('creation'));
}

export const PAST_LAUNCH = 'older than its launch, and traded on exchanges';

/**
 * Whether facts of the launch (whose the liquidity is, what else its creator made) say something of the token: while it is young, and as
 * long as most of its volume is traded in pools. By age and market alone, which nobody can withhold; unknown counts as yes.
 */
export function launchCounts(context: Context): boolean {
  if (context.native) return false;
  const { launchDays, launchPoolShare } = context.methodology.aggregation;
  const age = ageOf(context);
  const [pools, exchanges] = [numberOf(context, 'volume_24h_dex_usd'), numberOf(context, 'volume_24h_cex_usd')];
  const all = numberOf(context, 'volume_24h_usd');
  const total = Math.max(all?.value ?? 0, (pools?.value ?? 0) + (exchanges?.value ?? 0));
  if (age === null || pools === null || total <= 0) return true;
  return age.value < launchDays || pools.value / total > launchPoolShare;
}

/** Age of the asset in days by the oldest credible trace; null when there is none. */
export function ageOf(context: Context) {
  const traces = [
    daysSince(context, 'first_trade_at'),
    daysSince(context, 'token_created_at'),
    daysSince(context, 'listed_at'),
    ...poolAges(context),
  ].filter((row) => row !== null);
  return traces.reduce<(typeof traces)[number] | null>(
    (oldest, row) => (oldest === null || row.value > oldest.value ? row : oldest),
    null,
  );
}

function poolAges(context: Context) {
  return Object.values(context.input.consensus)
    .filter((row) => row.quantity === 'pool_created_at')
    .map((row) => daysSince(context, 'pool_created_at', row.scope));
}
