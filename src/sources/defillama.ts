import Type, { type Static } from 'typebox';
import { chainsOf } from '../chains/index.ts';
import type { Json, ObservationDraft } from '../domain/index.ts';
import { revenueLists } from './defillama-overviews.ts';
import { auditLinks, DAY, List, observeProtocol, Protocol, protocolRecords } from './defillama-protocols.ts';
import { redemptions } from './defillama-redemptions.ts';
import { githubRepo } from './links.ts';
import { observed } from './observations.ts';
import { byKey, chainNameIn, tokenOn } from './plans.ts';
import { amount, date, fieldsOf, Loose, LooseOptional, Maybe, num, positive, TextOptional, text } from './read.ts';
import { navDays } from './redemption/nav-days.ts';
import { redemptionAtMarketPrice } from './redemption/terms.ts';
import { defineSource, endpoint, type Facts, type Params, rowsBy } from './source.ts';
import { learnOtherEnds, otherEndOf } from './ties.ts';

/**
 * DefiLlama: value locked and fees of protocols, raises and hacks, prices.
 *
 * Lineage: value locked and fees by its open adapters (family `defillama`); prices and capitalisation are CoinGecko's
 * (family `coingecko`). Terms: none published; credited as source. Limits: unpublished, we make 60 requests a minute.
 * Quirks: unknown protocols answer 400 with text; amounts of raises are in millions, of hacks in dollars; value locked
 * leaves staking, borrowing and pool2 out; raises and hacks stand inside `/protocol`; prices with confidence below 0.9
 * are not taken; parent and child slugs differ; a chain is found by the id of its coin at CoinGecko, which several chains may share.
 */
const Fees = Type.Object({
  protocolType: TextOptional,
  defillamaId: TextOptional,
  category: TextOptional,
  total24h: LooseOptional,
  total30d: LooseOptional,
  totalDataChart: Maybe(Type.Array(Type.Tuple([Type.Number(), Loose]))),
});

function observeFees(reply: Static<typeof Fees>, params: Params): readonly ObservationDraft[] {
  const chart = (reply.totalDataChart ?? []).map(([at, value]) => ({ at, value: amount(value) ?? 0 }));
  const last = chart.at(-1)?.at ?? 0;
  const sum = (from: number, to: number) =>
    chart.filter((row) => row.at > from && row.at <= to).reduce((total, row) => total + row.value, 0);
  const month = amount(reply.total30d) ?? (chart.length >= 30 ? sum(last - 30 * DAY, last) : null);
  const isChain = reply.protocolType === 'chain' && reply.defillamaId?.startsWith('chain#') === true;
  // Where a protocol and a chain have one name, the figures of the other are none of it.
  if ((params.of === 'chain') !== isChain) return [];
  if (params.dataType === 'dailyRevenue')
    return observed('revenue_30d_usd', month, { meaning: 'stays with the protocol, 30 calendar days' });
  if (params.dataType === 'dailyHoldersRevenue')
    return observed('holders_revenue_30d_usd', month, { meaning: 'goes to holders, 30 calendar days' });
  const now = sum(last - 30 * DAY, last);
  const before = sum(last - 120 * DAY, last - 90 * DAY);
  return [
    ...observed('fees_30d_usd', month, {
      meaning: isChain ? 'paid to the chain itself, 30 calendar days' : 'paid by users, 30 calendar days',
    }),
    ...observed('protocol_category', isChain ? text(reply.category, 60) : null, 'of the chain'),
    ...observed('growth_90d_log', now > 0 && before > 0 && chart.length >= 120 ? Math.log(now / before) : null, {
      meaning: 'ln of 30-day fees now over 90 days ago',
      reliability: 0.95,
    }),
  ];
}

const FEE_TYPES = ['dailyFees', 'dailyRevenue', 'dailyHoldersRevenue'];

/** Name and value locked of the chain whose coin the asset is, as the list of chains has them. */
function chainIn({ keys, learned }: Facts): { readonly name: string; readonly tvl: number } | null {
  const { name, tvl } = fieldsOf(learned['defillama.chain']);
  return keys.defillamaSlug === null && typeof name === 'string' && typeof tvl === 'number' ? { name, tvl } : null;
}

const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');

