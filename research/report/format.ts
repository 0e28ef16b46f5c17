import type { Band } from '../../src/domain/index.ts';
import type { BandTable, Calibration } from '../calibration.ts';
import type { Discrimination, Intervals } from '../discrimination.ts';
import type { LeakageAudit } from '../leakage.ts';
import type { ColumnUse, DataFile } from '../mapping.ts';
import type { AcrossFiles, NestedReport } from '../nested/folds.ts';
import type { NotRated } from '../not-rated.ts';
import type { Sensitivity } from '../sensitivity.ts';
import type { Ablation, AggregationVariant, Stability } from '../stability.ts';

export interface Settings {
  readonly seed: number;
  /** Bootstrap draws. */
  readonly bootstrap: number;
  /** Monte Carlo draws, and rows of each Sobol base matrix. */
  readonly draws: number;
  readonly base: number;
  /** Members in the sensitivity analyses; larger sets are sampled. */
  readonly sensitivityMembers: number;
}

export interface Measured {
  /** `ranked`: published scores, with equal ones ordered by the score before caps, which is published too. */
  readonly name: 'published' | 'ranked' | 'uncapped';
  readonly values: Discrimination;
  readonly stratified: Intervals | null;
  /** Intervals with whole creators resampled; null when the file names none. */
  readonly clustered: Intervals | null;
}

export interface DataSetReport {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly files: readonly DataFile[];
  readonly mappingHash: string;
  readonly class: string;
  readonly members: number;
  readonly leftOut: number;
  readonly failures: number | null;
  readonly columns: readonly ColumnUse[];
  /** Features with points, and the number of members that have them. */
  readonly features: readonly { readonly id: string; readonly factor: string; readonly members: number }[];
  readonly flags: readonly { readonly code: string; readonly members: number; readonly failureRate: number | null }[];
  readonly scores: { readonly lowest: number; readonly quartiles: readonly number[]; readonly highest: number };
  /** Null without outcomes. */
  readonly outcome: {
    readonly measured: readonly Measured[];
    readonly capCurve: readonly (readonly [share: number, failures: number])[];
    readonly bands: BandTable;
    readonly uncappedBands: BandTable;
    readonly calibration: Calibration;
    readonly aggregation: readonly AggregationVariant[];
    readonly ablation: readonly Ablation[];
    readonly leakage: LeakageAudit;
  } | null;
  /** Null without outcomes. */
  readonly notRated: NotRated | null;
  readonly stability: Stability | null;
  readonly sensitivity: Sensitivity;
  readonly gates: readonly Gate[];
  /** Largest difference between the scores of the sensitivity analyses and of the rating code, before any change. */
  readonly panelError: number;
  /** Suspicious properties of the file or its mapping; absent when there are none. */
  readonly advice?: readonly string[];
  /** Only if it was requested and outcomes are known. */
  readonly nested?: NestedReport;
}

/** Requirements on a methodology before it comes into force, with the results. */
export interface Gate {
  readonly name: string;
  readonly wanted: string;
  readonly found: number | null;
  readonly met: boolean;
}

/** Results of a whole run. Two runs with the same data, mapping, methodology and seed give the same report. */
export interface ValidationReport {
  readonly methodology: { readonly version: string; readonly date: string; readonly hash: string };
  readonly settings: Settings;
  /** The ladder that bands are compared with. */
  readonly ladder: readonly { readonly band: Band; readonly from: number; readonly target: number }[];
  readonly dataSets: readonly DataSetReport[];
  /** Only with nested cross-validation of two or more files. */
  readonly acrossFiles?: readonly AcrossFiles[];
  /** Mappings whose file was missing or unusable, and why. */
  readonly skipped: readonly { readonly name: string; readonly detail: string }[];
}

export const MEASURES: readonly { readonly key: keyof Discrimination; readonly name: string; readonly what: string }[] =
  [
    { key: 'auc', name: 'AUC', what: 'chance that a failed member had the lower score; ties count half' },
    { key: 'accuracyRatio', name: 'Accuracy ratio', what: '2 AUC - 1, the Gini coefficient of the profile below' },
    { key: 'ks', name: 'KS', what: 'largest distance of the two cumulative distributions' },
    { key: 'prAuc', name: 'PR-AUC', what: 'average precision in finding failures, beside the base rate' },
  ];

const VERDICTS: Readonly<Record<BandTable['verdict'], string>> = {
  monotone: 'monotone: each worse band failed more often',
  within_error: 'inversions, none of them larger than one standard error',
  not_monotone: 'not monotone: a worse band failed less often than a better one',
  one_band: 'one band only: nothing to compare',
};

export function verdictOf(table: BandTable): string {
  return VERDICTS[table.verdict];
}

/** A share for readers. */
export function percent(share: number | null, digits = 1): string {
  return share === null ? '-' : `${(share * 100).toFixed(digits)} %`;
}

export function fixed(value: number | null, digits = 3): string {
  return value === null ? '-' : value.toFixed(digits);
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function interval(measured: Measured, key: keyof Discrimination, how: 'stratified' | 'clustered'): string {
  const found = measured[how]?.[key];
  return found === undefined ? '-' : `${fixed(found.low)} to ${fixed(found.high)}`;
}

/** The result of the data set in one sentence. */
export function headline(report: DataSetReport): string {
  const published = report.outcome?.measured[0];
  if (report.outcome === null || published === undefined)
    return `${count(report.members)} ratings without outcomes: only stability is measured.`;
  const range = published.clustered ?? published.stratified;
  const ranked = report.outcome.measured.find((row) => row.name === 'ranked');
  return [
    `AUC ${fixed(published.values.auc)}`,
    range === null ? '' : ` (95 %: ${fixed(range.auc.low)} to ${fixed(range.auc.high)})`,
    ranked === undefined ? '' : `, ${fixed(ranked.values.auc)} with equal scores ordered by the score before caps,`,
    ` on ${count(report.members)} members, ${percent((report.failures ?? 0) / report.members)} of which failed;`,
    ` bands ${verdictOf(report.outcome.bands)}.`,
  ].join('');
}

export function sensitivitySentence(found: Sensitivity): string {
  const auc = found.auc;
  return [
    `${count(found.draws)} draws on ${count(found.members)} members. `,
    auc === null
      ? ''
      : `AUC ${fixed(auc.reference)} as published, median ${fixed(auc.median)}, 90 % of draws ${fixed(auc.low)} to ${fixed(auc.high)}. `,
    `A member moves by ${percent(found.rankShift.median, 2)} of all ranks in the median draw (90 %: ${percent(found.rankShift.low, 2)} to ${percent(found.rankShift.high, 2)}); `,
    `rank correlation ${fixed(found.rankCorrelation.median)}; ${percent(found.withinOneBand)} stay within one band.`,
  ].join('');
}

/** Limits of these figures; printed in every report. */
export const LIMITS: readonly string[] = [
  'Labelled files say what became of assets somebody else chose. Their base rates are not the market’s, and failures of new exchange tokens say little about the upper bands.',
  'Only the mapped columns are known; every other feature is unknown and shrinks to the prior, so scores crowd around it and bands are narrower than those of real ratings.',
  'Nothing is fitted here. A methodology that was tuned on a file and is then measured on the same file is measured too kindly; keep a part aside, and see by how much with --nested.',
  'Caps on trust and the rule against rating on thin evidence are left out: a file says nothing about its own evidence.',
];

/** A table of a report, before it becomes Markdown or HTML. Cells are plain text; outside text is not yet escaped. */
export interface ReportTable {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
