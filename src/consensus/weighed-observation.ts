import {
  type Consensus,
  type ConsensusObservation,
  type ConsensusStatus,
  type Json,
  type Observation,
  oncePer,
  QUANTITIES,
  type QuantityDefinition,
  type QuantityId,
  type RejectionReason,
  TIER_ORDER,
} from '../domain/index.ts';
import type { Methodology, QuantityClass } from '../methodology/index.ts';
import { outOfRange, toScale } from './scale.ts';

/** An observation during consensus; `rejected` names the step that rejected it, null while it is accepted. */
export interface WeighedObservation {
  readonly observation: Observation;
  /** 2^(-age / half-life), 0-1. */
  readonly freshness: number;
  readonly weight: number;
  /** Value on the scale of the quantity; null if it has none, and for votes and facts. */
  readonly y: number | null;
  readonly z: number | null;
  readonly unitPower: number | null;
  readonly rejected: RejectionReason | null;
}

/**
 * Weighs an observation: reliability x freshness x binding. Rejects observations that are too old, too uncertain to be
 * about the asset, or impossible.
 */
export function weighObservation(
  observation: Observation,
  parameters: QuantityClass,
  asOf: number,
  minimumBinding: number,
  definition: QuantityDefinition,
  methodology: Methodology,
): WeighedObservation {
  const { value, binding } = observation;
  const observedAt = Date.parse(observation.observedAt);
  if (Number.isNaN(observedAt))
    return { observation, freshness: 0, weight: 0, y: null, z: null, unitPower: null, rejected: 'malformed_value' };
  const ageSeconds = Math.max(0, (asOf - observedAt) / 1000);
  const freshness = 2 ** (-ageSeconds / parameters.halfLifeSeconds) * carriedFreshness(observation, asOf);
  const weight = observation.reliability * freshness * binding;
  const rejected =
    ageSeconds > parameters.maxAgeSeconds
      ? 'too_old'
      : binding < minimumBinding
        ? 'weak_binding'
        : outOfRange(definition, value, methodology)
          ? 'out_of_range'
          : null;
  const y = typeof value === 'number' ? toScale(definition.kind, value) : null;
  return { observation, freshness, weight, y, z: null, unitPower: null, rejected };
}

/**
 * Factor of the freshness of a carried page of the rated party. Confidence is the square root of freshness, hence two
 * half-lives.
 */
function carriedFreshness({ carried, fetchedAt }: Observation, asOf: number): number {
  const halfLife = carried?.confidenceHalfLifeSeconds;
  if (halfLife === undefined) return 1;
  return 2 ** ((-2 * Math.max(0, (asOf - Date.parse(fetchedAt)) / 1000)) / halfLife);
}

/** The observations, of which those that `isRefused` holds for are rejected for `reason` unless they already are. */
export function rejecting(
  weighed: readonly WeighedObservation[],
  reason: RejectionReason,
  isRefused: (entry: WeighedObservation) => boolean,
): readonly WeighedObservation[] {
  const refuses = (entry: WeighedObservation) => entry.rejected === null && isRefused(entry);
  return weighed.some(refuses)
    ? weighed.map((entry) => (refuses(entry) ? { ...entry, rejected: reason } : entry))
    : weighed;
}

/** Order of preference within a lineage group: weight, then tier, then a stable order. */
export function preferred(a: WeighedObservation, b: WeighedObservation): number {
  if (a.weight !== b.weight) return b.weight - a.weight;
  const tier = TIER_ORDER.indexOf(a.observation.tier) - TIER_ORDER.indexOf(b.observation.tier);
  return tier !== 0 ? tier : stable(a.observation, b.observation);
}