const ChainRow = Type.Object({ name: Type.String(), gecko_id: TextOptional, tvl: Loose });
const StablecoinChain = Type.Object({
  name: Type.String(),
  totalCirculatingUSD: Maybe(Type.Record(Type.String(), Loose)),
});

/** ISO 4217 code of what a coin is pegged to; null for a basket or a moving target. */
function currencyOf(pegType: string | null | undefined): string | null {
  const [, code] = /^pegged([A-Z]{3,4})$/.exec(pegType ?? '') ?? [];
  if (code === 'REAL') return 'BRL';
  return code === undefined || code.length !== 3 || code === 'VAR' ? null : code;
}

const MECHANISMS = new Set(['fiat_backed', 'crypto_backed', 'algorithmic']);

interface StablecoinRow {
  readonly gecko_id?: string | null;
  readonly pegType?: string | null;
  readonly pegMechanism?: string | null;
}

function observeStablecoin(row: StablecoinRow | undefined): readonly ObservationDraft[] {
  const mechanism = row?.pegMechanism?.replace('-', '_') ?? '';
  const currency = currencyOf(row?.pegType);
  return [
    ...observed('peg_target_usd', currency === 'USD' ? 1 : null, 'listed as pegged to the dollar'),
    ...observed('peg_currency', currency, 'as listed among stablecoins'),
    ...observed('peg_mechanism', MECHANISMS.has(mechanism) ? mechanism : null, 'as listed among stablecoins'),
  ];
}

const Prices = Type.Object({
  coins: Type.Record(
    Type.String(),
    Type.Object({
      price: Loose,
      symbol: TextOptional,
      timestamp: LooseOptional,
      confidence: LooseOptional,
      decimals: LooseOptional,
    }),
  ),
});

function coinKey(params: Params): string {
  if (typeof params.id === 'string') return `coingecko:${params.id}`;
  return `${chainNameIn(params, 'defillama')}:${String(params.address)}`;
}

