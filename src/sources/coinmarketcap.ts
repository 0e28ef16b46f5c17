import Type, { type Static, type TSchema } from 'typebox';
import { CHAINS, chainCalled, chainsOf, findChain } from '../chains/index.ts';
import { type ObservationDraft, OF_ALL_CHAINS, type TokenDraft } from '../domain/index.ts';
import { githubRepo, registrableDomains, social } from './links.ts';
import { dated, observed, poolKind, poolObservations } from './observations.ts';
import { byKey, chainNameIn, tokenOn } from './plans.ts';
import {
  amount,
  date,
  FlagOptional,
  fields,
  fieldsOf,
  flag,
  Loose,
  LooseOptional,
  listIn,
  Maybe,
  num,
  positive,
  Rows,
  share,
  TextOptional,
  text,
} from './read.ts';
import { get } from './requests.ts';
import { defineSource, type Endpoint, type EndpointDefinition, endpoint, fact, type Params } from './source.ts';
import {
  COPY_NAME,
  chainOf,
  handlesOf,
  listOf,
  named,
  part,
  partsOf,
  placed,
  reposOf,
  sitesOf,
  sorted,
  wordsOf,
} from './token-records.ts';

/**
 * CoinMarketCap: keyless public API (2026), or the API with a key.
 *
 * Lineage: family `cmc`; its contract security comes from GoPlus (family `goplus`). Terms conflict (the published ones forbid
 * redistribution): raw data is never passed on. Limits: none published for keyless access; we make 10 requests a minute. Free key: 30 a minute,
 * 15,000 a month (api-evangelist/coinmarketcap of 2026-05-08, read 2026-11-23): 25 are used.
 * Quirks: `status.error_code` is 0 or "0" and must be checked even with status 200; v3 quotes are lists; DEX rows use short
 * keys with string values; a symbol matches every imitation, so numeric ids are used; self-reported market caps are not used.
 */
const Status = Type.Object({ error_code: Loose, error_message: TextOptional });
const envelope = <T extends Parameters<typeof Type.Union>[0][number]>(data: T) =>
  Type.Object({ status: Status, data: Maybe(data) });
const Any = Type.Record(Type.String(), Type.Unknown());

function classify(reply: { readonly status: Static<typeof Status>; readonly data?: unknown }) {
  const code = num(reply.status.error_code) ?? 0;
  if ([1008, 1009, 1010, 1011, 429].includes(code)) return { outcome: 'rate_limited' as const, detail: `code ${code}` };
  if (code === 400 || code === 404) return { outcome: 'not_found' as const };
  if (code !== 0)
    return { outcome: 'error_reply' as const, detail: text(reply.status.error_message, 160) ?? `code ${code}` };
  const rows = Array.isArray(reply.data) ? reply.data : Object.keys(reply.data ?? {});
  return { outcome: rows.length === 0 ? ('empty' as const) : ('ok' as const) };
}

/** An endpoint whose errors are in the reply's envelope. */
function cmcEndpoint<Schema extends TSchema>(definition: EndpointDefinition<Schema>): Endpoint {
  return endpoint<Schema>({ okStatuses: [400, 404], classify: (reply) => classify(reply as never), ...definition });
}

const Quote = Type.Object({
  symbol: TextOptional,
  ...fields(LooseOptional, 'price', 'volume_24h', 'cex_volume_24h', 'market_cap', 'fully_diluted_market_cap'),
  ...fields(LooseOptional, 'percent_change_1h', 'percent_change_24h', 'percent_change_7d', 'percent_change_30d'),
  last_updated: TextOptional,
});
const QuoteRow = Type.Object({
  id: Loose,
  ...fields(LooseOptional, 'circulating_supply', 'total_supply', 'max_supply'),
  infinite_supply: FlagOptional,
  cmc_rank: LooseOptional,
  quote: Type.Union([Type.Array(Quote), Type.Record(Type.String(), Quote)]),
});
// Version 3 has lists; earlier versions have maps by id or by symbol, of rows or of lists of rows, and quotes by currency.
const Quotes = envelope(
  Type.Union([Rows(QuoteRow), Type.Record(Type.String(), Type.Union([QuoteRow, Rows(QuoteRow)]))]),
);

