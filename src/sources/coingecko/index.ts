import { chainsOf } from '../../chains/index.ts';
import type { Json } from '../../domain/index.ts';
import { chainNameIn, tokenOn } from '../on-chain.ts';
import { defineSource, endpoint, type Params } from '../source.ts';
import { Chart, observeChart } from './chart.ts';
import { classify, DETAIL, Detail, learnCoin, observeCoin } from './coin.ts';
import { lists } from './lists.ts';
import { coinRecords, Search, searchRecords } from './records.ts';
import { learnTickers, observeTickers, Tickers } from './tickers.ts';

const idOf = (facts: {
  readonly keys: { readonly coingeckoId: string | null };
  readonly learned: Readonly<Record<string, Json>>;
}) => {
  const known = facts.keys.coingeckoId ?? facts.learned['coingecko.id'];
  return typeof known === 'string' ? known : null;
};

/**
 * CoinGecko v3, keyless or with a free demo key.
 *
 * Lineage: family `coingecko`, which also holds GeckoTerminal's market fields and DefiLlama's coin prices. Its volumes
 * hold centralised and decentralised venues. Terms: attribution with a link near the data. Limits: keyless 5 a minute
 * (documents disagree between 5 and 15), demo key 25 a minute.
 * Quirks: homepage lists are padded with ""; market_cap 0 means unverified supply; error bodies come in two shapes with
 * any status; several ids per symbol, bridged copies among them. Fields checked against the OpenAPI description and
 * recordings of 2021 and 2024.
 */
export const coingecko = defineSource({
  name: 'coingecko',
  title: 'CoinGecko',
  doc: 'https://docs.coingecko.com/reference/introduction',
  family: 'coingecko',
  tier: 'aggregator',
  reliability: 0.9,
  bases: { main: 'https://api.coingecko.com/api/v3' },
  key: { required: false, header: 'x-cg-demo-api-key' },
  terms: {
    attribution: { text: 'Data provided by CoinGecko', url: 'https://www.coingecko.com' },
    redistribute: true,
    keepBodyDays: 30,
    note: 'API terms of 2025-09-05: attribution with link; the demo plan carries no commercial licence',
  },
  budget: { perMinute: 5, burst: 5, concurrency: 5, shareSeconds: 300 },
  timeoutMs: 10_000,
  chains: chainsOf('coingecko'),
  registry: { curated: true, files: 'tokens', order: 1, namesAllPlaces: true, key: 'coingeckoId' },
  tells: {
    market: 3,
    quote_prices: 2,
    pools: 7,
    holdings: 6,
    names: 3,
    market_figures: 1,
    peg: 1,
    venues: 1,
    supply: 1,
    project_links: 1,
    repository_links: 2,
    audit_links: 3,
  },
  endpoints: [
    ...lists,
    endpoint({
      name: 'coin',
      doc: '/coins/{id}: identity, market and supply in one',
      // Where the list has price and supply, this adds the profile.
      critical: ({ learned }) => learned['coingecko.market'] !== true,
      plan: ({ keys }) => (keys.coingeckoId ? [{ id: keys.coingeckoId }] : []),
      request: (params) => ({ path: `/coins/${encodeURIComponent(String(params.id))}`, query: DETAIL }),
      reply: Detail,
      classify,
      finds: { by: 'id', most: 3, called: 'coin' },
      records: coinRecords,
      observe: observeCoin,
      learn: learnCoin,
    }),
    endpoint({
      name: 'contract',
      doc: '/coins/{platform}/contract/{address}: as coin; 404 when not listed',
      critical: true,
      plan: (facts) => (facts.keys.coingeckoId ? [] : tokenOn('coingecko')(facts)),
      request: (params: Params) => ({
        path: `/coins/${chainNameIn(params, 'coingecko')}/contract/${encodeURIComponent(String(params.address))}`,
      }),
      reply: Detail,
      classify,
      finds: { by: 'address' },
      records: coinRecords,
      observe: observeCoin,
      learn: learnCoin,
    }),
    endpoint({
      name: 'market_chart',
      doc: '/coins/{id}/market_chart?days=90: hourly points, closes per day are taken',
      plan: (facts) => (idOf(facts) ? [{ id: idOf(facts) }] : []),
      request: (params) => ({
        path: `/coins/${encodeURIComponent(String(params.id))}/market_chart`,
        query: { vs_currency: 'usd', days: 90 },
      }),
      reply: Chart,
      observe: observeChart,
    }),
    endpoint({
      name: 'tickers',
      doc: '/coins/{id}/tickers?depth=true: markets with the cost of moving the price by 2 %',
      plan: (facts) => (idOf(facts) ? [{ id: idOf(facts) }] : []),
      request: (params) => ({
        path: `/coins/${encodeURIComponent(String(params.id))}/tickers`,
        query: { depth: true },
      }),
      reply: Tickers,
      observe: observeTickers,
      learn: learnTickers,
    }),
    endpoint({
      name: 'search',
      doc: '/search?query=: candidates by name or symbol',
      role: 'identify',
      request: (params) => ({ path: '/search', query: { query: String(params.query) } }),
      reply: Search,
      finds: { by: 'name' },
      records: searchRecords,
    }),
  ],
});
