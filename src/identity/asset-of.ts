import { assetId, CHAINS, type Chain, findChain } from '../chains/index.ts';
import {
  type Asset,
  type AssetKeys,
  type CanonicalRecord,
  NO_KEYS,
  type ScoreRequest,
  sourceFor,
  type TokenRecord,
  tiesIn,
} from '../domain/index.ts';
import { assetName, canonicalDeployment } from '../registers/index.ts';
import { ownDomain, registrableDomain, repoParams, sorted } from '../sources/index.ts';
import { type Candidate, coinIdOf, keysFrom, split } from './candidates.ts';
import type { Gathered } from './gather.ts';
import { onePerGroup, shownPlace } from './match.ts';
import type { IdentityReply } from './requests.ts';
import { compareNames, hostNamed } from './sites.ts';

const LONGEST_CATEGORY = 200;

/** Chain and address of a token; null for a coin of an unsupported chain. */
export type Home = { readonly chain: Chain; readonly address: string } | null;

/** Builds the asset from its canonical record. */
export function assetOf(record: CanonicalRecord): Asset {
  const categories = record.categories.value.join(', ').slice(0, LONGEST_CATEGORY);
  return {
    id: record.assetId,
    chain: record.chain,
    address: record.address,
    symbol: record.symbol.value,
    name: record.name.value,
    category: categories === '' ? null : categories,
    website: record.website.value,
  };
}

/**
 * Builds the asset of a candidate that is not (or not yet) the result, with its location and names. `website`: the one
 * tied to it, or null.
 */
export function candidateAsset(
  candidate: Candidate,
  request: ScoreRequest,
  gathered: Gathered,
  website: string | null,
): Asset {
  const home = homeOf(candidate, request, gathered);
  const coin = home === null ? coinIdOf(candidate) : null;
  return {
    id:
      home === null
        ? (coin ?? `project:${candidate.key.replace(/[^a-z0-9.-]/gi, '-').toLowerCase()}`)
        : assetId(home.chain, home.address),
    chain: home?.chain.name ?? null,
    address: home?.address ?? (coin === null ? null : 'native'),
    symbol: candidate.symbol,
    name: candidate.name ?? candidate.symbol ?? candidate.key,
    category: null,
    website,
  };
}

function isHeld(records: readonly TokenRecord[], source: string, id: string): boolean {
  return records.some((record) => record.source === source && record.id === id);
}

/** Names and ids of the candidate at the registries. Copies of it on other chains do not count as deployments. */
export function keysOf(candidate: Candidate | null, gathered: Gathered): AssetKeys {
  const originals = (candidate?.records ?? []).filter((record) => !record.copy || candidate?.copy === true);
  const idAt = (source: string) =>
    originals.find((record) => record.source === source && record.id !== null)?.id ?? null;
  const namedIds = (source: string) => originals.flatMap((record) => record.ids[source] ?? []);
  // An id whose record was read, and is not this token's, was named by mistake.
  const isOfOther = (source: string, id: string) =>
    isHeld(gathered.records, source, id) && !isHeld(candidate?.records ?? [], source, id);
  const places = [...new Set(originals.flatMap((record) => record.addresses))];
  return {
    ...NO_KEYS,
    ...keysFrom((source) => idAt(source) ?? namedIds(source).find((id) => !isOfOther(source, id)) ?? null),
    defillamaSlug: slugOf(candidate, gathered),
    githubRepos: reposOf(
      originals.flatMap((record) => record.repos),
      gathered.page.repos,
    ),
    deployments: places.sort(byChain).flatMap((place) => {
      const { chain, address } = split(place);
      return chain ? [{ chain: chain.name, address }] : [];
    }),
  };
}

