import type { FastifyRequest } from 'fastify';
import type { Limiter, Plan, PlanBook } from '../../access/index.ts';
import { includes, plansThatInclude } from '../../access/index.ts';
import type { Chain } from '../../chains/index.ts';
import type { SnapshotKind } from '../../domain/index.ts';
import type { ApiContext, ChainServices } from '../context.ts';
import type { AssetLookup } from '../hot/asset-lookup.ts';
import type { SnapshotCache } from '../hot/snapshot-cache.ts';
import { type Problem, planDoesNotInclude } from '../replies/problems.ts';
import { unknownChain } from './chain-problems.ts';

/** What the routes of chain data share. */
export interface ChainRouting {
  readonly context: ApiContext;
  readonly services: ChainServices;
  readonly chains: readonly Chain[];
  readonly plans: PlanBook;
  readonly limiter: Limiter;
  readonly lookup: AssetLookup;
  readonly cache: SnapshotCache;
  readonly refreshSeconds: Readonly<Record<SnapshotKind, number>>;
}

/** The chain of the path, or why not. `fixed` is the chain that a route has in its very path. */
export function chainOf(
  routing: ChainRouting,
  request: FastifyRequest,
  fixed: string | null,
): { readonly ok: true; readonly chain: Chain } | { readonly ok: false; readonly problem: Problem } {
  const name = fixed ?? (request.params as { readonly chain: string }).chain;
  const chain = routing.chains.find((row) => row.name === name);
  return chain ? { ok: true, chain } : { ok: false, problem: unknownChain(name, routing.chains) };
}

/** Null when the key's plan covers the chain (and its exports, when these are requested). */
export function refusalOfPlan(
  routing: ChainRouting,
  plan: Plan,
  chain: Chain,
  what: 'snapshots' | 'exports',
): Problem | null {
  const need = { scope: 'chain:read', chain: chain.name, exportOf: what === 'exports' ? chain.name : null } as const;
  if (includes(plan, need)) return null;
  const named = what === 'exports' ? `the exports of ${chain.title}` : `the chain ${chain.name}`;
  return planDoesNotInclude(plan, named, plansThatInclude(routing.plans, need));
}

/** Plan of a request that has passed the key check. */
export function planOf(request: FastifyRequest): Plan {
  if (request.plan === null) throw new Error('a route of chain data has no scope');
  return request.plan;
}
