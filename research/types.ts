import type { AssetClass } from '../src/domain/index.ts';

/** How one cell becomes one of our values. Either `column` or `constant`. */
export interface ColumnRule {
  readonly column?: string;
  /** The same value for every row (what a file's description says of all its members). */
  readonly constant?: number | string | boolean;
  /** `days_before`: days from the cell's date to the row's feature time. `complement`: 1 - x. `boolean`: yes/no, true/false, 1/0. */
  readonly transform?: 'log10' | 'exp10' | 'complement' | 'reciprocal' | 'boolean' | 'days_before' | 'date';
  /** Columns of the same kind that are added to it (several yes-or-no columns make a count); unknown when one of them is. */
  readonly plus?: readonly string[];
  /** Steps, lowest first, after the transform: the value beside the last threshold that is not above the cell; null is unknown. */
  readonly steps?: readonly (readonly [from: number, value: number | null])[];
  /** Left out, without complaint, where the methodology has no such feature. */
  readonly optional?: boolean;
  /** Multiplied, then added, before the transform. */
  readonly scale?: number;
  readonly offset?: number;
  /** Limits after the transform; cells beyond them are set to the limit and counted. */
  readonly clamp?: readonly [low: number, high: number];
  /** For features and quantities of states: our state by the cell's text. */
  readonly states?: Readonly<Record<string, string>>;
  /** 0-1; the mapping's own when absent. */
  readonly confidence?: number;
  /** A cell that is no number: refuse the file (default), or count it as missing. */
  readonly malformed?: 'refuse' | 'missing';
}

/** How the columns of a file of labelled assets tie to our features. */
export interface Mapping {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Name of the file, with its folder where that matters; `*` is any text. `.gz` may follow. A file with ids is a data set, one without an asset. */
  readonly file: string;
  /** Column of the asset's id; a row whose cell is empty goes by its line. Null: each file is one asset. */
  readonly id: string | null;
  /** Null: no outcome is known, only stability is measured. */
  readonly outcome: {
    readonly column: string;
    readonly failed: readonly string[];
    readonly survived: readonly string[];
  } | null;
  /** Column of what ties rows together (the creator). */
  readonly group: string | null;
  /** Column of the moment of the features; an id may then come once per moment. */
  readonly featureTime: string | null;
  /** Column of the moment from which the outcome was known. */
  readonly outcomeTime: string | null;
  /** Days from `featureTime` to the moment the features were measured (24-hour features: 1). */
  readonly featureDelayDays: number;
  /** With several moments an asset: use every so many days. */
  readonly everyDays: number;
  readonly class: AssetClass;
  /** Name of a chain, or null: its kind decides which features apply. */
  readonly chain: string | null;
  /** 0-1: how well a cell is known, as a rating would know it. */
  readonly confidence: number;
  /** Texts that mean "not known", besides the empty cell. */
  readonly missing: readonly string[];
  readonly features: Readonly<Record<string, ColumnRule>>;
  readonly quantities: Readonly<Record<string, ColumnRule>>;
  /** Columns that are known to carry the outcome, and why: refused as features. */
  readonly knowsOutcome: Readonly<Record<string, string>>;
}

export type Reason =
  | 'no_data'
  | 'unreadable'
  | 'bad_mapping'
  | 'missing_columns'
  | 'empty_file'
  | 'malformed_csv'
  | 'too_large'
  | 'duplicate_columns'
  | 'unknown_outcome'
  | 'no_failures'
  | 'no_survivors'
  | 'not_a_number'
  | 'not_a_date'
  | 'duplicate_id'
  | 'nothing_known';

/** Why a data set cannot be validated; `detail` says where, what was expected, what came. */
export interface Refusal {
  readonly reason: Reason;
  readonly detail: string;
}

export interface DataFile {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of the file as it is stored, hex. */
  readonly sha256: string;
  readonly rows: number;
}

export interface Table {
  readonly files: readonly DataFile[];
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly file: string;
    readonly line: number;
    readonly cells: readonly string[];
  }[];
}

/** One member of a data set in our own words. */
export interface Member {
  readonly id: string;
  readonly group: string | null;
  readonly failed: boolean;
  /** Milliseconds since 1970; null when the mapping gives no time, or the cell is empty. */
  readonly featureAt: number | null;
  readonly outcomeAt: number | null;
  /** Raw values of directly mapped features, by id; absent when not known. */
  readonly features: Readonly<Record<string, number | string>>;
  readonly quantities: Readonly<Record<string, number | string | boolean>>;
}

/** What became of a mapped column's cells. */
export interface ColumnUse {
  readonly target: string;
  readonly column: string;
  readonly known: number;
  readonly missing: number;
  readonly malformed: number;
  readonly clamped: number;
}

/** A data set that cannot be validated, and why. */
export function refuse(reason: Refusal['reason'], detail: string): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { reason, detail } };
}
