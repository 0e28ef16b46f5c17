/** A change of the tables, as one transaction, and what is made after it without stopping those who write. */
export interface Change {
  readonly name: string;
  /** SQL, run in this order in one transaction. */
  readonly statements: readonly string[];
  /**
   * The oldest version that still works on tables with this change in them, named by its newest change. A change that
   * only adds names the one that was newest before it; one that takes something away names the first that did without.
   */
  readonly compatibleFrom: string;
  /** Indexes on tables that are written all the time: made one by one outside of transactions. Never unique ones. */
  readonly indexes?: readonly LateIndex[];
}

export interface LateIndex {
  readonly name: string;
  /** Table and columns, as they stand after ON. */
  readonly on: string;
}
