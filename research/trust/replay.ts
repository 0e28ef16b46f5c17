import { fromScale, noiseOnScale, toScale } from '../../src/consensus/index.ts';
import {
  consensusKey,
  DAY_MS,
  type EvidenceRecord,
  type Json,
  type Observation,
  QUANTITIES,
  type QuantityId,
  type TrustScore,
} from '../../src/domain/index.ts';
import { buildReport } from '../../src/jobs/index.ts';
import type { Methodology, QuantityClass } from '../../src/methodology/index.ts';
import type { Random } from '../random.ts';
import { type Claim, type ErrorKind, type Injection, isLiquid, isRight, type Truths, truthsOf } from './reliability.ts';

/**
 * Relative error rate of a chain read through one node: it is assumed to be wrong with probability 0.15, a source with
 * 0.5 (`chainIndependence`).
 */
const chainShare = (methodology: Methodology) => 2 * (1 - methodology.consensus.chainIndependence.oneOperator);

/**
 * The evidence with errors of one kind: the same record with changed observations. Pure: the same draws give the same
 * record. The original observations are taken as true. Lists and statements of registries about names stay unchanged.
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

/**
 * False for lists, which have no single truth, and for names in registries, which decide the identity of the asset
 * instead of its properties.
 */
function isFalsifiable(row: Observation): boolean {
  return (
    QUANTITIES[row.quantity].kind !== 'list' && !row.scope.startsWith('registry:') && !row.scope.startsWith('page:')
  );
}

/** One error. Its random numbers are drawn in advance, so that all sources that share it state the same value. */
export interface Slip {
  readonly kind: Exclude<ErrorKind, 'missing'>;
  readonly amount: number;
  /** Each in [0, 1). */
  readonly draws: readonly [size: number, side: number, other: number];
}

const POWERS = [2, 3, 6, 9];
const STATES = ['eoa', 'none', 'multisig', 'contract', 'unknown'];

/** The source's observation with this error. */
export function falsify(row: Observation, slip: Slip, methodology: Methodology, asOf: number): Observation {
  const parameters = classOf(row, methodology);
  const { kind } = QUANTITIES[row.quantity];
  const [size, side] = slip.draws;
  const sign = side < 0.5 ? -1 : 1;
  const aged = slip.kind === 'stale' ? age(row, slip, parameters, asOf) : row;
  if (typeof row.value === 'boolean') return slip.kind === 'noise' ? aged : { ...aged, value: !row.value };
  if (kind === 'enum') return slip.kind === 'noise' ? aged : { ...aged, value: otherState(row.value, slip) };
  if (kind === 'text')
    return slip.kind === 'noise' ? aged : { ...aged, value: `${String(row.value)}?${size.toFixed(3)}` };
  if (kind === 'date') return { ...aged, value: otherDay(row.value, slip, sign, asOf) };
  if (typeof row.value !== 'number') return aged;
  return { ...aged, value: otherNumber(row, row.value, slip, sign, parameters) };
}

/**
 * Makes an observation older by half a half-life to four half-lives. Half of the sources state the true date; the other
 * half keep the fresh one.
 */
function age(row: Observation, slip: Slip, parameters: QuantityClass, asOf: number): Observation {
  if (slip.draws[2] < 0.5) return row;
  const seconds = parameters.halfLifeSeconds * (0.5 + 3.5 * slip.draws[0]);
  const observedAt = Math.min(Date.parse(row.observedAt), asOf - 1000 * seconds);
  return { ...row, observedAt: new Date(observedAt).toISOString() };
}

function otherNumber(row: Observation, value: number, slip: Slip, sign: number, parameters: QuantityClass): number {
  const { kind } = QUANTITIES[row.quantity];
  const [size] = slip.draws;
  if (slip.kind === 'unit') {
    const power = POWERS[Math.floor(size * POWERS.length)] ?? 3;
    return kind === 'share' || kind === 'linear' ? value * 100 : value * 10 ** (sign * power);
  }
  const y = toScale(kind, value);
  // For a value outside the scale (zero), the error is a positive number.
  if (y === null) return slip.kind === 'noise' ? value : 10 ** (1 + 4 * size);
  const noise = noiseOnScale(kind, parameters.noise, y);
  const shifted = fromScale(kind, y + sign * distance(slip, noise, kind === 'log' || kind === 'exact'));
  if (kind === 'exact' && slip.kind === 'noise') return value;
  return kind === 'linear' && value >= 0 ? Math.max(0, shifted) : shifted;
}

/**
 * Size of the error on the scale of comparison. Noise: up to `amount` x 10 noise floors. Stale: the movement of the
 * quantity over the time, up to eight floors. Other kinds: 5 % to a factor of seven, or up to forty floors where there
 * is no factor.
 */
function distance(slip: Slip, noise: number, logarithmic: boolean): number {
  const [size] = slip.draws;
  if (slip.kind === 'noise') return 10 * slip.amount * noise * size;
  if (slip.kind === 'stale') return 8 * noise * size;
  return logarithmic ? 0.05 + 1.9 * size : 40 * noise * size;
}

