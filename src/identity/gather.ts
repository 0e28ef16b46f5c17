import { CHAINS, type Chain, findChain, isAddressOn } from '../chains/index.ts';
import type { ScoreRequest } from '../domain/identification.ts';
import { rdapServerOf } from '../sources/rdap.ts';
import { foldRecords } from './candidates.ts';
import { labelOf, type ProjectSite, projectSite } from './domains.ts';
import { type HostVote, hostNamed } from './hosts.ts';
import { lookUp } from './listed.ts';
import { readDexscreener, readGeckoterminal } from './market-records.ts';
import { compareNames, plainName, plainSymbol } from './names.ts';
import type { Questions } from './questions.ts';
import { dig, domainsOf, listOf, placed, type TokenRecord } from './record.ts';
import {
  type Answered,
  type Protocol,
  readCmcMapRow,
  readCoingecko,
  readCoinmarketcap,
  readCoinpaprika,
  readProtocol,
} from './registry-records.ts';
import { siteNameOf } from './site-name.ts';
import { type SitePage, type Sites, UNREAD } from './site-page.ts';
import { idsWorthReading, symbolsWorthMapping } from './worth-reading.ts';

/** Everything identity found out before it decides. */
export interface Gathered {
  readonly site: ProjectSite;
  readonly page: SitePage;
  readonly records: readonly TokenRecord[];
  /** Projects that DefiLlama's list ties to the domain, largest first. */
  readonly protocols: readonly Protocol[];
  /** Those, and the ones whose token is the given address, whatever website the list names for them. */
  readonly listings: readonly Protocol[];
  /** Well-known domains, for look-alikes. */
  readonly knownDomains: readonly string[];
  /** Domains that on-chain metadata names, by `chain:address`. */
  readonly metadata: ReadonlyMap<string, { readonly domains: readonly string[]; readonly responseId: string }>;
  readonly domainRegisteredAt: string | null;
  /** The caller's address in all spellings it can have. */
  readonly callerPlaces: readonly string[];
  readonly questions: Questions;
  readonly sites: Sites;
}

const MOST_PRINTED = 3;
const KNOWN_DOMAINS = 1_000;

/**
 * Asks in two rounds, each side by side: site and searches, then the details of what they showed. `known`: records of the token
 * that an earlier identification of the same job has read.
 */
export async function gather(
  request: ScoreRequest,
  questions: Questions,
  sites: Sites,
  known: readonly TokenRecord[] = [],
): Promise<Gathered> {
  const asked = projectSite(request.projectUrl);
  const callerPlaces = placesOf(request);
  const isRead = known.some((record) => record.source === 'coingecko' && record.addresses.some(isIn(callerPlaces)));
  const first = await searchRound(request, asked, callerPlaces, questions, sites, isRead);
  const protocols = allProtocols(first.protocols);
  const own = protocols.filter((row) => row.domain === asked.domain).slice(0, 30);
  const placedRows = protocols.filter((row) => row.token?.addresses.some(isIn(callerPlaces)) === true).slice(0, 30);
  const listings = [...new Set([...own, ...placedRows])];
  const searched = [
    ...readDexscreener(first.dexscreener?.reply),
    ...readDexscreener(first.byAddress?.reply),
    ...readGeckoterminal(first.geckoterminal?.reply),
  ];
  const second = await detailRound(request, asked, first.home.page, listings, first, searched, callerPlaces, questions);
  const contract = first.contract ? readCoingecko(first.contract) : null;
  const found = [
    ...listings.flatMap((row) => row.token ?? []),
    ...searched,
    ...second.records,
    ...(contract ? [contract] : []),
    ...known,
  ];
  const { site, page } = await landingOf(
    asked,
    first.home,
    [...votesOf(found, callerPlaces), ...own.map(voteOf)],
    sites,
  );
  const rivals = await rivalRound(request, site, page, found, callerPlaces, questions);
  return {
    site,
    page,
    records: [...found, ...rivals],
    protocols: own,
    listings,
    knownDomains: protocols.slice(0, KNOWN_DOMAINS).map((row) => row.domain),
    metadata: second.metadata,
    domainRegisteredAt: second.registeredAt,
    callerPlaces,
    questions,
    sites,
  };
}

interface Home {
  readonly host: string;
  readonly page: SitePage;
}

