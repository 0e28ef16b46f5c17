import Type, { type Static } from 'typebox';
import { chainsOf } from '../chains/index.ts';
import type { ObservationDraft } from '../domain/index.ts';
import { revenueLists } from './defillama-overviews.ts';
import { auditLinks, DAY, endOf, Listed, observeProtocol, Protocol, protocolRecords } from './defillama-protocols.ts';
import { redemptions } from './defillama-redemptions.ts';
import { githubRepo } from './links.ts';
import { dated, datedIfEnded, observed } from './observations.ts';
import { byKey, chainNameIn, tokenOn } from './plans.ts';
import {
  amount,
  fields,
  fieldsOf,
  Loose,
  LooseOptional,
  listIn,
  Maybe,
  num,
  positive,
  Rows,
  TextOptional,
  text,
} from './read.ts';
import { navDays } from './redemption/nav-days.ts';
import { redemptionAtMarketPrice } from './redemption/terms.ts';
import { get } from './requests.ts';
import {
  completeList,
  defineSource,
  endpoint,
  type Facts,
  fact,
  type Params,
  type ReplyMeta,
  rowsBy,
  sharedList,
} from './source.ts';
import { learnTiePages, tiePageOf } from './ties.ts';
import { part, partsOf } from './token-records.ts';

/**
 * DefiLlama: value locked and fees of protocols, raises and hacks, prices.
 *
 * Lineage: value locked and fees from its open-source adapters (family `defillama`); prices and capitalisation from CoinGecko
 * (family `coingecko`). Terms: none published; credited as source. Limits: unpublished, we make 60 requests a minute.
 * Quirks: an unknown protocol returns 400 with text; amounts of raises are in millions, of hacks in dollars; value locked
 * excludes staking, borrowing and pool2; raises and hacks are part of `/protocol`; prices with confidence below 0.9 are not
 * used; parent and child slugs differ; a chain is found by the CoinGecko id of its coin, which several chains may share.
 */
const Fees = Type.Object({
  ...fields(TextOptional, 'protocolType', 'category'),
  ...fields(LooseOptional, 'defillamaId', 'total30d'),
  totalDataChart: Maybe(Type.Array(Type.Tuple([Type.Number(), Loose]))),
});

function observeFees(
  reply: Static<typeof Fees>,
  params: Params,
  { fetchedAt }: ReplyMeta,
): readonly ObservationDraft[] {
  const chart = (reply.totalDataChart ?? []).map(([at, value]) => ({ at, value: amount(value) ?? 0 }));
  const last = chart.at(-1)?.at ?? 0;
  const ended = datedIfEnded(last * 1_000, fetchedAt);
  const sum = (from: number, to: number) =>
    chart.filter((row) => row.at > from && row.at <= to).reduce((total, row) => total + row.value, 0);
  const month = amount(reply.total30d) ?? (chart.length >= 30 ? sum(last - 30 * DAY, last) : null);
  const isChain = reply.protocolType === 'chain' && String(reply.defillamaId ?? '').startsWith('chain#');
  // A protocol and a chain may share a name; only the figures of the requested kind count.
  if ((params.of === 'chain') !== isChain) return [];
  if (params.dataType === 'dailyRevenue')
    return observed('revenue_30d_usd', month, 'stays with the protocol, 30 calendar days', ended);
  if (params.dataType === 'dailyHoldersRevenue')
    return observed('holders_revenue_30d_usd', month, 'goes to holders, 30 calendar days', ended);
  const now = sum(last - 30 * DAY, last);
  const before = sum(last - 120 * DAY, last - 90 * DAY);
  return [
    ...observed(
      'fees_30d_usd',
      month,
      isChain ? 'paid to the chain itself, 30 calendar days' : 'paid by users, 30 calendar days',
      ended,
    ),
    ...observed('protocol_category', isChain ? text(reply.category, 60) : null, 'of the chain'),
    ...observed('growth_90d_log', now > 0 && before > 0 && chart.length >= 120 ? Math.log(now / before) : null, {
      meaning: 'ln of 30-day fees now over 90 days ago',
      reliability: 0.95,
      ...ended,
    }),
  ];
}

const FEE_TYPES = ['dailyFees', 'dailyRevenue', 'dailyHoldersRevenue'];

/** Name and value locked of the chain whose coin the asset is, from the list of chains. */
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

/** ISO 4217 code of a coin's peg; null for a basket or a moving target. */
function currencyOf(pegType: string | null | undefined): string | null {
  const [, code] = /^pegged([A-Z]{3,4})$/.exec(pegType ?? '') ?? [];
  if (code === 'REAL') return 'BRL';
  return code === undefined || code.length !== 3 || code === 'VAR' ? null : code;
}

