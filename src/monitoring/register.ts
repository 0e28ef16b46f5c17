import type { Asset } from '../domain/index.ts';
import type { Database } from '../store/index.ts';
import { listMonitored, monitorAsset, unmonitorAsset } from '../store/index.ts';
import type { MonitoredAsset } from './types.ts';

/** Which assets are rated again by themselves. */
export interface Register {
  /** Monitors an asset that was rated before, until it is removed. False when it was never rated. */
  add(assetId: string, addedBy: string): Promise<boolean>;
  /** False when it was not monitored. */
  remove(assetId: string): Promise<boolean>;
  list(page: { readonly after: string; readonly limit: number }): Promise<readonly MonitoredAsset[]>;
}

const USUAL_SECONDS = 86_400;

/** The register of monitored assets in the store; whichever process monitors sees its changes. */
export function createRegister(db: Database, now: () => number): Register {
  const present = () => new Date(now()).toISOString();
  return {
    async add(assetId, addedBy) {
      const known = await db
        .selectFrom('rated_assets')
        .select('asset_id')
        .where('asset_id', '=', assetId)
        .executeTakeFirst();
      if (!known) return false;
      const at = present();
      const due = { wanted_until: null, due_at: at, cadence_seconds: USUAL_SECONDS, reason: 'added' };
      await monitorAsset(db, { asset_id: assetId, added_by: addedBy, added_at: at, ...due }, true);
      return true;
    },
    remove: (assetId) => unmonitorAsset(db, assetId, present()),
    async list({ after, limit }) {
      return (await listMonitored(db, after, limit)).map((row) => ({
        asset: row.asset === null ? bareAsset(row.asset_id) : (JSON.parse(row.asset) as Asset),
        addedBy: row.added_by,
        addedAt: row.added_at,
        wantedUntil: row.wanted_until,
        paused: row.paused,
        dueAt: row.due_at,
        reason: row.reason,
        cadenceSeconds: row.cadence_seconds,
        failures: row.failures,
        lastFailure: row.last_failure,
      }));
    },
  };
}

function bareAsset(assetId: string): Asset {
  return { id: assetId, chain: null, address: null, symbol: null, name: assetId, category: null, website: null };
}