/** The quote in US dollars; undefined if quotes are in other currencies only. */
function dollarsOf({ quote }: Static<typeof QuoteRow>): Static<typeof Quote> | undefined {
  return Array.isArray(quote) ? quote.find(({ symbol }) => (symbol ?? 'USD') === 'USD') : quote.USD;
}

function observeQuotes(reply: Static<typeof Quotes>, params: Params): readonly ObservationDraft[] {
  const rows: readonly unknown[] = Object.values(reply.data ?? {}).flat();
  const coin = partsOf(QuoteRow, rows).find((row) => String(row.id) === String(params.id));
  const quote = coin && dollarsOf(coin);
  if (!coin || !quote) return [];
  const at = dated(quote.last_updated);
  return [
    ...observed('price_usd', positive(quote.price), { meaning: 'volume-weighted over venues', ...at }),
    ...observed('volume_24h_usd', amount(quote.volume_24h), { meaning: 'rolling 24 h, all venues', ...at }),
    ...observed('volume_24h_cex_usd', amount(quote.cex_volume_24h), 'rolling 24 h, centralised venues', at),
    ...observed('market_cap_usd', positive(quote.market_cap), { meaning: 'verified circulating supply', ...at }),
    ...observed('fdv_usd', positive(quote.fully_diluted_market_cap), at),
    ...observed('price_change_1h_pct', num(quote.percent_change_1h), { meaning: 'rolling 1 h', ...at }),
    ...observed('price_change_24h_pct', num(quote.percent_change_24h), { meaning: 'rolling 24 h', ...at }),
    ...observed('price_change_7d_pct', num(quote.percent_change_7d), { meaning: 'rolling 7 d', ...at }),
    ...observed('price_change_30d_pct', num(quote.percent_change_30d), { meaning: 'rolling 30 d', ...at }),
    ...observed('circulating_supply', positive(coin.circulating_supply), 'often submitted by the team', at),
    ...observed('total_supply', positive(coin.total_supply), { meaning: OF_ALL_CHAINS, ...at }),
    ...observed('max_supply', coin.infinite_supply === true ? null : positive(coin.max_supply), at),
    ...observed('max_supply_unlimited', coin.infinite_supply === true ? true : null),
    ...observed('registry_rank', positive(coin.cmc_rank), { scope: 'registry:coinmarketcap' }),
  ];
}

const Infos = envelope(Any);
type Info = Readonly<Record<string, unknown>>;
const InfoRow = (reply: Static<typeof Infos>, params: Params) => {
  const rows = Object.values(reply.data ?? {}).flat() as Info[];
  return rows.find((row) => params.id === undefined || String(row.id) === String(params.id)) ?? null;
};
const urlsOf = (row: Info, kind: string) => listIn(fieldsOf(row.urls)[kind]);

function observeInfo(reply: Static<typeof Infos>, params: Params): readonly ObservationDraft[] {
  const row = InfoRow(reply, params);
  if (!row) return [];
  const scope = 'registry:coinmarketcap';
  return [
    ...observed('registry_name', text(row.name), { scope }),
    ...observed('registry_symbol', text(row.symbol, 32)?.toUpperCase() ?? null, { scope }),
    ...observed('registry_domains', [...registrableDomains(urlsOf(row, 'website'))], { scope }),
    ...observed('registry_socials', socialsOf(row), { scope }),
    ...observed('registry_addresses', [...addressesOf(row)], { scope }),
    ...observed('listed_chains', positive(chainsListed(row)), 'chains with an address', { scope }),
    ...observed('categories', [...tagsOf(row)]),
    ...observed('listed_at', date(row.date_added)),
    ...observed('public_notice', text(row.notice, 400), { scope }),
  ];
}