/**
 * Chain and address of a token. If the caller sent an address, it is the deployment at that address. Otherwise,
 * whatever chain the caller names, the first of: the chain whose own coin it is; the canonical deployment in a kept
 * register; the home that most registries name. If no source names a home: the caller's chain; the chain with the most
 * liquidity (registries do not state the supply of each deployment); the first in Assay's order of chains. The same
 * order decides between deployments at one address, if the caller sent it without a chain. On the chosen chain, the
 * address that most registries name.
 */
export function homeOf(candidate: Candidate, request: ScoreRequest, { callerPlaces }: Gathered): Home {
  const sent = candidate.places.filter((place) => callerPlaces.includes(place));
  const own = sent.length > 0 ? undefined : CHAINS.find((chain) => chain.name === candidate.nativeOf);
  if (own !== undefined) return { chain: own, address: 'native' };
  const places = sent.length > 0 ? sent : candidate.places;
  const on = (chain: string) =>
    homeAt(
      mostNamed(
        candidate,
        places.filter((place) => place.startsWith(`${chain}:`)),
      ),
    );
  const wanted = request.blockchain === null ? null : findChain(request.blockchain);
  return (
    canonicalHome(places) ??
    registeredHomes(candidate)
      .map(on)
      .find((home) => home !== null) ??
    (wanted ? on(wanted.name) : null) ??
    deepestHome(candidate, places) ??
    on(split([...places].sort(byChain)[0] ?? '').chain?.name ?? '')
  );
}

/**
 * Among addresses on one chain: the one that most curated lineage groups name, then the one of the first registry.
 * Registries disagree where one of them keeps the contract before a migration.
 */
function mostNamed({ records }: Candidate, places: readonly string[]): string | undefined {
  const groups = (place: string) =>
    onePerGroup(records.filter((record) => record.curated && record.addresses.includes(place))).length;
  // Records are in the order of the registries, places in that of the alphabet, and the sort is stable.
  const first = (place: string) => records.findIndex((record) => record.addresses.includes(place));
  return [...places].sort((a, b) => groups(b) - groups(a) || first(a) - first(b))[0];
}

function homeAt(place: string | undefined): Home {
  const found = place === undefined ? null : split(place);
  return found?.chain ? { chain: found.chain, address: found.address } : null;
}

/** The place with the most liquidity on one market; null without liquidity. */
function deepestHome({ records }: Candidate, places: readonly string[]): Home {
  const [deepest] = records
    .map((record) => ({ ...record, place: record.addresses.find((place) => places.includes(place)) }))
    .filter(({ place, liquidityUsd }) => place !== undefined && liquidityUsd > 0)
    .sort((a, b) => b.liquidityUsd - a.liquidityUsd);
  return homeAt(deepest?.place);
}

/** The first deployment in its row of a kept register; null without a row, or on an unsupported chain. */
function canonicalHome(places: readonly string[]): Home {
  const found = places.flatMap((place) => {
    const { chain, address } = split(place);
    return chain ? [{ chain, address, name: assetName(chain.caip2, address) }] : [];
  });
  const canonical = canonicalDeployment(found.map(({ name }) => name));
  const home = found.find(({ name }) => name === canonical);
  return home === undefined ? null : { chain: home.chain, address: home.address };
}

/**
 * Chains that registries name as the token's home: first those named by most lineage groups, then in the order of the
 * registries.
 */
function registeredHomes({ records }: Candidate): readonly string[] {
  const named = records.flatMap(({ home, family }) => (home === null ? [] : [{ home, family }]));
  const families = (home: string) => new Set(named.filter((row) => row.home === home).map((row) => row.family)).size;
  return [...new Set(named.map((row) => row.home))].sort((a, b) => families(b) - families(a));
}

function slugOf(candidate: Candidate | null, { protocols, listings }: Gathered): string | null {
  const owns = listings.find(
    (row) => row.hasToken && candidate?.records.some((record) => record.source === row.source && record.id === row.id),
  );
  const tokenless = protocols.find(
    (row) => !row.hasToken && (candidate === null || compareNames(row.name ?? '', candidate.name) !== 'other'),
  );
  return (owns ?? tokenless)?.slug ?? null;
}

