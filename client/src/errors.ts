/** A problem as the service sends it (RFC 9457). */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  /** A stable code for programs, such as `rate_limited`. */
  readonly code: string;
  readonly request_id: string;
  readonly retry: 'no' | 'same' | 'after' | 'corrected';
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
  readonly [member: string]: unknown;
}

/** The service refused the request: with a code and the remedy. */
export class AssayProblem extends Error {
  override readonly name = 'AssayProblem';
  readonly problem: ProblemBody;
  /** Seconds of `Retry-After`; null without one. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: ProblemBody, retryAfterSeconds: number | null) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return this.problem.status;
  }

  get code(): string {
    return this.problem.code;
  }

  get requestId(): string {
    return this.problem.request_id;
  }
}

/** No reply, or an unreadable one. `timeout`: it took longer than allowed. */
export class AssayConnectionError extends Error {
  override readonly name = 'AssayConnectionError';
  readonly reason: 'timeout' | 'unreachable' | 'unreadable' | 'too_large' | 'stream_ended';

  constructor(reason: AssayConnectionError['reason'], detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** The problem in a reply; one is constructed for replies that are not the service’s (for example, a proxy’s page). */
export function problemOf(status: number, text: string, path: string, requestId: string): ProblemBody {
  const read = asObject(text);
  const word = (name: string, otherwise: string) => {
    const value = read?.[name];
    return typeof value === 'string' ? value : otherwise;
  };
  return {
    ...read,
    type: word('type', 'about:blank'),
    title: word('title', 'The reply is not one of the service'),
    detail: word('detail', `HTTP status ${status}`),
    instance: word('instance', path),
    code: word('code', `http_${status}`),
    request_id: word('request_id', requestId),
    retry: RETRIES.find((known) => known === read?.retry) ?? 'no',
    status,
  };
}

const RETRIES = ['no', 'same', 'after', 'corrected'] as const;

function asObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