function addressesOf(row: Info): readonly { readonly chain: string; readonly address: string }[] {
  return listOf(row.contract_address, Number.POSITIVE_INFINITY).flatMap((entry) => {
    const { contract_address: address, platform } = fieldsOf(entry);
    const { name, coin } = fieldsOf(platform);
    const chain = chainOfPlatform({ name, slug: fieldsOf(coin).slug });
    return chain && typeof address === 'string'
      ? [{ chain: chain.name, address: chain.kind === 'evm' ? address.toLowerCase() : address }]
      : [];
  });
}

/** Number of chains on which the registry lists an address, covered here or not. */
function chainsListed(row: Info): number {
  const names = listOf(row.contract_address, Number.POSITIVE_INFINITY).flatMap((entry) => {
    const { contract_address: address, platform } = fieldsOf(entry);
    return typeof address === 'string' && address !== '' ? (text(fieldsOf(platform).name, 80) ?? []) : [];
  });
  return new Set(names).size;
}

function socialsOf(row: Info) {
  return [...urlsOf(row, 'twitter'), ...urlsOf(row, 'chat')].flatMap((url) => social(url) ?? []);
}

function tagsOf(row: Info): readonly string[] {
  return wordsOf(listIn(row.tags), 30);
}

const Named = Type.Object({ slug: Type.Optional(Type.Unknown()), name: Type.Optional(Type.Unknown()) });
const Contract = Type.Object({
  contract_address: Type.Optional(Type.Unknown()),
  platform: Type.Optional(Type.Object({ coin: Type.Optional(Type.Unknown()), name: Type.Optional(Type.Unknown()) })),
});

/** A remark behind a name: `BNB Smart Chain (BEP20)`, `POL (prev. MATIC)`. */
const REMARK = / ?\([^()]*\)$/;

/**
 * The chain of a platform. Its name decides, because the slug is that of the coin that pays for transactions, which several chains may share:
 * Polygon zkEVM has `polygon`, opBNB has `bnb`.
 */
function chainOfPlatform({ name, slug }: Static<typeof Named>) {
  const word = typeof name === 'string' ? name.replace(REMARK, '') : slug;
  const wanted = typeof word === 'string' ? word.toLowerCase() : '';
  return (
    chainCalled('coinmarketcap', wanted) ??
    CHAINS.find((row) => [row.name, row.title.toLowerCase(), ...row.aliases].includes(wanted))
  );
}

const Platform = Type.Object({ ...Named.properties, token_address: Type.Optional(Type.Unknown()) });

/** `chain:address` of the row's `platform` field; null without one. */
function placeOf(value: unknown): string | null {
  const platform = part(Platform, value);
  return platform === undefined ? null : placed(chainOfPlatform(platform), platform.token_address);
}

/** Only the row with the requested id. */
function infoRecords(reply: Static<typeof Infos>, params: Params): readonly TokenDraft[] {
  const id = String(params.id);
  const data = reply.data ?? {};
  const row = Object.hasOwn(data, id) ? part(Any, data[id]) : undefined;
  const words = named({ name: row?.name, symbol: row?.symbol });
  if (row === undefined || words.name === null) return [];
  const platform = placeOf(row.platform);
  const contracts = listOf(row.contract_address).map((value) => {
    const entry = part(Contract, value);
    const coin = part(Named, entry?.platform?.coin);
    return placed(chainOfPlatform({ name: entry?.platform?.name, slug: coin?.slug }), entry?.contract_address);
  });
  const observed = addressesOf(row)
    .slice(0, 50)
    .map(({ chain, address }) => placed(findChain(chain), address));
  return [
    {
      ...words,
      ...sitesOf(urlsOf(row, 'website')),
      id,
      socials: handlesOf(socialsOf(row)),
      categories: tagsOf(row),
      addresses: sorted([platform, ...contracts, ...observed]),
      home: chainOf(platform),
      copy: COPY_NAME.test(words.name) || listOf(row.tags).some((tag) => /wrapped-tokens|bridged/.test(String(tag))),
      repos: reposOf(urlsOf(row, 'source_code')),
      since: date(row.date_launched) ?? date(row.date_added),
    },
  ];
}

