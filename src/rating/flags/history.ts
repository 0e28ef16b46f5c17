import type { Consensus, HistoryPoint, SupplyPoint } from '../../domain/index.ts';
import {
  canonicalScope,
  DAY_MS,
  HOUR_MS,
  marketOfScope,
  median,
  SUPPLY_OF_ALL_CHAINS,
  sourceFor,
} from '../../domain/index.ts';
import { type FlagThresholds, flagThresholds } from '../../methodology/index.ts';
import { liquidityOf } from '../../metrics/index.ts';
import { type Context, isHardened, isTightened, type Known, numberOf, textOf } from '../context.ts';
import { backingOf, isProvenBacking } from '../features/fundamentals.ts';
import { UNUSABLE } from '../whole-supply.ts';
import { isDepositBacked, registerRow } from './classes.ts';
import { bridgedCopy } from './holders.ts';
import { type FlagRule, percent, type Raised, raised, rule, usd } from './rule.ts';

/** Categories whose supply follows demand or has a responsible issuer: growth is not dilution. */
const ELASTIC = new Set(['stablecoin', 'lst_wrapped', 'rwa']);
/** Days of a year, for a rate of growth. */
const YEAR_DAYS = 365;
/** Exchanges are queried for the markets that this source names (`coingecko.cexPairs`). */
const MARKETS_REGISTRY = sourceFor('venues');

/**
 * Flags on changes, computed against the service's own stored history of the asset (catalogue 27, 30, 42, 45, 66, 71).
 */
export const HISTORY_FLAGS: readonly FlagRule[] = [
  rule(
    'LIQUIDITY_DRAIN',
    (context, { drop, presentHours, referenceHours, points, twiceConfidence, onceConfidence }) => {
      const liquidity = liquidityOf(context.input.consensus);
      const price = numberOf(context, 'price_usd');
      const hours = (context.input.history?.hours ?? []).filter(
        (row) => ageMs(context, row) <= referenceHours * HOUR_MS,
      );
      if (!liquidity || !price || price.value <= 0) return null;
      const isPresent = (row: HistoryPoint) => ageMs(context, row) <= presentHours * HOUR_MS;
      const earlier = hours.filter((row) => !isPresent(row) && worthOf(row) !== null);
      const reference = earlier.slice(0, points).map((row) => worthOf(row) ?? 0);
      // With fewer points there is no reliable reference: one of them may be wrong.
      if (reference.length < points) return null;
      const before = median(reference) ?? 0;
      const share = lossOf(before, liquidity.value / Math.sqrt(price.value));
      if (share < drop) return null;
      const latest = hours.filter(isPresent).at(-1);
      const kept = latest ? worthOf(latest) : null;
      const twice = kept !== null && lossOf(before, kept) >= drop;
      return raised(
        [liquidity],
        `liquidity is down by ${percent(share)} within a day, the price's own part left out`,
        share,
        // Seen twice: by the sources of this rating and by our own snapshot hours before.
        twice
          ? { confidence: Math.max(twiceConfidence, liquidity.confidence) }
          : { confidence: Math.min(onceConfidence, liquidity.confidence), severity: 'high' },
      );
    },
  ),
  rule('VOLUME_ANOMALY', (context, t) => {
    const volume = numberOf(context, 'volume_24h_usd') ?? numberOf(context, 'volume_24h_dex_usd');
    const change = numberOf(context, 'price_change_24h_pct');
    const days = (context.input.history?.days ?? []).flatMap((row) =>
      row.volume24hUsd === null ? [] : [row.volume24hUsd],
    );
    if (!volume || !change || days.length < t.days) return null;
    const usual = median(days) ?? 0;
    const isFlat = Math.abs(change.value) < t.flatPct;
    return usual > 0 && isFlat && volume.value > usual * t.multiple
      ? raised(
          [volume, change],
          `volume of ${usd(volume.value)} is ${(volume.value / usual).toFixed(0)} times the usual, the price hardly moved`,
          volume.value / usual,
        )
      : null;
  }),
  rule('SUPPLY_UNEXPECTED_MINT', (context, t) => unexpectedMint(context, t.growth)),
  rule('INFLATION_HIGH', (context, t) => {
    const found = growthSince(context, context.input.history?.supply.oldest ?? null);
    if (!found || ELASTIC.has(context.category) || found.days < t.days) return null;
    const yearly = found.growth ** (YEAR_DAYS / found.days) - 1;
    return yearly > t.share
      ? raised(
          [found.total],
          `the supply grows by ${percent(yearly)} a year, measured over ${Math.round(found.days)} days`,
          yearly,
        )
      : null;
  }),
  rule('DELISTING', delisted),
  rule('ABANDONED', (context, t) => {
    const quiet = context.input.history?.quiet ?? null;
    const volume = numberOf(context, 'volume_24h_usd') ?? numberOf(context, 'volume_24h_dex_usd');
    if (!quiet || !volume || volume.value !== 0 || quiet.points < t.points) return null;
    const days = (context.now - Date.parse(quiet.since)) / DAY_MS;
    // Few sources report the absence of trades; this many days of the same observation make up for it.
    return days >= t.days
      ? raised([volume], `no trade was seen for ${Math.floor(days)} days`, days, {
          confidence: Math.max(t.confidence, volume.confidence),
        })
      : null;
  }),
];

