import type { ObservationDraft } from '../../domain/index.ts';
import { observed } from '../observations.ts';
import { num } from '../read.ts';
import table from './chains.json' with { type: 'json' };

export type ConsensusChainName = keyof typeof table.chains;

/** Kept facts about a chain whose operators are counted (`chains.json`). */
export interface ConsensusChain {
  readonly coingeckoId: string;
  /** The kind of operator that is counted. */
  readonly counted: string;
  /** Share of all weight that halts the chain (finality) or rewrites it (proof of work). */
  readonly threshold: number;
  /** Range of published coefficients, from half the lowest to double the highest; null if none are published. */
  readonly plausible: readonly number[] | null;
  /** Digits of the smallest unit of stake. */
  readonly decimals?: number;
  readonly lcd?: string;
  /** Assumed cost in US dollars of an attack on a set whose members are known by name and have no measurable stake. */
  readonly attackUsd?: number;
  /** Cost of equipment in US dollars for one hash (Sol) a second. */
  readonly usdPerHash?: number;
  readonly attackFactor?: number;
  readonly firstSubsidy?: number;
  readonly halvingBlocks?: number;
  readonly blockSeconds?: number;
}

export const CONSENSUS_CHAINS: Readonly<Record<ConsensusChainName, ConsensusChain>> = table.chains;

export interface Operator {
  readonly id: string;
  readonly weight: number;
}

/** The operators of a chain from one reply. */
export interface OperatorSet {
  readonly operators: readonly Operator[];
  /** Period of the weights: `30 d`, `epoch 812`; default `now`. */
  readonly window?: string;
  /** `blocks`, `votes`, `entries`, or by default `stake` in the smallest unit of the coin. */
  readonly unit?: 'blocks' | 'votes' | 'entries' | 'stake';
  /** Weight that is part of the total but assigned to no operator. Default 0. */
  readonly excluded?: number;
  /** Reliability of the count, 0-1; default `CHAIN_READ`. */
  readonly reliability?: number;
}

export interface Concentration {
  /** Smallest number of operators with more than the threshold; null if all known operators together do not exceed it. */
  readonly nakamoto: number | null;
  readonly topShare: number;
  readonly operators: number;
  readonly total: number;
}

/** Sums that differ by less than this are equal: weights are doubles, and 7 of 35 is exactly a fifth. */
const ROUNDING = 1e-12;

/**
 * The calculation that all chains share: weights are summed by operator, sorted in descending order, and taken until they exceed
 * `threshold` of the total. Null if a weight is negative or not finite, or no weight is positive, because an incomplete set would
 * look more or less concentrated than it is.
 */
export function concentrationOf(
  { operators, excluded = 0 }: Pick<OperatorSet, 'operators' | 'excluded'>,
  threshold: number,
): Concentration | null {
  const weights = new Map<string, number>();
  for (const { id, weight } of operators) {
    if (!Number.isFinite(weight) || weight < 0) return null;
    if (weight > 0) weights.set(id, (weights.get(id) ?? 0) + weight);
  }
  const sorted = [...weights.values()].sort((a, b) => b - a);
  const total = sorted.reduce((sum, weight) => sum + weight, excluded);
  const [top] = sorted;
  if (top === undefined || !Number.isFinite(total) || excluded < 0) return null;
  const needed = total * threshold * (1 + ROUNDING);
  let sum = 0;
  let nakamoto: number | null = null;
  for (const [index, weight] of sorted.entries()) {
    sum += weight;
    if (sum <= needed) continue;
    nakamoto = index + 1;
    break;
  }
  return { nakamoto, topShare: top / total, operators: sorted.length, total };
}

/** Factor on the reliability of a coefficient outside the plausible range. */
const IMPLAUSIBLE = 0.5;
const CHAIN_READ = 0.9;
/** Reliability of facts that are maintained by hand. */
const KEPT = 0.5;

/** Observations of a set; null if it cannot be counted. */
export function setDrafts(chain: ConsensusChainName, set: OperatorSet): readonly ObservationDraft[] | null {
  const { threshold, plausible, counted, decimals, attackUsd } = CONSENSUS_CHAINS[chain];
  const { window = 'now', unit = 'stake', reliability = CHAIN_READ } = set;
  const found = concentrationOf(set, threshold);
  if (found === null) return null;
  const [low = 0, high = Number.POSITIVE_INFINITY] = plausible ?? [];
  const isPlausible = found.nakamoto === null || (found.nakamoto >= low && found.nakamoto <= high);
  const of = { reliability: reliability * (isPlausible ? 1 : IMPLAUSIBLE) };
  const where = `${found.operators} ${counted}, ${unit}, ${window}`;
  const unlikely = isPlausible ? '' : `; others have counted ${low} to ${high}`;
  const staked = unit === 'stake' && decimals !== undefined ? (found.total / 10 ** decimals) * threshold : null;
  return [
    ...observed('consensus_nakamoto', found.nakamoto, `more than ${percent(threshold)} of ${where}${unlikely}`, of),
    ...observed('consensus_top_share', found.topShare, `largest of ${where}`, of),
    ...observed('consensus_attack_usd', attackUsd, 'a kept value: its members are known by name and have no stake', {
      reliability: KEPT,
    }),
    ...observed('consensus_stake_tokens', staked, `${percent(threshold)} of all stake, ${window}`, of),
  ];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** The operator of one row. An invalid weight becomes NaN, so that `concentrationOf` rejects the whole set. */
export function operator(id: unknown, weight: unknown): Operator {
  return { id: String(id), weight: num(weight) ?? Number.NaN };
}

export function weightOf(operators: readonly Operator[]): number {
  return operators.reduce((sum, { weight }) => sum + weight, 0);
}

/** Cost of half of the hash rate, at the price of equipment in `chains.json`. */
export function hashrateDrafts(chain: ConsensusChainName, hashesPerSecond: number | null): readonly ObservationDraft[] {
  const { usdPerHash, attackFactor = 1 } = CONSENSUS_CHAINS[chain];
  if (hashesPerSecond === null || hashesPerSecond <= 0 || usdPerHash === undefined) return [];
  return observed('consensus_attack_usd', (hashesPerSecond / 2) * usdPerHash * attackFactor, {
    reliability: 0.6,
    meaning: `half of ${hashesPerSecond.toExponential(2)} hashes a second at ${usdPerHash} USD each${attackFactor === 1 ? '' : `, times ${attackFactor}: others mine with the same equipment`}`,
  });
}

/** Supply growth over the year before a block height, for a coin with halvings. */
export function subsidyDrafts(chain: ConsensusChainName, height: number | null): readonly ObservationDraft[] {
  const { firstSubsidy, halvingBlocks, blockSeconds } = CONSENSUS_CHAINS[chain];
  if (height === null || firstSubsidy === undefined || halvingBlocks === undefined || blockSeconds === undefined)
    return [];
  const supplyAt = (blocks: number) => {
    let supply = 0;
    for (let from = 0, subsidy = firstSubsidy; from < blocks; from += halvingBlocks, subsidy /= 2)
      supply += Math.min(halvingBlocks, blocks - from) * subsidy;
    return supply;
  };
  const before = supplyAt(height - Math.round((365 * 86_400) / blockSeconds));
  const growth = before > 0 ? supplyAt(height) / before - 1 : null;
  return observed(
    'supply_growth_365d',
    growth,
    `issued by the schedule of the protocol over a year up to block ${height}`,
  );
}
