import type { Interval } from '../bootstrap.ts';
import type { FoldKind } from './folds.ts';

/** One held-out part: what was chosen without it, and how that did on it. */
export interface OuterFold {
  readonly members: number;
  readonly failures: number;
  readonly chosen: string;
  /** Mean AUC of the chosen variant over the inner folds, which do not hold these members. */
  readonly innerAuc: number;
  /** AUC on the held-out members; null where all of them failed, or none. */
  readonly auc: number | null;
  /** With equal published scores ordered by the score before caps. */
  readonly ranked: number | null;
}

export interface NestedAuc {
  /** Mean over the outer folds. */
  readonly mean: number;
  /** 95 %: held-out members (or creators, or moments) drawn again within their folds. */
  readonly interval: Interval | null;
  /** Standard deviation over the outer folds. */
  readonly spread: number;
}

/** What is left of a figure when whatever was chosen by looking is chosen without the part it is measured on. */
export interface NestedReport {
  readonly by: FoldKind;
  /** Of larger files a sample is looked at. */
  readonly members: number;
  readonly groups: number;
  readonly outerFolds: readonly OuterFold[];
  readonly innerFolds: number;
  readonly published: NestedAuc;
  readonly ranked: NestedAuc;
  /** The best variant on the whole file, measured on the whole file. */
  readonly resubstitution: { readonly name: string; readonly auc: number };
  /** Resubstitution less nested: what looking was worth. */
  readonly optimism: number;
  /** The methodology that is validated, on the same folds, without any choice. */
  readonly inForce: { readonly name: string; readonly mean: number; readonly interval: Interval | null };
  /** Each stretch of time rated by what the stretches before it would have chosen; null unless folds go by time. */
  readonly forward: { readonly folds: number; readonly mean: number } | null;
  readonly variants: readonly { readonly name: string; readonly auc: number; readonly chosen: number }[];
  readonly checks: NestedChecks;
}

export interface NestedChecks {
  /** Creators (or moments, or members) that stand in more than one outer fold; 0, or the folds are wrong. */
  readonly straddling: number;
  /** Share of held-out members with a twin (all mapped cells alike) outside their fold, and the mean AUC of those without. */
  readonly twins: { readonly share: number; readonly aucWithout: number | null };
  /** The same procedure on outcomes dealt out at random: near 1/2, or something leaks. */
  readonly shuffled: { readonly draws: number; readonly mean: number; readonly low: number; readonly high: number };
}

/** The variant that the other files would have chosen, on this one: one methodology for all. */
export interface AcrossFiles {
  readonly dataSet: string;
  readonly chosen: string;
  readonly auc: number;
  readonly inForce: number;
}
