import type { FacadeReply, FacadeRequest } from './facade.ts';

/** Refuses requests beyond the limits of the real sources. */
export interface Limiter {
  /** The refusal; null when the request is within the source's limit. */
  refuse(request: Pick<FacadeRequest, 'source' | 'path' | 'query'>): FacadeReply | null;
  /** Requests refused since the start, per source. */
  readonly refused: ReadonlyMap<string, number>;
}

interface Limit {
  /** Requests, or their weight where the source counts that. */
  readonly requests: number;
  readonly weightOf?: (request: Pick<FacadeRequest, 'path' | 'query'>) => number;
  readonly seconds: number;
  /** Body and headers of the refusal; `seconds`: until the next window. */
  readonly reply: (seconds: number) => Pick<FacadeReply, 'json' | 'text' | 'headers' | 'contentType'>;
}

const retryAfter = (seconds: number) => ({ 'retry-after': String(seconds) });
const error = (text: string) => (seconds: number) => ({ json: { error: text }, headers: retryAfter(seconds) });

/**
 * The sources' limits for a caller without a key (for those that require one: with a free key), as documented by them
 * (docs/sources.md); where none is documented, as inferred from their refusals. The service's budgets are equal or
 * stricter.
 */
export const LIMITS: Readonly<Record<string, Limit>> = {
  // Five to fifteen a minute by its documents; the middle.
  coingecko: {
    requests: 10,
    seconds: 60,
    reply: (seconds) => ({
      json: {
        status: {
          error_code: 429,
          error_message: "You've exceeded the Rate Limit. Please visit https://www.coingecko.com/en/api/pricing.",
        },
      },
      headers: retryAfter(seconds),
    }),
  },
  geckoterminal: {
    requests: 30,
    seconds: 60,
    reply: (seconds) => ({
      json: { status: { error_code: 429, error_message: 'Rate limit exceeded' } },
      headers: retryAfter(seconds),
    }),
  },
  coinpaprika: { requests: 10, seconds: 1, reply: error('too many requests') },
  dexpaprika: { requests: 15, seconds: 60, reply: error('rate limit exceeded') },
  coinmarketcap: {
    requests: 30,
    seconds: 60,
    reply: () => ({
      json: { status: { error_code: 1008, error_message: "You've exceeded your API Key's HTTP request rate limit." } },
    }),
  },
  dexscreener: { requests: 300, seconds: 60, reply: (seconds) => ({ text: '', headers: retryAfter(seconds) }) },
  goplus: { requests: 30, seconds: 60, reply: () => ({ json: { code: 4029, message: 'too many requests' } }) },
  coinbase: { requests: 10, seconds: 1, reply: () => ({ json: { message: 'Public rate limit exceeded' } }) },
  binance: {
    requests: 6_000,
    // A book of 500 levels, the ticker or the candles of one market, the tickers of all.
    weightOf: ({ path, query }) => (path.endsWith('/depth') ? 25 : query.has('symbol') ? 2 : 80),
    seconds: 60,
    reply: (seconds) => ({
      json: { code: -1003, msg: 'Too much request weight used.' },
      headers: retryAfter(seconds),
    }),
  },
  okx: {
    requests: 20,
    weightOf: ({ path }) => (path.endsWith('/books') ? 0.5 : 1),
    seconds: 2,
    reply: () => ({ json: { code: '50011', msg: 'Too Many Requests', data: [] } }),
  },
  kucoin: {
    requests: 2_000,
    // Currencies 3, a book of 100 levels 4, all tickers and the figures of one market 15.
    weightOf: ({ path }) => (path.endsWith('/currencies') ? 3 : path.endsWith('/level2_100') ? 4 : 15),
    seconds: 30,
    reply: (seconds) => ({ json: { code: '429000', msg: 'Too Many Requests' }, headers: retryAfter(seconds) }),
  },
  gateio: {
    requests: 200,
    seconds: 10,
    reply: (seconds) => ({
      json: { label: 'TOO_MANY_REQUESTS', message: 'Request Rate Limit Exceeded' },
      headers: retryAfter(seconds),
    }),
  },
  bitstamp: { requests: 10_000, seconds: 600, reply: error('Too many requests') },
  rugcheck: { requests: 60, seconds: 60, reply: error('rate limit exceeded') },
  meteora: { requests: 10, seconds: 1, reply: error('rate limit exceeded') },
  // A hundred a minute by address, for both sources that ask it.
  snapshot: { requests: 60, seconds: 60, reply: error('too many requests') },
  snapshot_votes: { requests: 40, seconds: 60, reply: error('too many requests') },
  crt_sh: { requests: 5, seconds: 60, reply: (seconds) => ({ text: '', headers: retryAfter(seconds) }) },
  jupiter: { requests: 1, seconds: 2, reply: error('Rate limit exceeded') },
  birdeye: { requests: 1, seconds: 1, reply: () => ({ json: { success: false, message: 'Too many requests' } }) },
  pyth: { requests: 10, seconds: 10, reply: () => ({ text: 'Too Many Requests' }) },
  etherscan: {
    requests: 3,
    seconds: 1,
    reply: () => ({ json: { status: '0', message: 'NOTOK', result: 'Max calls per sec rate limit reached (3/sec)' } }),
  },
  safe: { requests: 5, seconds: 1, reply: error('Request was throttled.') },
};

/**
 * Documented limits that no replica enforces, because the index and the scans of an installation send requests to the
 * same hosts as the sources (an operator gives them other nodes): budgets are still checked against them.
 */
export const UNPLAYED_LIMITS: Readonly<Record<string, Pick<Limit, 'requests' | 'seconds' | 'weightOf'>>> = {
  solana_rpc: { requests: 100, seconds: 10 },
  helius: { requests: 10, seconds: 1 },
  blockscout: { requests: 3, seconds: 1 },
};

/** `scale`: multiple of the real limits; 0 refuses nothing. */
export function createLimiter(scale: number): Limiter {
  const windows = new Map<string, { readonly at: number; readonly weight: number }[]>();
  const refused = new Map<string, number>();
  return {
    refused,
    refuse(request) {
      const { source } = request;
      const limit = LIMITS[source];
      if (scale <= 0 || !limit) return null;
      const now = performance.now();
      const since = now - limit.seconds * 1000;
      const recent = (windows.get(source) ?? []).filter(({ at }) => at > since);
      windows.set(source, recent);
      const weight = limit.weightOf?.(request) ?? 1;
      const spent = recent.reduce((total, row) => total + row.weight, 0);
      if (spent + weight <= limit.requests * scale) {
        recent.push({ at: now, weight });
        return null;
      }
      refused.set(source, (refused.get(source) ?? 0) + 1);
      const seconds = Math.max(1, Math.ceil(((recent[0]?.at ?? now) - since) / 1000));
      return { status: 429, ...limit.reply(seconds) };
    },
  };
}