const HOUR = 3_600;
const MECHANISMS = new Set(['fiat_backed', 'crypto_backed', 'algorithmic']);

const Stablecoin = Type.Object({
  id: LooseOptional,
  ...fields(TextOptional, 'gecko_id', 'pegType', 'pegMechanism'),
  yieldBearing: Type.Optional(Type.Unknown()),
});

/** The valid row of a coin; undefined if the list has none. */
function coinIn({ peggedAssets }: { readonly peggedAssets: readonly unknown[] }, id: unknown) {
  return partsOf(Stablecoin, peggedAssets).find((row) => row.gecko_id === id);
}

function observeStablecoin(row: Static<typeof Stablecoin> | undefined): readonly ObservationDraft[] {
  const mechanism = row?.pegMechanism?.replace('-', '_') ?? '';
  const currency = currencyOf(row?.pegType);
  return [
    ...observed('peg_target_usd', currency === 'USD' ? 1 : null, 'listed as pegged to the dollar'),
    ...observed('peg_currency', currency, 'as listed among stablecoins'),
    ...observed('peg_mechanism', MECHANISMS.has(mechanism) ? mechanism : null, 'as listed among stablecoins'),
    ...observed('categories', row?.yieldBearing === true ? ['Yield-Bearing'] : null, 'as listed among stablecoins'),
  ];
}

