import Type from 'typebox';
import type { Json } from '../domain/index.ts';
import { observed } from './observations.ts';
import { date, num, TextOptional } from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint } from './source.ts';

/**
 * Pyth Hermes: off without a key (required since August 2026).
 *
 * Lineage: family `pyth`: publishers, including exchanges. A feed is identified by symbol only, so its price is only loosely
 * tied to the asset (0.7: the registry's symbol matches the feed's) and is rejected if other sources have another price. A
 * price with a confidence interval above 1 % or older than a minute is not used. Limits: 10 requests in 10 seconds.
 */
const Feeds = Type.Array(
  Type.Object({
    id: Type.String(),
    attributes: Type.Object({ base: TextOptional, quote_currency: TextOptional, symbol: TextOptional }),
  }),
);
const Updates = Type.Object({
  parsed: Type.Array(
    Type.Object({
      id: Type.String(),
      price: Type.Object({
        price: Type.String(),
        conf: Type.String(),
        expo: Type.Integer(),
        publish_time: Type.Number(),
      }),
    }),
  ),
});
const FRESH_SECONDS = 60;

export const pyth = defineSource({
  name: 'pyth',
  title: 'Pyth Hermes',
  doc: 'https://docs.pyth.network/price-feeds/api-reference',
  family: 'pyth',
  tier: 'aggregator',
  reliability: 0.97,
  bases: { main: 'https://hermes.pyth.network' },
  key: {
    required: true,
    header: 'authorization',
    prefix: 'Bearer ',
    adds: 'price feeds of their own lineage',
    from: 'https://docs.pyth.network',
  },
  disabledReason: 'needs a key since August 2026',
  terms: {
    attribution: { text: 'Price feeds by Pyth', url: 'https://pyth.network' },
    redistribute: false,
    keepBodyDays: 30,
    note: 'the operator’s own plan governs its use',
  },
  budget: { perMinute: 48, burst: 2, concurrency: 2, shareSeconds: 10 },
  timeoutMs: 5_000,
  provides: { market: 17 },
  endpoints: [
    endpoint({
      name: 'feeds',
      doc: '/v2/price_feeds?query=&asset_type=crypto',
      plan: ({ symbol, keys }) =>
        symbol && (keys.coingeckoId || keys.cmcId) ? [{ symbol: symbol.toUpperCase() }] : [],
      request: get('/v2/price_feeds', { query: '{symbol}', asset_type: 'crypto' }),
      reply: Feeds,
      learn: (reply, params): Record<string, Json> => {
        // The full name must match, `Crypto.BTC/USD`, not a redemption rate or another quote. Two feeds with that name are ambiguous.
        const named = reply.filter(({ attributes: { base, quote_currency, symbol } }) =>
          symbol
            ? symbol.toUpperCase() === `CRYPTO.${String(params.symbol)}/USD`
            : base?.toUpperCase() === params.symbol && quote_currency === 'USD',
        );
        const [feed] = named.length === 1 ? named : [];
        return feed && /^[0-9a-f]{64}$/i.test(feed.id) ? { 'pyth.feed': feed.id } : {};
      },
    }),
    endpoint({
      name: 'price',
      doc: '/v2/updates/price/latest?ids[]=: price x 10^expo',
      plan: ({ learned }) => (typeof learned['pyth.feed'] === 'string' ? [{ feed: learned['pyth.feed'] }] : []),
      request: get('/v2/updates/price/latest', { 'ids[]': '{feed}', parsed: true }),
      reply: Updates,
      observe: (reply, params, meta) => {
        const row = reply.parsed.find((entry) => entry.id === params.feed)?.price;
        const [price, conf] = [num(row?.price), num(row?.conf)];
        const at = date(row?.publish_time);
        if (!row || price === null || conf === null || price <= 0 || conf / price > 0.01 || at === null) return [];
        if ((Date.parse(meta.fetchedAt) - Date.parse(at)) / 1000 > FRESH_SECONDS) return [];
        return observed('price_usd', price * 10 ** row.expo, {
          binding: 0.7,
          meaning: 'aggregate of publishers',
          observedAt: at,
        });
      },
    }),
  ],
});
