import type { Json, RequestOutcome } from '../domain/index.ts';

/**
 * Who chose the address. `operator`: a base URL from configuration (may be loopback: an own node, the sandbox).
 * `outside`: a caller, a token's metadata or a redirect could influence it: the address guard checks every hop.
 */
export type TrustClass = 'operator' | 'outside';

/**
 * Who gets a turn first when a source's budget is short. `critical`: identification and the quantities without which nothing
 * is published; `normal`: everything else that a caller waits for; `background`: work nobody waits for; `spare`: what is left out
 * where it would take a turn from anybody, who has the bucket full or gets none.
 */
export type RequestPriority = 'critical' | 'normal' | 'background' | 'spare';

export interface TurnTerms {
  /** Milliseconds that the turn may be waited for before the request itself starts. */
  readonly mostMs: number;
  /** Milliseconds for waiting and request together. */
  readonly overallMs: number;
  /** Called at most once, when the turn does not come at once, with the milliseconds it is expected to take. */
  readonly onWaiting?: (expectedMs: number) => void;
}

/** What a request is about, which identifies it inside a batch. */
export type BatchItem = Readonly<Record<string, Json>>;

/** How a request is put together with others of its group that wait for their turn at the same time. */
export interface BatchTerms {
  /** Requests of one group differ in nothing but their url. */
  readonly group: string;
  /** Requests that are put together at most. */
  readonly most: number;
  readonly item: BatchItem;
  /** Address of the one request for these items, two or more. */
  urlOf(items: readonly BatchItem[]): string;
  /** From the parsed shared reply, the reply to the item's own request; null when the shared reply leaves it out. */
  rowOf(reply: unknown, item: BatchItem): unknown;
}

/** PUT and DELETE are for stores that the operator configured; like GET they may be repeated. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface UpstreamRequest {
  /** Name for budgets, breakers, metrics: the source's name, or `website`. */
  readonly label: string;
  readonly trust: TrustClass;
  readonly method: Method;
  readonly url: string;
  /** Headers whose values may be recorded. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that hold keys: sent, never recorded, never logged. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  /** Query parameters that hold keys: sent, cut from every recorded url. */
  readonly secretQuery: readonly string[];
  readonly body: string | Uint8Array | null;
  readonly deadlines: {
    readonly connectMs: number;
    readonly headersMs: number;
    readonly bodyMs: number;
    readonly totalMs: number;
  };
  /** Cap on decoded bytes. */
  readonly maxBytes: number;
  /** Accepted content types (prefix match, lower-case); empty accepts all. */
  readonly accept: readonly string[];
  /** Statuses that are answers, not failures (404 for a registry). 2xx always are. */
  readonly okStatuses: readonly number[];
  readonly retries: number;
  readonly maxRedirects: number;
  readonly traceparent: string | null;
  /** Default `critical`: no part of the budget is reserved against it. */
  readonly priority?: RequestPriority;
  /** How long a turn of the budget may be waited for; default: within `deadlines.totalMs`, which then counts from the start. */
  readonly turn?: TurnTerms;
  /** Absent: always put alone. Alone it is put as `url` says, whatever these terms are. */
  readonly batch?: BatchTerms;
  /** Whose request it is, where one customer's trouble with a host must not hold up another's: budget and breaker are its own. */
  readonly tenant?: string;
}

export interface CompleteReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Of the decoded body, hex. */
  readonly sha256: string;
  /** Final url, secrets cut. */
  readonly url: string;
  readonly fetchedAt: string;
  readonly milliseconds: number;
  readonly attempts: number;
  /** True when joined to, or served from, a request of ours shortly before. */
  readonly fromCache: boolean;
  /** Milliseconds of `milliseconds` that a turn of the budget was waited for; absent: none. */
  readonly waitedMs?: number;
  /** Questions that the request was put for: `body` is this one's part of the reply; absent: this one alone. */
  readonly together?: number;
}

export interface UpstreamFailure {
  readonly reason: Exclude<
    RequestOutcome,
    'ok' | 'empty' | 'not_found' | 'unsupported' | 'disabled' | 'malformed' | 'error_reply'
  >;
  /** Plain words, no secret, no address of our own network. */
  readonly detail: string;
  readonly status: number | null;
  readonly url: string;
  readonly fetchedAt: string;
  readonly milliseconds: number;
  readonly attempts: number;
  /** Seconds the host asked us to wait; null when it did not say. */
  readonly retryAfterSeconds: number | null;
  /** Body of an error status when one came (capped), for error classification. */
  readonly body: Uint8Array | null;
}

export type UpstreamReply = ({ readonly ok: true } & CompleteReply) | ({ readonly ok: false } & UpstreamFailure);

/** Budget of one label: how often it may be asked, kept across all jobs of the process. */
export interface UpstreamBudget {
  readonly perMinute: number;
  readonly burst: number;
  /** Requests under way at once. */
  readonly concurrency: number;
  /** Seconds a successful reply may be shared with later identical requests; 0 only joins requests under way. */
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

/** The one HTTP client. Never throws for anything a host can do. */
export interface Upstream {
  request(request: UpstreamRequest, signal?: AbortSignal): Promise<UpstreamReply>;
  /**
   * Asks once, without sharing, and hands the decoded body of a 2xx answer to `take` piece by piece: for bodies too large
   * to hold. A piece is good until `take` returns; what `take` throws ends the request. `deadlines.bodyMs` is the longest
   * pause between two pieces, `maxBytes` counts all of them; the answer's own body is empty and has no hash.
   */
  stream(request: UpstreamRequest, take: (chunk: Uint8Array) => void, signal?: AbortSignal): Promise<UpstreamReply>;
  /** Opens a guarded TLS connection to a host an outsider chose and reads its certificate. */
  inspectTls(
    host: string,
    port: number,
    totalMs: number,
    signal?: AbortSignal,
  ): Promise<
    | { readonly ok: true; readonly facts: TlsFacts; readonly fetchedAt: string; readonly milliseconds: number }
    | ({ readonly ok: false } & UpstreamFailure)
  >;
  /** Declares the budget of a label; a label without one gets a careful default. */
  setBudget(label: string, budget: UpstreamBudget): void;
  /** State per label for `assay sources` and metrics. */
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

/** How host names become addresses. Injected: the sandbox maps `.example` to itself; everything else stays guarded. */
export interface Resolver {
  /** All addresses of the name; an empty list when it does not exist. */
  resolve(host: string): Promise<readonly { readonly address: string; readonly family: 4 | 6 }[]>;
  /**
   * Names that this resolver vouches for, although their addresses are not public, with the port to use instead of
   * the url's. Null for every name but the sandbox's own.
   */
  vouch(
    host: string,
    port: number,
  ): { readonly address: string; readonly family: 4 | 6; readonly port: number; readonly ca: string | null } | null;
}

/**
 * A read of JSON at an address that the operator configured: every status but 2xx is a failure, no redirect is followed, one
 * retry. Whatever is given goes before that.
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
