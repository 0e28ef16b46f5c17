import type { EvidenceRecord, Observation } from '../../src/domain/index.ts';
import { QUANTITIES } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import type { Random } from '../random.ts';
import { clustersOf } from './clusters.ts';
import { falsify, type Slip } from './falsify.ts';
import type { Injection } from './types.ts';

/** A read of the chain through one node is assumed wrong with 0.15 where a witness is with 0.5 (`chainIndependence`). */
const chainShare = (methodology: Methodology) => 2 * (1 - methodology.consensus.chainIndependence.oneOperator);

/**
 * The evidence as it would be with errors of one kind in it: the same record with other observations. Pure: the same draws
 * give the same record. What was observed is taken for true; lists and what registries say of names are left as they are.
 */
export function injectErrors(
  evidence: EvidenceRecord,
  injection: Injection,
  methodology: Methodology,
  random: Random,
): EvidenceRecord {
  const { kind, amount } = injection;
  const families = [...new Set(evidence.observations.map((row) => row.family))].sort();
  const chanceOf = (family: string) => amount * (family.startsWith('chain:') ? chainShare(methodology) : 1);
  if (kind === 'missing') {
    const silent = new Set(families.filter((family) => random() < chanceOf(family)));
    return { ...evidence, observations: evidence.observations.filter((row) => !silent.has(row.family)) };
  }
  const together = kind === 'collusion' ? clustersOf(families, methodology) : new Map<string, string>();
  const wrong = new Map<string, Slip | null>();
  const slipOf = (row: Observation): Slip | null => {
    const origin = together.get(row.family) ?? row.family;
    const about = kind === 'lie' ? '' : `${row.quantity}@${row.scope}`;
    const key = `${origin} ${about}`;
    const known = wrong.get(key);
    if (known !== undefined) return known;
    const hit = kind === 'noise' ? amount > 0 : random() < chanceOf(row.family);
    const slip: Slip | null = hit ? { kind, amount, draws: [random(), random(), random()] } : null;
    wrong.set(key, slip);
    return slip;
  };
  const asOf = Date.parse(evidence.asOf);
  return {
    ...evidence,
    observations: evidence.observations.map((row) => {
      if (!isFalsifiable(row)) return row;
      const slip = slipOf(row);
      return slip === null ? row : falsify(row, slip, methodology, asOf);
    }),
  };
}

/** Lists have no single truth, and names in registries decide who the asset is, not what it is like. */
function isFalsifiable(row: Observation): boolean {
  return (
    QUANTITIES[row.quantity].kind !== 'list' && !row.scope.startsWith('registry:') && !row.scope.startsWith('page:')
  );
}
