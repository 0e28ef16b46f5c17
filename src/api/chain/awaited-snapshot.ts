import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Plan, secondsToNextPoint } from '../../access/index.ts';
import type { Chain } from '../../chains/index.ts';
import type { AwaitedReply, Reply } from '../../contract/index.ts';
import type { Asset, SnapshotKind } from '../../domain/index.ts';
import { problemBody, refuse } from '../replies/problems.ts';
import { type ChainRouting, type NotThere, notMade } from './chain-routing.ts';

/** Explains why an indexed asset has no snapshot for the plan, and when to retry. `now` in milliseconds. */
export async function notYet(
  routing: ChainRouting,
  request: FastifyRequest,
  {
    chain,
    asset,
    kind,
    plan,
    now,
  }: {
    readonly chain: Chain;
    readonly asset: Asset;
    readonly kind: SnapshotKind;
    readonly plan: Plan;
    readonly now: number;
  },
): Promise<NotThere> {
  const { reader, index } = routing.services;
  const usual = Math.min(60, routing.refreshSeconds[kind]);
  const grid = plan.freshnessGridSeconds;
  if (grid > 0 && (await reader.latest(asset.id, kind)) !== null) {
    const seconds = Math.max(usual, secondsToNextPoint(now, grid));
    return {
      is: 'awaited',
      status: {
        state: 'next_grid_point',
        place_in_queue: null,
        attempts: 0,
        last_outcome: null,
        due_at: new Date(now + secondsToNextPoint(now, grid) * 1000).toISOString(),
        retry_after_seconds: seconds,
        detail: `The asset is indexed; the plan ${plan.name} gets its first ${kind} snapshot at the next point of its freshness grid.`,
      },
    };
  }
  const awaited = await index.awaited(asset.id, kind);
  return notMade(routing, request, kind, awaited, { chain, asset, now, usualSeconds: usual });
}

/** Sends 202 with the place in the queue. The body can also be parsed as a problem. */
export function sendAwaited(
  { context }: ChainRouting,
  reply: FastifyReply,
  found: NotThere,
  { kind, asset }: { readonly kind: SnapshotKind; readonly asset: Asset },
): void {
  if (found.is === 'refused') refuse(found.problem);
  const { detail, retry_after_seconds: seconds, ...status } = found.status;
  const code = 'no_snapshot_yet';
  const problem = { status: 202, code, title: 'There is no snapshot yet', detail, retry: 'after' } as const;
  const body: Reply<typeof AwaitedReply> = {
    ...problemBody(problem, reply.request.url.split('?')[0]?.slice(0, 200) ?? '/', reply.request.id),
    asset: asset.id,
    chain: asset.chain ?? '',
    kind,
    ...status,
    retry_after_seconds: seconds,
    data_mode: context.dataMode,
  };
  reply
    .code(202)
    .header('retry-after', String(seconds))
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}