/**
 * In a constant-product pool, the value of both sides changes with the square root of the price. This removes that
 * effect.
 */
function worthOf({ liquidityUsd, priceUsd }: HistoryPoint): number | null {
  return liquidityUsd === null || priceUsd === null || liquidityUsd <= 0 || priceUsd <= 0
    ? null
    : liquidityUsd / Math.sqrt(priceUsd);
}

function lossOf(before: number, now: number): number {
  return before > 0 ? 1 - now / before : 0;
}

function unexpectedMint(context: Context, limit: number): Raised | null {
  const found = growthSince(context, context.input.history?.supply.dayAgo ?? null);
  const minter = textOf(context, 'mint_authority_state');
  // Deposits mint the tokens of an issuer or a bridge: such growth is expected.
  if (!found?.isOnChain || minter?.value === 'regulated_issuer' || isElastic(context)) return null;
  if (found.growth - 1 <= limit) return null;
  const detail = `${percent(found.growth - 1)} new tokens within a day`;
  // A receipt or a share of assets by its word may well be one: nobody shows what was deposited.
  return ELASTIC.has(context.category) && bridgedCopy(context) === null
    ? raised([found.total], `${detail}, and nobody shows what was deposited for them`, found.growth - 1, {
        severity: 'high',
      })
    : raised([found.total], detail, found.growth - 1);
}

/**
 * True where deposits mint the tokens. A registry's word needs proof, as anybody can have a token listed under it: since
 * methodology 1.7.0 the word for a bridged copy, since 1.8.0 those for receipts and for shares of assets. A coin that is
 * filed as pegged has the ceiling of its class and is measured by its peg.
 */
function isElastic(context: Context): boolean {
  const isBridged = bridgedCopy(context) !== null;
  if (!isBridged && !ELASTIC.has(context.category)) return false;
  if (!(isBridged ? isHardened : isTightened)(context) || context.category === 'stablecoin') return true;
  const found = backingOf(context);
  return (
    registerRow(context, 'protocols')?.kind === 'receipt' ||
    isDepositBacked(context) ||
    (found !== null && found.value >= 1 && isProvenBacking(context, found)) ||
    (!isBridged && isNamedOrRedeemed(context))
  );
}

/** True if a register names the issuer, or what one unit is redeemed for is read. */
function isNamedOrRedeemed(context: Context): boolean {
  return registerRow(context, 'issuers') !== null || numberOf(context, 'redemption_value_usd') !== null;
}