/** The landing page that speaks for the domain: that of the host which registries name, else of the bare domain; never of a host which only the caller names. */
async function landingOf(
  asked: ProjectSite,
  home: Home,
  votes: readonly HostVote[],
  sites: Sites,
): Promise<{ readonly site: ProjectSite; readonly page: SitePage }> {
  const host = asked.ownPage ? (hostNamed(asked.host, votes) ?? home.host) : asked.host;
  const page = host === home.host ? home.page : await sites.read(`https://${host}/`);
  return { site: { ...asked, host, url: asked.ownPage ? `https://${host}/` : asked.url }, page };
}

/** The landing page of the bare domain; where that is dead, of `www`, when that one answers. */
async function homeOf({ host, domain, url, ownPage }: ProjectSite, sites: Sites): Promise<Home> {
  if (!ownPage) return { host, page: UNREAD };
  const page = await sites.read(url);
  if (!page.dead || domain === null) return { host, page };
  const www = `www.${domain}`;
  const other = await sites.read(`https://${www}/`);
  return other.read ? { host: www, page: other } : { host, page };
}

/** What the sources call the website's host; of the token at the given address alone, where its records are known. */
function votesOf(records: readonly TokenRecord[], callerPlaces: readonly string[]): readonly HostVote[] {
  const given = records.filter((record) => record.addresses.some(isIn(callerPlaces)));
  return (given.length > 0 ? given : records).flatMap(({ family, curated, hosts }) =>
    hosts.map((host) => ({ family, curated, host })),
  );
}

function voteOf({ host }: Protocol): HostVote {
  return { family: 'defillama', curated: true, host: host ?? '' };
}

/**
 * A token that registries list for the domain is a rival of one that the caller names by its address, whatever its symbol. Where
 * the named one has less than the word of two registries, or of one and the landing page, the registries are searched for the
 * site's own name too.
 */
