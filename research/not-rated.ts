import type { QuantityId } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { jeffreysInterval } from '../src/publication/index.ts';
import { rate } from '../src/rating/index.ts';
import { aucOf } from './discrimination.ts';
import type { Mapping, Member } from './mapping.ts';
import { type Random, sampleOf } from './random.ts';
import { inputOf, type ScoredMember, scoreMember } from './score-member.ts';

/**
 * Requirements of the rule against rating on thin evidence (`notRatedReasons` of the rating), with the quantities that
 * satisfy each.
 */
export const CRITICAL: readonly (readonly QuantityId[])[] = [
  ['price_usd'],
  ['liquidity_dex_usd', 'volume_24h_cex_usd', 'volume_24h_usd'],
  ['total_supply', 'circulating_supply'],
];
/** Probability that each critical fact of a member is removed. */
const AT_RANDOM = 0.25;
const OF_FAILED = 0.5;
const OF_SURVIVORS = 0.1;
/**
 * A member is misplaced if its rank among all changes by more than this share. Ranks are used because the scores of a
 * file are concentrated around the prior.
 */
const WRONG_PLACE = 0.1;
/** Larger sets are sampled. */
const MOST_MEMBERS = 2_000;
/** Smallest distance in coverage between points of the curve. */
const APART = 0.05;

/** A share with its 95 % Jeffreys interval; null without members. */
export interface Share {
  readonly of: number;
  readonly share: number | null;
  readonly interval: readonly [number, number] | null;
}

export interface NotRatedVariant {
  readonly name: 'as it is' | 'facts missing at random' | 'facts of the failed missing more often';
  readonly members: number;
  /** Not rated by the live rule: trust, identity, critical facts. */
  readonly refused: Share;
  /** Not rated because a critical fact is not known, whatever the trust. */
  readonly refusedForFacts: Share;
  /**
   * Members refused for facts. `failed`: those that failed; `misplaced`: those that the remaining facts move to another
   * band, or by more than a tenth of all ranks; `either`: one or both.
   */
  readonly refusedMembers: Judged;
  readonly ratedMembers: Judged;
}

export interface Judged {
  readonly failed: Share;
  readonly misplaced: Share;
  /** Correctly refused: it failed, or would have been misplaced. */
  readonly either: Share;
}

export interface CoveragePoint {
  /** Share of the members that are rated: all with at least this trust. */
  readonly coverage: number;
  readonly leastTrust: number;
  readonly auc: number | null;
  readonly misplaced: number;
  readonly failed: number;
}

export interface NotRated {
  readonly members: number;
  readonly variants: readonly NotRatedVariant[];
  /** With facts missing at random: the gain from rating fewer members. */
  readonly curve: readonly CoveragePoint[];
}

interface Case {
  readonly failed: boolean;
  readonly isRefused: boolean;
  readonly isRefusedForFacts: boolean;
  readonly isMisplaced: boolean;
  readonly trust: number;
  readonly score: number;
}

/**
 * Measures whether not rating was right: members with known outcomes by the live rule, with the facts of their file,
 * with critical facts missing at random, and with those of failed members missing more often, since a project in
 * trouble stops publishing.
 */
