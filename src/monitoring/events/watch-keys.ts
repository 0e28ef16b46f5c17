import type { Database } from '../../store/index.ts';
import { noteKeys, unreadKeys } from '../../store/index.ts';

/**
 * Reads who holds the keys of some contracts: one text per address, the same text as long as nothing changes; null for one
 * that cannot be read. Null for all when the chain does not answer.
 */
export type ReadKeys = (addresses: readonly string[]) => Promise<readonly (string | null)[] | null>;

export interface KeyChain {
  readonly chain: string;
  readonly read: ReadKeys;
  /** Assets looked at in one turn. */
  readonly atOnce: number;
}

/** Keys are read this often: a change is known by then, whatever the asset's cadence. */
const EVERY_MS = 600_000;

/** One turn over the chains: monitored assets whose keys changed are rated again at once. Returns them. */
export async function watchKeys(
  db: Database,
  chains: readonly KeyChain[],
  now: () => number,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { chain, read, atOnce } of chains) {
    const before = new Date(now() - EVERY_MS).toISOString();
    const due = await unreadKeys(db, chain, before, atOnce);
    if (due.length === 0) continue;
    const keys = await read(due.map((one) => one.address));
    // A chain that does not answer has shown no change; the same assets come first the next time.
    if (keys === null) continue;
    const sightings = due.map((one, index) => ({ assetId: one.asset_id, keys: keys[index] ?? null }));
    changed.push(...(await noteKeys(db, sightings, new Date(now()).toISOString())));
  }
  return changed;
}
