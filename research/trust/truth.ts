import { noiseOnScale, toScale } from '../../src/consensus/index.ts';
import type { Consensus, ConsensusSet, Json } from '../../src/domain/index.ts';
import { DAY_MS, QUANTITIES } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import type { Truths } from './types.ts';

/** A value further from the truth than so many noise floors is wrong (methodology 2.4). */
const TOLERANCE_FLOORS = 3;

/**
 * The truth behind evidence that nobody has tampered with: what is `known` of the asset otherwise, else what its sources
 * agreed on. Where they disputed nobody knows it; lists, and what registries and pages say, have none.
 */
export function truthsOf(clean: ConsensusSet, known: Truths): Truths {
  const rows = Object.entries(clean).filter(
    ([key, row]) =>
      row.value !== null &&
      (row.status !== 'disputed' || known[key] !== undefined) &&
      QUANTITIES[row.quantity].kind !== 'list' &&
      !row.scope.startsWith('registry:') &&
      !row.scope.startsWith('page:'),
  );
  return Object.fromEntries(rows.map(([key, row]) => [key, known[key] ?? row.value]));
}

/** Whether a published value is the true one, within the tolerance of its class: 3 noise floors; states and texts exactly. */
export function isRight(found: Consensus, truth: Json, liquid: boolean, methodology: Methodology): boolean {
  const { kind } = QUANTITIES[found.quantity];
  if (kind === 'boolean' || kind === 'enum') return found.value === truth;
  if (kind === 'text') return String(found.value).toLowerCase() === String(truth).toLowerCase();
  const { noise } = toleranceClass(found, liquid, methodology);
  if (kind === 'date') {
    const days = (Date.parse(String(found.value)) - Date.parse(String(truth))) / DAY_MS;
    return Math.abs(days) <= TOLERANCE_FLOORS * noise;
  }
  if (typeof found.value !== 'number' || typeof truth !== 'number') return false;
  if (found.value === truth) return true;
  const [is, should] = [toScale(kind, found.value), toScale(kind, truth)];
  if (is === null || should === null) return false;
  return Math.abs(is - should) <= TOLERANCE_FLOORS * noiseOnScale(kind, noise, should);
}

function toleranceClass(found: Consensus, liquid: boolean, methodology: Methodology) {
  const { classes, classOf } = methodology.consensus;
  const name = found.quantity === 'price_usd' && liquid ? 'price_liquid' : classOf[found.quantity];
  const parameters = classes[name];
  if (!parameters) throw new Error(`the methodology has no class ${name}`);
  return parameters;
}

/** Whether the price is judged as a liquid one: 2 % depth of constant product, half a percent of the pools. */
export function isLiquid(truths: Truths, methodology: Methodology): boolean {
  const pools = truths.liquidity_dex_usd;
  return typeof pools === 'number' && pools * 0.005 > methodology.consensus.liquidDepthUsd;
}
