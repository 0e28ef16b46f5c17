import type { PublishedRating, ScoreReport, Severity } from '../domain/index.ts';

/**
 * The content of the committee report, before it is rendered as HTML or Markdown. All texts are plain and unescaped.
 */
export interface CommitteeReport {
  readonly title: string;
  /** Class and chain. */
  readonly subject: string;
  /** Address, or the website of a project without a token. */
  readonly address: string;
  readonly dated: string;
  readonly method: string;
  /** Notices such as sandbox data or an unpublished result. */
  readonly banners: readonly string[];
  /** Severe flags and a default, as text. */
  readonly alerts: readonly string[];
  readonly band: string;
  readonly verdict: string;
  readonly scale: Scale;
  readonly figures: readonly Figure[];
  readonly reasons: readonly Reason[];
  readonly factors: readonly FactorRow[];
  /** Source of the peers' median, or why there is none. */
  readonly peers: string;
  readonly history: History;
  readonly facts: readonly Figure[];
  readonly flags: {
    readonly title: string;
    readonly rows: readonly FlagRow[];
    readonly note: string;
  };
  readonly holders: Holders;
  readonly depth: DepthPart;
  readonly change: Change;
  readonly actions: { readonly rows: readonly ActionRow[]; readonly note: string };
  readonly absences: { readonly rows: readonly AbsenceRow[]; readonly note: string };
  readonly closing: readonly string[];
  readonly footer: string;
  readonly receipts: { readonly title: string; readonly sections: readonly Section[] };
}

export interface Scale {
  /** Best first, as the methodology lists them. */
  readonly bands: readonly { readonly band: string; readonly from: number }[];
  readonly score: number | null;
  readonly interval: readonly [number, number] | null;
  /** The lowest cap; null without one. */
  readonly ceiling: number | null;
}
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}
export interface Reason {
  readonly supports: boolean;
  readonly text: string;
  /** The factor that it affects, the factor's score, and points. */
  readonly acts: string;
}
export interface FactorRow {
  readonly code: string;
  readonly name: string;
  readonly score: number;
  /** Share of the score, percent. */
  readonly weight: number;
  readonly points: number;
  /** Interquartile range and median of the peers; null if unknown. */
  readonly peers: { readonly low: number; readonly median: number; readonly high: number } | null;
}
export interface History {
  /** Oldest first. */
  readonly days: readonly { readonly day: string; readonly score: number | null; readonly priceUsd: number | null }[];
  /** Text in place of a chart, or below it. */
  readonly note: string;
}
export interface FlagRow {
  readonly severity: Severity;
  readonly title: string;
  readonly evidence: string;
  readonly since: string;
  readonly effect: string;
}
export interface Holders {
  readonly rows: readonly {
    readonly name: string;
    readonly raw: number;
    readonly adjusted: number | null;
    readonly left: string;
  }[];
  /** Shares of the ten largest, 0-1. */
  readonly raw: number | null;
  readonly adjusted: number | null;
  readonly note: string;
}
export interface DepthPart {
  /** Amount in US dollars that moves the price by `movePct`. */
  readonly points: readonly {
    readonly movePct: number;
    readonly sellUsd: number | null;
    readonly buyUsd: number | null;
  }[];
  readonly rows: readonly (readonly [label: string, value: string])[];
  readonly note: string;
}
export interface Change {
  readonly rows: readonly (readonly [what: string, detail: string])[];
  readonly note: string;
}
export interface ActionRow {
  readonly date: string;
  readonly action: string;
  readonly score: string;
  readonly reason: string;
}
export interface AbsenceRow {
  readonly name: string;
  readonly why: string;
  readonly action: string;
}
export interface Section {
  readonly title: string;
  readonly note: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A change of one feature and its effect on the score, from the counterfactual of the rating. */
interface MovedFeature {
  readonly name: string;
  readonly unit: string;
  readonly now: number | string | null;
  readonly needed: number | string;
  readonly who: string;
  readonly points: number;
  /** True when this change alone is enough. */
  readonly reaches: boolean;
}

/** Changes that lift the rating towards the next band, and the smallest that lower it. */
export interface Moves {
  readonly raises: readonly MovedFeature[];
  readonly lowers: readonly MovedFeature[];
}

/** The rating that is shown: the published record, or the unpublished result. */
export interface Shown {
  readonly report: ScoreReport;
  readonly isPublished: boolean;
  readonly band: PublishedRating['band'];
  readonly score: number | null;
  readonly interval: readonly [number, number] | null;
}
