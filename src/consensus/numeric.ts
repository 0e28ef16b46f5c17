import { type Consensus, QUANTITIES, type QuantityId, TIER_ORDER } from '../domain/index.ts';
import type { Methodology, QuantityClass } from '../methodology/index.ts';
import { fromScale, insert, noiseOnScale, quantileOf, robustSpread, type Sample, sampleOf } from './scale.ts';
import {
  confidenceParts,
  onePerLineageGroup,
  publish,
  REGISTER_GROUP,
  rejecting,
  statusOf,
  type WeighedObservation,
} from './weighed-observation.ts';

type ScaledObservation = WeighedObservation & { readonly y: number };

/**
 * One number from many observations (methodology 1.2): one observation per lineage group, capped weights, weighted
 * median, outliers, interval, confidence. `weighed` have passed the checks of range, age and binding.
 */
export function numericConsensus(
  quantity: QuantityId,
  scope: string,
  weighed: readonly WeighedObservation[],
  parameters: QuantityClass,
  methodology: Methodology,
): Consensus {
  const { kind } = QUANTITIES[quantity];
  const vote = zeroOrNot(weighed, kind !== 'linear' && kind !== 'share');
  const scaled = rejecting(
    vote.weighed,
    'out_of_range',
    ({ y, observation }) => y === null && !(observation.value === 0 && kind !== 'share'),
  );
  const collapsed = onePerLineageGroup(scaled);
  const zero = collapsed.every((entry) => entry.rejected !== null || entry.observation.value === 0);
  if (zero && kind !== 'linear') return zeroConsensus(quantity, scope, collapsed, vote.lost, methodology);
  return weigh(quantity, scope, collapsed, vote.lost, parameters, methodology);
}

/**
 * Zero has no logarithm, so lineage groups first vote on zero or not. The losing side is rejected; `lost` is its share
 * of the weight.
 */
function zeroOrNot(
  weighed: readonly WeighedObservation[],
  logarithmic: boolean,
): { readonly weighed: readonly WeighedObservation[]; readonly lost: number } {
  const isSaid = logarithmic && weighed.some((entry) => entry.rejected === null && entry.observation.value === 0);
  if (!isSaid) return { weighed, lost: 0 };
  const eligible = onePerLineageGroup(weighed).filter((entry) => entry.rejected === null);
  const weightOf = (wanted: boolean) =>
    eligible
      .filter((entry) => (entry.observation.value === 0) === wanted)
      .reduce((sum, entry) => sum + entry.weight, 0);
  const [zero, something] = [weightOf(true), weightOf(false)];
  const zeroWins = zero > something;
  return {
    lost: zero + something === 0 ? 0 : Math.min(zero, something) / (zero + something),
    weighed: rejecting(weighed, 'outlier', (entry) => (entry.observation.value === 0) !== zeroWins),
  };
}

function zeroConsensus(
  quantity: QuantityId,
  scope: string,
  weighed: readonly WeighedObservation[],
  lost: number,
  methodology: Methodology,
): Consensus {
  const eligible = weighed.filter((entry) => entry.rejected === null);
  const disputed = lost >= methodology.consensus.zeroDispute;
  const parts = confidenceParts(eligible, 1 - lost, methodology);
  return publish({
    quantity,
    scope,
    value: eligible.length > 0 ? 0 : null,
    low: eligible.length > 0 ? 0 : null,
    parts,
    status: statusOf(eligible.length, disputed),
    weighed,
    confidenceCap: capOf(eligible, disputed, methodology),
  });
}

