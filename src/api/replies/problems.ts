import type { FastifyReply } from 'fastify';
import { historyStart, includes, type Need, type Plan, type PlanBook, plansThatInclude } from '../../access/index.ts';
import type { FieldError, ProblemSchema, Reply } from '../../contract/index.ts';
import type { JobFailure } from '../../jobs/index.ts';

/** RFC 9457 problem with the contract's extension members. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly retry: 'no' | 'same' | 'after' | 'corrected';
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
  /** Additional members, in snake_case. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Body of a problem; `instance` is the path of the request. */
export function problemBody(problem: Problem, instance: string, requestId: string) {
  const body: Reply<typeof ProblemSchema> = {
    type: `urn:assay:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance,
    code: problem.code,
    request_id: requestId,
    retry: problem.retry,
    ...(problem.errors ? { errors: problem.errors } : {}),
  };
  return { ...body, ...problem.more };
}

/** Sends a problem reply. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const path = reply.request.url.split('?')[0] ?? '/';
  return reply
    .code(problem.status)
    .headers(problem.headers ?? {})
    .type('application/problem+json; charset=utf-8')
    .send(problemBody(problem, path.slice(0, 200), reply.request.id));
}

/** Thrown to refuse a request. The server's error handler sends the problem. */
export class Refusal extends Error {
  readonly problem: Problem;
  /** Unknown names in the request, which were ignored. */
  readonly ignored: readonly string[];
  constructor(problem: Problem, ignored: readonly string[] = []) {
    super(problem.detail);
    this.problem = problem;
    this.ignored = ignored;
  }
}

/** Refuses the request with this problem as the reply. */
export function refuse(problem: Problem): never {
  throw new Refusal(problem);
}

/** Refuses the request with 400 for one of its fields. */
export function refuseField(pointer: string, code: string, detail: string): never {
  throw new Refusal(validationFailed([{ pointer, code, detail }]));
}

/** The problem for a failed job. */
export function problemOfFailure(failure: JobFailure, jobId: string): Problem {
  const { code, status, title, detail, retry } = failure;
  const retryAfterSeconds = failure.retryAfterSeconds ?? (status === 503 ? 30 : undefined);
  return {
    status,
    code,
    title,
    detail,
    retry,
    more: {
      job_id: jobId,
      ...(failure.candidates.length > 0 ? { candidates: failure.candidates } : {}),
      ...(failure.tried.length > 0 ? { tried: failure.tried } : {}),
      ...(code === 'quota_exhausted' ? { limit: 'collections_per_day' } : {}),
    },
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
  };
}

/** 403: only other plans include the requested thing. */
export function planDoesNotInclude(plan: Plan, what: string, others: readonly Plan[]): Problem {
  const names = others.map((other) => other.name);
  return {
    status: 403,
    code: 'plan_does_not_include',
    title: 'The plan does not include this',
    detail: `The plan ${plan.name} does not include ${what}${names.length > 0 ? `; ${names.join(', ')} ${names.length > 1 ? 'do' : 'does'}` : ''}.`,
    retry: 'no',
    more: { plan: plan.name, included_in: names },
  };
}

/** 403: the account has reached its plan's limit. `things` names what is counted; `remedy` says how to free one. */
export function planLimitReached(code: string, title: string, limit: number, things: string, remedy: string): Problem {
  return {
    status: 403,
    code,
    title,
    detail: `The plan allows ${limit} ${things}; ${remedy}, or use a larger plan.`,
    retry: 'no',
    more: { limit },
  };
}

/** Refuses a request that the plan does not cover, and names the plans that do. */
export function requirePlan(plan: Plan, plans: PlanBook, need: Need, what: string): void {
  if (!includes(plan, need)) refuse(planDoesNotInclude(plan, what, plansThatInclude(plans, need)));
}

/**
 * Returns how many of something the plan allows, at least one. Refuses if it allows none, and names the plans that do.
 */
export function allowedBy(
  plan: Plan,
  plans: PlanBook,
  limit:
    | 'webhooks'
    | 'watchlistSize'
    | 'streamConnections'
    | 'streamAssets'
    | 'thresholdAssets'
    | 'indexedAssets'
    | 'bulkRows',
  what: string,
): number {
  if (plan[limit] === 0)
    refuse(
      planDoesNotInclude(
        plan,
        what,
        plans.plans.filter((other) => other[limit] > 0 && other.name !== 'INTERNAL'),
      ),
    );
  return plan[limit];
}

/** Refuses a time before the start of the plan's history; `what` is read at that time. Both in milliseconds. */
export function requireHistory(plan: Plan, plans: PlanBook, at: number, now: number, what: string): void {
  const start = historyStart(now, plan);
  if (start === null || at >= start) return;
  const deeper = plans.plans.filter(
    (other) => other.name !== 'INTERNAL' && at >= (historyStart(now, other) ?? Number.NEGATIVE_INFINITY),
  );
  const since = new Date(start).toISOString();
  refuse(planDoesNotInclude(plan, `${what} of before ${since} (${plan.historyDays} days)`, deeper));
}

/** 404 for something that a repeated request will not find either. */
export function notFound(code: string, title: string, detail: string): Problem {
  return { status: 404, code, title, detail, retry: 'no' };
}

/** 400 with all errors. */
export function validationFailed(errors: readonly FieldError[]): Problem {
  return {
    status: 400,
    code: 'validation_failed',
    title: 'The request is invalid',
    detail: `${errors.length} error${errors.length === 1 ? '' : 's'}; see the member errors`,
    retry: 'corrected',
    errors,
  };
}

/** Problems without parameters. */
export const PROBLEMS = {
  notFound: {
    status: 404,
    code: 'route_not_found',
    title: 'Not found',
    detail: 'No route has this path; see /openapi.json or /docs.',
    retry: 'no',
  },
  malformedAddress: {
    status: 400,
    code: 'malformed_address',
    title: 'The URL could not be read',
    detail: 'expected UTF-8 in well-formed percent encoding',
    retry: 'corrected',
  },
  internal: {
    status: 500,
    code: 'internal_error',
    title: 'Internal error',
    detail: 'The failure was logged under the request id. Nothing was lost; send the same request again.',
    retry: 'same',
  },
  notReady: {
    status: 503,
    code: 'not_ready',
    title: 'Not ready',
    detail: 'The service is starting or stopping.',
    retry: 'after',
  },
} as const satisfies Record<string, Problem>;

/**
 * Error codes of the system and of PostgreSQL: connection lost (08), a standby that accepts no writes (25006), no disk
 * space, memory or connection left (53), shutting down or starting (57P), a disk failure (58030).
 */
const CODES = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|08\w{3}|25006|53\w{3}|57P0[1-5]|58030)$/;
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** True for an error that only means that the database cannot be reached, or cannot store anything, at the moment. */
export function isStoreAway(error: { readonly code?: unknown; readonly message?: unknown }): boolean {
  return CODES.test(String(error.code ?? '')) || MESSAGES.test(String(error.message ?? ''));
}

/** The evidence is in an object store that does not return it. */
export function evidenceUnavailable(detail: string): Problem {
  return {
    status: 503,
    code: 'evidence_unavailable',
    title: 'The evidence cannot be read now',
    detail: `${detail} Old evidence is stored there; nothing was lost, and all other requests work.`,
    retry: 'after',
    headers: { 'retry-after': '60' },
  };
}

export const STORE_AWAY: Problem = {
  status: 503,
  code: 'not_ready',
  title: 'Not ready',
  detail: 'The database is unavailable. Nothing was lost; send the same request again.',
  retry: 'after',
  headers: { 'retry-after': '5' },
};
