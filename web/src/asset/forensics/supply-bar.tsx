import { ShareBar } from '../../charts/share-bar.tsx';
import { percent } from '../../format.ts';
import type { HolderClusters } from '../../types.ts';

/** The supply as one bar: clusters, other examined holders, and the rest. */
export function SupplyBar({ found }: { readonly found: HolderClusters }) {
  const clustered = Math.min(100, found.clustered_share_pct);
  const others = Math.max(0, Math.min(100, found.owners.share_looked_at_pct) - clustered);
  const words = `${percent(clustered, 1)} in clusters, ${percent(others, 1)} with other large holders that were looked at, ${percent(100 - clustered - others, 1)} elsewhere`;
  const clusters = found.clusters.map(({ share_pct: share }, index) => ({
    key: String(index),
    name: `cluster ${index + 1}`,
    share,
    colour: 'var(--band-c)',
  }));
  const looked = { key: 'others', name: 'other large holders', share: others, colour: 'var(--s2)' };
  return (
    <figure className="supply">
      <ShareBar label="Of the supply" parts={[...clusters, looked]} />
      <figcaption className="under">Of the supply: {words}.</figcaption>
    </figure>
  );
}
