/** Least number of months for which deprecated operations and fields continue to work (docs/deprecation.md). */
export const SUNSET_MONTHS = 12;

/** An operation, or one parameter of it, that will be removed. */
export interface Deprecation {
  readonly operationId: string;
  /** Name of a query parameter or header; null: the whole operation. */
  readonly parameter: string | null;
  /** Day of the deprecation, YYYY-MM-DD, UTC. */
  readonly since: string;
  /** Day until which it works, YYYY-MM-DD, UTC. */
  readonly sunset: string;
  /** Its replacement, in one sentence. */
  readonly instead: string;
}

/**
 * Everything that is deprecated at present. An entry marks the operation or parameter in the OpenAPI document; replies
 * that use it have the headers `Deprecation` and `Sunset` and a link to the policy.
 */
export const DEPRECATIONS: readonly Deprecation[] = [];
