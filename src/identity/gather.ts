import { CHAINS, type Chain, findChain, isAddressOn } from '../chains/index.ts';
import type { ScoreRequest, TokenRecord } from '../domain/index.ts';
import { sourceFor } from '../domain/index.ts';
import { domainsOf, placed, plainSymbol, rdapServerOf } from '../sources/index.ts';
import { findersOf, foldRecords } from './candidates.ts';
import { idsWorthReading, type Listed, lookUp, symbolsWorthMapping } from './listed.ts';
import type { IdentityReply, IdentityRequests } from './requests.ts';
import {
  compareNames,
  type HostVote,
  hostNamed,
  labelOf,
  type ProjectSite,
  plainName,
  projectSite,
  type SitePage,
  type Sites,
  siteNameOf,
  UNREAD,
} from './sites.ts';

/** Everything that identification collects before it decides. */
export interface Gathered {
  readonly site: ProjectSite;
  readonly page: SitePage;
  readonly records: readonly TokenRecord[];
  /** Projects that a registry of projects ties to the domain, with or without a token, largest first. */
  readonly protocols: readonly TokenRecord[];
  /** The same, and projects whose token is at the given address, whatever website the list states for them. */
  readonly listings: readonly TokenRecord[];
  /** Well-known domains, used to detect look-alikes. */
  readonly knownDomains: readonly string[];
  /** Domains that on-chain metadata names, by `chain:address`. */
  readonly metadata: ReadonlyMap<
    string,
    { readonly domains: readonly string[]; readonly source: string; readonly responseId: string }
  >;
  readonly domainRegisteredAt: string | null;
  /** The caller's address in all possible spellings, as `chain:address`. */
  readonly callerPlaces: readonly string[];
  readonly requests: IdentityRequests;
  readonly sites: Sites;
}

const REGISTRATION = sourceFor('domain_registration');
/** The node that reads the metadata of a Solana mint. */
const TOKEN_METADATA = sourceFor('solana_node');
const MOST_PRINTED = 3;
const KNOWN_DOMAINS = 1_000;

/**
 * Sends requests in two rounds, each in parallel: first the site and searches, then details of what they found.
 * `known`: records of the token that an earlier identification in the same job read. `onSearched` is called with the
 * results of the first round.
 */
export async function gather(
  request: ScoreRequest,
  requests: IdentityRequests,
  sites: Sites,
  known: readonly TokenRecord[] = [],
  onSearched: (early: Gathered) => void = () => undefined,
): Promise<Gathered> {
  const asked = projectSite(request.projectUrl);
  const callerPlaces = placesOf(request);
  const first = await searchRound(request, asked, callerPlaces, requests, sites, known);
  const { protocols } = first;
  const own = protocols.filter(({ domains: [domain] }) => domain === asked.domain).slice(0, 30);
  const placedRows = protocols.filter((row) => row.hasToken && row.addresses.some(isIn(callerPlaces))).slice(0, 30);
  const listings = [...new Set([...own, ...placedRows])];
  const common = {
    protocols: own,
    listings,
    knownDomains: protocols.slice(0, KNOWN_DOMAINS).flatMap(({ domains }) => domains),
    callerPlaces,
    requests,
    sites,
  };
  const tokens = listings.filter((row) => row.hasToken);
  onSearched({
    ...common,
    site: asked,
    page: first.home.page,
    records: [
      ...tokens,
      ...first.searched,
      ...first.hits.flatMap((hit) => hit.records),
      ...first.mapped,
      ...first.contracts,
    ],
    metadata: new Map(),
    domainRegisteredAt: null,
  });
  const second = await detailRound(request, asked, first, listings, callerPlaces, requests);
  const found = [...tokens, ...first.searched, ...second.records, ...first.contracts, ...known];
  const { site, page } = await landingOf(
    asked,
    first.home,
    [
      ...votesOf(found, callerPlaces),
      ...own.map(({ family, curated, hosts: [host = ''] }) => ({ family, curated, host })),
    ],
    sites,
  );
  const rivals = await rivalRound(request, site, page, found, callerPlaces, requests);
  return {
    ...common,
    site,
    page,
    records: [...found, ...rivals],
    metadata: second.metadata,
    domainRegisteredAt: second.registeredAt,
  };
}

interface Home {
  readonly host: string;
  readonly page: SitePage;
}

/**
 * The landing page that represents the domain: that of the host that registries name, otherwise that of the bare
 * domain; never that of a host that only the caller names.
 */
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

