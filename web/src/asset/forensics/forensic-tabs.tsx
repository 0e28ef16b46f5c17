import { Clusters } from './clusters.tsx';
import { Drains } from './drains.tsx';

/** Who emptied the asset's pools, and where the money went. */
export function ForensicTab({ assetId }: { readonly assetId: string }) {
  return (
    <div className="grid forensics">
      <Drains assetId={assetId} />
    </div>
  );
}

/** The largest holders, put together by who first paid their wallets. */
export function ClusterTab({ assetId }: { readonly assetId: string }) {
  return (
    <div className="grid forensics">
      <Clusters assetId={assetId} />
    </div>
  );
}
