import type { SnapshotKind } from '../../domain/index.ts';
import type { SqlRunner } from './sql-runner.ts';

/** A way in which a snapshot of the kind was made (`NewSnapshot.method`). */
export interface StandingMethod {
  readonly kind: SnapshotKind;
  readonly method: string | null;
}

/** The ways in which holders and pools snapshots of an asset were made from `since` of each kind (RFC 3339) to `until`. */
export async function methodsBetween(
  client: SqlRunner,
  assetId: string,
  since: { readonly holders: string; readonly pools: string },
  until: string,
): Promise<readonly StandingMethod[]> {
  // The bounds of the whole let the planner leave all other days aside.
  const { rows } = await client.query<StandingMethod>(
    `select distinct kind, method from snapshots
     where asset_id = $1 and as_of <= $2 and as_of >= least($3::timestamptz, $4::timestamptz)
       and ((kind = 'holders' and as_of >= $3) or (kind = 'pools' and as_of >= $4))`,
    [assetId, until, since.holders, since.pools],
  );
  return rows;
}