/** The landing page of the bare domain or, if that does not exist, that of `www`. */
async function homeOf({ host, domain, url, ownPage }: ProjectSite, sites: Sites): Promise<Home> {
  if (!ownPage) return { host, page: UNREAD };
  const page = await sites.read(url);
  if (!page.dead || domain === null) return { host, page };
  const www = `www.${domain}`;
  const other = await sites.read(`https://${www}/`);
  return other.read ? { host: www, page: other } : { host, page };
}

/**
 * Hosts of the website according to the sources. If records of the token at the given address exist, only theirs count.
 */
function votesOf(records: readonly TokenRecord[], callerPlaces: readonly string[]): readonly HostVote[] {
  const given = records.filter((record) => record.addresses.some(isIn(callerPlaces)));
  return (given.length > 0 ? given : records).flatMap(({ family, curated, hosts }) =>
    hosts.map((host) => ({ family, curated, host })),
  );
}

/**
 * Finds rivals of a token that the caller names by address: a token that registries list for the domain is a rival
 * whatever its symbol. If fewer than two registries, or one and the landing page, confirm the named token, the
 * registries are also searched for the site's own name.
 */
async function rivalRound(
  request: ScoreRequest,
  site: ProjectSite,
  page: SitePage,
  records: readonly TokenRecord[],
  callerPlaces: readonly string[],
  { ask }: IdentityRequests,
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
  const found = await Promise.all(
    findersOf('name').map(({ source, endpoint }) =>
      ask(source, endpoint, { query }, `search by the site’s name ${query}`),
    ),
  );
  const profiles = await Promise.all(
    found.flatMap((answer) => {
      const likely = (answer?.records ?? []).flatMap((row) =>
        row.id !== null && /^[A-Za-z0-9_.-]{1,120}$/.test(row.id) && compareNames(name, row.name) !== 'other'
          ? [row.id]
          : [],
      );
      return answer === null ? [] : likely.slice(0, 1).map((id) => details(answer.source, id, ask));
    }),
  );
  return profiles.flat();
}

/** Details of a token from a registry, by id. */
async function details(source: string, id: string, ask: IdentityRequests['ask']): Promise<readonly TokenRecord[]> {
  const finder = findersOf('id').find((row) => row.source === source);
  if (finder === undefined) return [];
  const answer = await ask(source, finder.endpoint, { id }, `${finder.finds.called} ${id}`);
  return answer?.records ?? [];
}

function isIn(places: readonly string[]): (place: string) => boolean {
  return (place) => places.includes(place);
}

interface Searches {
  readonly home: Home;
  readonly listed: Listed;
  /** Results of each registry's search by name, in the order of the registries. */
  readonly hits: readonly { readonly source: string; readonly records: readonly TokenRecord[] }[];
  /** Ids and addresses that registries have for the caller's symbol. */
  readonly mapped: readonly TokenRecord[];
  /** Tokens found by market indexes. */
  readonly searched: readonly TokenRecord[];
  /** Details of the token at the given address. */
  readonly contracts: readonly TokenRecord[];
  /** Projects, largest first. */
  readonly protocols: readonly TokenRecord[];
  readonly bootstrap: IdentityReply | null;
}

async function searchRound(
  request: ScoreRequest,
  site: ProjectSite,
  places: readonly string[],
  { ask, bulk }: IdentityRequests,
  sites: Sites,
  known: readonly TokenRecord[],
): Promise<Searches> {
  const name = request.project.trim().slice(0, 80);
  const symbol = plainSymbol(request.tokenSymbol);
  const [place] = places;
  const address = place?.split(':')[1] ?? '';
  const sole = place !== undefined && places.length === 1 ? { chain: place.split(':')[0] ?? '', address } : null;
  const homePage = homeOf(site, sites);
  const lists = findersOf('list');
  const tokenLists = await Promise.all(
    lists
      .filter(({ finds }) => finds.of !== 'projects')
      .map(async (finder) => ({ finder, answer: await bulk(finder.source, finder.endpoint, finder.finds.called) })),
  );
  // Data in these lists needs no separate request for one coin.
  const listed = lookUp(request, places, tokenLists);
  const texts = findersOf('text');
  const isRead = (source: string) => known.some((row) => row.source === source && row.addresses.some(isIn(places)));
  const [home, hits, maps, byText, byAddress, projects, bootstrap, contracts] = await Promise.all([
    homePage,
    Promise.all(
      findersOf('name').map(async ({ source, endpoint }) => {
        const rows = listed.hitsOf(source);
        const answer = rows === null ? await ask(source, endpoint, { query: name }, 'search by name') : null;
        return { source, records: rows ?? answer?.records ?? [] };
      }),
    ),
    symbol !== null && /^[A-Z0-9.]{1,20}$/.test(symbol) ? mapsOf(symbol, 'map by symbol', ask) : [],
    Promise.all(
      texts
        .filter(({ finds }) => !(finds.unlistedOnly && listed.isKnown))
        .map(({ source, endpoint }) => ask(source, endpoint, { query: symbol ?? name }, 'search by symbol or name')),
    ),
    place === undefined ? [] : byAddresses([address], () => 'search by the given address', ask),
    Promise.all(
      lists
        .filter(({ finds }) => finds.of === 'projects')
        .map(({ source, endpoint, finds }) => bulk(source, endpoint, finds.called)),
    ),
    site.domain === null ? null : ask(REGISTRATION, 'bootstrap', { domain: site.domain }, 'server of the domain'),
    Promise.all(
      findersOf('address').map(({ source, endpoint }) =>
        sole === null || isRead(source) || listed.catalogue === source
          ? null
          : ask(source, endpoint, sole, 'look-up of the given address'),
      ),
    ),
  ]);
  return {
    home,
    listed,
    hits,
    mapped: maps,
    searched: [...recordsIn(byText), ...byAddress],
    contracts: recordsIn(contracts),
    protocols: largestFirst(projects),
    bootstrap,
  };
}

