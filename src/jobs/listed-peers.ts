import { createHash } from 'node:crypto';
import type { AssetClass, DriverReadings, PeerRow, QuantityId } from '../domain/index.ts';
import { ASSET_LISTS, type BulkLists, type ListedAsset, listedAssets } from '../evidence/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { driversOf } from '../rating/index.ts';
import { rowsOf } from '../registers/index.ts';

/** Reads the peers that lists of all assets give, waiting for lists that are not there for at most so many milliseconds. */
export type ListedPeers = (waitMs: number) => Promise<readonly PeerRow[]>;

type ClassedPeer = PeerRow & { readonly class: AssetClass };

/**
 * Peers by class out of the lists of all assets: the same for whoever asks, and there at the first rating of an installation. A list that
 * could not be had leaves its drivers out; without the lists of markets there are none.
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
      const peers = assets.flatMap((asset) => peerOf(asset, asOf, methodology) ?? []);
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

function peerOf(asset: ListedAsset, asOf: string, methodology: Methodology): ClassedPeer | null {
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

/** By a kept register, else by what its protocol or it itself is filed as; null where nobody says, and for what is worth what it is redeemed for. */
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

/** So many of each class, chosen by hashes: no size is favoured, and the choice is the same for all. */
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

/** Panels are archived with every rating: no digit more than a median can use. */
const sixDigits = (value: number): number => Number(value.toPrecision(6));
