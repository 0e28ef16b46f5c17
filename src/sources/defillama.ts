import Type, { type Static } from 'typebox';
import { CHAINS, chainCalled, chainsOf } from '../chains/index.ts';
import type { Json, ObservationDraft, Tie, TokenDraft } from '../domain/index.ts';
import { revenueLists } from './defillama-overviews.ts';
import { tieDraft } from './github-ties.ts';
import { asciiDomain, githubRepo, registrableDomain } from './links.ts';
import { observed } from './observations.ts';
import { byKey, chainNameIn, tokenOn } from './plans.ts';
import { amount, date, fieldsOf, Loose, LooseOptional, Maybe, num, positive, TextOptional, text } from './read.ts';
import { navDays } from './redemption/nav-days.ts';
import { redemptionAtMarketPrice } from './redemption/terms.ts';
import { defineSource, endpoint, type Facts, type Params, rowsBy } from './source.ts';
import { auditorOf, learnOtherEnds, otherEndOf } from './ties.ts';
import { atLeastZero, chainOf, hostsOf, named, placed, sorted, wordsOf } from './token-records.ts';

/**
 * DefiLlama: value locked and fees of protocols, raises and hacks, prices.
 *
 * Lineage: value locked and fees by its open adapters (family `defillama`); prices and capitalisation are CoinGecko's
 * (family `coingecko`). Terms: none published; credited as source. Limits: unpublished, we make 60 requests a minute.
 * Quirks: unknown protocols answer 400 with text; amounts of raises are in millions, of hacks in dollars; value locked
 * leaves staking, borrowing and pool2 out; raises and hacks stand inside `/protocol`; prices with confidence below 0.9
 * are not taken; parent and child slugs differ; a chain is found by the id of its coin at CoinGecko, which several chains may share.
 */
const List = Type.Array(
  Type.Object({
    id: Type.Optional(Loose),
    name: Type.String(),
    address: TextOptional,
    symbol: TextOptional,
    url: TextOptional,
    gecko_id: TextOptional,
    cmcId: LooseOptional,
    category: TextOptional,
    slug: Type.String(),
    tvl: LooseOptional,
    twitter: TextOptional,
    github: Type.Optional(Type.Unknown()),
    parentProtocol: Type.Optional(Type.Unknown()),
    parentProtocolSlug: Type.Optional(Type.Unknown()),
    listedAt: Type.Optional(Type.Unknown()),
  }),
);
const MOST_PROTOCOLS = 20_000;