function recordsIn(answers: readonly (IdentityReply | null)[]): readonly TokenRecord[] {
  return answers.flatMap((answer) => answer?.records ?? []);
}

/** Ids and addresses that registries have for a symbol. */
async function mapsOf(symbol: string, about: string, ask: IdentityRequests['ask']): Promise<readonly TokenRecord[]> {
  return recordsIn(
    await Promise.all(findersOf('symbol').map(({ source, endpoint }) => ask(source, endpoint, { symbol }, about))),
  );
}

/** Tokens that market indexes show at these addresses. */
async function byAddresses(
  addresses: readonly string[],
  about: (address: string) => string,
  ask: IdentityRequests['ask'],
): Promise<readonly TokenRecord[]> {
  const finders = findersOf('text').filter(({ finds }) => finds.orAddress);
  return recordsIn(
    await Promise.all(
      addresses.flatMap((address) =>
        finders.map(({ source, endpoint }) => ask(source, endpoint, { query: address }, about(address))),
      ),
    ),
  );
}

async function detailRound(
  request: ScoreRequest,
  site: ProjectSite,
  first: Searches,
  listings: readonly TokenRecord[],
  callerPlaces: readonly string[],
  { ask }: IdentityRequests,
) {
  const { listed, searched, hits } = first;
  const { catalogue } = listed;
  const { page } = first.home;
  const tied = listings.filter((row) => row.hasToken);
  const hitsOf = (source: string) =>
    hits.find((row) => row.source === source)?.records ?? first.mapped.filter((row) => row.source === source);
  const wanted = findersOf('id').map(({ source, finds: { most } }) => {
    const ids = idsWorthReading(request, source, tied, hitsOf(source), most);
    return { source, ids: source === catalogue ? [...new Set([...listed.given, ...ids])] : ids };
  });
  const seen = new Set(searched.flatMap((record) => record.addresses.map((place) => place.split(':')[1])));
  const printed = page.places
    .map((place) => place.split(':')[1] ?? '')
    .filter((address, index, all) => all.indexOf(address) === index);
  const unseen = printed.filter((address) => !seen.has(address)).slice(0, MOST_PRINTED);
  const mints = [...callerPlaces, ...page.places]
    .filter((place) => place.startsWith('solana:'))
    .map((place) => place.slice('solana:'.length));
  const server = first.bootstrap && site.domain !== null ? rdapServerOf(first.bootstrap.reply, site.domain) : null;
  const symbols =
    plainSymbol(request.tokenSymbol) === null ? symbolsWorthMapping(request, tied, hits[0]?.records ?? []) : [];
  const open = wanted.filter(({ source }) => source !== catalogue);
  const [read, found, metadata, registration, maps] = await Promise.all([
    Promise.all(open.flatMap(({ source, ids }) => ids.map((id) => details(source, id, ask)))),
    byAddresses(unseen, (address) => `search by the printed address ${address}`, ask),
    Promise.all(
      [...new Set(mints)].slice(0, MOST_PRINTED).map(async (mint) => ({
        mint,
        answer: await ask(TOKEN_METADATA, 'metadata', { base: 'main', mint }, `metadata of ${mint}`),
      })),
    ),
    server === null || site.domain === null
      ? null
      : ask(REGISTRATION, 'domain', { domain: site.domain, server }, 'registration of the domain'),
    Promise.all(symbols.map((symbol) => mapsOf(symbol, `map by symbol ${symbol}`, ask))),
  ]);
  const rows = [...first.mapped, ...maps.flat()];
  const full = read.flat();
  const isSame = (row: TokenRecord) => (other: TokenRecord) => other.source === row.source && other.id === row.id;
  const catalogued = wanted.find(({ source }) => source === catalogue)?.ids ?? [];
  const records = [
    ...catalogued.flatMap((id) => listed.recordOf(id) ?? []),
    ...full.map((record) => withCatalogueId(record, listed)),
    // A fully read row needs no second record. The other rows only provide their id to a token with the same address.
    ...rows.filter((row) => row.addresses.length > 0 && !full.some(isSame(row))),
    ...found,
  ];
  const ranked = records.map((record) =>
    record.rank === null ? { ...record, rank: rows.find(isSame(record))?.rank ?? null } : record,
  );
  const settled = settledCoin([...ranked, ...tied, ...searched], site.domain, catalogue);
  const ids = settled === null ? catalogued : [settled];
  // Reads the coin's own page: of the coin that the lists and the other registries agree on (the collection requests it
  // too), otherwise of all that remain open. A page for which no request is left is replaced by the list's row.
  const profiled = catalogue === null ? [] : await Promise.all(ids.map((id) => details(catalogue, id, ask)));
  return {
    records: [...profiled.flat(), ...ranked],
    metadata: metadataOf(metadata),
    registeredAt: registrationOf(registration),
  };
}

