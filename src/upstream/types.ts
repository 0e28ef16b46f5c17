import type { Json, RequestOutcome } from '../domain/index.ts';

/**
 * Who chose the address. `operator`: a configured base URL; it may be loopback (an own node, the sandbox). `outside`: a
 * caller, a token's metadata or a redirect could influence it, so the address guard checks every hop.
 */
export type TrustClass = 'operator' | 'outside';

/**
 * Priority when a source's budget is short. `critical`: identification and the quantities required for publication;
 * `normal`: everything else that a caller waits for; `background`: work that nobody waits for; `spare`: optional work,
 * which gets a turn only if the bucket is full and is otherwise skipped.
 */
export type RequestPriority = 'critical' | 'normal' | 'background' | 'spare';

export interface TurnTerms {
  /** Maximum wait for the turn, in milliseconds, before the request starts. */
  readonly mostMs: number;
  /** Maximum time for wait and request together, in milliseconds. */
  readonly overallMs: number;
  /** Called at most once, if the turn is not available at once, with the expected wait in milliseconds. */
  readonly onWaiting?: (expectedMs: number) => void;
}

/** The subject of a request, which identifies it within a batch. */
export type BatchItem = Readonly<Record<string, Json>>;

/** How a request is combined with others of its group that wait for a turn at the same time. */
export interface BatchTerms {
  /** Requests of one group differ only in their URL. */
  readonly group: string;
  /** Maximum number of combined requests. */
  readonly most: number;
  readonly item: BatchItem;
  /** URL of the combined request for two or more items. */
  urlOf(items: readonly BatchItem[]): string;
  /** Extracts an item's reply from the parsed combined reply; null when it is missing. */
  rowOf(reply: unknown, item: BatchItem): unknown;
}

/** PUT and DELETE are for stores that the operator configured. Like GET, they may be repeated. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface UpstreamRequest {
  /** Name for budgets, breakers and metrics: the source's name, or `website`. */
  readonly label: string;
  readonly trust: TrustClass;
  readonly method: Method;
  readonly url: string;
  /** Headers whose values may be recorded. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers with keys: sent, but never recorded or logged. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  /** Query parameters with keys: sent, but removed from every recorded URL. */
  readonly secretQuery: readonly string[];
  readonly body: string | Uint8Array | null;
  readonly deadlines: {
    readonly connectMs: number;
    readonly headersMs: number;
    readonly bodyMs: number;
    readonly totalMs: number;
  };
  /** Maximum number of decoded bytes. */
  readonly maxBytes: number;
  /** Accepted content types (prefix match, lower-case); empty accepts all. */
  readonly accept: readonly string[];
  /** Statuses that count as replies and not as failures (404 for a registry). 2xx always do. */
  readonly okStatuses: readonly number[];
  readonly retries: number;
  readonly maxRedirects: number;
  readonly traceparent: string | null;
  /** Default `critical`: no part of the budget is reserved against it. */
  readonly priority?: RequestPriority;
  /** How long to wait for a turn; default: within `deadlines.totalMs`, which then counts from the start. */
  readonly turn?: TurnTerms;
  /** Absent: never combined. A request that is sent alone uses `url`, whatever these terms are. */
  readonly batch?: BatchTerms;
  /**
   * The customer, where one customer's problem with a host must not affect another's: it has its own budget and
   * breaker.
   */
  readonly tenant?: string;
  /** True for a body that states, with a status of success, that the rate limit is reached: it is treated as status 429. */
  readonly isLimit?: (body: Uint8Array) => boolean;
}

export interface CompleteReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** SHA-256 of the decoded body, hex. */
  readonly sha256: string;
  /** Final URL without secrets. */
  readonly url: string;
  readonly fetchedAt: string;
  readonly milliseconds: number;
  readonly attempts: number;
  /** True when the reply was shared with, or taken from, another recent request of ours. */
  readonly fromCache: boolean;
  /** Milliseconds, included in `milliseconds`, that were spent waiting for a turn; absent: none. */
  readonly waitedMs?: number;
  /** Number of requests combined into this one; `body` is this one's part of the reply. Absent: not combined. */
  readonly together?: number;
}

