import type { Result } from '../domain/index.ts';

/** One request to the service’s own API, with the caller's key. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Including the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit of the reply, milliseconds. */
  readonly timeoutMs: number;
}

export interface ApiReply {
  readonly status: number;
  readonly retryAfter: string | null;
  /** Parsed JSON; null without a body. */
  readonly body: unknown;
}

/**
 * Sends a request to the public API, so that keys, scopes, plans and limits apply as for other callers. `detail` states
 * why there is no reply.
 */
export type SendRequest = (
  request: ApiRequest,
  signal: AbortSignal,
) => Promise<Result<ApiReply, { readonly detail: string }>>;
