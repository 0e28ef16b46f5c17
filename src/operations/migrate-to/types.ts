export interface MoveWish {
  readonly sourceUrl: string;
  readonly targetUrl: string;
  /** What the source must hold. */
  readonly dataMode: 'live' | 'sandbox';
  /** About so much is written in one transaction, and is lost at most when the move is killed. */
  readonly pieceBytes: number;
  /** Copy nothing: compare the two databases as they are. */
  readonly verifyOnly: boolean;
  readonly onProgress: (progress: MoveProgress) => void;
}

/** What to show somebody who waits. */
export interface MoveProgress {
  readonly step: 'copy' | 'verify';
  /** Table, or day of a table, under way. */
  readonly part: string;
  /** Which of how many parts it is, from 1. */
  readonly at: number;
  readonly of: number;
  /** Copied by this run. */
  readonly rows: number;
  readonly bytes: number;
  /** Since this run began. */
  readonly seconds: number;
}

export interface MoveSummary {
  readonly parts: number;
  /** Rows that are the same on both sides. */
  readonly rows: number;
  /** Of which this run has copied so many; the others were there from an earlier run. */
  readonly copied: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Parts that were copied anew, since the source or the target had changed after an earlier run. */
  readonly again: readonly string[];
}

export interface MoveFault {
  readonly reason:
    | 'unreachable'
    | 'nothing_there'
    | 'same_database'
    | 'in_use'
    | 'other_data_mode'
    | 'newer_version'
    | 'behind'
    | 'foreign'
    | 'not_empty'
    | 'other_source'
    | 'unfit'
    | 'differs'
    | 'interrupted';
  readonly detail: string;
}