const MapRow = Type.Object({
  id: Loose,
  ...fields(Type.String(), 'name', 'symbol'),
  rank: LooseOptional,
  platform: Type.Optional(Type.Unknown()),
});
const IdMap = envelope(Rows(MapRow));
const MOST_MAPPED = 200;

/** Ids with their addresses, without domains. */
function mapRecords(reply: Static<typeof IdMap>): readonly TokenDraft[] {
  return partsOf(MapRow, (reply.data ?? []).slice(0, MOST_MAPPED)).flatMap((row) => {
    const id = String(row.id ?? '');
    const place = placeOf(row.platform);
    return /^\d{1,12}$/.test(id) ? [{ ...named(row), id, addresses: sorted([place]), home: chainOf(place) }] : [];
  });
}

const Token = envelope(Any);
const slugOf = (params: Params) => chainNameIn(params, 'coinmarketcap');
const token = tokenOn('coinmarketcap');

function observeToken(reply: Static<typeof Token>): readonly ObservationDraft[] {
  const row = fieldsOf(reply.data);
  const day = listIn(row.sts)
    .map(fieldsOf)
    .find(({ tp }) => /24h|1d/i.test(String(tp)));
  return [
    ...observed('price_usd', positive(row.p), { meaning: 'DEX pools only' }),
    ...observed('fdv_usd', positive(row.fdv)),
    ...observed('liquidity_dex_usd', positive(row.liqUsd), {
      meaning: 'both sides of all pools that the source indexes',
    }),
    ...observed('total_supply', positive(row.ts), { meaning: 'on this chain' }),
    ...observed('holder_count', positive(row.hld)),
    ...observed('volume_24h_dex_usd', amount(day?.vu), { meaning: 'rolling 24 h, DEX only' }),
    ...observed('traders_24h', positive(day?.ut), { meaning: 'distinct wallets' }),
  ];
}

const Pools = envelope(Type.Array(Any));

const Side = Type.Object({ addr: TextOptional, liqUsd: LooseOptional });

function observePools(reply: Static<typeof Pools>, params: Params): readonly ObservationDraft[] {
  const wanted = String(params.address).toLowerCase();
  return (reply.data ?? []).flatMap((row) => {
    const address = text(row.addr, 100);
    if (!address) return [];
    const dex = text(row.exn, 80);
    const sides = [part(Side, row.t0), part(Side, row.t1)];
    const ours = sides.findIndex((side) => side?.addr?.toLowerCase() === wanted);
    // If both sides are named and neither is the token, the pool belongs to another token.
    if (ours === -1 && sides.every((side) => side?.addr)) return [];
    const theirs = ours === -1 ? null : sides[1 - ours];
    return poolObservations({
      chain: params.chain,
      asset: params.address,
      address,
      dex,
      kind: poolKind(dex),
      counter: text(theirs?.addr, 100),
      quoteReserveUsd: amount(theirs?.liqUsd),
      liquidityUsd: amount(row.liqUsd),
      volumeUsd: amount(row.v24),
      createdAt: date(num(row.pubAt) ?? row.pubAt),
    });
  });
}

const Security = envelope(Type.Array(Any));

/** A row that names GoPlus, or no origin, is GoPlus's finding; any other, for example `W3W` (CoinMarketCap's wallet scan), is CoinMarketCap's own. */
const GOPLUS = /goplus/i;

/** Reads only the numbers. GoPlus's individual findings are read from GoPlus. */
function observeSecurity(reply: Static<typeof Security>): readonly ObservationDraft[] {
  const extra = fieldsOf(reply.data?.[0]?.extra);
  const isGoplus = extra.source === undefined || GOPLUS.test(String(extra.source));
  const of = isGoplus ? { family: 'goplus', meaning: 'GoPlus by CoinMarketCap' } : {};
  return [
    ...observed('buy_tax', share(extra.buyTax, 1), of),
    ...observed('sell_tax', share(extra.sellTax, 1), of),
    ...observed('source_verified', flag(extra.isVerified), of),
  ];
}