/** Compares observations independently of the order of the input. */
export function stable(a: Observation, b: Observation): number {
  return (
    order(a.source, b.source) ||
    order(a.endpoint, b.endpoint) ||
    order(a.responseId, b.responseId) ||
    order(a.observedAt, b.observedAt) ||
    // The value is serialised only if everything else is equal.
    (a.value === b.value ? 0 : order(JSON.stringify(a.value), JSON.stringify(b.value)))
  );
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Keeps the preferred observation of each lineage group; the others stay in the list as rejected. */
export function onePerLineageGroup(weighed: readonly WeighedObservation[]): readonly WeighedObservation[] {
  if (weighed.length < 2) return weighed;
  const chosen = new Map<string, WeighedObservation>();
  let isRepeated = false;
  for (const entry of weighed) {
    if (entry.rejected !== null) continue;
    const best = chosen.get(entry.observation.family);
    if (best !== undefined) isRepeated = true;
    if (best === undefined || preferred(entry, best) < 0) chosen.set(entry.observation.family, entry);
  }
  if (!isRepeated) return weighed;
  return weighed.map((entry) =>
    entry.rejected !== null || chosen.get(entry.observation.family) === entry
      ? entry
      : { ...entry, rejected: 'same_family' as const },
  );
}

interface Draft {
  readonly quantity: QuantityId;
  readonly scope: string;
  readonly value: Json;
  /** Null if the value has no interval, which is the default. */
  readonly low?: number | null;
  readonly high?: number | null;
  readonly parts: Consensus['parts'] & { readonly effective: number };
  readonly status: ConsensusStatus;
  /** Default 0. */
  readonly dispersion?: number;
  readonly weighed: readonly WeighedObservation[];
  readonly confidenceCap: number;
}

/**
 * Converts a consensus into its published form: c = c_ind x c_agr x sqrt(c_fresh) x c_id. The observations keep their
 * order, which is that of `stable`.
 */
export function publish(draft: Draft): Consensus {
  const { independence, agreement, freshness, identity, effective } = draft.parts;
  let observedAt: string | null = null;
  // Each lineage group has one observation left.
  let families = 0;
  for (const { rejected, observation } of draft.weighed) {
    if (rejected !== null) continue;
    families += 1;
    if (observedAt === null || observation.observedAt > observedAt) observedAt = observation.observedAt;
  }
  // Members in alphabetical order, as in the record of a report.
  return {
    confidence: Math.min(independence * agreement * Math.sqrt(freshness) * identity, draft.confidenceCap),
    dispersion: draft.dispersion ?? 0,
    effectiveFamilies: effective,
    failedIdentities: [],
    families,
    high: draft.high ?? null,
    low: draft.low ?? null,
    observedAt,
    parts: { agreement, freshness, identity, independence },
    quantity: draft.quantity,
    scope: draft.scope,
    status: draft.status,
    unit: QUANTITIES[draft.quantity].unit,
    value: draft.value,
    voices: draft.weighed.map(observationOf),
  };
}

/** Each form is written out, because spreading a member that is mostly absent takes longer than all the rest. */
function observationOf({ observation, weight, z, unitPower, rejected }: WeighedObservation): ConsensusObservation {
  const { endpoint, family, meaning, observedAt, responseId, source, tier, value } = observation;
  const [accepted, reason] = [rejected === null, rejected];
  return observation.carried
    ? {
        accepted,
        carried: true,
        endpoint,
        family,
        meaning,
        observedAt,
        reason,
        responseId,
        source,
        tier,
        unitPower,
        value,
        weight,
        z,
      }
    : {
        accepted,
        endpoint,
        family,
        meaning,
        observedAt,
        reason,
        responseId,
        source,
        tier,
        unitPower,
        value,
        weight,
        z,
      };
}

/** Correlations of a methodology between lineage groups, in both directions. */
const correlationsOf = oncePer(({ correlations }: Methodology['consensus']) => {
  const found = new Map<string, Map<string, number>>();
  for (const { families, rho } of correlations)
    for (const [a, b] of [families, families.toReversed()])
      if (a !== undefined && b !== undefined) {
        const row = found.getOrInsertComputed(a, () => new Map());
        if (!row.has(b)) row.set(b, rho);
      }
  return found;
});

const isChain = (family: string) => family.startsWith('chain:');

/** Kish's effective number of independent observations: (sum w)^2 / sum w_g w_h rho_gh. */
function effectiveNumber(weighed: readonly WeighedObservation[], parameters: Methodology['consensus']): number {
  const { chainCorrelation, defaultCorrelation } = parameters;
  const known = correlationsOf(parameters);
  let total = 0;
  let denominator = 0;
  for (const { weight, observation } of weighed) {
    total += weight;
    const one = observation.family;
    const isRead = isChain(one);
    const row = known.get(one);
    for (const other of weighed) {
      const { family } = other.observation;
      const rho =
        family === one ? 1 : isRead || isChain(family) ? chainCorrelation : (row?.get(family) ?? defaultCorrelation);
      denominator += weight * other.weight * rho;
    }
  }
  return denominator === 0 ? 0 : total ** 2 / denominator;
}

/**
 * Lineage group of register rows: reviewed, each with its source. One of them alone has the confidence of its
 * reliability.
 */
export const REGISTER_GROUP = 'register';

/**
 * c_ind = 1 - e^n: each independent lineage group is assumed to be wrong with probability e (`errorChance`). Chain
 * reads have a higher floor.
 */
function independence(
  effective: number,
  families: readonly string[],
  authoritative: boolean,
  parameters: Methodology['consensus'],
): number {
  const general = 1 - parameters.errorChance ** effective;
  const operators = families.filter(isChain).length;
  if (!authoritative || operators === 0) return general;
  const chain = operators > 1 ? parameters.chainIndependence.twoOperators : parameters.chainIndependence.oneOperator;
  return Math.max(general, chain);
}

/** Parts of the confidence, from the accepted observations. */
export function confidenceParts(
  accepted: readonly WeighedObservation[],
  agreement: number,
  methodology: Methodology,
  authoritative = false,
) {
  const rules = methodology.consensus;
  const effective = effectiveNumber(accepted, rules);
  const families: string[] = [];
  let [weight, fresh, identity] = [0, 0, 0];
  let kept: Observation | null = null;
  for (const entry of accepted) {
    const { observation } = entry;
    families.push(observation.family);
    if (kept === null && observation.family === REGISTER_GROUP) kept = observation;
    weight += entry.weight;
    fresh += entry.weight * entry.freshness;
    identity = Math.max(identity, observation.binding);
  }
  return {
    effective,
    independence: Math.max(independence(effective, families, authoritative, rules), kept?.reliability ?? 0),
    agreement,
    freshness: weight === 0 ? 0 : fresh / weight,
    identity,
  };
}

/** The status by the number of accepted lineage groups. */
export function statusOf(families: number, disputed: boolean): ConsensusStatus {
  if (families === 0) return 'missing';
  if (disputed) return 'disputed';
  return families === 1 ? 'single_source' : 'agreed';
}