export const defillama = defineSource({
  name: 'defillama',
  title: 'DefiLlama',
  doc: 'https://api-docs.defillama.com',
  family: 'defillama',
  tier: 'aggregator',
  reliability: 0.9,
  bases: { main: 'https://api.llama.fi', coins: 'https://coins.llama.fi', stablecoins: 'https://stablecoins.llama.fi' },
  terms: {
    attribution: { text: 'Data by DefiLlama', url: 'https://defillama.com' },
    redistribute: true,
    keepBodyDays: 30,
    note: 'no terms of use found; credited as source',
  },
  budget: { perMinute: 60, burst: 20, concurrency: 6, shareSeconds: 300 },
  timeoutMs: 10_000,
  chains: chainsOf('defillama'),
  registry: { curated: true, files: 'projects', order: 4, namesAllPlaces: false, key: 'defillamaSlug' },
  tells: {
    market: 9,
    quote_prices: 1,
    pools: 9,
    holdings: 10,
    names: 9,
    stablecoins: 1,
    project_links: 4,
    audits: 2,
    audit_links: 2,
    protocols: 1,
    raises: 1,
    losses: 1,
    past_prices: 1,
  },
  endpoints: [
    endpoint({
      name: 'protocols',
      doc: '/protocols: every protocol with url, address and registry ids; several megabytes, fetched in the background',
      maxBytes: 32 * 1024 * 1024,
      request: () => ({ path: '/protocols' }),
      reply: List,
      list: {
        refreshSeconds: 1_800,
        keysOf: (row) => {
          const { slug, gecko_id: id, parentProtocol } = row as Static<typeof List>[number];
          const parent = text(parentProtocol, 120)?.replace(/^parent#/, '');
          return [slug, ...(id ? [`gecko:${id}`] : []), ...(parent ? [parent] : [])];
        },
        keyOf: ({ slug, id }) => (typeof slug === 'string' ? slug : typeof id === 'string' ? `gecko:${id}` : null),
      },
      plan: ({ keys }) =>
        keys.defillamaSlug ? [{ slug: keys.defillamaSlug }] : keys.coingeckoId ? [{ id: keys.coingeckoId }] : [],
      finds: { by: 'list', of: 'projects', called: 'protocols by domain' },
      records: protocolRecords,
      // A parent has no row of its own: its largest child says what it is.
      observe: (reply, { slug, id }) => {
        const row = reply.find((entry) =>
          typeof slug === 'string'
            ? entry.slug === slug || entry.parentProtocol === `parent#${slug}`
            : entry.gecko_id === id,
        );
        return observed('protocol_category', text(row?.category, 60), 'as filed among protocols');
      },
    }),
    endpoint({
      name: 'protocol',
      doc: '/protocol/{slug}: value locked over time, raises, hacks, audits; can be tens of megabytes',
      maxBytes: 48 * 1024 * 1024,
      plan: byKey('defillamaSlug', 'slug'),
      request: (params) => ({ path: `/protocol/${encodeURIComponent(String(params.slug))}` }),
      reply: Protocol,
      observe: observeProtocol,
      learn: (reply): Record<string, Json> => {
        const repos = (
          Array.isArray((reply as { github?: unknown }).github) ? ((reply as { github?: unknown[] }).github ?? []) : []
        )
          .map((name) => githubRepo(`https://github.com/${String(name)}`))
          .filter((name) => name !== null);
        return {
          ...(repos.length > 0 ? { 'defillama.githubOrgs': repos.slice(0, 3) } : {}),
          ...learnOtherEnds(
            auditLinks(reply).map((link) => otherEndOf('audit', link)),
            'defillama',
          ),
        };
      },
    }),
    ...revenueLists,
    endpoint({
      name: 'fees',
      doc: '/summary/fees/{slug}?dataType=dailyFees|dailyRevenue|dailyHoldersRevenue, of a protocol, or of a chain alone (`protocolType` chain; /overview/fees/{chain} would add up what lives on it)',
      maxBytes: 16 * 1024 * 1024,
      plan: (facts) => {
        const { defillamaSlug } = facts.keys;
        const chain = chainIn(facts);
        if (defillamaSlug !== null) return FEE_TYPES.map((dataType) => ({ slug: defillamaSlug, dataType }));
        return chain === null ? [] : FEE_TYPES.map((dataType) => ({ slug: slugOf(chain.name), dataType, of: 'chain' }));
      },
      request: (params) => ({
        path: `/summary/fees/${encodeURIComponent(String(params.slug))}`,
        query: { dataType: String(params.dataType) },
      }),
      reply: Fees,
      observe: observeFees,
    }),
    endpoint({
      name: 'all_fees',
      doc: '/overview/fees without its charts: fees of the last 30 days of every protocol and chain, shared by all jobs; peers are valued by it',
      maxBytes: 16 * 1024 * 1024,
      request: () => ({
        path: '/overview/fees',
        query: { excludeTotalDataChart: true, excludeTotalDataChartBreakdown: true, dataType: 'dailyFees' },
      }),
      reply: Type.Object({ protocols: Type.Array(Type.Unknown(), { minItems: 1 }) }),
      list: {
        refreshSeconds: 3_600,
        rowsOf: (reply) => (reply as { protocols: readonly unknown[] }).protocols,
        ...rowsBy('defillamaId'),
      },
    }),
    endpoint({
      name: 'price',
      doc: '/prices/current/{coins} on coins.llama.fi: CoinGecko’s price or one derived from it',
      critical: true,
      plan: (facts) => {
        const [token] = tokenOn('defillama')(facts);
        if (token) return [token];
        return facts.keys.coingeckoId ? [{ id: facts.keys.coingeckoId }] : [];
      },
      request: (params) => ({ base: 'coins', path: `/prices/current/${encodeURIComponent(coinKey(params))}` }),
      reply: Prices,
      classify: (reply) => ({ outcome: Object.keys(reply.coins).length === 0 ? 'empty' : 'ok' }),
      observe: (reply, params) => {
        const wanted = coinKey(params).toLowerCase();
        const row = Object.entries(reply.coins).find(([key]) => key.toLowerCase() === wanted)?.[1];
        if (!row || (num(row.confidence) ?? 0) < 0.9) return [];
        const at = date(num(row.timestamp));
        return [
          ...observed('price_usd', positive(row.price), {
            family: 'coingecko',
            meaning: 'CoinGecko’s price or derived from it',
            ...(at ? { observedAt: at } : {}),
          }),
          ...observed('decimals', num(row.decimals)),
        ];
      },
    }),
    endpoint({
      name: 'all_stablecoins',
      doc: '/stablecoins on stablecoins.llama.fi: peg type of each stablecoin, shared by all jobs',
      maxBytes: 16 * 1024 * 1024,
      request: () => ({ base: 'stablecoins', path: '/stablecoins' }),
      // An empty list would say of every coin that it is none.
      reply: Type.Object({ peggedAssets: Type.Array(Type.Unknown(), { minItems: 1 }) }),
      list: {
        refreshSeconds: 3_600,
        rowsOf: (reply) => (reply as { peggedAssets: readonly unknown[] }).peggedAssets,
        ...rowsBy('gecko_id', 'id'),
        standsInFor: 'stablecoins',
        // The list is complete: a coin that is not on it is none.
        replyOf: (row) => ({ peggedAssets: row === null ? [] : [row] }),
      },
    }),
    endpoint({
      name: 'stablecoins',
      doc: '/stablecoins on stablecoins.llama.fi: peg type of each stablecoin; all of them again where the shared list could not be had',
      maxBytes: 16 * 1024 * 1024,
      plan: byKey('coingeckoId'),
      request: () => ({ base: 'stablecoins', path: '/stablecoins' }),
      reply: Type.Object({
        peggedAssets: Type.Array(
          Type.Object({
            id: LooseOptional,
            gecko_id: TextOptional,
            pegType: TextOptional,
            pegMechanism: TextOptional,
            circulating: Type.Optional(Type.Unknown()),
          }),
        ),
      }),
      observe: (reply, params) => observeStablecoin(reply.peggedAssets.find(({ gecko_id: id }) => id === params.id)),
      learn: (reply, params): Record<string, Json> => {
        const row = reply.peggedAssets.find(({ gecko_id: id }) => id === params.id);
        const currency = currencyOf(row?.pegType);
        const id = amount(row?.id);
        return {
          ...(currency === null ? {} : { 'defillama.pegCurrency': currency }),
          ...(currency !== 'USD' || id === null ? {} : { 'defillama.stablecoin': String(id) }),
        };
      },
    }),
    endpoint({
      name: 'all_chains',
      doc: '/v2/chains: value locked on each chain, with the id of its coin at CoinGecko; shared by all jobs',
      request: () => ({ path: '/v2/chains' }),
      reply: Type.Array(Type.Unknown(), { minItems: 1 }),
      list: {
        refreshSeconds: 3_600,
        ...rowsBy('gecko_id', 'id'),
        standsInFor: 'chain',
        replyOf: (row) => (row === null ? [] : [row]),
      },
    }),
    endpoint({
      name: 'chain',
      doc: '/v2/chains: the chain whose coin the asset is, by its id at CoinGecko',
      plan: byKey('coingeckoId'),
      request: () => ({ path: '/v2/chains' }),
      reply: Type.Array(ChainRow),
      learn: (rows, params): Record<string, Json> => {
        const row = rows.find(({ gecko_id: id }) => id === params.id);
        const tvl = amount(row?.tvl);
        return row === undefined || tvl === null ? {} : { 'defillama.chain': { name: row.name, tvl } };
      },
    }),
    endpoint({
      name: 'all_stablecoin_chains',
      doc: '/stablecoinchains on stablecoins.llama.fi: stablecoins on each chain, shared by all jobs',
      request: () => ({ base: 'stablecoins', path: '/stablecoinchains' }),
      reply: Type.Array(Type.Unknown(), { minItems: 1 }),
      list: {
        refreshSeconds: 3_600,
        ...rowsBy('name'),
        standsInFor: 'chain_value',
        replyOf: (row) => (row === null ? [] : [row]),
      },
    }),
    endpoint({
      name: 'chain_value',
      doc: '/stablecoinchains: stablecoins on the chain, added to the value locked that the list of chains gives',
      plan: (facts) => {
        const chain = chainIn(facts);
        return chain === null ? [] : [chain];
      },
      request: () => ({ base: 'stablecoins', path: '/stablecoinchains' }),
      reply: Type.Array(StablecoinChain),
      observe: (rows, params) => {
        const row = rows.find(({ name }) => name === params.name);
        const stable = Object.values(row?.totalCirculatingUSD ?? {}).reduce<number>(
          (sum, usd) => sum + (amount(usd) ?? 0),
          0,
        );
        return observed(
          'tvl_usd',
          positive((num(params.tvl) ?? 0) + stable),
          'locked on the chain, and stablecoins there',
        );
      },
    }),
    redemptionAtMarketPrice,
    navDays,
    redemptions,
  ],
});
