import { checked } from './complaints.ts';
import { inForce, loadMethodology, type MethodologyFile, methodologyFile } from './load.ts';
import type { Methodology, MethodologyChange } from './types.ts';

/** A version of the methodology that ratings were made with. */
export interface MethodologyVersion extends MethodologyFile {
  readonly version: string;
  readonly date: string;
  readonly inForce: boolean;
}

let versions: readonly MethodologyVersion[] | null = null;

/**
 * Every version there ever was, the one in force first: each line of the log of changes but the newest names a file of
 * `methodology/versions/`. Throws when one is missing (`npm run methodology:keep` was not called).
 */
export function methodologyVersions(): readonly MethodologyVersion[] {
  versions ??= methodologyChanges().map(({ version, date }, index) => {
    const isInForce = index === 0;
    const file = isInForce ? inForce() : methodologyFile(`versions/${version}.json`);
    return { version, date, inForce: isInForce, ...file };
  });
  return versions;
}

/** What 0.5.0 did with the supply under locks, which its file does not say. */
const HOLDERS_OF_0_5_0: Methodology['holders'] = {
  outsideSupply: ['burn'],
  notHolders: ['pool', 'exchange', 'staking', 'lending', 'bridge', 'locker', 'vesting'],
  namesPools: false,
};

/**
 * The methodology of that hash where this code still computes it: the one in force, and 0.5.0, which differs from it in data
 * alone. Null for any other.
 */
export function computableMethodology(hash: string): Methodology | null {
  const current = loadMethodology();
  if (hash === current.hash) return current;
  const kept = methodologyVersions().find((row) => row.version === '0.5.0');
  if (kept?.hash !== hash) return null;
  const content: unknown = JSON.parse(kept.json);
  const found = checked({ ...Object(content), holders: HOLDERS_OF_0_5_0 });
  if (!found.ok) throw new Error(`methodology ${kept.version}: ${found.complaints.slice(0, 5).join('; ')}`);
  return { ...found.value, hash };
}

/** The log of changes, newest first. */
export function methodologyChanges(): readonly MethodologyChange[] {
  return loadMethodology().changes;
}