/** Repositories, those first that both the site and a registry name. */
function reposOf(registered: readonly string[], linked: readonly string[]): readonly string[] {
  const links = new Set(linked.map((repo) => repo.toLowerCase()));
  const both = registered.filter((repo) => links.has(repo.toLowerCase()));
  return [...new Map([...both, ...registered, ...linked].map((repo) => [repo.toLowerCase(), repo])).values()].slice(
    0,
    5,
  );
}

function byChain(a: string, b: string): number {
  const place = (text: string) => CHAINS.findIndex((chain) => text.startsWith(`${chain.name}:`));
  return place(a) - place(b) || (a < b ? -1 : 1);
}

/** The website of a token, with the sources that tie it to the token. */
export interface TiedWebsite {
  /** `https://<host>/`, with the host as most registries write it. */
  readonly url: string;
  /** Null on a host below a private suffix (`name.github.io`). */
  readonly domain: string | null;
  readonly sources: readonly string[];
}

/** A domain claimed for the token by registries, profiles or metadata. */
interface Claim {
  readonly domain: string;
  readonly host: string;
  /** Curated lineage groups that name it, plus `chain` for on-chain metadata. */
  readonly witnesses: readonly string[];
  /** Number of curated lineage groups that name it first. */
  readonly first: number;
  readonly isCurated: boolean;
  /** True when another curated lineage group names only other domains. */
  readonly isDenied: boolean;
  readonly sources: readonly string[];
}

const SITE = sourceFor('site');
/** Number of landing pages read to decide between claims. */
const MOST_PAGES = 3;

/**
 * The website of a token, from registries, on-chain metadata, market profiles and the landing pages of the domains that
 * they name; never from the caller. A domain is tied to the token when
 * 1. two independent curated registries name it, or one of them and on-chain metadata, or
 * 2. one of these names it and its landing page shows the token's address, or
 * 3. one curated registry names it and no other names a different one, or
 * 4. no curated registry names any, a market profile or on-chain metadata names it, and its landing page shows the
 * address.
 * If several domains are tied: the one with more witnesses, then the one that more registries name first, then the only
 * one whose landing page shows the address; otherwise none. For a coin without an address on a supported chain, the
 * domain of the first registry is used instead of none.
 */
export async function websiteOf(candidate: Candidate, gathered: Gathered): Promise<TiedWebsite | null> {
  const all = claimsOf(candidate, gathered);
  // Data that anybody can buy or write counts only when no registry names a website.
  const claims = all.some((claim) => claim.isCurated) ? all.filter((claim) => claim.witnesses.length > 0) : all;
  const shown = await shownClaims(claims, candidate, gathered);
  const tied = claims.filter(
    (claim) => claim.witnesses.length >= 2 || shown.has(claim.domain) || (claim.isCurated && !claim.isDenied),
  );
  const best = bestOf(tied, shown) ?? (candidate.places.length === 0 ? (tied[0] ?? claims[0]) : undefined);
  if (best === undefined) return null;
  return {
    url: `https://${best.host}/`,
    domain: registrableDomain(best.host),
    sources: sorted([...best.sources, ...(shown.has(best.domain) ? [SITE] : [])]),
  };
}

/**
 * The website that most sources name, before a page was read to confirm it; null if there is none or two are named
 * equally often.
 */
export function claimedWebsite(candidate: Candidate, gathered: Gathered): TiedWebsite | null {
  const best = bestOf(claimsOf(candidate, gathered), new Set());
  return best === undefined
    ? null
    : { url: `https://${best.host}/`, domain: registrableDomain(best.host), sources: best.sources };
}

function bestOf(tied: readonly Claim[], shown: ReadonlySet<string>): Claim | undefined {
  const [best, second] = tied;
  if (best === undefined || second === undefined || strength(best, second) < 0) return best;
  const equals = tied.filter((claim) => strength(claim, best) === 0);
  const showing = equals.filter((claim) => shown.has(claim.domain));
  return showing.length === 1 ? showing[0] : undefined;
}

