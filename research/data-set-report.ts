import type { BandTable, Calibration } from './calibration.ts';
import type { Discrimination, Intervals } from './discrimination.ts';
import type { LeakageAudit } from './leakage.ts';
import type { NestedReport } from './nested/folds.ts';
import type { Sensitivity } from './sensitivity.ts';
import type { Ablation, AggregationVariant, Stability } from './stability.ts';
import type { ColumnUse, DataFile } from './types.ts';

export interface Settings {
  readonly seed: number;
  /** Bootstrap draws. */
  readonly bootstrap: number;
  /** Monte Carlo draws, and rows of each Sobol base matrix. */
  readonly draws: number;
  readonly base: number;
  /** Members that the sensitivity analyses look at; more are sampled. */
  readonly sensitivityMembers: number;
}

export interface Measured {
  /** `ranked`: published, and where scores are equal by the score before caps, which is published beside it. */
  readonly name: 'published' | 'ranked' | 'uncapped';
  readonly values: Discrimination;
  readonly stratified: Intervals | null;
  /** By creator; null when the file names none. */
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
  /** Features that got points, and for how many members. */
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
  readonly stability: Stability | null;
  readonly sensitivity: Sensitivity;
  readonly gates: readonly Gate[];
  /** Largest distance between the scores of the sensitivity analyses and the rating code's, before anything is changed. */
  readonly panelError: number;
  /** Only where it was asked for and outcomes are known. */
  readonly nested?: NestedReport;
}

/** What a methodology has to reach before it is put in force, and what was found. */
export interface Gate {
  readonly name: string;
  readonly wanted: string;
  readonly found: number | null;
  readonly met: boolean;
}
