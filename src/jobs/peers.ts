import { createHash } from 'node:crypto';
import {
  type AssetClass,
  consensusKey,
  type DriverReadings,
  type EvidenceRecord,
  type PeerRow,
  type QuantityId,
  type ScoreReport,
} from '../domain/index.ts';
import { ASSET_LISTS, type BulkLists, type ListedAsset, listedAssets } from '../evidence/index.ts';
import type { Methodology } from '../methodology/index.ts';
import {
  driversOf,
  isByRedemption,
  lastRound,
  marketValueOf,
  mediansOf,
  smoothed,
  subjectOf,
} from '../rating/index.ts';
import { rowsOf } from '../registers/index.ts';
import type { PanelEntry } from '../store/index.ts';

type RatedEvidence = Pick<ScoreReport, 'consensus' | 'rating'> & {
  readonly evidence: Pick<EvidenceRecord, 'identification' | 'asOf' | 'driverDays'>;
};

/**
 * The contribution of this report to the peer panel. Null where its market value cannot serve as a reference: not known
 * well enough, pegged, not rated, defaulted, or with a critical flag (a quoted price that cannot be realised).
 */
export function peerOf({ evidence, consensus, rating }: RatedEvidence, rules: Methodology['vfr']): PanelEntry | null {
  if (rating.band === 'NR' || rating.band === 'D' || isByRedemption(rating.class, rules)) return null;
  if (rating.flags.some((flag) => flag.severity === 'critical')) return null;
  const { identification, asOf } = evidence;
  const known = (quantity: QuantityId) => {
    const found = consensus[consensusKey(quantity, 'asset')];
    return found && typeof found.value === 'number' && found.confidence >= rules.minimumDriverConfidence
      ? { quantity, value: found.value, confidence: found.confidence }
      : null;
  };
  const marketValue = identification.stage === 'pre_tge' ? null : marketValueOf((name) => known(name)?.value ?? null);
  const round = lastRound(consensus.raises ?? null, asOf, rules.rounds);
  if (marketValue === null && round === null) return null;
  const quantities = [...new Set([...Object.values(rules.drivers).flat(), ...rules.weak.quantities])];
  const today = quantities.flatMap((quantity) => known(quantity) ?? []).filter(({ value }) => value > 0);
  const { assetId, aliases } = subjectOf(identification);
  return {
    peer: {
      assetId,
      category: rating.category,
      class: rating.class,
      asOf,
      marketValueUsd: marketValue && sixDigits(marketValue.diluted),
      drivers: rounded(mediansOf(smoothed(today, evidence.driverDays ?? [], asOf, rules))),
      trust: rating.trust.score,
      aliases,
      round,
    },
    readings: rounded(Object.fromEntries(today.map(({ quantity, value }) => [quantity, value]))),
  };
}

function rounded(readings: DriverReadings): DriverReadings {
  return Object.fromEntries(Object.entries(readings).map(([quantity, value]) => [quantity, sixDigits(value)]));
}

/** Panels are archived with every rating, so digits that a median does not need are dropped. */
function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}

/**
 * Reads the peers from the lists of all assets, waiting at most this number of milliseconds for lists that are not
 * loaded.
 */
export type ListedPeers = (waitMs: number) => Promise<readonly PeerRow[]>;

type ClassedPeer = PeerRow & { readonly class: AssetClass };

/**
 * Peers by class from the lists of all assets: the same for every request, and available at the first rating of an
 * installation. A list that could not be loaded leaves its drivers out; without the lists of markets there are none.
 */
