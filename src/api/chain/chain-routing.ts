import type { FastifyRequest } from 'fastify';
import type { Limiter, PlanBook } from '../../access/index.ts';
import { type Chain, findChain } from '../../chains/index.ts';
import type { AwaitedReply, Reply } from '../../contract/index.ts';
import type { Asset, AwaitedSnapshot, SnapshotKind } from '../../domain/index.ts';
import type { ApiContext, ChainServices } from '../context.ts';
import type { AssetLookup, AssetOutcome } from '../hot/asset-lookup.ts';
import type { SnapshotCache } from '../hot/snapshot-cache.ts';
import { hasScope } from '../plugins/authentication.ts';
import { notFound, type Problem, refuse, requirePlan } from '../replies/problems.ts';
import { keyOf, planOf } from '../requests/account-request.ts';
import type { AssetText } from './asset-text.ts';

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

/** The chain of the path. `fixed`: the chain of a route whose path has no chain parameter. */
export function chainOf({ chains }: ChainRouting, request: FastifyRequest, fixed: string | null = null): Chain {
  const name = fixed ?? (request.params as { readonly chain: string }).chain;
  return chains.find((row) => row.name === name) ?? refuse(unknownChain(name, chains));
}

/**
 * The chain of the path, if the key's plan covers it (and its exports, for a request of exports); otherwise refuses.
 */
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
export async function indexedAsset(routing: ChainRouting, request: FastifyRequest, chain: Chain): Promise<Asset> {
  const outcome = await routing.lookup.find(chain, (request.params as { readonly asset: string }).asset);
  return outcome.ok ? outcome.asset : refuse(assetProblem(routing, request, chain, outcome));
}

/** Problem for a chain that this service does not serve. */
function unknownChain(given: string, chains: readonly Chain[]): Problem {
  const names = chains.map((chain) => chain.name);
  const near = findChain(given);
  const meant = near && names.includes(near.name) ? ` Did you mean ${near.name}?` : '';
  return {
    status: 404,
    code: 'unknown_chain',
    title: 'Unknown chain',
    detail: `Chains served: ${names.join(', ')}.${meant}`,
    retry: 'corrected',
    more: { chains: names },
  };
}

/** Explains why the caller's text matched no asset. */
export function assetProblem(
  routing: ChainRouting,
  request: FastifyRequest,
  chain: Chain,
  outcome: AssetOutcome & { readonly ok: false },
): Problem {
  if (outcome.code === 'malformed') return malformedAsset(outcome.detail);
  if (outcome.code === 'wrong_chain') return wrongChain(outcome.detail, outcome.chain);
  if (outcome.code === 'ambiguous') return ambiguousAsset(outcome.candidates, chain);
  return notIndexed(routing, request, chain, outcome.read);
}

/**
 * 404 with the request that has the asset indexed, if the key may send it; otherwise with the plans whose keys may.
 * `read` null: the asset was found but is no longer indexed.
 */
export function notIndexed(
  { plans }: ChainRouting,
  request: FastifyRequest,
  chain: Chain,
  read: AssetText | null,
): Problem {
  const plan = planOf(request);
  const mayIndex = plan.indexedAssets > 0 || hasScope(keyOf(request), 'admin');
  const place = read?.kind === 'address' ? encodeURIComponent(read.text) : '{address}';
  const path = `/v1/${chain.name}/index/${place}`;
  const others = plans.plans
    .filter(({ name, indexedAssets }) => indexedAssets > 0 && name !== 'INTERNAL')
    .map(({ name }) => name);
  const what =
    read === null || read.kind === 'address'
      ? 'There is no data about this asset.'
      : `No indexed asset of ${chain.title} has this symbol; use the address.`;
  const how = mayIndex
    ? `PUT ${path} indexes it; its first snapshots follow within seconds.`
    : `The plan ${plan.name} has no indexing on request (PUT ${path})${others.length > 0 ? `; ${others.join(', ')} ${others.length > 1 ? 'have' : 'has'} it` : ''}.`;
  return {
    status: 404,
    code: 'asset_not_indexed',
    title: 'The asset is not indexed',
    detail: `${what} ${how}`,
    retry: 'no',
    more: {
      chain: chain.name,
      how_to_index: mayIndex ? { method: 'PUT', path, body: {} } : null,
      included_in: mayIndex ? [] : others,
    },
  };
}

export function malformedAsset(detail: string): Problem {
  return {
    status: 400,
    code: 'malformed_asset',
    title: 'The asset is malformed',
    detail: `The asset in the path is malformed: ${detail}.`,
    retry: 'corrected',
    errors: [{ pointer: '/asset', code: 'malformed', detail }],
  };
}

export function wrongChain(detail: string, chain: string | null): Problem {
  return {
    status: 400,
    code: 'wrong_chain',
    title: 'The asset is on another chain',
    detail,
    retry: 'corrected',
    ...(chain === null ? {} : { more: { chain } }),
  };
}

