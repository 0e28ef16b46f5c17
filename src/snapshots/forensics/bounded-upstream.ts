import { setTimeout as wait } from 'node:timers/promises';
import type { Upstream } from '../../upstream/index.ts';

/** One reply that a finding rests on. */
export interface Receipt {
  /** The source's name, never its address: a node may be private. */
  readonly source: string;
  /** Method and its first argument. */
  readonly request: string;
  /** Of the decoded reply, hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly fetchedAt: string;
}

export interface Bounds {
  readonly calls: number;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number;
  /** Least milliseconds between two calls: ratings share the same nodes and must not starve. */
  readonly everyMs: number;
}

export interface BoundedUpstream {
  readonly upstream: Upstream;
  readonly receipts: () => readonly Receipt[];
  /** Requests sent so far, answered or not. */
  readonly asked: () => number;
  /** What ran out; null while there is some of all. */
  readonly spent: () => 'calls' | 'bytes' | 'time' | null;
}

/** A client that refuses requests once its calls, bytes or time are used up, and keeps a receipt of each reply. */
export function boundUpstream(upstream: Upstream, bounds: Bounds, now: () => number): BoundedUpstream {
  const receipts: Receipt[] = [];
  let [calls, bytes, lastAt] = [0, 0, Number.NEGATIVE_INFINITY];
  const spent = () =>
    calls >= bounds.calls ? 'calls' : bytes >= bounds.bytes ? 'bytes' : now() >= bounds.deadlineAt ? 'time' : null;
  return {
    receipts: () => receipts,
    asked: () => calls,
    spent,
    upstream: {
      ...upstream,
      async request(request, signal) {
        const ranOut = spent();
        if (ranOut !== null)
          return {
            ok: false,
            reason: 'budget_spent',
            detail: `the ${ranOut} of this search are used up`,
            status: null,
            url: '',
            fetchedAt: new Date(now()).toISOString(),
            milliseconds: 0,
            attempts: 0,
            retryAfterSeconds: null,
            body: null,
          };
        calls += 1;
        const pause = lastAt + bounds.everyMs - now();
        lastAt = Math.max(now(), lastAt + bounds.everyMs);
        if (pause > 0) await wait(pause, undefined, { ref: false });
        const left = AbortSignal.timeout(Math.max(1, bounds.deadlineAt - now()));
        const reply = await upstream.request(request, signal ? AbortSignal.any([signal, left]) : left);
        if (!reply.ok) return reply;
        bytes += reply.body.length;
        receipts.push({
          source: request.label,
          request: nameOf(request.body, request.url),
          sha256: reply.sha256,
          bytes: reply.body.length,
          fetchedAt: reply.fetchedAt,
        });
        return reply;
      },
    },
  };
}

/** The method and its first argument; of a query only what is known to be no key. */
function nameOf(body: string | null, url: string): string {
  if (body === null) {
    const { searchParams } = new URL(url);
    return `${searchParams.get('action') ?? 'GET'} ${searchParams.get('address') ?? ''}`.trim().slice(0, 240);
  }
  const { method, params } = JSON.parse(body) as { readonly method?: unknown; readonly params?: unknown };
  const first = Array.isArray(params) ? params[0] : null;
  const about = typeof first === 'string' ? first : JSON.stringify(first ?? null);
  return `${String(method)} ${about}`.slice(0, 240);
}

export type AttributionOf = (source: string) => { readonly text: string; readonly url: string } | null;

/** Where a record's facts come from: the replies that were read, their sources and `others`, and the attributions that their terms require. */
export function provenanceOf(receipts: readonly Receipt[], others: readonly string[], attributionOf: AttributionOf) {
  const asked = [...new Set(receipts.map((receipt) => receipt.source))];
  return {
    receipts: receipts.map(({ source, request, sha256, bytes, fetchedAt }) => ({
      source,
      request,
      sha256,
      bytes,
      fetched_at: fetchedAt,
    })),
    sources: [...new Set([...others, ...asked])].sort(),
    attributions: asked.flatMap((source) => {
      const attribution = attributionOf(source);
      return attribution === null ? [] : [{ source, ...attribution }];
    }),
  };
}