const Prices = Type.Object({
  coins: Type.Record(
    Type.String(),
    Type.Object({
      price: Loose,
      symbol: TextOptional,
      ...fields(LooseOptional, 'timestamp', 'confidence', 'decimals'),
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
  provides: {
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
      reply: Rows(Listed),
      list: {
        refreshSeconds: 1_800,
        keysOf: (row) => {
          const listed = part(Listed, row);
          if (listed === undefined) return [];
          const { slug, gecko_id: id, parentProtocol } = listed;
          const parent = text(parentProtocol, 120)?.replace(/^parent#/, '');
          return [slug, ...(id ? [`gecko:${id}`] : []), ...(parent ? [parent] : [])];
        },
        keyOf: ({ slug, id }) => (typeof slug === 'string' ? slug : typeof id === 'string' ? `gecko:${id}` : null),
      },
      plan: ({ keys }) =>
        keys.defillamaSlug ? [{ slug: keys.defillamaSlug }] : keys.coingeckoId ? [{ id: keys.coingeckoId }] : [],
      finds: { by: 'list', of: 'projects', called: 'protocols by domain' },
      records: protocolRecords,
      // A parent has no row, so its category is that of its largest child.
      observe: (reply, { slug, id }, { fetchedAt }) => {
        const rows = partsOf(Listed, reply);
        const products = rows.filter((row) => row.parentProtocol === `parent#${String(slug)}`);
        const own = rows.filter((row) => (typeof slug === 'string' ? row.slug === slug : row.gecko_id === id));
        const [row] = rows.filter((entry) => products.includes(entry) || own.includes(entry));
        const end = products.length > 0 ? endOf([...products, ...own], true, fetchedAt) : endOf(own, false, fetchedAt);
        return [
          ...observed('protocol_category', text(row?.category, 60), 'as filed among protocols'),
          ...observed('protocol_ended_at', end, 'as marked in the list, for all products'),
        ];
      },
    }),
    endpoint({
      name: 'protocol',
      doc: '/protocol/{slug}: value locked over time, raises, hacks, audits; can be tens of megabytes',
      maxBytes: 48 * 1024 * 1024,
      plan: byKey('defillamaSlug', 'slug'),
      request: get('/protocol/{slug}'),
      reply: Protocol,
      observe: observeProtocol,
      learn: (reply) => {
        const repos = listIn(reply.github).flatMap((name) => githubRepo(`https://github.com/${String(name)}`) ?? []);
        return {
          ...fact('defillama.githubOrgs', repos.length > 0 ? repos.slice(0, 3) : null),
          ...learnTiePages(
            auditLinks(reply).map((link) => tiePageOf('audit', link)),
            'defillama',
          ),
        };
      },
    }),
    ...revenueLists,
    endpoint({
      name: 'fees',
      doc: '/summary/fees/{slug}?dataType=dailyFees|dailyRevenue|dailyHoldersRevenue, of a protocol, or of a chain alone (`protocolType` chain; /overview/fees/{chain} would add up the protocols on it)',
      maxBytes: 16 * 1024 * 1024,
      plan: (facts) => {
        const { defillamaSlug } = facts.keys;
        const chain = chainIn(facts);
        if (defillamaSlug !== null) return FEE_TYPES.map((dataType) => ({ slug: defillamaSlug, dataType }));
        return chain === null ? [] : FEE_TYPES.map((dataType) => ({ slug: slugOf(chain.name), dataType, of: 'chain' }));
      },
      request: get('/summary/fees/{slug}', { dataType: '{dataType}' }),
      reply: Fees,
      observe: observeFees,
    }),
    endpoint({
      name: 'all_fees',
      doc: '/overview/fees without its charts: fees of the last 30 days of every protocol and chain, shared by all jobs; peers are valued by it',
      maxBytes: 16 * 1024 * 1024,
      request: get('/overview/fees', {
        excludeTotalDataChart: true,
        excludeTotalDataChartBreakdown: true,
        dataType: 'dailyFees',
      }),
      reply: Type.Object({ protocols: Type.Array(Type.Unknown(), { minItems: 1 }) }),
      list: { refreshSeconds: HOUR, rowsOf: (reply) => listIn(fieldsOf(reply).protocols), ...rowsBy('defillamaId') },
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
        return [
          ...observed('price_usd', positive(row.price), {
            family: 'coingecko',
            meaning: 'CoinGecko’s price or derived from it',
            ...dated(num(row.timestamp)),
          }),
          ...observed('decimals', num(row.decimals)),
        ];
      },
    }),
    ...sharedList(
      {
        name: 'all_stablecoins',
        doc: '/stablecoins on stablecoins.llama.fi: peg type of each stablecoin, shared by all jobs',
        ...completeList('peggedAssets', { refreshSeconds: HOUR, ...rowsBy('gecko_id', 'id') }),
      },
      {
        name: 'stablecoins',
        doc: '/stablecoins on stablecoins.llama.fi: peg type of each stablecoin; all of them again if the shared list could not be fetched',
        maxBytes: 16 * 1024 * 1024,
        plan: byKey('coingeckoId'),
        request: get('/stablecoins', undefined, { base: 'stablecoins' }),
        reply: Type.Object({ peggedAssets: Rows(Stablecoin) }),
        observe: (reply, { id }) => observeStablecoin(coinIn(reply, id)),
        learn: (reply, { id }) => {
          const row = coinIn(reply, id);
          const currency = currencyOf(row?.pegType);
          const number = amount(row?.id);
          return {
            // The price of a coin that gathers its yield leaves the peg: a chart in its currency would measure the yield.
            ...fact('defillama.pegCurrency', row?.yieldBearing === true ? null : currency),
            ...fact('defillama.stablecoin', currency !== 'USD' || number === null ? null : String(number)),
          };
        },
      },
    ),
    ...sharedList(
      {
        name: 'all_chains',
        doc: '/v2/chains: value locked on each chain, with the id of its coin at CoinGecko; shared by all jobs',
        ...completeList(null, { refreshSeconds: HOUR, ...rowsBy('gecko_id', 'id') }),
      },
      {
        name: 'chain',
        doc: '/v2/chains: the chain whose coin the asset is, by its id at CoinGecko',
        plan: byKey('coingeckoId'),
        request: get('/v2/chains'),
        reply: Rows(ChainRow),
        learn: (rows, { id }) => {
          const row = partsOf(ChainRow, rows).find((chain) => chain.gecko_id === id);
          const tvl = amount(row?.tvl);
          return fact('defillama.chain', row && tvl !== null ? { name: row.name, tvl } : null);
        },
      },
    ),
    ...sharedList(
      {
        name: 'all_stablecoin_chains',
        doc: '/stablecoinchains on stablecoins.llama.fi: stablecoins on each chain, shared by all jobs',
        ...completeList(null, { refreshSeconds: HOUR, ...rowsBy('name') }),
      },
      {
        name: 'chain_value',
        doc: '/stablecoinchains: stablecoins on the chain, added to the value locked that the list of chains gives',
        plan: (facts) => {
          const chain = chainIn(facts);
          return chain === null ? [] : [chain];
        },
        request: get('/stablecoinchains', undefined, { base: 'stablecoins' }),
        reply: Rows(StablecoinChain),
        observe: (rows, { name, tvl }) => {
          const row = partsOf(StablecoinChain, rows).find((chain) => chain.name === name);
          const values = Object.values(row?.totalCirculatingUSD ?? {});
          const stable = values.reduce<number>((sum, usd) => sum + (amount(usd) ?? 0), 0);
          return observed('tvl_usd', positive((num(tvl) ?? 0) + stable), 'locked on the chain, and stablecoins there');
        },
      },
    ),
    redemptionAtMarketPrice,
    navDays,
    redemptions,
  ],
});
