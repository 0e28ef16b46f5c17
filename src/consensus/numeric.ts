import type { Consensus, ConsensusStatus } from '../domain/consensus.ts';
import { TIER_ORDER } from '../domain/observation.ts';
import { QUANTITIES, type QuantityId } from '../domain/quantities.ts';
import type { Methodology, QuantityClass } from '../methodology/types.ts';
import { effectiveNumber, independence } from './independence.ts';
import { publish } from './publish.ts';
import { robustSpread, type Weighted, weightedQuantile } from './quantile.ts';
import { fromScale, noiseOnScale, toScale } from './scale.ts';
import { collapseFamilies, type Voice } from './voice.ts';

type Speaker = Voice & { readonly y: number };

/**
 * One number out of many (methodology 1.2): collapse to families, cap weights, weighted median, outliers, interval,
 * confidence. `voices` have passed range, age and binding.
 */
export function numericConsensus(
  quantity: QuantityId,
  scope: string,
  voices: readonly Voice[],
  parameters: QuantityClass,
  methodology: Methodology,
): Consensus {
  const { kind } = QUANTITIES[quantity];
  const vote = zeroOrNot(voices, kind !== 'linear' && kind !== 'share');
  const scaled = vote.voices.map((voice) => {
    if (voice.rejected !== null) return voice;
    const y = typeof voice.observation.value === 'number' ? toScale(kind, voice.observation.value) : null;
    return y === null && !(voice.observation.value === 0 && kind !== 'share')
      ? { ...voice, rejected: 'out_of_range' as const }
      : { ...voice, y };
  });
  const collapsed = collapseFamilies(scaled);
  const zero = collapsed.filter((voice) => voice.rejected === null).every((voice) => voice.observation.value === 0);
  if (zero && kind !== 'linear') return zeroConsensus(quantity, scope, collapsed, vote.lost, methodology);
  return weigh(quantity, scope, collapsed, vote.lost, parameters, methodology);
}

/** From this share of the weight on, nothing against something is a dispute. */
const ZERO_DISPUTE = 1 / 3;

/** Logarithms know no zero: families first vote whether there is anything at all. The losing side falls out; `lost` is its share of the weight. */
function zeroOrNot(
  voices: readonly Voice[],
  logarithmic: boolean,
): { readonly voices: readonly Voice[]; readonly lost: number } {
  if (!logarithmic) return { voices, lost: 0 };
  const speaking = collapseFamilies(voices).filter((voice) => voice.rejected === null);
  const weightOf = (wanted: boolean) =>
    speaking
      .filter((voice) => (voice.observation.value === 0) === wanted)
      .reduce((sum, voice) => sum + voice.weight, 0);
  const [zero, something] = [weightOf(true), weightOf(false)];
  const zeroWins = zero > something;
  return {
    lost: zero + something === 0 ? 0 : Math.min(zero, something) / (zero + something),
    voices: voices.map((voice) =>
      voice.rejected === null && (voice.observation.value === 0) !== zeroWins
        ? { ...voice, rejected: 'outlier' as const }
        : voice,
    ),
  };
}

function zeroConsensus(
  quantity: QuantityId,
  scope: string,
  voices: readonly Voice[],
  lost: number,
  methodology: Methodology,
): Consensus {
  const speaking = voices.filter((voice) => voice.rejected === null);
  const disputed = lost >= ZERO_DISPUTE;
  const parts = confidenceParts(speaking, 1 - lost, methodology);
  return publish({
    quantity,
    scope,
    value: speaking.length > 0 ? 0 : null,
    low: speaking.length > 0 ? 0 : null,
    high: null,
    parts,
    status: statusOf(speaking.length, disputed),
    dispersion: 0,
    effective: parts.effective,
    voices,
    confidenceCap: capOf(speaking, disputed, methodology),
  });
}

