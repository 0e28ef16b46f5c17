import type { QuantityId } from '../../domain/quantities.ts';
import type { PeerRow, Vfr, VfrZone } from '../../domain/rating.ts';
import { type Context, numberOf } from '../context.ts';
import { noVfr } from './none.ts';

interface Multiple {
  readonly quantity: QuantityId;
  readonly value: number;
  /** ln of the fair value by this driver. */
  readonly lnFair: number;
  readonly sd: number;
  readonly precision: number;
  readonly peers: number;
}

/**
 * Estimator A of methodology 5: for each driver the median ln multiple of the category, pulled towards that of all peers
 * by a pseudo-count; fair values combined by confidence over variance, drivers being correlated. Free of scale: a change
 * of currency leaves the ratio as it is. Null with a reason where it cannot be done honestly.
 */
export function byMultiples(context: Context): Vfr {
  const rules = context.methodology.vfr;
  const market = marketValue(context);
  if (market === null) return noVfr('the market value is not known');
  const wanted = rules.drivers[context.category];
  const known = wanted
    .map((quantity) => ({ quantity, found: numberOf(context, quantity) }))
    .filter(({ found }) => found !== null && found.value > 0 && found.confidence >= rules.minimumDriverConfidence);
  if (known.length === 0)
    return noVfr(
      `no driver of this category (${wanted.join(', ') || 'none defined'}) is known with confidence ${rules.minimumDriverConfidence} or more`,
    );
  const multiples = known.flatMap(({ quantity, found }) =>
    found ? (multipleOf(context, quantity, found.value, found.confidence) ?? []) : [],
  );
  const most = Math.max(
    0,
    ...known.map(
      ({ quantity }) => peersWith(context, quantity).filter((peer) => peer.category === context.category).length,
    ),
  );
  if (multiples.length === 0)
    return { ...noVfr(`${most} peers with the driver, ${rules.minimumPeers} are needed`), peers: most };
  const precision = multiples.reduce((sum, row) => sum + row.precision, 0);
  const lnFair = multiples.reduce((sum, row) => sum + row.precision * row.lnFair, 0) / precision;
  const sd = Math.sqrt((1 + rules.driverCorrelation * (multiples.length - 1)) / precision);
  const peers = Math.max(...multiples.map((row) => row.peers));
  if (sd > rules.sdMaximum)
    return { ...noVfr(`peers spread too widely (sd ${sd.toFixed(2)} in ln, at most ${rules.sdMaximum})`), peers };
  const ln = Math.log(market) - lnFair;
  const width = rules.intervalZ * sd;
  return {
    value: round(Math.exp(ln)),
    zone: zoneOf(ln, ln / sd, rules.zones),
    interval: [round(Math.exp(ln - width)), round(Math.exp(ln + width))],
    z: round(ln / sd),
    method: 'multiples',
    peers,
    drivers: multiples.map((row) => ({
      quantity: row.quantity,
      value: row.value,
      fairValueUsd: Math.exp(row.lnFair),
      weight: round(row.precision / precision),
    })),
    reason: null,
  };
}

/** Price x circulating supply, else the reported capitalisation; scheduled unlocks of the next year are added where known. */
export function marketValue(context: Context): number | null {
  const price = numberOf(context, 'price_usd');
  const supply = numberOf(context, 'circulating_supply');
  const reported = numberOf(context, 'market_cap_usd');
  const base = price && supply ? price.value * supply.value : (reported?.value ?? null);
  if (base === null || base <= 0) return null;
  return base * (1 + (numberOf(context, 'unlock_next_12m_share')?.value ?? 0));
}

function peersWith(context: Context, quantity: QuantityId): readonly PeerRow[] {
  // An asset is not its own peer: it would pull its fair value to itself.
  const own = context.input.identification.asset.id;
  return context.input.peers.filter(
    (peer) => peer.assetId !== own && peer.marketValueUsd > 0 && (peer.drivers[quantity] ?? 0) > 0,
  );
}

function multipleOf(
  context: Context,
  quantity: QuantityId,
  value: number,
  confidence: number,
): readonly Multiple[] | null {
  const rules = context.methodology.vfr;
  const peers = peersWith(context, quantity);
  const logs = (rows: readonly PeerRow[]) =>
    rows.map((peer) => Math.log(peer.marketValueUsd / (peer.drivers[quantity] ?? 1)));
  const same = logs(peers.filter((peer) => peer.category === context.category));
  const all = logs(peers);
  if (same.length < rules.minimumPeers) return null;
  const centre = (same.length * median(same) + rules.pseudoCount * median(all)) / (same.length + rules.pseudoCount);
  const sd = Math.max(rules.sdFloor, 1.4826 * median(same.map((row) => Math.abs(row - centre))));
  return [
    { quantity, value, lnFair: Math.log(value) + centre, sd, precision: confidence / sd ** 2, peers: same.length },
  ];
}

function zoneOf(
  ln: number,
  z: number,
  zones: { readonly deep: number; readonly mild: number; readonly fairRatio: number },
): VfrZone {
  if (Math.abs(z) < zones.mild || Math.abs(ln) < Math.log(zones.fairRatio)) return 'FAIR';
  if (z < 0) return z <= -zones.deep ? 'DEEP_DISCOUNT' : 'DISCOUNT';
  return z >= zones.deep ? 'EXTREME_PREMIUM' : 'PREMIUM';
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? high)) / 2;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