/** The projects that have a domain of their own, each with the token that the list names for it. */
function protocolRecords(rows: Static<typeof List>): readonly TokenDraft[] {
  return rows.slice(0, MOST_PROTOCOLS).flatMap((row) => {
    const { url } = row;
    const domain = typeof url === 'string' && url.length <= 2_048 ? asciiDomain(url.trim()) : null;
    const id = text(row.slug, 120);
    if (domain === null || id === null) return [];
    const parent = text(row.parentProtocol, 120)?.replace(/^parent#/, '') ?? null;
    const handle = text(row.twitter, 40)?.toLowerCase();
    const words = named({ name: row.name, symbol: row.symbol, since: row.listedAt });
    const symbol = words.symbol === '-' ? null : words.symbol;
    const coingecko = text(row.gecko_id, 120);
    const cmc = String(row.cmcId ?? '');
    const place = placeOf(row.address);
    return [
      {
        ...words,
        symbol,
        id,
        hasToken: symbol !== null || coingecko !== null || place !== null,
        domains: [domain],
        hosts: hostsOf([url]),
        socials: handle ? [`x:${handle}`] : [],
        categories: wordsOf([row.category]),
        addresses: sorted([place]),
        home: chainOf(place),
        nativeOf: CHAINS.find((chain) => chain.native.coingeckoId === coingecko)?.name ?? null,
        tvlUsd: atLeastZero(row.tvl),
        slug: text(row.parentProtocolSlug, 120) ?? parent ?? id,
        ids: {
          ...(coingecko === null ? {} : { coingecko }),
          ...(/^\d{1,12}$/.test(cmc) ? { coinmarketcap: cmc } : {}),
        },
      },
    ];
  });
}

/** `chain:0x...`, or bare hex for Ethereum. */
function placeOf(address: unknown): string | null {
  if (typeof address !== 'string' || address.length > 200) return null;
  const at = address.indexOf(':');
  if (at < 0)
    return placed(
      CHAINS.find((row) => row.name === 'ethereum'),
      address,
    );
  const word = address.slice(0, at).toLowerCase();
  return placed(chainCalled('defillama', word) ?? CHAINS.find((row) => row.name === word), address.slice(at + 1));
}

const Rows = Maybe(Type.Array(Type.Record(Type.String(), Type.Unknown())));
const Protocol = Type.Object({
  name: Type.String(),
  url: TextOptional,
  category: TextOptional,
  audit_links: Maybe(Type.Array(Type.Unknown())),
  chains: Maybe(Type.Array(Type.Unknown())),
  currentChainTvls: Maybe(Type.Record(Type.String(), Type.Unknown())),
  tvl: Type.Optional(
    Type.Union([
      Type.Array(Type.Object({ date: Type.Number(), totalLiquidityUSD: LooseOptional })),
      Type.Number(),
      Type.Null(),
    ]),
  ),
  raises: Rows,
  hacks: Rows,
  mcap: LooseOptional,
  twitter: TextOptional,
  listedAt: LooseOptional,
});
type ProtocolReply = Static<typeof Protocol>;
const DAY = 86_400;

/** Parts of `currentChainTvls` that are not value locked in the sense of the headline. */
const ASIDE = /staking|borrowed|pool2|vesting|treasury|offers/i;

function tvlNow(reply: ProtocolReply): number | null {
  const parts = Object.entries(reply.currentChainTvls ?? {})
    .filter(([name]) => !ASIDE.test(name))
    .map(([, value]) => amount(value))
    .filter((value) => value !== null);
  if (parts.length > 0) return parts.reduce((sum, value) => sum + value, 0);
  const series = Array.isArray(reply.tvl) ? reply.tvl : [];
  return amount(series.at(-1)?.totalLiquidityUSD);
}

function observeProtocol(reply: ProtocolReply): readonly ObservationDraft[] {
  const series = (Array.isArray(reply.tvl) ? reply.tvl : [])
    .map((row) => ({ at: row.date, value: amount(row.totalLiquidityUSD) }))
    .filter((row) => row.value !== null);
  const now = tvlNow(reply);
  const last = series.at(-1)?.at ?? 0;
  const before = [...series].reverse().find((row) => row.at <= last - 90 * DAY)?.value ?? null;
  const peak = series.reduce((most, row) => Math.max(most, row.value ?? 0), 0);
  const raises = (reply.raises ?? []).slice(0, 50).map(raise);
  const total = raises.reduce((sum, row) => sum + (row.amountUsd ?? 0), 0);
  const hacks = (reply.hacks ?? []).slice(0, 50).map(hack);
  const handle = text(reply.twitter, 40)?.toLowerCase();
  return [
    ...observed('tvl_usd', now, { meaning: 'staking, borrowing and pool2 left out' }),
    ...observed('tvl_peak_usd', peak > 0 ? peak : null),
    ...observed(
      'growth_90d_log',
      now !== null && now > 0 && before !== null && before > 0 ? Math.log(now / before) : null,
      { meaning: 'ln of value locked now over 90 days ago' },
    ),
    ...observed('raises', raises.length > 0 ? raises : null),
    ...observed('raise_total_usd', total > 0 ? total : null, { meaning: 'public rounds listed' }),
    ...observed('incidents', hacks.length > 0 ? hacks : null),
    ...(reports(reply).length > 0 ? [tieDraft('defillama', reports(reply), 'audits')] : []),
    ...observed('categories', text(reply.category, 60) ? [text(reply.category, 60)] : null),
    ...observed(
      'chains_deployed',
      (reply.chains ?? []).map((chain) => text(chain, 40)).filter((chain) => chain !== null),
    ),
    ...observed('registry_name', text(reply.name), { scope: 'registry:defillama' }),
    ...observed('registry_domains', registrableDomain(reply.url) ? [registrableDomain(reply.url)] : null, {
      scope: 'registry:defillama',
    }),
    ...observed('registry_socials', handle ? [{ kind: 'x', handle }] : null, { scope: 'registry:defillama' }),
    ...observed('listed_at', date(num(reply.listedAt))),
  ];
}

/** `audit_links` are the project's own submission: each is read at the firm. `audits` is a grade (0 none, 1 partly, 2 yes, 3 fork's). */
function reports(reply: ProtocolReply): readonly Tie[] {
  return auditLinks(reply).map((link) => {
    const firm = auditorOf(link);
    return {
      kind: 'audit',
      subject: firm ?? registrableDomain(link) ?? 'another site',
      state: firm === null ? 'claimed' : 'linked',
      by: firm === null ? 'by no firm that is known here' : 'linked by DefiLlama’s list',
      link,
    };
  });
}

function auditLinks(reply: ProtocolReply): readonly string[] {
  return (reply.audit_links ?? []).slice(0, 20).flatMap((link) => text(link, 300) ?? []);
}

function raise(row: Readonly<Record<string, unknown>>) {
  const millions = positive(row.amount);
  const valuation = positive(row.valuation);
  return {
    date: date(row.date),
    round: text(row.round, 40),
    amountUsd: millions === null ? null : millions * 1e6,
    valuationUsd: valuation === null ? null : valuation * 1e6,
    leadInvestors: (Array.isArray(row.leadInvestors) ? row.leadInvestors : [])
      .map((name: unknown) => text(name, 60))
      .filter((name) => name !== null)
      .slice(0, 10),
  };
}

function hack(row: Readonly<Record<string, unknown>>) {
  return {
    date: date(row.date),
    name: text(row.name, 80),
    lossUsd: amount(row.amount),
    returnedUsd: amount(row.returnedFunds),
    classification: text(row.classification, 60),
  };
}

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
            gecko_id: TextOptional,
            pegType: TextOptional,
            pegMechanism: TextOptional,
            circulating: Type.Optional(Type.Unknown()),
          }),
        ),
      }),
      observe: (reply, params) => observeStablecoin(reply.peggedAssets.find(({ gecko_id: id }) => id === params.id)),
      learn: (reply, params): Record<string, Json> => {
        const currency = currencyOf(reply.peggedAssets.find(({ gecko_id: id }) => id === params.id)?.pegType);
        return currency === null ? {} : { 'defillama.pegCurrency': currency };
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
  ],
});