export interface UpstreamFailure {
  readonly reason: Exclude<
    RequestOutcome,
    'ok' | 'empty' | 'not_found' | 'unsupported' | 'disabled' | 'malformed' | 'error_reply'
  >;
  /** Text without secrets or internal addresses. */
  readonly detail: string;
  readonly status: number | null;
  readonly url: string;
  readonly fetchedAt: string;
  readonly milliseconds: number;
  readonly attempts: number;
  /** Seconds that the host asked to wait; null when it did not say. */
  readonly retryAfterSeconds: number | null;
  /** Body of an error status, if one was received (size-limited), to classify the error. */
  readonly body: Uint8Array | null;
}

export type UpstreamReply = ({ readonly ok: true } & CompleteReply) | ({ readonly ok: false } & UpstreamFailure);

/** Budget of one label, shared by all jobs of the process. */
export interface UpstreamBudget {
  readonly perMinute: number;
  readonly burst: number;
  /** Maximum concurrent requests. */
  readonly concurrency: number;
  /**
   * Seconds for which a successful reply is shared with later identical requests; 0: only concurrent requests are
   * joined.
   */
  readonly shareSeconds: number;
}

export interface TlsFacts {
  readonly authorized: boolean;
  readonly authorizationError: string | null;
  readonly notBefore: string | null;
  readonly notAfter: string | null;
  readonly issuer: string | null;
  readonly subjectAltNames: readonly string[];
  readonly protocol: string | null;
}

/** Receives the next bytes of a body. */
export type TakeChunk = (chunk: Uint8Array) => Promise<void> | undefined;

/** The HTTP client. Never throws, whatever a host does. */
export interface Upstream {
  request(request: UpstreamRequest, signal?: AbortSignal): Promise<UpstreamReply>;
  /**
   * Sends the request once, without sharing, and passes the decoded body of a 2xx reply to `take` in chunks: for bodies
   * too large for memory. A chunk is valid until `take` returns or its promise is settled, and no further one is passed before; an
   * exception in `take` ends the request.
   * `deadlines.bodyMs` is the maximum pause between two chunks, and `maxBytes` limits their sum. The body of the
   * returned reply is empty and has no hash.
   */
  stream(request: UpstreamRequest, take: TakeChunk, signal?: AbortSignal): Promise<UpstreamReply>;
  /** Opens a checked TLS connection to a host chosen by others and reads its certificate. */
  inspectTls(
    host: string,
    port: number,
    totalMs: number,
    signal?: AbortSignal,
  ): Promise<
    | { readonly ok: true; readonly facts: TlsFacts; readonly fetchedAt: string; readonly milliseconds: number }
    | ({ readonly ok: false } & UpstreamFailure)
  >;
  /** Declares the budget of a label; a label without one gets a low default. */
  setBudget(label: string, budget: UpstreamBudget): void;
  /** State per label, for `assay sources` and metrics. */
  health(): readonly {
    readonly label: string;
    readonly circuit: 'closed' | 'open' | 'half_open';
    readonly successes: number;
    readonly failures: number;
    readonly lastFailure: string | null;
    readonly lastSuccessAt: string | null;
    readonly p50Ms: number | null;
  }[];
  close(): Promise<void>;
}

/** Resolves host names. Injected: the sandbox maps `.example` names to itself; all others stay checked. */
export interface Resolver {
  /** All addresses of the name; empty when the name does not exist. */
  resolve(host: string): Promise<readonly { readonly address: string; readonly family: 4 | 6 }[]>;
  /**
   * Address, with the port to use instead of the URL's, of a name that this resolver vouches for although its address
   * is not public. Null for every name except the sandbox's own.
   */
  vouch(
    host: string,
    port: number,
  ): { readonly address: string; readonly family: 4 | 6; readonly port: number; readonly ca: string | null } | null;
}

/**
 * A read of JSON from an address that the operator configured: every status except 2xx is a failure, redirects are not
 * followed, and it is retried once. Given fields override these defaults.
 */
export function operatorJson(
  request: Pick<UpstreamRequest, 'label' | 'url' | 'deadlines' | 'maxBytes'> & Partial<UpstreamRequest>,
): UpstreamRequest {
  return {
    trust: 'operator',
    method: 'GET',
    headers: { accept: 'application/json' },
    secretHeaders: {},
    secretQuery: [],
    body: null,
    accept: [],
    okStatuses: [],
    retries: 1,
    maxRedirects: 0,
    traceparent: null,
    ...request,
  };
}