/** Ratio of today's supply to the earlier one; null unless both were read in the same way. */
function growthSince(context: Context, then: SupplyPoint | null) {
  const agreed = numberOf(context, 'total_supply');
  if (!agreed || !then || then.totalSupply <= 0) return null;
  const isOnChain = agreed.consensus.voices.some((voice) => voice.accepted && voice.tier === 'chain');
  const isOutvoted = then.isOnChain && !isOnChain && context.methodology.consensus.chainDecides === true;
  const total = isOutvoted ? readSupply(agreed.consensus, context) : agreed;
  if (total === null || (!isOutvoted && isOnChain !== then.isOnChain)) return null;
  if (mayComeFromOtherChains(context, total.value)) return null;
  const days = (context.now - Date.parse(then.at)) / DAY_MS;
  return { total, growth: total.value / then.totalSupply, days, isOnChain: then.isOnChain };
}

/**
 * True if the token exists on other chains too and this one has a part of all: what is burned there and minted here is no
 * growth, and the chain alone does not tell the two apart.
 */
function mayComeFromOtherChains(context: Context, onChain: number): boolean {
  const all = numberOf(context, 'total_supply', SUPPLY_OF_ALL_CHAINS);
  const { gap } = flagThresholds(context.methodology).SUPPLY_MISMATCH;
  return all !== null && onChain < all.value * (1 - gap);
}

/**
 * The supply as the chain states it where registries that lag behind outvote it: the smallest reading, with the
 * confidence of that number of operators. Null without a reading.
 */
function readSupply(consensus: Consensus, { methodology }: Context): Known<number> | null {
  const readings = consensus.voices.filter(
    ({ tier, reason, value }) => tier === 'chain' && !UNUSABLE.has(reason) && typeof value === 'number' && value > 0,
  );
  if (readings.length === 0) return null;
  const { oneOperator, twoOperators } = methodology.consensus.chainIndependence;
  const operators = new Set(readings.map(({ family }) => family)).size;
  const weight = Math.max(...readings.map((reading) => reading.weight));
  return {
    value: Math.min(...readings.map(({ value }) => Number(value))),
    confidence: (operators > 1 ? twoOperators : oneOperator) * Math.min(1, weight),
    consensus,
  };
}

/**
 * A market of a large exchange that traded yesterday and that the exchange no longer lists or trades today. The
 * exchange's own reply about its market takes precedence over a registry.
 */
function delisted(context: Context, t: FlagThresholds['DELISTING']): Raised | null {
  for (const { venue, volume24hUsd, at } of context.input.history?.listings ?? []) {
    const scope = canonicalScope(`venue:${venue}`) ?? '';
    const exchange = marketOfScope(scope)?.exchange;
    if (exchange === undefined || volume24hUsd < t.volumeUsd) continue;
    const traded = `${venue} traded ${usd(volume24hUsd)} on ${at.slice(0, 10)}`;
    const now = numberOf(context, 'venue_volume_24h_usd', scope);
    const own = now?.consensus.voices.find((voice) => voice.source === exchange && voice.reason !== 'too_old');
    const volume = own?.value ?? (isNotFound(context, exchange) ? null : (now?.value ?? null));
    if (now !== null && volume === 0)
      return raised([now], `${traded} and does not trade now`, venue, {
        confidence: own ? Math.max(t.tradeConfidence, now.confidence) : now.confidence,
      });
    if (volume !== null) continue;
    const confidence = goneFrom(context, exchange, t);
    if (confidence !== null)
      return { confidence, detail: `${traded} and is not listed now`, evidence: [], value: venue };
  }
  return null;
}

function isNotFound(context: Context, exchange: string): boolean {
  return context.input.sources.some((row) => row.name === exchange && row.outcome === 'not_found');
}

/**
 * Confidence that an exchange does not list the asset: from its own reply, or from a registry that names its markets;
 * null: unknown.
 */
function goneFrom(context: Context, exchange: string, t: FlagThresholds['DELISTING']): number | null {
  const asked = context.input.sources.find((row) => row.name === exchange);
  if (asked?.outcome === 'not_found') return t.notFoundConfidence;
  const registry = context.input.sources.find((row) => row.name === MARKETS_REGISTRY);
  const namesNone = asked?.outcome === 'unsupported' && registry?.outcome === 'ok' && registry.failures.length === 0;
  return namesNone ? t.unnamedConfidence : null;
}

function ageMs(context: Context, row: { readonly at: string }): number {
  return context.now - Date.parse(row.at);
}
