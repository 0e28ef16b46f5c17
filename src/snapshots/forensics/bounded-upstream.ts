import { setTimeout as wait } from 'node:timers/promises';
import { type Chain, EVM_CHAINS, findChain, WRAPPED_SOL } from '../../chains/index.ts';
import { sourceFor } from '../../domain/index.ts';
import { operatorJson, type Upstream } from '../../upstream/index.ts';

/** A reply on which a finding is based. */
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
  /** Least milliseconds between two calls, since ratings share the same nodes. */
  readonly everyMs: number;
}

export interface BoundedUpstream {
  readonly upstream: Upstream;
  readonly receipts: () => readonly Receipt[];
  /** Requests sent so far, with or without a reply. */
  readonly requestCount: () => number;
  /** The bound that was reached; null while none is. */
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
    requestCount: () => calls,
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
          request: nameOf(typeof request.body === 'string' ? request.body : null, request.url),
          sha256: reply.sha256,
          bytes: reply.body.length,
          fetchedAt: reply.fetchedAt,
        });
        return reply;
      },
    },
  };
}

/** The method and its first argument; of a query only the parts that cannot be a key. */
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

/**
 * Provenance of a record's facts: the replies that were read, their sources and `others`, and the attributions that the
 * terms of these require.
 */
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

/** Dollars per whole token at a past time, with the source; null when not known. */
export type PriceThen = (
  chain: string,
  address: string,
  at: string,
  signal?: AbortSignal,
) => Promise<{ readonly usd: number; readonly source: string } | null>;

export interface PriceThenTools {
  readonly upstream: Upstream;
  /** DefiLlama's coins service, such as https://coins.llama.fi; null when the source is off. */
  readonly llamaCoins: string | null;
  /** Our own stored price of an asset at a time, from the hour before it. */
  readonly kept: (assetId: string, at: string) => Promise<number | null>;
}

const SOURCE = sourceFor('past_prices');
const STEP_SECONDS = 600;
const MOST_BYTES = 256 * 1024;
const DEADLINES = { connectMs: 3_000, headersMs: 8_000, bodyMs: 8_000, totalMs: 10_000 };

/** Prices of the tokens in which pools are quoted, in steps of ten minutes, each requested once. */
export function createPriceThen({ upstream, llamaCoins, kept }: PriceThenTools): PriceThen {
  const known = new Map<string, ReturnType<PriceThen>>();
  async function ask(chain: Chain, address: string, seconds: number, signal?: AbortSignal): ReturnType<PriceThen> {
    const at = new Date(seconds * 1000).toISOString();
    const own = await kept(`${chain.caip2}/${chain.kind === 'solana' ? 'token' : 'erc20'}:${address}`, at);
    if (own !== null) return { usd: own, source: 'own_history' };
    if (llamaCoins === null || chain.names.defillama === null) return null;
    const key = `${chain.names.defillama}:${address}`;
    const reply = await upstream.request(
      operatorJson({
        label: SOURCE,
        url: `${llamaCoins.replace(/\/$/, '')}/prices/historical/${seconds}/${encodeURIComponent(key)}`,
        deadlines: DEADLINES,
        maxBytes: MOST_BYTES,
      }),
      signal,
    );
    const usd = reply.ok ? priceIn(reply.body, key, seconds) : null;
    return usd === null ? null : { usd, source: SOURCE };
  }
  return async (chainName, given, at, signal) => {
    const chain = findChain(chainName);
    const seconds = Math.floor(Date.parse(at) / 1000 / STEP_SECONDS) * STEP_SECONDS;
    if (chain === null || !Number.isFinite(seconds)) return null;
    const address = given === 'native' ? wrappedOf(chain) : given;
    if (address === null) return null;
    const name = `${chain.name} ${address} ${seconds}`;
    const asked = known.get(name) ?? ask(chain, address, seconds, signal);
    known.set(name, asked);
    return asked;
  };
}

/** A wrapped coin is worth the coin. */
function wrappedOf(chain: Chain): string | null {
  if (chain.kind === 'solana') return WRAPPED_SOL;
  return EVM_CHAINS.find((row) => row.name === chain.name)?.wrappedNative.address ?? null;
}

/** Longest time between a price and the requested time for which the price counts. */
const MOST_APART_SECONDS = 86_400;

function priceIn(body: Uint8Array, key: string, seconds: number): number | null {
  try {
    const { coins } = JSON.parse(new TextDecoder().decode(body)) as {
      readonly coins?: Readonly<Record<string, unknown>>;
    };
    const row = Object.entries(coins ?? {}).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1] as
      | { readonly price?: unknown; readonly timestamp?: unknown }
      | undefined;
    const { price, timestamp } = row ?? {};
    const isThen = typeof timestamp === 'number' && Math.abs(timestamp - seconds) <= MOST_APART_SECONDS;
    return isThen && typeof price === 'number' && Number.isFinite(price) && price > 0 ? price : null;
  } catch {
    return null;
  }
}
