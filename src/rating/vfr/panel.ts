import type { AssetClass, Category, Identification, PeerRow, QuantityId } from '../../domain/index.ts';
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

/**
 * Peers that an asset may be compared with. Excludes the asset itself under any of its names, pegged or wrapped assets,
 * and peers with too low trust; each project appears once (with its largest asset).
 */
export function peersFor(subject: Subject, panel: readonly PeerRow[], rules: PeerRules): readonly PeerRow[] {
  const { minimumTrust, largestUsd } = rules;
  const taken = new Set([subject.assetId, ...subject.aliases]);
  const sizeOf = ({ marketValueUsd }: PeerRow) => (isPlausible(marketValueUsd, largestUsd) ? marketValueUsd : 0);
  const bySize = [...panel].sort((a, b) => sizeOf(b) - sizeOf(a) || (a.assetId < b.assetId ? -1 : 1));
  const kept: PeerRow[] = [];
  for (const peer of bySize) {
    const names = [peer.assetId, ...(peer.aliases ?? [])];
    if (names.some((name) => taken.has(name))) continue;
    const isRedeemed = peer.class === undefined ? BY_REDEMPTION.has(peer.category) : isByRedemption(peer.class, rules);
    if (isRedeemed || (peer.trust ?? minimumTrust) < minimumTrust) continue;
    for (const name of names) taken.add(name);
    kept.push(peer);
  }
  return kept;
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