function ambiguousAsset(candidates: readonly Asset[], chain: Chain): Problem {
  return {
    status: 409,
    code: 'ambiguous_asset',
    ...(candidates.length === 1
      ? {
          title: 'The symbol does not identify an asset',
          detail: `One asset of ${chain.title} is indexed under it, but the registers or registries have another one of this symbol there, or do not list this one, and anybody can give a token any symbol; use the address of the one that is meant.`,
        }
      : {
          title: 'Several assets have this symbol',
          detail: `${candidates.length} indexed assets of ${chain.title} have it; use the address. The best match comes first.`,
        }),
    retry: 'corrected',
    more: { candidates },
  };
}

/** A snapshot that was requested and does not exist yet: its state, and when to retry. */
export type NotThere =
  | { readonly is: 'refused'; readonly problem: Problem }
  | { readonly is: 'awaited'; readonly status: Awaiting };

export type Awaiting = Pick<
  Reply<typeof AwaitedReply>,
  'state' | 'place_in_queue' | 'attempts' | 'last_outcome' | 'due_at' | 'retry_after_seconds' | 'detail'
>;

/** Explains why an indexed asset has no snapshot of the kind at all, and when to retry. `now` in milliseconds. */
export function notMade(
  routing: ChainRouting,
  request: FastifyRequest,
  kind: string,
  awaited: AwaitedSnapshot | null,
  {
    chain,
    asset,
    now,
    usualSeconds,
  }: { readonly chain: Chain; readonly asset: Asset; readonly now: number; readonly usualSeconds: number },
): NotThere {
  const read: AssetText = { kind: 'address', text: asset.address ?? '', assetId: asset.id };
  if (awaited !== null && (!awaited.isMade || awaited.isPaused || awaited.isOver)) {
    const why = !awaited.isMade
      ? `it has no ${kind} snapshots; a chain’s native coin has market snapshots only`
      : awaited.isPaused
        ? 'the operator has paused its indexing'
        : 'its indexing has expired';
    const problem = notIndexed(routing, request, chain, read);
    const how = awaited.isPaused ? '' : problem.detail.replace(/^There is no data about this asset\./, '');
    const title = 'There are no such snapshots';
    return { is: 'refused', problem: { ...problem, title, detail: `The asset is known, but ${why}.${how}` } };
  }
  const failures = awaited?.failures ?? 0;
  const outcome = awaited?.outcome ?? null;
  const dueAt = awaited?.dueAt ?? null;
  if (awaited === null || failures === 0 || dueAt === null) {
    const isRunning = awaited?.isRunning ?? false;
    const ahead = awaited?.ahead ?? 0;
    return {
      is: 'awaited',
      status: {
        state: isRunning ? 'being_made' : 'queued',
        place_in_queue: isRunning ? null : ahead + 1,
        attempts: 0,
        last_outcome: null,
        due_at: dueAt,
        retry_after_seconds: Math.min(usualSeconds, isRunning ? 2 : 1 + Math.ceil(ahead / 10)),
        detail: isRunning
          ? `The asset is indexed; its first ${kind} snapshot is being made.`
          : `The asset is indexed; its first ${kind} snapshot is number ${ahead + 1} in the queue.`,
      },
    };
  }
  const seconds = Math.min(Math.max(Math.ceil((Date.parse(dueAt) - now) / 1000), 1), MOST_WAIT_SECONDS);
  const why = OUTCOMES[outcome ?? ''] ?? 'it could not be made';
  const tried = failures === 1 ? 'once' : `${failures} times`;
  const detail = `The asset is indexed; its first ${kind} snapshot was attempted ${tried} without success: ${why}. It is retried automatically.`;
  if (outcome === 'unsupported_asset' || outcome === 'not_a_token')
    return {
      is: 'refused',
      problem: {
        status: 404,
        code: 'no_snapshot_yet',
        title: 'There is no snapshot yet',
        detail,
        retry: 'after',
        headers: { 'retry-after': String(seconds) },
      },
    };
  return {
    is: 'awaited',
    status: {
      state: 'tried',
      place_in_queue: null,
      attempts: failures,
      last_outcome: OUTCOMES[outcome ?? ''] === undefined ? 'failed' : outcome,
      due_at: dueAt,
      retry_after_seconds: seconds,
      detail,
    },
  };
}

const MOST_WAIT_SECONDS = 3_600;
/** Texts for runs that made no snapshot. Replies of sources and nodes appear only in the administrator’s status. */
const OUTCOMES: Readonly<Record<string, string>> = {
  unsupported_asset: 'it cannot be made of this asset',
  not_a_token: 'there is no token at this address',
  no_source_reachable: 'no source that lists it replied',
  too_slow: 'it took longer than its time limit',
};

/** Problem for an `as_of` before the first snapshot. */
export function noSnapshotThen(kind: string, asOf: string): Problem {
  return notFound(
    'no_snapshot_then',
    'There is no data of that time',
    `There is no ${kind} snapshot at or before ${asOf}.`,
  );
}
