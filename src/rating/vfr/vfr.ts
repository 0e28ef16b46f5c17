import type { PeerRow, Rating, Vfr, VfrDriver } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';
import { type Context, numberOf } from '../context.ts';
import { wholeSupplyOf } from '../whole-supply.ts';
import { type Driver, driversOf, type Estimate, type MarketValue, marketValueOf, smoothed } from './drivers.ts';
import { byMultiple, byRegression, combine } from './estimators.ts';
import { isByRedemption, isOfKind, type Kind, logsOf, peersFor, type Subject, subjectOf } from './panel.ts';
import { byPeg } from './peg.ts';
import { fourDigits, noVfr, zoneOf } from './result.ts';

/**
 * Value compared with peers, or the reason why there is none. Not part of the score and not a forecast (methodology
 * 0.5).
 */
export function vfrOf(context: Context, rating: Pick<Rating, 'band'> & { readonly trust: number }): Vfr {
  const rules = context.methodology.vfr;
  if (rating.band === 'D') return noVfr('the asset has defaulted');
  if (rating.trust < rules.minimumTrust)
    return noVfr(`trust in the evidence is ${rating.trust}, below ${rules.minimumTrust}`);
  if (isRedeemed(context)) return byPeg(context);
  if (!numberOf(context, 'price_usd')) return noVfr('there is no price');
  const marketValue = marketValueOf(
    (quantity) => (quantity === 'total_supply' ? wholeSupplyOf(context) : numberOf(context, quantity))?.value ?? null,
  );
  if (marketValue === null) return noVfr('the market value is not known');
  const today = driversOf(context.class, rules).flatMap((quantity) => {
    const found = numberOf(context, quantity);
    return found === null ? [] : [{ quantity, value: found.value, confidence: found.confidence }];
  });
  return againstPeers(
    {
      ...subjectOf(context.input.identification),
      class: context.class,
      category: context.category,
      marketValue,
      drivers: smoothed(today, context.input.driverDays ?? [], context.input.asOf, rules),
    },
    context.input.peers,
    rules,
  );
}

/** A fund share is valued by its redemption value if one is stated, otherwise compared with peers. */
function isRedeemed(context: Context): boolean {
  return (
    isByRedemption(context.class, context.methodology.vfr) ||
    (context.class === 'rwa_sec' && numberOf(context, 'redemption_value_usd') !== null)
  );
}

/** The valued asset: its market value and all known drivers of its class. */
export interface Valued extends Subject, Kind {
  readonly marketValue: MarketValue;
  readonly drivers: readonly Driver[];
}

/**
 * Market value over the value of peers with the same drivers (methodology 5): multiples and a regression, weighted by
 * confidence over variance and treated as correlated. Independent of scale: a change of currency does not change the
 * ratio. Null with a reason where no sound value can be computed. Pure.
 */
export function againstPeers(valued: Valued, panel: readonly PeerRow[], rules: Methodology['vfr']): Vfr {
  const { marketValue } = valued;
  const wanted = rules.drivers[valued.class];
  const isKnown = (driver: Driver) => driver.value > 0 && Number.isFinite(driver.value);
  const drivers = valued.drivers.filter(
    (driver) => isKnown(driver) && driver.confidence >= rules.minimumDriverConfidence,
  );
  if (!drivers.some((driver) => !driver.isWeak))
    return noVfr(
      `no driver of this class (${wanted.join(', ') || 'none defined'}) is known with confidence ${rules.minimumDriverConfidence} or more`,
    );
  const peers = peersFor(valued, panel, rules);
  const multiples = drivers.flatMap((driver) => byMultiple(driver, valued, peers, rules) ?? []);
  if (!multiples.some((estimate) => !estimate.driver?.isWeak)) {
    const most = mostPeers(drivers, valued, peers, rules);
    return {
      ...noVfr(`${most} ${most === 1 ? 'peer' : 'peers'} with the driver, ${rules.minimumPeers} are needed`),
      peers: most,
    };
  }
  const regression = byRegression(drivers, valued, peers, rules);
  if (regression !== null && regression.r2 < rules.minimumR2)
    return {
      ...noVfr(
        `the drivers explain too little of what peers are worth (R2 ${regression.r2.toFixed(2)} on peers left out, ${rules.minimumR2} is needed)`,
      ),
      peers: regression.peers,
      r2: round2(regression.r2),
    };
  const estimates: readonly Estimate[] = regression === null ? multiples : [...multiples, regression];
  const { lnFair, sd, weights } = combine(estimates, Math.log(marketValue.diluted), rules);
  const count = Math.max(...estimates.map((estimate) => estimate.peers));
  if (sd > rules.sdMaximum)
    return {
      ...noVfr(`peers spread too widely (sd ${sd.toFixed(2)} in ln, at most ${rules.sdMaximum})`),
      peers: count,
    };
  const ln = Math.log(marketValue.diluted) - lnFair;
  const width = rules.intervalZ * rules.clusterWidening * sd;
  const over = (value: number | null) => (value === null ? null : fourDigits(Math.exp(Math.log(value) - lnFair)));
  return {
    value: fourDigits(Math.exp(ln)),
    zone: zoneOf(ln, sd, rules.zones),
    interval: [fourDigits(Math.exp(ln - width)), fourDigits(Math.exp(ln + width))],
    z: fourDigits(ln / sd),
    method: regression === null ? 'multiples' : 'multiples_and_regression',
    peers: count,
    drivers: estimates.map((estimate, index) => shown(estimate, weights[index] ?? 0)),
    reason: null,
    fairValueUsd: fourDigits(Math.exp(lnFair)),
    sd: fourDigits(sd),
    r2: regression && round2(regression.r2),
    variants: { circulating: over(marketValue.circulating), fullyDiluted: over(marketValue.full) },
    notes: notesOn(multiples, rules),
  };
}

function mostPeers(
  drivers: readonly Driver[],
  kind: Kind,
  peers: readonly PeerRow[],
  rules: Methodology['vfr'],
): number {
  const same = peers.filter((peer) => isOfKind(peer, kind));
  const counts = drivers
    .filter((driver) => !driver.isWeak)
    .map(({ quantity }) => same.filter((peer) => logsOf(peer, quantity, rules) !== null).length);
  return Math.max(0, ...counts);
}

function notesOn(multiples: readonly Estimate[], rules: Methodology['vfr']): readonly string[] {
  const { days: window, sums } = rules.smoothing;
  const short = multiples
    .flatMap(({ driver }) => driver ?? [])
    .filter((driver) => driver.days < window && !sums.includes(driver.quantity))
    .map(({ quantity, days }) => `${quantity} (${days})`);
  return short.length === 0
    ? []
    : [`Medians over fewer than ${window} days, for our own readings go back no further: ${short.join(', ')}.`];
}

function shown(estimate: Estimate, weight: number): VfrDriver {
  const { driver } = estimate;
  return {
    estimator: estimate.estimator,
    quantity: driver?.quantity ?? null,
    value: driver?.value ?? null,
    days: driver?.days ?? 1,
    peers: estimate.peers,
    fairValueUsd: fourDigits(Math.exp(estimate.lnFair)),
    sd: fourDigits(estimate.sd),
    weight: fourDigits(weight),
  };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
