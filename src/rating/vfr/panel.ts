import {
  type AssetClass,
  type Category,
  type Identification,
  oncePer,
  type PeerRow,
  type QuantityId,
} from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';

/** Categories of rows written before classes existed: these assets are valued by redemption and not by use. */
const BY_REDEMPTION: ReadonlySet<Category> = new Set(['stablecoin', 'lst_wrapped']);

type PeerRules = Pick<Methodology['vfr'], 'minimumTrust' | 'largestUsd' | 'drivers'>;

/** Class and category under which an asset is valued. */
export interface Kind {
  readonly class: AssetClass;
  readonly category: Category;
}

/** True for a peer of the same class. For a row from before classes existed, only its category is compared. */
export function isOfKind(peer: PeerRow, kind: Kind): boolean {
  return peer.class === undefined ? peer.category === kind.category : peer.class === kind.class;
}

/** True for assets valued by redemption, a class without drivers. */
export function isByRedemption(of: AssetClass, { drivers }: Pick<PeerRules, 'drivers'>): boolean {
  return drivers[of].length === 0;
}

export interface Subject {
  readonly assetId: string;
  /** Other names of the asset, in the form of `PeerRow.aliases`. */
  readonly aliases: readonly string[];
}

interface Chosen {
  readonly peers: readonly PeerRow[];
  /** All names of these peers. */
  readonly names: ReadonlySet<string>;
}

/** Peers of a panel with which any asset may be compared, largest first. Computed once for a panel. */
const candidatesOf = oncePer((panel: readonly PeerRow[]) =>
  oncePer((rules: PeerRules): readonly PeerRow[] => {
    const { minimumTrust, largestUsd } = rules;
    return panel
      .map((peer) => ({ peer, size: isPlausible(peer.marketValueUsd, largestUsd) ? peer.marketValueUsd : 0 }))
      .sort((a, b) => b.size - a.size || (a.peer.assetId < b.peer.assetId ? -1 : 1))
      .map(({ peer }) => peer)
      .filter((peer) => {
        const isRedeemed =
          peer.class === undefined ? BY_REDEMPTION.has(peer.category) : isByRedemption(peer.class, rules);
        return !(isRedeemed || (peer.trust ?? minimumTrust) < minimumTrust);
      });
  }),
);

/** The peers of an asset that is not in the panel. Computed once for a panel. */
const chosenOf = oncePer((panel: readonly PeerRow[]) =>
  oncePer((rules: PeerRules) => distinct(candidatesOf(panel)(rules), [])),
);

/**
 * Peers that an asset may be compared with. Excludes the asset itself under any of its names, pegged or wrapped assets,
 * and peers with too low trust; each project appears once (with its largest asset). The panel must not change.
 */
export function peersFor(subject: Subject, panel: readonly PeerRow[], rules: PeerRules): readonly PeerRow[] {
  const chosen = chosenOf(panel)(rules);
  const own = [subject.assetId, ...subject.aliases];
  // Without one of these peers, another one of its project may take its place.
  return own.some((name) => chosen.names.has(name)) ? distinct(candidatesOf(panel)(rules), own).peers : chosen.peers;
}

/** The first peer under each name, without those that have one of the `taken` names. */
function distinct(candidates: readonly PeerRow[], taken: readonly string[]): Chosen {
  const names = new Set(taken);
  const peers = candidates.filter((peer) => {
    const { assetId, aliases = [] } = peer;
    if (names.has(assetId) || aliases.some((name) => names.has(name))) return false;
    names.add(assetId);
    for (const name of aliases) names.add(name);
    return true;
  });
  return { peers, names };
}

/** ln market value and ln driver of a peer; null unless both are plausible amounts. */
export function logsOf(
  peer: PeerRow,
  quantity: QuantityId,
  { largestUsd }: Pick<PeerRules, 'largestUsd'>,
): { readonly value: number; readonly driver: number } | null {
  const value = peer.marketValueUsd;
  const driver = peer.drivers[quantity];
  if (!isPlausible(value, largestUsd) || !isPlausible(driver, largestUsd)) return null;
  return { value: Math.log(value), driver: Math.log(driver) };
}

function isPlausible(amount: number | null | undefined, largest: number): amount is number {
  return typeof amount === 'number' && amount > 0 && amount < largest;
}

/** The names under which the panel may know the asset: its copy on another chain is not a peer. */
export function subjectOf({ asset, keys }: Identification): Subject {
  return {
    assetId: asset.id,
    aliases: [
      ...keys.deployments.map(({ chain, address }) => `${chain}:${address.toLowerCase()}`),
      ...(asset.chain !== null && asset.address !== null && asset.address !== 'native'
        ? [`${asset.chain}:${asset.address.toLowerCase()}`]
        : []),
      ...(keys.coingeckoId === null ? [] : [`coingecko:${keys.coingeckoId}`]),
      ...(keys.cmcId === null ? [] : [`coinmarketcap:${keys.cmcId}`]),
    ].sort(),
  };
}
