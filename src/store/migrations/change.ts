/** A migration as one transaction, with indexes that are created after it without blocking writers. */
export interface Change {
  readonly name: string;
  /** SQL, run in this order in one transaction. */
  readonly statements: readonly string[];
  /**
   * The oldest version that still works with this migration, given by its newest migration. A migration that only adds
   * gives the one before it; one that removes something gives the first version without it.
   */
  readonly compatibleFrom: string;
  /** Indexes on tables with constant writes: created one by one outside of transactions. Never unique ones. */
  readonly indexes?: readonly LateIndex[];
}

export interface LateIndex {
  readonly name: string;
  /** Table and columns, as after ON. */
  readonly on: string;
}
