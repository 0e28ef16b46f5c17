import type { Result } from '../domain/index.ts';

/** One request to the service’s own API, on behalf of whoever holds the key. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** With the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds the reply may take. */
  readonly timeoutMs: number;
}

export interface ApiReply {
  readonly status: number;
  readonly retryAfter: string | null;
  /** Parsed JSON; null where there was none. */
  readonly body: unknown;
}

/**
 * Asks the public API, so that keys, scopes, plans and limits hold here as everywhere. `detail` says in words why there is no
 * reply.
 */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Result<ApiReply, { readonly detail: string }>>;
