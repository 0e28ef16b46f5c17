import { hash } from 'node:crypto';
import type { Snapshot, SnapshotKind } from '../../domain/index.ts';

/** A snapshot on its way into the store. */
export interface NewSnapshot {
  readonly assetId: string;
  readonly chain: string;
  readonly kind: SnapshotKind;
  /** RFC 3339 UTC; milliseconds are kept, nothing finer. */
  readonly asOf: string;
  /** How it was made, for listings: of holders the method, of pools the depth method. */
  readonly method: string | null;
  /** UTF-8 JSON, stored and given back to the byte. */
  readonly body: Uint8Array;
  readonly sha256: Uint8Array;
  /** Only of market snapshots. */
  readonly price: PricePoint | null;
}

/** What price history keeps of a market snapshot, in US dollars. */
export interface PricePoint {
  readonly priceUsd: number | null;
  readonly volume24hUsd: number | null;
  readonly marketCapUsd: number | null;
  readonly liquidityUsd: number | null;
}

/** The row of a snapshot. `chain` is our short chain name, or `none` for an asset that is on no chain. */
export function snapshotRow(snapshot: Snapshot): NewSnapshot {
  const body = Buffer.from(JSON.stringify(snapshot), 'utf8');
  return {
    assetId: snapshot.asset.id,
    chain: snapshot.asset.chain ?? 'none',
    kind: snapshot.kind,
    asOf: snapshot.as_of,
    method: methodOf(snapshot),
    body,
    sha256: hash('sha256', body, 'buffer'),
    price:
      snapshot.kind === 'market'
        ? {
            priceUsd: snapshot.price_usd,
            volume24hUsd: snapshot.volume_24h_usd,
            marketCapUsd: snapshot.market_cap_usd,
            liquidityUsd: snapshot.liquidity_usd,
          }
        : null,
  };
}

function methodOf(snapshot: Snapshot): string | null {
  if (snapshot.kind === 'holders') return snapshot.method;
  return snapshot.kind === 'pools' ? snapshot.depth_method : null;
}
