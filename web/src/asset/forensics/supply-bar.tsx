import { percent } from '../../format.ts';
import type { HolderClusters } from '../../types.ts';

/** The supply as one bar: what lies in clusters, what else was looked at, and the rest. */
export function SupplyBar({ found }: { readonly found: HolderClusters }) {
  const clustered = Math.min(100, found.clustered_share_pct);
  const others = Math.max(0, Math.min(100, found.owners.share_looked_at_pct) - clustered);
  const words = `${percent(clustered, 1)} in clusters, ${percent(others, 1)} with other large holders that were looked at, ${percent(100 - clustered - others, 1)} elsewhere`;
  let from = 0;
  return (
    <figure className="supply">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={`Of the supply: ${words}.`}>
        <rect className="ground" width={100} height={10} />
        {found.clusters.map(({ share_pct: share }) => {
          const x = from;
          from += share;
          return <rect key={x} className="clustered" x={x} width={Math.max(0.3, share - 0.2)} height={10} />;
        })}
        <rect className="reach" x={clustered} width={others} height={10} />
      </svg>
      <figcaption className="under">Of the supply: {words}.</figcaption>
    </figure>
  );
}
