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

/** Earlier versions that this code computes, with what their files do not say. */
const COMPUTABLE: Readonly<Record<string, Partial<Methodology>>> = {
  '0.5.1': {},
  '0.5.0': { holders: HOLDERS_OF_0_5_0 },
};

/**
 * The methodology of that hash where this code still computes it: the one in force, and those that differ from it in data
 * alone. Null for any other.
 */
export function computableMethodology(hash: string): Methodology | null {
  const current = loadMethodology();
  if (hash === current.hash) return current;
  const kept = methodologyVersions().find((row) => row.hash === hash);
  const added = kept === undefined ? undefined : COMPUTABLE[kept.version];
  if (kept === undefined || added === undefined) return null;
  const content = JSON.parse(kept.json) as { readonly consensus: Methodology['consensus'] };
  // Quantities that came later: the evidence of an earlier version holds none.
  const classOf = { ...current.consensus.classOf, ...content.consensus.classOf };
  const found = checked({ ...content, ...added, consensus: { ...content.consensus, classOf } });
  if (!found.ok) throw new Error(`methodology ${kept.version}: ${found.complaints.slice(0, 5).join('; ')}`);
  return { ...found.value, hash };
}

/** The log of changes, newest first. */
export function methodologyChanges(): readonly MethodologyChange[] {
  return loadMethodology().changes;
}