/** Negative if `a` has more sources than `b`, or equally many and is named first more often. */
function strength(a: Claim, b: Claim): number {
  return b.witnesses.length - a.witnesses.length || b.first - a.first;
}

/** Domains whose landing page shows the token. Pages are read only if the sources alone do not decide. */
async function shownClaims(
  claims: readonly Claim[],
  candidate: Candidate,
  { sites }: Gathered,
): Promise<ReadonlySet<string>> {
  const [best, second] = claims;
  const isDecided =
    best !== undefined && best.witnesses.length >= 2 && (second === undefined || strength(best, second) < 0);
  const open = isDecided ? [best] : claims.slice(0, MOST_PAGES);
  const pages = await Promise.all(
    open.map(async (claim) => ({ claim, page: await sites.read(`https://${claim.host}/`) })),
  );
  return new Set(
    pages
      .filter(({ claim, page }) => shownPlace(candidate, page, claim.host, claim.isCurated) !== null)
      .map(({ claim }) => claim.domain),
  );
}

/** Strongest first; ties in the order of the registries, then alphabetically. */
function claimsOf(candidate: Candidate, { metadata }: Gathered): readonly Claim[] {
  const named = candidate.records.flatMap((record) =>
    record.hosts.flatMap((host, index) => {
      const domain = ownDomain(`https://${host}/`);
      return domain === null ? [] : [{ record, host, domain, isFirst: index === 0 }];
    }),
  );
  const onChain = candidate.places.flatMap((place) => metadata.get(place)?.domains ?? []);
  const votes = named.map(({ record, host }) => ({ family: record.family, curated: record.curated, host }));
  const claims = [...new Set([...named.map((row) => row.domain), ...onChain])].map((domain): Claim => {
    const own = named.filter((row) => row.domain === domain);
    const curated = own.filter((row) => row.record.curated);
    const families = new Set(curated.map((row) => row.record.family));
    const isOnChain = onChain.includes(domain);
    return {
      domain,
      host: hostNamed(domain, votes) ?? domain,
      witnesses: sorted([...families, isOnChain ? 'chain' : null]),
      first: new Set(curated.filter((row) => row.isFirst).map((row) => row.record.family)).size,
      isCurated: families.size > 0,
      isDenied: named.some((row) => row.record.curated && !families.has(row.record.family)),
      sources: sorted([...own.map((row) => row.record.source), isOnChain ? 'chain' : null]),
    };
  });
  // `named` is in the order of the registries, and the stable sort keeps that order among equals.
  return claims.sort(strength);
}

const CODE = sourceFor('code');

/**
 * The repository that the site links, if its homepage or README names the site: the same party then controls both. Null
 * when there is none, it names another site, or GitHub did not reply. The same ties decide whether its work counts
 * (`sources/github-ties.ts`).
 */
export async function repositoryTie(gathered: Gathered): Promise<string | null> {
  const { site, page, requests } = gathered;
  const [repo] = page.repos;
  if (site.domain === null || repo === undefined) return null;
  const params = repoParams(repo, { registrableDomain: site.domain, address: null, keys: keysOf(null, gathered) });
  const byHomepage = await requests.ask(CODE, 'repo', params, `homepage of the repository ${repo}`);
  if (byHomepage === null || isTied(byHomepage)) return byHomepage === null ? null : repo;
  const byReadme = await requests.ask(CODE, 'readme', params, `README of the repository ${repo}`);
  return byReadme !== null && isTied(byReadme) ? repo : null;
}

function isTied({ observations }: IdentityReply): boolean {
  return observations.some(
    (row) => row.quantity === 'ties' && tiesIn(row.value).some((tie) => tie.state === 'confirmed'),
  );
}