function weigh(
  quantity: QuantityId,
  scope: string,
  weighed: readonly WeighedObservation[],
  lost: number,
  parameters: QuantityClass,
  methodology: Methodology,
): Consensus {
  const { kind } = QUANTITIES[quantity];
  const rules = methodology.consensus;
  const eligible = capWeights(
    weighed.filter((entry): entry is ScaledObservation => entry.rejected === null && entry.y !== null),
    rules,
  );
  if (eligible.length === 0) {
    return publish({
      quantity,
      scope,
      value: null,
      parts: { independence: 0, agreement: 0, freshness: 0, identity: 0, effective: 0 },
      status: 'missing',
      weighed,
      confidenceCap: 0,
    });
  }
  const centre = quantileOf(sampleOf(eligible), 0.5);
  const noise = noiseOnScale(kind, parameters.noise, centre);
  const spreadOfAll = robustSpread(eligible, centre);
  const spread = Math.max(spreadOfAll, noise);
  const isLogarithmic = kind === 'log' || kind === 'exact';
  const judged = eligible.map((entry) => judge(entry, centre, spread, isLogarithmic, eligible.length, methodology));
  const inside = judged.filter((entry) => entry.rejected === null);
  const [one, other] = inside;
  const apart = one && other && inside.length === 2 ? Math.abs(one.y - other.y) : 0;
  const contradicting = eligible.length === 2 && apart > rules.disputeNoiseMultiple * noise;
  const verdicts = contradicting ? withoutLowerTier(inside) : judged;
  const accepted = contradicting ? verdicts.filter((entry) => entry.rejected === null) : inside;
  // The same observations have the same median and spread.
  const isWhole = accepted.length === eligible.length;
  const value = isWhole ? centre : quantileOf(sampleOf(accepted), 0.5);
  const dispersion = isWhole ? spreadOfAll : robustSpread(accepted, value);
  const near = rules.disputeNoiseMultiple * noise;
  const disputed = contradicting || lost >= rules.zeroDispute || isWithoutMajority(eligible, value, near, rules);
  const lostShare = weightOf(judged.filter((entry) => entry.rejected !== null)) / weightOf(eligible);
  const tolerated = rules.agreementNoiseMultiple * noise;
  const among = contradicting
    ? 1 / (1 + (apart / tolerated) ** 2)
    : (1 - lostShare) / (1 + (dispersion / tolerated) ** 2);
  const agreement = among * (1 - lost);
  const parts = confidenceParts(accepted, agreement, methodology, parameters.authoritativeTier === 'chain');
  const halfWidth = threeVoteHalfWidth(accepted, value, noise);
  return publish({
    quantity,
    scope,
    value: ownValue(accepted, value) ?? fromScale(kind, value),
    low: fromScale(kind, value - halfWidth),
    high: fromScale(kind, value + halfWidth),
    parts,
    status: statusOf(eligible.length, disputed),
    dispersion,
    weighed: withVerdicts(weighed, verdicts),
    confidenceCap: capOf(accepted, disputed, methodology, eligible.length),
  });
}

/** Of two contradicting observations of different tiers only the one of the better tier is accepted. */
function withoutLowerTier(both: readonly ScaledObservation[]): readonly ScaledObservation[] {
  const best = Math.min(...both.map(tierOf));
  return both.map((entry) =>
    tierOf(entry) === best ? entry : { ...entry, rejected: 'lower_tier_in_dispute' as const },
  );
}

function tierOf({ observation }: WeighedObservation): number {
  return TIER_ORDER.indexOf(observation.tier);
}

/** All observations, those that took part with their verdicts, which are in the same order. */
function withVerdicts(
  weighed: readonly WeighedObservation[],
  verdicts: readonly WeighedObservation[],
): readonly WeighedObservation[] {
  if (verdicts.length === weighed.length) return verdicts;
  let next = 0;
  return weighed.map((entry) => {
    if (entry.rejected !== null) return entry;
    const verdict = verdicts[next];
    next += 1;
    return verdict ?? entry;
  });
}

function weightOf(entries: readonly WeighedObservation[]): number {
  let sum = 0;
  for (const { weight } of entries) sum += weight;
  return sum;
}