export function createListedPeers(bulk: Pick<BulkLists, 'get'>, methodology: Methodology): ListedPeers {
  let held: { readonly lists: readonly unknown[]; readonly rows: readonly PeerRow[] } = { lists: [], rows: [] };
  return async (waitMs) => {
    const found = await Promise.all(ASSET_LISTS.map(({ source, endpoint }) => bulk.get(source, endpoint, waitMs)));
    const lists = found.map((list) => ('failed' in list ? null : list));
    // A list is the same object until it is fetched again.
    if (lists.length !== held.lists.length || lists.some((list, index) => list !== held.lists[index])) {
      const asOf = lists[0]?.record.fetchedAt ?? '';
      const assets = listedAssets(lists.map((list) => list?.reply));
      const peers = assets.flatMap((asset) => listedPeerOf(asset, asOf, methodology) ?? []);
      held = { lists, rows: sampled(peers, methodology.vfr.listed.mostOfClass) };
    }
    return held.rows;
  };
}

/** Peers rated here, then those of lists that are not among them under any of their names. */
export function withListed(rated: readonly PeerRow[], listed: readonly PeerRow[]): readonly PeerRow[] {
  const known = new Set(rated.flatMap((row) => row.aliases ?? []));
  return [...rated, ...listed.filter((row) => !known.has(row.assetId))];
}

function listedPeerOf(asset: ListedAsset, asOf: string, methodology: Methodology): ClassedPeer | null {
  const of = classOf(asset, methodology);
  if (of === null) return null;
  const known: Readonly<Partial<Record<QuantityId, number | null>>> = {
    fees_30d_usd: asset.fees30dUsd,
    tvl_usd: asset.tvlUsd,
    volume_24h_usd: asset.volume24hUsd,
  };
  const drivers: DriverReadings = Object.fromEntries(
    driversOf(of, methodology.vfr).flatMap((name) => (known[name] ? [[name, sixDigits(known[name])]] : [])),
  );
  if (Object.keys(drivers).length === 0) return null;
  return {
    assetId: asset.alias,
    class: of,
    category: methodology.classes[of].category,
    asOf,
    marketValueUsd: sixDigits(asset.marketCapUsd),
    drivers,
    aliases: [asset.alias],
    round: null,
  };
}

/**
 * By a register, else by the category of its protocol or of the asset itself; null where none is stated, and for assets
 * valued by redemption.
 */
function classOf(
  { registryId, protocolCategory, isMeme }: ListedAsset,
  { classRules }: Methodology,
): AssetClass | null {
  const { natives, issuer, protocol } = rowsOf([`registry:${registryId}`]).shipped;
  if (natives !== undefined) return 'native_l1';
  if (issuer !== undefined) return null;
  if (typeof protocol?.kind === 'string') return classRules.rows[protocol.kind] ?? null;
  return classRules.protocols[protocolCategory ?? ''] ?? (isMeme ? 'memecoin' : null);
}

/** A number of each class, chosen by hashes: no size is preferred, and the choice is the same for all. */
function sampled(peers: readonly ClassedPeer[], most: number): readonly PeerRow[] {
  const hashOf = ({ assetId }: PeerRow) => createHash('sha256').update(assetId).digest('hex');
  const byHash = peers.map((peer) => ({ peer, hash: hashOf(peer) })).sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const taken = new Map<AssetClass, number>();
  const chosen = byHash.filter(({ peer }) => {
    const place = taken.get(peer.class) ?? 0;
    taken.set(peer.class, place + 1);
    return place < most;
  });
  return chosen.map(({ peer }) => peer).sort((a, b) => (a.assetId < b.assetId ? -1 : 1));
}

type Load = (asOf: string) => Promise<readonly PeerRow[]>;

/**
 * The panel, read at most once in `maximumAgeMs`: concurrent jobs share it. Never one that was read for a later time
 * than requested, and none that failed to load.
 */
export function sharedPanel(load: Load, maximumAgeMs: number): Load {
  let held: { readonly at: number; readonly rows: Promise<readonly PeerRow[]> } | null = null;
  return (asOf) => {
    const at = Date.parse(asOf);
    if (held !== null && held.at <= at && at - held.at < maximumAgeMs) return held.rows;
    const rows = load(asOf);
    const own = { at, rows };
    held = own;
    rows.catch(() => {
      if (held === own) held = null;
    });
    return rows;
  };
}