function otherState(value: Json, slip: Slip): Json {
  const others = STATES.filter((state) => state !== value);
  return others[Math.floor(slip.draws[0] * others.length)] ?? 'unknown';
}

/** A date wrong by up to two years, with noise by up to five days; never in the future. */
function otherDay(value: Json, slip: Slip, sign: number, asOf: number): Json {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return value;
  const days = slip.kind === 'noise' ? 10 * slip.amount * slip.draws[0] : 730 * slip.draws[0];
  const moved = at + sign * days * DAY_MS;
  return new Date(at <= asOf ? Math.min(moved, asOf) : moved).toISOString();
}

function classOf(row: Observation, methodology: Methodology): QuantityClass {
  const found = methodology.consensus.classes[methodology.consensus.classOf[row.quantity]];
  if (!found) throw new Error(`quantity ${row.quantity} has no class in the methodology`);
  return found;
}

/** Correlation from which lineage groups are assumed to have common inputs. */
const DRAWS_ON = 0.4;

/**
 * Cluster of each lineage group: groups connected by strong correlations, directly or through others, are in the same
 * one.
 */
export function clustersOf(families: readonly string[], methodology: Methodology): ReadonlyMap<string, string> {
  const cluster = new Map(families.map((family) => [family, family]));
  const ties = methodology.consensus.correlations.filter(({ rho }) => rho >= DRAWS_ON);
  for (const { families: pair } of ties) {
    const [left, right] = pair.map((family) => cluster.get(family));
    if (left === undefined || right === undefined || left === right) continue;
    for (const [family, name] of cluster) if (name === right) cluster.set(family, left);
  }
  return cluster;
}

/** One asset's archived evidence, and the values known from elsewhere. */
export interface Witnessed {
  readonly asset: string;
  readonly evidence: EvidenceRecord;
  readonly known: Truths;
}

/** One consensus value of one replay, with the truth. */
export interface ValueClaim extends Claim, Injection {
  readonly quantity: QuantityId;
  /** Class of the quantity in the methodology. */
  readonly className: string;
  readonly status: string;
  readonly isPart: boolean;
}

/** One rating of one replay, compared with the rating from the unmodified evidence. */
export interface ScoreReplay extends Injection {
  readonly asset: string;
  readonly trust: number;
  readonly tier: TrustScore['tier'];
  /** False: not rated because of too little evidence, so that trust does not apply. */
  readonly isRated: boolean;
  /** True if every published critical value is the true one. */
  readonly right: boolean;
  /** Difference in points; null if it is not rated, now or before. */
  readonly error: number | null;
  /** True if the published interval contains the score from the unmodified evidence; null if not rated. */
  readonly covered: boolean | null;
  readonly uncappedError: number | null;
}

/** Values whose error makes the rating wrong (methodology 2.1: price, liquidity, supply, holders, authorities). */
const CRITICAL: readonly QuantityId[] = [
  'price_usd',
  'liquidity_dex_usd',
  'total_supply',
  'circulating_supply',
  'holder_count',
  'mint_authority_state',
  'freeze_authority_state',
];

/** Rates one asset again with each kind of error in its evidence. Pure apart from the draws. */
export function replayWithErrors(
  witnessed: Witnessed,
  injections: readonly Injection[],
  methodology: Methodology,
  random: Random,
): { readonly values: readonly ValueClaim[]; readonly scores: readonly ScoreReplay[] } {
  const { asset, evidence, known } = witnessed;
  const clean = buildReport(evidence, methodology);
  const truths = truthsOf(clean.consensus, known);
  const liquid = isLiquid(truths, methodology);
  const values: ValueClaim[] = [];
  const scores: ScoreReplay[] = [];
  for (const injection of injections) {
    const { consensus, rating } = buildReport(injectErrors(evidence, injection, methodology, random), methodology);
    const rightOf = new Map<string, boolean>();
    for (const [key, truth] of Object.entries(truths)) {
      const found = consensus[key];
      if (!found || found.value === null) continue;
      const right = isRight(found, truth, liquid, methodology);
      rightOf.set(key, right);
      values.push({
        ...injection,
        asset,
        stated: found.confidence,
        right,
        quantity: found.quantity,
        className: methodology.consensus.classOf[found.quantity],
        status: found.status,
        isPart: found.scope !== 'asset',
      });
    }
    const { score, interval, uncappedScore } = rating;
    const before = clean.rating;
    scores.push({
      ...injection,
      asset,
      trust: rating.trust.score,
      tier: rating.trust.tier,
      isRated: score !== null,
      right: CRITICAL.every((quantity) => rightOf.get(consensusKey(quantity)) !== false),
      error: score === null || before.score === null ? null : Math.abs(score - before.score),
      uncappedError:
        uncappedScore === null || before.uncappedScore === null ? null : Math.abs(uncappedScore - before.uncappedScore),
      covered:
        interval === null || before.score === null ? null : interval[0] <= before.score && before.score <= interval[1],
    });
  }
  return { values, scores };
}
