import type { FastifyRequest } from 'fastify';
import type { Limiter, PlanBook } from '../../access/index.ts';
import { type Chain, findChain } from '../../chains/index.ts';
import type { Asset, SnapshotKind } from '../../domain/index.ts';
import type { ApiContext, AwaitedSnapshot, ChainServices } from '../context.ts';
import type { AssetLookup, AssetOutcome } from '../hot/asset-lookup.ts';
import type { SnapshotCache } from '../hot/snapshot-cache.ts';
import { notFound, type Problem, refuse, requirePlan } from '../replies/problems.ts';
import { planOf } from '../requests/account-request.ts';

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

/** The chain of the path. `fixed` is the chain that a route has in its very path. */
export function chainOf({ chains }: ChainRouting, request: FastifyRequest, fixed: string | null = null): Chain {
  const name = fixed ?? (request.params as { readonly chain: string }).chain;
  return chains.find((row) => row.name === name) ?? refuse(unknownChain(name, chains));
}

/** The chain of the path, when the key's plan covers it (and its exports, when these are requested). */
export function plannedChain(
  routing: ChainRouting,
  request: FastifyRequest,
  fixed: string | null,
  what: 'snapshots' | 'exports',
): Chain {
  const chain = chainOf(routing, request, fixed);
  const need = { scope: 'chain:read', chain: chain.name, exportOf: what === 'exports' ? chain.name : null } as const;
  requirePlan(
    planOf(request),
    routing.plans,
    need,
    what === 'exports' ? `the exports of ${chain.title}` : `the chain ${chain.name}`,
  );
  return chain;
}

/** The indexed asset that the path names. */
export async function indexedAsset({ lookup }: ChainRouting, request: FastifyRequest, chain: Chain): Promise<Asset> {
  const outcome = await lookup.find(chain, (request.params as { readonly asset: string }).asset);
  return outcome.ok ? outcome.asset : refuse(assetProblem(outcome, chain));
}

/** The path names a chain that is not served here. */
function unknownChain(given: string, chains: readonly Chain[]): Problem {
  const names = chains.map((chain) => chain.name);
  const near = findChain(given);
  const meant = near && names.includes(near.name) ? ` Did you mean ${near.name}?` : '';
  return {
    status: 404,
    code: 'unknown_chain',
    title: 'There is no such chain here',
    detail: `Chains served: ${names.join(', ')}.${meant}`,
    retry: 'corrected',
    more: { chains: names },
  };
}

/** Why a caller's text led to no asset. */
export function assetProblem(outcome: AssetOutcome & { readonly ok: false }, chain: Chain): Problem {
  if (outcome.code === 'malformed') return malformedAsset(outcome.detail);
  if (outcome.code === 'wrong_chain') return wrongChain(outcome.detail, outcome.chain);
  if (outcome.code === 'ambiguous') return ambiguousAsset(outcome.candidates, chain);
  const byAddress = outcome.read.kind === 'address';
  return {
    status: 404,
    code: 'asset_not_indexed',
    title: 'The asset is not indexed',
    detail: byAddress
      ? `Nothing is kept of this asset. An administrator has it indexed with PUT /v1/${chain.name}/index/${encodeURIComponent(outcome.read.text)} (or: assay index add); its first snapshots follow within minutes.`
      : `No indexed asset of ${chain.title} has this symbol. Ask by address, or have it indexed with PUT /v1/${chain.name}/index/{address} (or: assay index add).`,
    retry: 'no',
    more: { chain: chain.name },
  };
}

export function malformedAsset(detail: string): Problem {
  return {
    status: 400,
    code: 'malformed_asset',
    title: 'This is not an asset',
    detail: `The asset in the path is not right: ${detail}.`,
    retry: 'corrected',
    errors: [{ pointer: '/asset', code: 'malformed', detail }],
  };
}

export function wrongChain(detail: string, chain: string | null): Problem {
  return {
    status: 400,
    code: 'wrong_chain',
    title: 'The asset is not of this chain',
    detail,
    retry: 'corrected',
    ...(chain === null ? {} : { more: { chain } }),
  };
}

function ambiguousAsset(candidates: readonly Asset[], chain: Chain): Problem {
  return {
    status: 409,
    code: 'ambiguous_asset',
    title: 'Several assets carry this symbol',
    detail: `${candidates.length} indexed assets of ${chain.title} carry it; ask by address. The best match comes first.`,
    retry: 'corrected',
    more: { candidates },
  };
}

/** The asset is indexed, and the plan has no snapshot of it to be served yet. */
export function noSnapshotYet(kind: string, retryAfterSeconds: number, reason: string): Problem {
  return {
    status: 404,
    code: 'no_snapshot_yet',
    title: 'There is no snapshot yet',
    detail: `The asset is indexed; its first ${kind} snapshot ${reason}.`,
    retry: 'after',
    headers: { 'retry-after': String(retryAfterSeconds) },
  };
}

/** Why an indexed asset has no snapshot of the kind at all, and when to retry. `now` in milliseconds. */
export function noSnapshotMade(
  kind: string,
  awaited: AwaitedSnapshot | null,
  { chain, now, usualSeconds }: { readonly chain: Chain; readonly now: number; readonly usualSeconds: number },
): Problem {
  if (awaited !== null && (!awaited.isMade || awaited.isPaused || awaited.isOver)) {
    const why = !awaited.isMade
      ? `no ${kind} snapshots are made of it`
      : awaited.isPaused
        ? 'its indexing is paused'
        : 'its time in the index is over';
    return {
      status: 404,
      code: 'asset_not_indexed',
      title: 'No such snapshots are made',
      detail: `The asset is known, but ${why}. An administrator has it indexed with PUT /v1/${chain.name}/index/{address}; a chain’s own coin has a market only.`,
      retry: 'no',
      more: { chain: chain.name },
    };
  }
  if (awaited === null || awaited.failures === 0 || awaited.dueAt === null)
    return noSnapshotYet(kind, usualSeconds, 'is on its way');
  const seconds = Math.ceil((Date.parse(awaited.dueAt) - now) / 1000);
  const why = OUTCOMES[awaited.outcome ?? ''] ?? 'it could not be made';
  return noSnapshotYet(
    kind,
    Math.min(Math.max(seconds, 1), MOST_WAIT_SECONDS),
    `was tried ${awaited.failures === 1 ? 'once' : `${awaited.failures} times`} and is not there: ${why}. It is tried again by itself`,
  );
}

const MOST_WAIT_SECONDS = 3_600;
/** Text for the outcomes of a run without a snapshot; what a source or node replied stays in the administrator’s status. */
const OUTCOMES: Readonly<Record<string, string>> = {
  unsupported_asset: 'it cannot be made of this asset',
  not_a_token: 'there is no token at this address',
  no_source_reachable: 'no source that knows it answered',
  too_slow: 'it took longer than its time limit',
};

/** `as_of` lies before the first snapshot. */
export function noSnapshotThen(kind: string, asOf: string): Problem {
  return notFound('no_snapshot_then', 'Nothing was known then', `There is no ${kind} snapshot at or before ${asOf}.`);
}