function weigh(
  quantity: QuantityId,
  scope: string,
  voices: readonly Voice[],
  lost: number,
  parameters: QuantityClass,
  methodology: Methodology,
): Consensus {
  const { kind } = QUANTITIES[quantity];
  const rules = methodology.consensus;
  const speaking = capWeights(
    voices.filter((voice): voice is Speaker => voice.rejected === null && voice.y !== null),
    rules.groupWeightCap,
  );
  if (speaking.length === 0) {
    return publish({
      quantity,
      scope,
      value: null,
      low: null,
      high: null,
      parts: { independence: 0, agreement: 0, freshness: 0, identity: 0 },
      status: 'missing',
      dispersion: 0,
      effective: 0,
      voices,
      confidenceCap: 0,
    });
  }
  const centre = weightedMedian(speaking);
  const noise = noiseOnScale(kind, parameters.noise, centre);
  const spread = Math.max(robustSpread(weights(speaking), centre), noise);
  const judged = speaking.map((voice) =>
    judge(voice, centre, spread, kind === 'log' || kind === 'exact', speaking.length, methodology),
  );
  let accepted = judged.filter((voice) => voice.rejected === null);
  const tiers = accepted.map((voice) => TIER_ORDER.indexOf(voice.observation.tier));
  const apart = accepted.length === 2 ? Math.abs((accepted[0]?.y ?? 0) - (accepted[1]?.y ?? 0)) : 0;
  const contradicting = speaking.length === 2 && apart > rules.disputeNoiseMultiple * noise;
  const disputed = contradicting || lost >= ZERO_DISPUTE;
  const lower = new Set<Speaker>();
  if (contradicting && tiers[0] !== tiers[1]) {
    const best = Math.min(...tiers);
    for (const voice of accepted) if (TIER_ORDER.indexOf(voice.observation.tier) !== best) lower.add(voice);
    accepted = accepted.filter((voice) => !lower.has(voice));
  }
  const value = weightedMedian(accepted);
  const dispersion = robustSpread(weights(accepted), value);
  const wholeWeight = speaking.reduce((sum, voice) => sum + voice.weight, 0);
  const lostShare =
    judged.filter((voice) => voice.rejected !== null).reduce((sum, voice) => sum + voice.weight, 0) / wholeWeight;
  const among = contradicting
    ? 1 / (1 + (apart / (3 * noise)) ** 2)
    : (1 - lostShare) / (1 + (dispersion / (3 * noise)) ** 2);
  const agreement = among * (1 - lost);
  const parts = confidenceParts(accepted, agreement, methodology, parameters.authoritativeTier === 'chain');
  const halfWidth = threeVoteHalfWidth(accepted, value, noise);
  const verdicts = new Map<string, Voice>(
    [...judged].map((voice) => [
      keyOf(voice),
      lower.has(voice) ? { ...voice, rejected: 'lower_tier_in_dispute' as const } : voice,
    ]),
  );
  return publish({
    quantity,
    scope,
    value: ownValue(accepted, value) ?? fromScale(kind, value),
    low: fromScale(kind, value - halfWidth),
    high: fromScale(kind, value + halfWidth),
    parts,
    status: statusOf(speaking.length, disputed),
    dispersion,
    effective: parts.effective,
    voices: voices.map((voice) => (voice.rejected === null ? (verdicts.get(keyOf(voice)) ?? voice) : voice)),
    confidenceCap: capOf(accepted, disputed, methodology, speaking.length),
  });
}

/**
 * With three families or more none holds more than 40 % of the weight that counts: no source decides alone. The cap is
 * of what is left after capping; taken of the weight before, one fresh voice would still outweigh four older ones.
 */
function capWeights(voices: readonly Speaker[], share: number): readonly Speaker[] {
  if (voices.length < 3) return voices;
  const heaviestFirst = voices.map((voice) => voice.weight).sort((a, b) => b - a);
  let rest = heaviestFirst.reduce((sum, weight) => sum + weight, 0);
  let most = share * rest;
  for (const [held, weight] of heaviestFirst.entries()) {
    if (weight <= most || (held + 1) * share >= 1) break;
    rest -= weight;
    most = (share * rest) / (1 - (held + 1) * share);
  }
  return voices.map((voice) => ({ ...voice, weight: Math.min(voice.weight, most) }));
}

