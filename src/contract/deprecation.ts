/** Deprecated operations and fields work for at least this number of months after their deprecation (docs/deprecation.md). */
export const SUNSET_MONTHS = 12;

/** An operation, or one parameter of it, that will go. */
export interface Deprecation {
  readonly operationId: string;
  /** Name of a query parameter or header; null: the whole operation. */
  readonly parameter: string | null;
  /** YYYY-MM-DD, UTC: since then it is deprecated. */
  readonly since: string;
  /** YYYY-MM-DD, UTC: until then it works. */
  readonly sunset: string;
  /** What takes its place, in one sentence. */
  readonly instead: string;
}

/**
 * Everything that is deprecated at present. An entry marks the operation or parameter in the OpenAPI document, and replies
 * that use it say `Deprecation`, `Sunset` and where the policy is.
 */
export const DEPRECATIONS: readonly Deprecation[] = [];