export function notRatedOf(
  members: readonly Member[],
  scored: readonly ScoredMember[],
  mapping: Mapping,
  methodology: Methodology,
  random: Random,
): NotRated {
  const sample = sampleOf(
    members.map((member, index) => ({ member, whole: scored[index] })),
    MOST_MEMBERS,
    random,
  );
  const sorted = sample.map(({ whole }) => whole?.score ?? 0).sort((a, b) => a - b);
  const placeOf = (score: number) => placeIn(sorted, score);
  const casesBy = (chance: (failed: boolean) => number): readonly Case[] =>
    sample.map(({ member, whole }) => {
      const left = without(member, chance(member.failed), random);
      const rating = rate(inputOf(left, mapping, methodology), methodology);
      const by = left === member && whole !== undefined ? whole : scoreMember(left, mapping, methodology);
      return {
        failed: member.failed,
        isRefused: rating.band === 'NR',
        isRefusedForFacts: CRITICAL.some((facts) => !facts.some((fact) => left.quantities[fact] !== undefined)),
        isMisplaced:
          whole !== undefined &&
          (by.band !== whole.band || Math.abs(placeOf(by.score) - placeOf(whole.score)) > WRONG_PLACE),
        trust: rating.trust.score,
        score: by.score,
      };
    });
  const isKnown = CRITICAL.every((facts) => facts.some((fact) => mapping.quantities[fact] !== undefined));
  const atRandom = isKnown ? casesBy(() => AT_RANDOM) : [];
  return {
    members: sample.length,
    variants: [
      variantOf(
        'as it is',
        casesBy(() => 0),
      ),
      ...(isKnown
        ? [
            variantOf('facts missing at random', atRandom),
            variantOf(
              'facts of the failed missing more often',
              casesBy((failed) => (failed ? OF_FAILED : OF_SURVIVORS)),
            ),
          ]
        : []),
    ],
    curve: curveOf(atRandom),
  };
}

/** The member without randomly removed critical facts; the same object if none is removed. */
function without(member: Member, chance: number, random: Random): Member {
  const taken = chance === 0 ? [] : CRITICAL.filter(() => random() < chance).flat();
  if (!taken.some((fact) => member.quantities[fact] !== undefined)) return member;
  const left = Object.entries(member.quantities).filter(([id]) => !taken.includes(id as QuantityId));
  return { ...member, quantities: Object.fromEntries(left) };
}

/** Share of the scores that are lower; ties count half. */
function placeIn(sorted: readonly number[], score: number): number {
  const below = sorted.filter((one) => one < score).length;
  const equal = sorted.filter((one) => one === score).length;
  return (below + equal / 2) / sorted.length;
}

function variantOf(name: NotRatedVariant['name'], cases: readonly Case[]): NotRatedVariant {
  return {
    name,
    members: cases.length,
    refused: shareOf(cases, (one) => one.isRefused),
    refusedForFacts: shareOf(cases, (one) => one.isRefusedForFacts),
    refusedMembers: judgedOf(cases.filter((one) => one.isRefusedForFacts)),
    ratedMembers: judgedOf(cases.filter((one) => !one.isRefusedForFacts)),
  };
}

function judgedOf(cases: readonly Case[]): Judged {
  return {
    failed: shareOf(cases, (one) => one.failed),
    misplaced: shareOf(cases, (one) => one.isMisplaced),
    either: shareOf(cases, (one) => one.failed || one.isMisplaced),
  };
}

function shareOf(cases: readonly Case[], holds: (one: Case) => boolean): Share {
  const count = cases.filter(holds).length;
  return {
    of: cases.length,
    share: cases.length === 0 ? null : count / cases.length,
    interval: jeffreysInterval(count, cases.length, 0.95),
  };
}

/**
 * Coverage against accuracy for a required minimum of trust. Members with the same trust are rated or refused together:
 * a part of them would be the first ones in the file, and files are often sorted by a column that separates the
 * failures.
 */
function curveOf(cases: readonly Case[]): readonly CoveragePoint[] {
  const levels = [...new Set(cases.map(({ trust }) => trust))].sort((a, b) => b - a);
  let last = 0;
  return levels.flatMap((least) => {
    const kept = cases.filter(({ trust }) => trust >= least);
    const coverage = kept.length / cases.length;
    if (coverage < 1 && coverage - last < APART) return [];
    last = coverage;
    return {
      coverage,
      leastTrust: least,
      auc: aucOf(
        kept.map((one) => one.score),
        kept.map((one) => one.failed),
      ),
      misplaced: kept.filter((one) => one.isMisplaced).length / kept.length,
      failed: kept.filter((one) => one.failed).length / kept.length,
    };
  });
}