/** Outliers by robust z from three families on; with two nobody is in the majority. A power of ten with a known cause is named. */
function judge(
  voice: Speaker,
  centre: number,
  spread: number,
  logarithmic: boolean,
  families: number,
  methodology: Methodology,
): Speaker {
  const rules = methodology.consensus;
  const z = (voice.y - centre) / spread;
  const lambda = (voice.y - centre) / Math.LN10;
  const power = Math.round(lambda);
  const unitPower =
    logarithmic &&
    power !== 0 &&
    Math.abs(lambda - power) < rules.unitResidual &&
    rules.unitPowers.includes(Math.abs(power))
      ? power
      : null;
  if (families < 3 || Math.abs(z) <= rules.outlierZ) return { ...voice, z };
  if (unitPower !== null) return { ...voice, z, unitPower, rejected: 'unit_mismatch' };
  const wrongToken = logarithmic && Math.abs(lambda) > 0.3 && voice.observation.binding < 1;
  return { ...voice, z, rejected: wrongToken ? 'wrong_token_suspected' : 'outlier' };
}

/** Pyth's form: every voice votes low, middle, high; the half-width is the larger distance to the quartiles. Works for one voice. */
function threeVoteHalfWidth(voices: readonly Speaker[], value: number, noise: number): number {
  const votes = voices.flatMap((voice) =>
    [-1, 0, 1].map((side) => [voice.y + side * noise, voice.weight / 3] as const),
  );
  return Math.max(value - weightedQuantile(votes, 0.25), weightedQuantile(votes, 0.75) - value);
}

/** Parts of the confidence from the voices that count. */
export function confidenceParts(
  accepted: readonly Voice[],
  agreement: number,
  methodology: Methodology,
  authoritative = false,
) {
  const rules = methodology.consensus;
  const weight = accepted.reduce((sum, voice) => sum + voice.weight, 0);
  const effective = effectiveNumber(
    accepted.map((voice) => ({ family: voice.observation.family, weight: voice.weight })),
    rules,
  );
  return {
    effective,
    independence: independence(
      effective,
      accepted.map((voice) => voice.observation.family),
      authoritative,
      rules,
    ),
    agreement,
    freshness: weight === 0 ? 0 : accepted.reduce((sum, voice) => sum + voice.weight * voice.freshness, 0) / weight,
    identity: accepted.reduce((best, voice) => Math.max(best, voice.observation.binding), 0),
  };
}

function capOf(
  accepted: readonly Voice[],
  disputed: boolean,
  methodology: Methodology,
  families = accepted.length,
): number {
  const rules = methodology.consensus;
  if (disputed) return rules.disputedConfidenceCap;
  const chain = accepted.some((voice) => voice.observation.tier === 'chain');
  return families === 1 && !chain ? rules.singleSourceConfidenceCap : 1;
}

function statusOf(families: number, disputed: boolean): ConsensusStatus {
  if (families === 0) return 'missing';
  if (disputed) return 'disputed';
  return families === 1 ? 'single_source' : 'agreed';
}

function weightedMedian(voices: readonly Speaker[]): number {
  return weightedQuantile(weights(voices), 0.5);
}

function weights(voices: readonly Speaker[]): readonly Weighted[] {
  return voices.map((voice) => [voice.y, voice.weight] as const);
}

/** After collapsing, one voice per family speaks. */
function keyOf(voice: Voice): string {
  return voice.observation.family;
}

/** Where the median is one voice's own number it is published to its last digit, not by way of a logarithm. */
function ownValue(accepted: readonly Speaker[], y: number): number | null {
  const own = accepted.find((voice) => voice.y === y)?.observation.value;
  return typeof own === 'number' ? own : null;
}