async function rivalRound(
  request: ScoreRequest,
  site: ProjectSite,
  page: SitePage,
  records: readonly TokenRecord[],
  callerPlaces: readonly string[],
  { ask }: Questions,
): Promise<readonly TokenRecord[]> {
  const { domain } = site;
  if (domain === null || callerPlaces.length === 0) return [];
  const listed = records.filter(
    (row) => row.curated && row.domains.includes(domain) && row.addresses.some(isIn(callerPlaces)),
  );
  const families = new Set(listed.map((row) => row.family)).size;
  if (families >= 2 || (families === 1 && page.places.some(isIn(callerPlaces)))) return [];
  const name = siteNameOf(page, domain) ?? labelOf(domain);
  if (plainName(name) === plainName(request.project)) return [];
  const query = name.slice(0, 80);
  const [coingecko, coinpaprika] = await Promise.all([
    ask('coingecko', 'search', { query }, `search by the site’s name ${query}`),
    ask('coinpaprika', 'search', { query }, `search by the site’s name ${query}`),
  ]);
  const idsOf = (rows: readonly unknown[]) =>
    rows
      .filter((row) => compareNames(name, textOf(dig(row, 'name'))) !== 'other')
      .map((row) => String(dig(row, 'id') ?? ''))
      .filter((id) => /^[A-Za-z0-9_.-]{1,120}$/.test(id))
      .slice(0, 1);
  const [coins, profiles] = await Promise.all([
    Promise.all(
      idsOf(listOf(dig(coingecko?.reply, 'coins'), 100)).map((id) => ask('coingecko', 'coin', { id }, `coin ${id}`)),
    ),
    Promise.all(
      idsOf(listOf(dig(coinpaprika?.reply, 'currencies'), 100)).map((id) =>
        ask('coinpaprika', 'coin', { id }, `profile ${id}`),
      ),
    ),
  ]);
  return [
    ...coins.map((answer) => (answer ? readCoingecko(answer) : null)),
    ...profiles.map((answer) => (answer ? readCoinpaprika(answer) : null)),
  ].filter((record) => record !== null);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isIn(places: readonly string[]): (place: string) => boolean {
  return (place) => places.includes(place);
}

type Searches = Awaited<ReturnType<typeof searchRound>>;

async function searchRound(
  request: ScoreRequest,
  site: ProjectSite,
  places: readonly string[],
  { ask, bulk }: Questions,
  sites: Sites,
  isRead: boolean,
) {
  const name = request.project.trim().slice(0, 80);
  const symbol = plainSymbol(request.tokenSymbol);
  const [place] = places;
  const sole =
    place !== undefined && places.length === 1
      ? { chain: place.split(':')[0] ?? '', address: place.split(':')[1] ?? '' }
      : null;
  const homePage = homeOf(site, sites);
  const [coins, markets, tickers] = await Promise.all([
    bulk('coingecko', 'coins_list', 'list of all coins'),
    bulk('coingecko', 'markets', 'list of markets'),
    bulk('coinpaprika', 'tickers', 'list of all tickers'),
  ]);
  // What the lists say of everything is not asked again of one coin.
  const listed = lookUp(request, places, { coins, markets, tickers });
  const [home, coingecko, map, coinpaprika, dexscreener, byAddress, geckoterminal, protocols, bootstrap, contract] =
    await Promise.all([
      homePage,
      listed.coingecko ?? ask('coingecko', 'search', { query: name }, 'search by name'),
      symbol !== null && /^[A-Z0-9.]{1,20}$/.test(symbol)
        ? ask('coinmarketcap', 'map', { symbol }, 'map by symbol')
        : null,
      listed.coinpaprika ?? ask('coinpaprika', 'search', { query: name }, 'search by name'),
      ask('dexscreener', 'search', { query: symbol ?? name }, 'search by symbol or name'),
      place === undefined
        ? null
        : ask('dexscreener', 'search', { query: place.split(':')[1] ?? '' }, 'search by the given address'),
      listed.isKnown
        ? null
        : ask('geckoterminal', 'search_pools', { query: symbol ?? name }, 'search by symbol or name'),
      bulk('defillama', 'protocols', 'protocols by domain'),
      site.domain === null ? null : ask('rdap', 'bootstrap', { domain: site.domain }, 'server of the domain'),
      sole === null || isRead || listed.coingecko !== null
        ? null
        : ask('coingecko', 'contract', sole, 'look-up of the given address'),
    ]);
  return {
    home,
    coingecko,
    map,
    coinpaprika,
    dexscreener,
    byAddress,
    geckoterminal,
    protocols,
    bootstrap,
    contract,
    listed,
  };
}

async function detailRound(
  request: ScoreRequest,
  site: ProjectSite,
  page: SitePage,
  own: readonly Protocol[],
  first: Searches,
  searched: readonly TokenRecord[],
  callerPlaces: readonly string[],
  { ask }: Questions,
) {
  const ids = idsWorthReading(request, own, first);
  const lists = first.listed.coingecko !== null;
  const coingeckoIds = [...new Set([...first.listed.given, ...ids.coingecko])];
  const seen = new Set(searched.flatMap((record) => record.addresses.map((place) => place.split(':')[1])));
  const printed = page.places
    .map((place) => place.split(':')[1] ?? '')
    .filter((address, index, all) => all.indexOf(address) === index);
  const unseen = printed.filter((address) => !seen.has(address)).slice(0, MOST_PRINTED);
  const mints = [...callerPlaces, ...page.places]
    .filter((place) => place.startsWith('solana:'))
    .map((place) => place.slice('solana:'.length));
  const server = first.bootstrap && site.domain !== null ? rdapServerOf(first.bootstrap.reply, site.domain) : null;
  const symbols = plainSymbol(request.tokenSymbol) === null ? symbolsWorthMapping(request, own, first) : [];
  const [coins, infos, profiles, found, metadata, registration, maps] = await Promise.all([
    Promise.all((lists ? [] : coingeckoIds).map((id) => ask('coingecko', 'coin', { id }, `coin ${id}`))),
    Promise.all(ids.coinmarketcap.map((id) => ask('coinmarketcap', 'info', { id }, `profile ${id}`))),
    Promise.all(ids.coinpaprika.map((id) => ask('coinpaprika', 'coin', { id }, `profile ${id}`))),
    Promise.all(
      unseen.map((address) =>
        ask('dexscreener', 'search', { query: address }, `search by the printed address ${address}`),
      ),
    ),
    Promise.all(
      [...new Set(mints)].slice(0, MOST_PRINTED).map(async (mint) => ({
        mint,
        answer: await ask('solana_rpc', 'metadata', { base: 'main', mint }, `metadata of ${mint}`),
      })),
    ),
    server === null || site.domain === null
      ? null
      : ask('rdap', 'domain', { domain: site.domain, server }, 'registration of the domain'),
    Promise.all(symbols.map((symbol) => ask('coinmarketcap', 'map', { symbol }, `map by symbol ${symbol}`))),
  ]);
  const rows = [first.map, ...maps]
    .flatMap((answer) => listOf(dig(answer?.reply, 'data'), 200))
    .flatMap((row) => readCmcMapRow(row) ?? []);
  // A row that was read in full needs no second record; the others only lend their id to a token with the same address.
  const read = ids.coinmarketcap.map((id, index) => (infos[index] ? readCoinmarketcap(infos[index], id) : null));
  const records = [
    ...coins.map((answer) => (answer ? readCoingecko(answer) : null)),
    ...(lists ? coingeckoIds.map((id) => first.listed.recordOf(id)) : []),
    ...read,
    ...rows.filter((row) => row.addresses.length > 0 && !read.some((other) => other?.id === row.id)),
    ...profiles.map((answer) => withCoingeckoId(answer ? readCoinpaprika(answer) : null, first)),
    ...found.flatMap((answer) => readDexscreener(answer?.reply)),
  ].filter((record) => record !== null);
  const ranked = records.map((record) => (record.rank === null ? { ...record, rank: rankIn(rows, record) } : record));
  const beside = [...own.flatMap((row) => row.token ?? []), ...searched];
  const settled = settledCoin([...ranked, ...beside], site.domain);
  const profiled = lists ? await coinRound(settled === null ? coingeckoIds : [settled], ask) : [];
  return {
    records: [...profiled, ...ranked],
    metadata: metadataOf(metadata),
    registeredAt: registrationOf(registration),
  };
}

/**
 * CoinGecko's own pages: of the coin that the lists and the other registries settle on, which the collection asks for too, else of
 * those they leave open. Where a page has no turn, the list's row speaks for it.
 */
async function coinRound(ids: readonly string[], ask: Questions['ask']): Promise<readonly TokenRecord[]> {
  const coins = await Promise.all(ids.map((id) => ask('coingecko', 'coin', { id }, `coin ${id}`)));
  return coins.flatMap((answer) => (answer ? (readCoingecko(answer) ?? []) : []));
}

/** CoinGecko's id of the token that is listed with the website, where it is the only one and CoinGecko's list has it; else null. */
function settledCoin(records: readonly TokenRecord[], domain: string | null): string | null {
  if (domain === null) return null;
  const listed = foldRecords(records).filter((candidate) =>
    candidate.records.some((record) => record.curated && record.domains.includes(domain)),
  );
  const [only] = listed;
  return listed.length === 1 ? (only?.records.find((record) => record.source === 'coingecko')?.id ?? null) : null;
}

function withCoingeckoId(record: TokenRecord | null, { listed }: Searches): TokenRecord | null {
  if (record === null || record.id === null || record.coingeckoId !== null) return record;
  return { ...record, coingeckoId: listed.coingeckoIdOf(record.id) };
}

function rankIn(rows: readonly TokenRecord[], record: TokenRecord): number | null {
  return record.source === 'coinmarketcap' ? (rows.find((row) => row.id === record.id)?.rank ?? null) : null;
}

// The list is shared by all jobs and has thousands of rows: it is read once per fetch.
const readLists = new WeakMap<object, readonly Protocol[]>();

function allProtocols(answer: Answered | null): readonly Protocol[] {
  const list = answer?.reply;
  if (typeof list !== 'object' || list === null) return [];
  const known = readLists.get(list);
  if (known) return known;
  const rows = listOf(list, 20_000)
    .flatMap((row) => readProtocol(row) ?? [])
    .sort((a, b) => b.tvlUsd - a.tvlUsd || (a.slug < b.slug ? -1 : 1));
  readLists.set(list, rows);
  return rows;
}

function metadataOf(
  rows: readonly { readonly mint: string; readonly answer: Answered | null }[],
): Gathered['metadata'] {
  const known = rows.flatMap(({ mint, answer }) => {
    const uris = answer?.observations.filter((row) => row.quantity === 'metadata_uri').map((row) => row.value) ?? [];
    return answer ? [[`solana:${mint}`, { domains: domainsOf(uris), responseId: answer.responseId }] as const] : [];
  });
  return new Map(known);
}

function registrationOf(answer: Answered | null): string | null {
  const value = answer?.observations.find((row) => row.quantity === 'domain_registered_at')?.value;
  return typeof value === 'string' ? value : null;
}

/** Every chain on which the caller's address can stand: one when the chain is said or the spelling tells. */
function placesOf(request: ScoreRequest): readonly string[] {
  const { tokenAddress } = request;
  if (tokenAddress === null) return [];
  const said = request.blockchain === null ? null : findChain(request.blockchain);
  const chains: readonly Chain[] = said ? [said] : CHAINS.filter((chain) => isAddressOn(chain, tokenAddress.trim()));
  return chains.map((chain) => placed(chain, tokenAddress)).filter((place) => place !== null);
}