export const coinmarketcap = defineSource({
  name: 'coinmarketcap',
  title: 'CoinMarketCap',
  doc: 'https://coinmarketcap.com/api/documentation/',
  family: 'cmc',
  tier: 'aggregator',
  reliability: 0.9,
  bases: { main: 'https://pro-api.coinmarketcap.com/public-api' },
  key: {
    required: false,
    header: 'X-CMC_PRO_API_KEY',
    baseWithKey: 'https://pro-api.coinmarketcap.com',
    perMinute: 25,
    adds: 'the request limit of your own plan',
    from: 'https://coinmarketcap.com/api',
  },
  terms: {
    attribution: { text: 'Data by CoinMarketCap', url: 'https://coinmarketcap.com' },
    redistribute: false,
    keepBodyDays: 7,
    note: 'published terms: internal use, no redistribution; the marketing pages of 2026 allow commercial use on the Basic plan: the operator decides',
  },
  budget: { perMinute: 10, burst: 8, concurrency: 4, shareSeconds: 120 },
  timeoutMs: 8_000,
  chains: chainsOf('coinmarketcap'),
  registry: { curated: true, files: 'tokens', order: 2, namesAllPlaces: true, key: 'cmcId' },
  provides: { market: 5, market_figures: 4, supply: 2, project_links: 2, repository_links: 3 },
  endpoints: [
    cmcEndpoint({
      name: 'quotes',
      doc: '/v3/cryptocurrency/quotes/latest by numeric id',
      critical: true,
      plan: byKey('cmcId'),
      request: get('/v3/cryptocurrency/quotes/latest', { id: '{id}', convert: 'USD', skip_invalid: true }),
      reply: Quotes,
      observe: observeQuotes,
    }),
    cmcEndpoint({
      name: 'info',
      doc: '/v2/cryptocurrency/info by numeric id, else by contract address',
      plan: byKey('cmcId'),
      request: (params) => ({
        path: '/v2/cryptocurrency/info',
        query: params.id !== undefined ? { id: String(params.id) } : { address: String(params.address) },
      }),
      reply: Infos,
      finds: { by: 'id', most: 3, called: 'profile' },
      records: infoRecords,
      observe: observeInfo,
      learn: (reply, params) => {
        const row = InfoRow(reply, params);
        const repos = (row ? urlsOf(row, 'source_code') : []).flatMap((url) => githubRepo(url) ?? []);
        const named = repos.filter((repo) => repo.includes('/')).slice(0, 3);
        return fact('coinmarketcap.githubRepos', named.length > 0 ? named : null);
      },
    }),
    cmcEndpoint({
      name: 'dex_token',
      doc: '/v1/dex/token?platform=&address= (short keys)',
      critical: true,
      plan: token,
      request: (params) => get('/v1/dex/token', { platform: slugOf(params), address: '{address}' })(params),
      reply: Token,
      observe: observeToken,
    }),
    cmcEndpoint({
      name: 'dex_pools',
      doc: '/v1/dex/token/pools',
      plan: token,
      request: (params) =>
        get('/v1/dex/token/pools', { platform: slugOf(params), address: '{address}', size: 20 })(params),
      reply: Pools,
      observe: observePools,
    }),
    cmcEndpoint({
      name: 'dex_security',
      doc: '/v1/dex/security/detail (GoPlus data)',
      plan: token,
      request: (params) =>
        get('/v1/dex/security/detail', { platformName: slugOf(params), address: '{address}' })(params),
      reply: Security,
      observe: observeSecurity,
    }),
    cmcEndpoint({
      name: 'map',
      doc: '/v1/cryptocurrency/map?symbol=: candidates by symbol',
      role: 'identify',
      request: get('/v1/cryptocurrency/map', { symbol: '{symbol}', listing_status: 'active' }),
      reply: IdMap,
      finds: { by: 'symbol' },
      records: mapRecords,
    }),
  ],
});
