import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Limiter, LimitState, Plan, PlanBook, Taken } from '../../access/index.ts';
import { includes, plansThatInclude, servesThresholds } from '../../access/index.ts';
import { type Problem, planDoesNotInclude, sendProblem } from '../replies/problems.ts';
import { hasScope } from './authentication.ts';
import type { Head } from './head.ts';

declare module 'fastify' {
  interface FastifyRequest {
    plan: Plan | null;
    taken: Taken | null;
  }
}

/** The largest integer of a structured header field: shown for a plan without a limit. */
const UNLIMITED = 999_999_999_999_999;

const plugin: FastifyPluginAsync<{ plans: PlanBook; limiter: Limiter }> = async (server, { plans, limiter }) => {
  server.decorateRequest('plan', null);
  server.decorateRequest('taken', null);
  server.addHook('onRequest', (request, reply, done) => {
    const { apiKey: key, scope } = request;
    if (key === null || scope === null) return done();
    const plan = plans.find(key.plan);
    if (plan === null) return sendProblem(reply, unknownPlan(key.plan));
    const admit = (taken: Taken) => {
      request.plan = plan;
      request.taken = taken;
      stateLimits(reply.head, plan, taken);
      if (taken.refusedBy !== null) return sendProblem(reply, overLimit(plan, taken));
      if (scope === 'any') return done();
      const need = { scope, chain: null, exportOf: null };
      const { orThresholds } = request.routeOptions.config;
      if (includes(plan, need) && !(orThresholds && scope === 'chain:read' && !servesThresholds(plan))) return done();
      if (orThresholds && servesThresholds(plan) && hasScope(key, 'chain:read')) {
        request.scope = 'chain:read';
        return done();
      }
      return sendProblem(reply, planDoesNotInclude(plan, `the scope ${need.scope}`, plansThatInclude(plans, need)));
    };
    const taken = limiter.take(key.accountId, plan);
    if (taken instanceof Promise) taken.then(admit, done);
    else admit(taken);
  });
  server.addHook('onSend', async (request, reply) => {
    if (reply.statusCode === 304 || reply.statusCode === 429 || reply.statusCode >= 500)
      refund(limiter, request, reply);
  });
};

/** Finds the key's plan, counts the request against it, and states the limits in the headers of every keyed reply. */
export const limits = fastifyPlugin(plugin, { name: 'limits', dependencies: ['authentication'] });

/** For a reply that costs no quota: gives the request back to the daily quota and updates the headers. */
export function refund(limiter: Limiter, request: FastifyRequest, reply: FastifyReply): void {
  const { apiKey, plan, taken } = request;
  if (apiKey === null || plan === null || taken === null || taken.refusedBy !== null) return;
  request.taken = null;
  giveBack(limiter, apiKey.accountId, plan, taken, reply.head);
}

/** Gives a request back to the daily quota and updates the headers. */
export function giveBack(limiter: Limiter, accountId: string, plan: Plan, taken: Taken, head: Head): void {
  limiter.giveBack(accountId, plan, taken);
  head.ratelimit = remainders(taken.minute, taken.day, 1);
}

/** States the plan's limits and the remaining requests in the headers. */
export function stateLimits(head: Head, plan: Plan, { minute, day }: Taken): void {
  const shown = minute ?? day;
  head['ratelimit-policy'] = policyOf(plan);
  head.ratelimit = remainders(minute, day, 0);
  head['x-ratelimit-limit'] = shown === null ? UNLIMITED : shown.limit;
  head['x-ratelimit-remaining'] = shown === null ? UNLIMITED : shown.remaining;
  head['x-ratelimit-reset'] = shown === null ? 60 : shown.resetSeconds;
}

const policies = new WeakMap<Plan, string>();

function policyOf(plan: Plan): string {
  let policy = policies.get(plan);
  if (policy === undefined) {
    const parts = [
      ...(plan.requestsPerMinute === null ? [] : [`"minute";q=${plan.requestsPerMinute};w=60`]),
      ...(plan.requestsPerDay === null ? [] : [`"day";q=${plan.requestsPerDay};w=86400`]),
    ];
    policy = parts.length > 0 ? parts.join(', ') : `"unlimited";q=${UNLIMITED};w=60`;
    policies.set(plan, policy);
  }
  return policy;
}

function remainders(minute: LimitState | null, day: LimitState | null, givenBack: number): string {
  if (minute === null && day === null) return `"unlimited";r=${UNLIMITED};t=60`;
  const first = minute === null ? '' : `"minute";r=${minute.remaining};t=${minute.resetSeconds}`;
  if (day === null) return first;
  return `${first}${minute === null ? '' : ', '}"day";r=${day.remaining + givenBack};t=${day.resetSeconds}`;
}

function overLimit(plan: Plan, taken: Taken): Problem {
  const daily = taken.refusedBy === 'day';
  const state = daily ? taken.day : taken.minute;
  const seconds = state?.resetSeconds ?? 60;
  return {
    status: 429,
    code: daily ? 'quota_exhausted' : 'rate_limited',
    title: daily ? 'The daily quota is used up' : 'Too many requests',
    detail: daily
      ? `The plan ${plan.name} has ${state?.limit} requests a day (UTC); the quota resets in ${seconds} s.`
      : `The plan ${plan.name} has ${state?.limit} requests a minute; try again in ${seconds} s.`,
    retry: 'after',
    more: { limit: daily ? 'requests_per_day' : 'requests_per_minute', plan: plan.name },
    headers: { 'retry-after': String(seconds) },
  };
}

function unknownPlan(name: string): Problem {
  return {
    status: 403,
    code: 'unknown_plan',
    title: 'The plan of the key does not exist',
    detail: `The key has the plan ${name}, which this service does not have (GET /v1/plans). Its operator can correct this.`,
    retry: 'no',
    more: { plan: name },
  };
}
