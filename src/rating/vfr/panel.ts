import type { Category, PeerRow, QuantityId } from '../../domain/index.ts';

/** Beyond what any public number of this field is: rather a wrong unit than a value. */
const MOST = 1e18;
/** Priced by what they can be redeemed for and not by their use. */
const BY_REDEMPTION: ReadonlySet<Category> = new Set(['stablecoin', 'lst_wrapped']);

export interface Subject {
  readonly assetId: string;
  /** Its other names, in the words of `PeerRow.aliases`. */
  readonly aliases: readonly string[];
}

/**
 * Those an asset may be compared with: not itself under any of its names, not what is pegged or wrapped, each project once (the
 * largest of its forms), and none whose own evidence is too weak.
 */
export function peersFor(subject: Subject, panel: readonly PeerRow[], minimumTrust: number): readonly PeerRow[] {
  const taken = new Set([subject.assetId, ...subject.aliases]);
  const sizeOf = ({ marketValueUsd }: PeerRow) => (isPlausible(marketValueUsd) ? marketValueUsd : 0);
  const bySize = [...panel].sort((a, b) => sizeOf(b) - sizeOf(a) || (a.assetId < b.assetId ? -1 : 1));
  const kept: PeerRow[] = [];
  for (const peer of bySize) {
    const names = [peer.assetId, ...(peer.aliases ?? [])];
    if (names.some((name) => taken.has(name))) continue;
    if (BY_REDEMPTION.has(peer.category) || (peer.trust ?? minimumTrust) < minimumTrust) continue;
    for (const name of names) taken.add(name);
    kept.push(peer);
  }
  return kept;
}

/** ln market value and ln driver of a peer; null unless both are plausible amounts. */
export function logsOf(
  peer: PeerRow,
  quantity: QuantityId,
): { readonly value: number; readonly driver: number } | null {
  const value = peer.marketValueUsd;
  const driver = peer.drivers[quantity];
  if (!isPlausible(value) || !isPlausible(driver)) return null;
  return { value: Math.log(value), driver: Math.log(driver) };
}

function isPlausible(amount: number | null | undefined): amount is number {
  return typeof amount === 'number' && amount > 0 && amount < MOST;
}
