import { createHash } from 'node:crypto';
import type { HoldersSnapshot } from '../contract/index.ts';
import type { EvidenceRecord, Observation, ResponseRecord } from '../domain/index.ts';
import { HOLDER_SCAN, HOUR_MS, QUANTITIES } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { type Database, snapshotAsOf } from '../store/index.ts';

/** A complete enumeration of the holders of an asset as the store has it. */
export interface HolderScan {
  readonly snapshot: HoldersSnapshot;
  /** Of the stored snapshot, hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** A list of ratings that is less than a scan is not stored within 48 hours after it: a step below that passes no scan by. */
const STEP_MS = 47 * HOUR_MS;

/**
 * The newest complete scan of an asset between the age limit for holders and `asOf` (RFC 3339): every owner read from the
 * chain by the indexer, and the sum checked against the supply. Null without one; lists of explorers and other sources never count.
 */
export async function newestHolderScan(
  db: Database,
  assetId: string,
  asOf: string,
  methodology: Methodology,
): Promise<HolderScan | null> {
  const now = Date.parse(asOf);
  const oldest = now - maxAgeMs(methodology);
  for (let at = now; at >= oldest; at -= STEP_MS) {
    const stored = await snapshotAsOf(db, assetId, 'holders', new Date(at).toISOString());
    if (stored === null || Date.parse(stored.asOf) < oldest) return null;
    const snapshot = JSON.parse(new TextDecoder().decode(stored.body)) as HoldersSnapshot;
    if (snapshot.method !== 'full_scan' || snapshot.status !== 'complete') continue;
    return {
      snapshot,
      sha256: createHash('sha256').update(stored.body).digest('hex'),
      bytes: stored.body.byteLength,
    };
  }
  return null;
}

/** Holder lists age as `holder_count` does: the class of lists as such has no limit that suits balances. */
function maxAgeMs({ consensus }: Methodology): number {
  return (consensus.classes[consensus.classOf.holder_count]?.maxAgeSeconds ?? 0) * 1000;
}

/** An earlier collection without its scan: a scan is taken from the store each time, never carried over. */
export function withoutHolderScan<Parts extends Pick<EvidenceRecord, 'observations' | 'responses'>>(
  parts: Parts,
): Parts {
  const isOther = ({ source }: { readonly source: string }) => source !== HOLDER_SCAN.source;
  return { ...parts, observations: parts.observations.filter(isOther), responses: parts.responses.filter(isOther) };
}

/** A scan as one observation of the holder list with its response record, for the evidence of a rating. Pure. */
export function holderScanEvidence({ snapshot, sha256, bytes }: HolderScan): {
  readonly response: ResponseRecord;
  readonly observation: Observation;
} {
  const { asset, as_of: at, scan } = snapshot;
  const endpoint = 'holders_snapshot';
  const id = `${HOLDER_SCAN.source}.${endpoint}#${sha256.slice(0, 8)}`;
  const head = { source: HOLDER_SCAN.source, endpoint, fetchedAt: at };
  return {
    response: {
      ...head,
      id,
      params: { assetId: asset.id, asOf: at, height: scan.height },
      outcome: 'ok',
      method: 'GET',
      url: `/v1/${asset.chain}/${asset.address}/holders/snapshot?as_of=${at}`,
      status: null,
      milliseconds: 0,
      headers: {},
      sha256,
      bytes,
      detail: null,
      fromCache: true,
    },
    observation: {
      ...head,
      quantity: 'top_holders',
      scope: 'asset',
      value: snapshot.top_holders.map(({ address, share_pct, labels }) => {
        const kind = labels.find((label) => label.confidence >= HOLDER_SCAN.leastLabelConfidence)?.kind;
        return { owner: address, sharePct: share_pct, ...(kind === undefined ? {} : { kind }) };
      }),
      unit: QUANTITIES.top_holders.unit,
      meaning: `the ${snapshot.top_holders.length} largest owners of a complete scan of the chain, share of total supply`,
      family: HOLDER_SCAN.family,
      tier: 'chain',
      observedAt: at,
      reliability: HOLDER_SCAN.reliability,
      binding: 1,
      responseId: id,
    },
  };
}
