import { includes } from '../../access/plans/entitlement.ts';
import { gridPoint } from '../../access/plans/grid.ts';
import type { Chain } from '../../domain/chains.ts';
import type { SnapshotKind } from '../../domain/snapshot.ts';
import type { ChainRouting } from '../chain-routing.ts';
import { limitHeaders } from '../plugins/limits.ts';
import { cleanRequestId } from '../request-id.ts';
import { chooseCoding } from './content-coding.ts';
import { namedTag } from './entity-tag.ts';
import type { HotAnswer } from './front.ts';
import type { HotSnapshot, ReadyReply } from './hot-snapshot.ts';
import { snapshotMaxAge } from './max-age.ts';

/** What a path asks for. */
interface Target {
  readonly kind: SnapshotKind;
  readonly chain: Chain;
  readonly asset: string;
  /** As the router names it, for metrics and the log. */
  readonly route: string;
}

const MOST_PATHS = 10_000;

/**
 * Snapshots that are in memory, for keys that are known: the same reply as the routes give, without their way. Whatever is not
 * plain (a query, an escaped path, a key to be looked up, a refusal, another origin) is left to the routes.
 */
export function snapshotFront(
  routing: ChainRouting,
  log: (line: { method: string; route: string; status: number; ms: number; reqId: string }) => void,
): HotAnswer {
  const { context, plans, limiter, lookup, cache } = routing;
  const paths = new Map<string, Target | null>();

  function targetOf(url: string): Target | null {
    const known = paths.get(url);
    if (known !== undefined) return known;
    const target = readPath(routing, url);
    // Paths of nothing are not kept: anybody can make up any number of them.
    if (target === null) return null;
    if (paths.size >= MOST_PATHS) paths.clear();
    paths.set(url, target);
    return target;
  }

  return (request, response) => {
    const { url, headers } = request;
    const given = headers['x-api-key'];
    if (url === undefined || typeof given !== 'string' || context.trustProxy || context.corsOrigins.length > 0)
      return false;
    const target = targetOf(url);
    if (target === null) return false;
    const seen = context.access.authenticate(given, request.socket.remoteAddress ?? '');
    if (seen instanceof Promise || !seen.ok) return false;
    const { key } = seen;
    const plan = plans.find(key.plan);
    if (plan === null || !(key.scopes.includes('chain:read') || key.scopes.includes('admin'))) return false;
    if (!includes(plan, { scope: 'chain:read', chain: target.chain.name, exportOf: null })) return false;
    const outcome = lookup.peek(target.chain, target.asset);
    if (!outcome?.ok) return false;
    const now = context.now();
    const point = gridPoint(now, plan.freshnessGridSeconds);
    const snapshot = cache.peek({ assetId: outcome.asset.id, kind: target.kind, point, shape: 'all' });
    if (!snapshot) return false;
    const taken = limiter.takeNow(key.accountId, plan);
    if (taken === null || taken.refusedBy !== null) return false;
    const startedAt = performance.now();
    const known = namedTag(headers['if-none-match'], snapshot.hash);
    const requestId = cleanRequestId(headers['x-request-id']);
    if (known !== null) limiter.giveBack(key.accountId, plan);
    const reply: Record<string, string | number> = {
      'x-request-id': requestId,
      'assay-data-mode': context.dataMode,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...limitHeaders(plan, taken, known === null ? 0 : 1),
      'cache-control': `private, max-age=${snapshotMaxAge(routing, target.kind, plan, snapshot, now)}`,
      vary: 'Accept-Encoding',
      'assay-age-seconds': String(snapshot.ageSeconds(now)),
    };
    const done = (status: number, bytes: number) => {
      const ms = performance.now() - startedAt;
      context.onRequest(target.route, 'GET', status, ms / 1000);
      context.onKeyed?.(key, target.route, status, bytes);
      log({ method: 'GET', route: target.route, status, ms: Math.round(ms), reqId: requestId });
    };
    if (known !== null) {
      reply.etag = known === '*' ? snapshot.reply(now).etag : known;
      response.writeHead(304, reply).end();
      done(304, 0);
      return true;
    }
    const send = (ready: ReadyReply) => {
      reply['content-type'] = 'application/json; charset=utf-8';
      reply['content-length'] = ready.length;
      reply.etag = ready.etag;
      if (ready.coding !== 'identity') reply['content-encoding'] = ready.coding;
      const head = response.writeHead(200, reply);
      if (ready.latin1 === null) head.end(ready.bytes);
      else head.end(ready.latin1, 'latin1');
      done(200, ready.bytes.length);
    };
    sendCoded(snapshot, headers['accept-encoding'] as string | undefined, now, send, () => response.destroy());
    return true;
  };
}

function sendCoded(
  snapshot: HotSnapshot,
  accepted: string | undefined,
  now: number,
  send: (ready: ReadyReply) => void,
  fail: () => void,
): void {
  const coding = chooseCoding(accepted);
  if (coding === 'identity') send(snapshot.reply(now));
  else snapshot.packed(now, coding).then(send, fail);
}

const PATHS: readonly (readonly [SnapshotKind, RegExp, string])[] = [
  ['market', /^\/v1\/([a-z]{2,20})\/market\/([^/?%#]{1,300})\/snapshot$/, '/market/:asset/snapshot'],
  ['holders', /^\/v1\/([a-z]{2,20})\/([^/?%#]{1,300})\/holders\/snapshot$/, '/:asset/holders/snapshot'],
  ['pools', /^\/v1\/([a-z]{2,20})\/([^/?%#]{1,300})\/liquidity\/pools$/, '/:asset/liquidity/pools'],
];

function readPath({ chains }: ChainRouting, url: string): Target | null {
  for (const [kind, pattern, route] of PATHS) {
    const found = pattern.exec(url);
    const chain = chains.find((one) => one.name === found?.[1]);
    if (found?.[2] !== undefined && chain)
      return { kind, chain, asset: found[2], route: `/v1/${chain.name === 'solana' ? 'solana' : ':chain'}${route}` };
  }
  return null;
}