/**
 * The catalogue's id of the only token that is listed with the website; null when there are several or the catalogue
 * does not have it.
 */
function settledCoin(records: readonly TokenRecord[], domain: string | null, catalogue: string | null): string | null {
  if (domain === null) return null;
  const candidates = foldRecords(records).filter((candidate) =>
    candidate.records.some((record) => record.curated && record.domains.includes(domain)),
  );
  const [only] = candidates;
  return candidates.length === 1 ? (only?.records.find((record) => record.source === catalogue)?.id ?? null) : null;
}

function withCatalogueId(record: TokenRecord, { catalogue, catalogueIdOf }: Listed): TokenRecord {
  if (record.id === null || catalogue === null || record.source === catalogue || record.ids[catalogue] !== undefined)
    return record;
  const id = catalogueIdOf(record.source, record.id);
  return id === null ? record : { ...record, ids: { ...record.ids, [catalogue]: id } };
}

function largestFirst(answers: readonly (IdentityReply | null)[]): readonly TokenRecord[] {
  const [first, ...others] = answers.flatMap((answer) => (answer === null ? [] : [sortedProjects(answer.records)]));
  return others.length === 0 ? (first ?? []) : sortedProjects([first ?? [], ...others].flat());
}

// The list is shared by all jobs and has thousands of rows: it is sorted once per fetch.
const sortedLists = new WeakMap<object, readonly TokenRecord[]>();

function sortedProjects(rows: readonly TokenRecord[]): readonly TokenRecord[] {
  const known = sortedLists.get(rows);
  if (known) return known;
  const made = [...rows].sort((a, b) => b.tvlUsd - a.tvlUsd || ((a.slug ?? '') < (b.slug ?? '') ? -1 : 1));
  sortedLists.set(rows, made);
  return made;
}

function metadataOf(
  rows: readonly { readonly mint: string; readonly answer: IdentityReply | null }[],
): Gathered['metadata'] {
  const known = rows.flatMap(({ mint, answer }) => {
    const uris = answer?.observations.filter((row) => row.quantity === 'metadata_uri').map((row) => row.value) ?? [];
    return answer
      ? [
          [
            `solana:${mint}`,
            { domains: domainsOf(uris), source: answer.source, responseId: answer.responseId },
          ] as const,
        ]
      : [];
  });
  return new Map(known);
}

function registrationOf(answer: IdentityReply | null): string | null {
  const value = answer?.observations.find((row) => row.quantity === 'domain_registered_at')?.value;
  return typeof value === 'string' ? value : null;
}

/**
 * The caller's address on every chain where it is possible: a single one if the chain is given or follows from the
 * format.
 */
function placesOf(request: ScoreRequest): readonly string[] {
  const { tokenAddress } = request;
  if (tokenAddress === null) return [];
  const said = request.blockchain === null ? null : findChain(request.blockchain);
  const chains: readonly Chain[] = said ? [said] : CHAINS.filter((chain) => isAddressOn(chain, tokenAddress.trim()));
  return chains.map((chain) => placed(chain, tokenAddress)).filter((place) => place !== null);
}
