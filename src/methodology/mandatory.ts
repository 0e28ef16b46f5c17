import { type Category, type ConsensusSet, oncePer, type QuantityId, type Stage } from '../domain/index.ts';
import type { CriticalQuantity, FloorRules } from './schema.ts';

/** Properties that decide which rows are mandatory for an asset. */
export interface MandatoryOf {
  readonly stage: Stage;
  readonly category: Category;
  /** False for a native coin, and for a project without a token. */
  readonly hasContract: boolean;
  readonly chainKind: 'solana' | 'evm' | null;
}

/** Names of the mandatory rows without a value, and the number of mandatory rows of the asset. */
export interface MissingRows {
  readonly of: number;
  readonly names: readonly string[];
}

/** The mandatory rows of the floor for an asset (methodology 4). */
export function mandatoryRows(asset: MandatoryOf, { critical }: FloorRules): readonly CriticalQuantity[] {
  return critical.filter(
    ({ appliesTo }) =>
      asset.stage === appliesTo.stage &&
      (!appliesTo.contractOnly || asset.hasContract) &&
      (appliesTo.categories === undefined || appliesTo.categories.includes(asset.category)) &&
      (appliesTo.chainKind === undefined || appliesTo.chainKind === asset.chainKind),
  );
}

/** True when enough lineage groups state one of the row's quantities, in any scope. */
export function isRowKnown({ quantities, families }: CriticalQuantity, consensus: ConsensusSet): boolean {
  const most = groupsBehind(consensus);
  return Math.max(0, ...quantities.map((quantity) => most.get(quantity) ?? 0)) >= families;
}

/** For each quantity, the largest number of lineage groups that state it in one scope. */
const groupsBehind = oncePer((consensus: ConsensusSet): ReadonlyMap<QuantityId, number> => {
  const most = new Map<QuantityId, number>();
  for (const { quantity, value, families } of Object.values(consensus))
    if (value !== null && families > (most.get(quantity) ?? 0)) most.set(quantity, families);
  return most;
});

/** The mandatory rows of an asset without a value. */
export function missingRows(asset: MandatoryOf, consensus: ConsensusSet, rules: FloorRules): MissingRows {
  const rows = mandatoryRows(asset, rules);
  return { of: rows.length, names: rows.filter((row) => !isRowKnown(row, consensus)).map(({ name }) => name) };
}

/** The missing rows as text; null when there are none. */
export function missingWords({ of, names }: MissingRows): string | null {
  const verb = names.length === 1 ? 'is' : 'are';
  return names.length === 0 ? null : `${names.length} of ${of} mandatory rows ${verb} missing: ${names.join(', ')}`;
}
