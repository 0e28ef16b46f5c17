import { includes } from '../../access/plans/entitlement.ts';
import { gridPoint } from '../../access/plans/grid.ts';
import { chooseCoding } from '../hot/content-coding.ts';
import { namedTag } from '../hot/entity-tag.ts';
import type { HotAnswer } from '../hot/front.ts';
import type { ReadyReply } from '../hot/hot-snapshot.ts';
import { limitHeaders } from '../plugins/limits.ts';
import { cleanRequestId } from '../request-id.ts';
import { FIXED_WORDS, type RmsRouting } from './context.ts';
import { ratingMaxAge } from './max-age.ts';

const ROUTE = '/v1/rms/:asset';
const PATH = /^\/v1\/rms\/([^/?%#]{1,150}(?:\/(?:token|erc20|slip44):[^/?%#]{1,150})?)$/;
const MOST_PATHS = 20_000;

/**
 * Ratings that are in memory, for keys that are known: the same reply as the route gives, without its way. Whatever is not plain
 * (a query, an escaped path, a key to be looked up, a refusal, another origin) is left to the route.
 */
export function ratingFront(
  { context, plans, limiter, lookup, cache }: RmsRouting,
  log: (line: { method: string; route: string; status: number; ms: number; reqId: string }) => void,
): HotAnswer {
  const assets = new Map<string, string>();
  function assetOf(url: string): string | null {
    const known = assets.get(url);
    if (known !== undefined) return known;
    const asset = PATH.exec(url)?.[1];
    if (asset === undefined || FIXED_WORDS.includes(asset)) return null;
    if (assets.size >= MOST_PATHS) assets.clear();
    assets.set(url, asset);
    return asset;
  }

  return (request, response) => {
    const { url, headers } = request;
    const given = headers['x-api-key'];
    if (url === undefined || typeof given !== 'string' || context.trustProxy || context.corsOrigins.length > 0)
      return false;
    const asset = assetOf(url);
    if (asset === null) return false;
    const seen = context.access.authenticate(given, request.socket.remoteAddress ?? '');
    if (seen instanceof Promise || !seen.ok) return false;
    const { key } = seen;
    const plan = plans.find(key.plan);
    if (plan === null || !(key.scopes.includes('rms:read') || key.scopes.includes('admin'))) return false;
    if (!includes(plan, { scope: 'rms:read', chain: null, exportOf: null })) return false;
    const outcome = lookup.peek(asset);
    if (!outcome?.ok) return false;
    const now = context.now();
    const hot = cache.peek(outcome.assetId, gridPoint(now, plan.freshnessGridSeconds));
    if (!hot) return false;
    const taken = limiter.takeNow(key.accountId, plan);
    if (taken === null || taken.refusedBy !== null) return false;

    const startedAt = performance.now();
    const { reply: body } = hot;
    const known = namedTag(headers['if-none-match'], body.hash);
    const requestId = cleanRequestId(headers['x-request-id']);
    if (known !== null) limiter.giveBack(key.accountId, plan);
    const reply: Record<string, string | number> = {
      'x-request-id': requestId,
      'assay-data-mode': context.dataMode,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...limitHeaders(plan, taken, known === null ? 0 : 1),
      'cache-control': `private, max-age=${ratingMaxAge(plan, now)}`,
      vary: 'Accept-Encoding',
      'assay-age-seconds': String(body.ageSeconds(now)),
    };
    const done = (status: number, bytes: number) => {
      const ms = performance.now() - startedAt;
      context.onRequest(ROUTE, 'GET', status, ms / 1000);
      context.onKeyed?.(key, ROUTE, status, bytes);
      log({ method: 'GET', route: ROUTE, status, ms: Math.round(ms), reqId: requestId });
    };
    if (known !== null) {
      reply.etag = known === '*' ? body.reply(now).etag : known;
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
    const coding = chooseCoding(headers['accept-encoding'] as string | undefined);
    if (coding === 'identity') send(body.reply(now));
    else body.packed(now, coding).then(send, () => response.destroy());
    return true;
  };
}