/** True if at most `numberMajority` of the weight lies within `near` of the value. */
function isWithoutMajority(
  eligible: readonly ScaledObservation[],
  value: number,
  near: number,
  { numberMajority, majorityFamilies }: Methodology['consensus'],
): boolean {
  if (numberMajority === undefined || eligible.length < majorityFamilies) return false;
  const close = eligible.filter(({ y }) => Math.abs(y - value) <= near);
  return weightOf(close) <= numberMajority * weightOf(eligible);
}

/**
 * With at least `majorityFamilies` lineage groups, caps each group's share of the weight at `groupWeightCap`, so that
 * no source decides alone. The share is measured after capping: measured before, one fresh observation would still
 * outweigh four older ones.
 */
function capWeights(
  weighed: readonly ScaledObservation[],
  { groupWeightCap: share, majorityFamilies }: Methodology['consensus'],
): readonly ScaledObservation[] {
  if (weighed.length < majorityFamilies) return weighed;
  const heaviestFirst: Sample = { ys: [], weights: [] };
  for (const { weight } of weighed) insert(heaviestFirst, -weight, weight);
  let rest = 0;
  for (const weight of heaviestFirst.weights) rest += weight;
  let most = share * rest;
  for (const [held, weight] of heaviestFirst.weights.entries()) {
    if (weight <= most || (held + 1) * share >= 1) break;
    rest -= weight;
    most = (share * rest) / (1 - (held + 1) * share);
  }
  return weighed.map((entry) => (entry.weight > most ? { ...entry, weight: most } : entry));
}

/**
 * Rejects outliers by robust z, with at least `majorityFamilies` lineage groups; fewer have no majority. An error by a
 * power of ten with a known cause is named.
 */
function judge(
  entry: ScaledObservation,
  centre: number,
  spread: number,
  logarithmic: boolean,
  families: number,
  methodology: Methodology,
): ScaledObservation {
  const rules = methodology.consensus;
  const z = (entry.y - centre) / spread;
  const lambda = (entry.y - centre) / Math.LN10;
  const power = Math.round(lambda);
  const unitPower =
    logarithmic &&
    power !== 0 &&
    Math.abs(lambda - power) < rules.unitResidual &&
    rules.unitPowers.includes(Math.abs(power))
      ? power
      : null;
  if (families < rules.majorityFamilies || Math.abs(z) <= rules.outlierZ) return { ...entry, z };
  if (unitPower !== null) return { ...entry, z, unitPower, rejected: 'unit_mismatch' };
  const wrongToken = logarithmic && Math.abs(lambda) > rules.wrongTokenPowers && entry.observation.binding < 1;
  return { ...entry, z, rejected: wrongToken ? 'wrong_token_suspected' : 'outlier' };
}

/**
 * Pyth's aggregation: every observation casts a low, a middle and a high vote; the half-width is the larger distance to
 * the quartiles. Works for a single observation.
 */
function threeVoteHalfWidth(weighed: readonly ScaledObservation[], value: number, noise: number): number {
  const votes: Sample = { ys: [], weights: [] };
  for (const { y, weight } of weighed) {
    const third = weight / 3;
    insert(votes, y - noise, third);
    insert(votes, y, third);
    insert(votes, y + noise, third);
  }
  return Math.max(value - quantileOf(votes, 0.25), quantileOf(votes, 0.75) - value);
}

function capOf(
  accepted: readonly WeighedObservation[],
  disputed: boolean,
  methodology: Methodology,
  families = accepted.length,
): number {
  const rules = methodology.consensus;
  if (disputed) return rules.disputedConfidenceCap;
  const isRead = accepted.some(
    ({ observation }) => observation.tier === 'chain' || observation.family === REGISTER_GROUP,
  );
  return families === 1 && !isRead ? rules.singleSourceConfidenceCap : 1;
}

/** A median that equals the value of one observation is published exactly, without rounding through a logarithm. */
function ownValue(accepted: readonly ScaledObservation[], y: number): number | null {
  const own = accepted.find((entry) => entry.y === y)?.observation.value;
  return typeof own === 'number' ? own : null;
}
