import { assetId, findChain } from '../chains/index.ts';
import {
  type CanonicalRecord,
  type Identification,
  NO_WEBSITE,
  type ScoreRequest,
  type Sourced,
  type Stage,
  sourceFor,
  type TokenRecord,
} from '../domain/index.ts';
import { landingPage, ownDomain, plainSymbol, sorted, text } from '../sources/index.ts';
import { type Home, keysOf, type TiedWebsite } from './asset-of.ts';
import { type Candidate, coinIdOf } from './candidates.ts';
import type { Gathered } from './gather.ts';
import { plainName, siteNameOf } from './sites.ts';

/**
 * The request that names an asset by its canonical record only. Every rating for publication is identified and
 * collected by it. Without a website, the reserved address `NO_WEBSITE` is used. Identifying by this request gives the
 * same record.
 */
export function canonicalRequest(record: CanonicalRecord, stage: Stage): ScoreRequest {
  return {
    type: stage === 'pre_tge' ? 'pretge' : 'posttge',
    project: record.name.value,
    projectUrl: record.website.value ?? NO_WEBSITE,
    tokenSymbol: record.symbol.value,
    category: null,
    blockchain: record.chain,
    tokenAddress: record.address === 'native' ? null : record.address,
  };
}

/** True when two requests name an asset in the same words. */
export function sameRequest(left: ScoreRequest, right: ScoreRequest): boolean {
  const words = (request: ScoreRequest) =>
    JSON.stringify([
      request.type.toLowerCase(),
      request.project,
      request.projectUrl,
      request.tokenSymbol,
      request.blockchain,
      request.tokenAddress,
    ]);
  return words(left) === words(right);
}

/** Maximum characters of a caller's word that are repeated. */
const LONGEST_WORD = 80;

/**
 * Describes which of the caller's words differ from the canonical record, and what is used instead; [] when they agree.
 * Equivalent spellings (letter case, `www.`, a chain's alias) are no difference. A path is one, because it names a page
 * that is not read.
 */
export function differencesOf(request: ScoreRequest, record: CanonicalRecord): readonly string[] {
  const { name, symbol, website, chain, address, categories } = record;
  const differences: string[] = [];
  const differs = (field: string, sent: string, used: string | null) =>
    differences.push(
      used === null
        ? `${field}: ${quoted(sent)} was sent; none is confirmed for the asset, and none is used`
        : `${field}: ${quoted(sent)} was sent; ${quoted(used)} is used, from registries, the chain and the project's own site`,
    );
  // Without a website the words were only used to search for the asset, and state nothing about it.
  if (request.projectUrl !== NO_WEBSITE) {
    if (plainName(request.project) !== plainName(name.value)) differs('project', request.project, name.value);
    if (!isSameSite(request.projectUrl, website.value)) differs('project_url', request.projectUrl, website.value);
    if (request.tokenSymbol !== null && plainSymbol(request.tokenSymbol) !== plainSymbol(symbol.value))
      differs('token_symbol', request.tokenSymbol, symbol.value);
  }
  if (request.category !== null && !categories.value.includes(request.category.trim().toLowerCase()))
    differs('category', request.category, categories.value.length === 0 ? null : categories.value.join(', '));
  const sentChain = request.blockchain === null ? null : (findChain(request.blockchain)?.name ?? request.blockchain);
  if (sentChain !== null && sentChain !== chain) differs('blockchain', request.blockchain ?? '', chain);
  const sentAddress = request.tokenAddress?.trim() ?? null;
  if (sentAddress !== null && sentAddress.toLowerCase() !== address?.toLowerCase())
    differs('token_address', sentAddress, address);
  return differences;
}

/** True for the same landing page: differences in scheme, `www.` or letter case do not count. */
function isSameSite(sent: string, website: string | null): boolean {
  if (website === null || ownDomain(sent) === null) return false;
  const bare = (url: string) => landingPage(url)?.replace('://www.', '://') ?? url;
  if (bare(sent) !== bare(website)) return false;
  const { pathname, search, hash, port } = new URL(sent);
  return pathname === '/' && search === '' && hash === '' && port === '';
}

function quoted(word: string): string {
  const short = word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}…` : word;
  return `"${short.toWellFormed().replace(/[\p{Cc}\p{Cf}"]/gu, '')}"`;
}

/** An identification with its canonical record. */
export type Identified = Identification & { readonly canonical: CanonicalRecord };

const SITE = sourceFor('site');
const MOST_CATEGORIES = 40;
const MOST_LINKS = 20;

/**
 * The canonical record of a token, from its registry records, on-chain metadata and tied website. It is the same
 * whatever words led to the token. Name and symbol are those that most independent registries use or, without a
 * registry, those of the market indexes, which read them from the chain. `now`: RFC 3339.
 */
export function tokenRecord(
  candidate: Candidate,
  home: Home,
  website: TiedWebsite | null,
  gathered: Gathered,
  now: string,
): CanonicalRecord {
  const originals = candidate.records.filter((record) => !record.copy || candidate.copy);
  const curated = originals.filter((record) => record.curated);
  const name = agreed(originals, (record) => record.name, plainName);
  const symbol = agreed(
    originals,
    (record) => record.symbol,
    (word) => word,
  );
  const listed = curated.filter((record) => record.socials.length > 0);
  const filed = curated.filter((record) => record.categories.length > 0);
  const coin = home === null ? coinIdOf(candidate) : null;
  return {
    schema: 'assay.canonical/1',
    assetId:
      home === null ? (coin ?? `project:${projectNameOf(website, candidate)}`) : assetId(home.chain, home.address),
    chain: home?.chain.name ?? null,
    address: home?.address ?? (coin === null ? null : 'native'),
    name: sourced(name?.value ?? symbol?.value ?? candidate.key, name?.sources ?? symbol?.sources ?? [], now),
    symbol: sourced(symbol?.value ?? null, symbol?.sources ?? [], now),
    website: sourced(website?.url ?? null, website?.sources ?? [], now),
    categories: sourced(categoriesOf(filed), sourcesOf(filed), now),
    links: sourced(sorted(listed.flatMap((record) => record.socials)).slice(0, MOST_LINKS), sourcesOf(listed), now),
    keys: keysOf(candidate, gathered),
  };
}

/**
 * The canonical record of a project that has no token. Its name is that of the largest project that a registry lists
 * with the domain, otherwise the one that the landing page states, otherwise the domain.
 */
export function projectRecord(domain: string, gathered: Gathered, now: string): CanonicalRecord {
  const { site, page, protocols } = gathered;
  const [largest] = protocols;
  const stated = siteNameOf(page, domain);
  const name =
    largest?.name != null
      ? sourced(largest.name, [largest.source], now)
      : sourced(stated ?? domain, stated === null ? [] : [SITE], now);
  const listed = sourcesOf(protocols);
  const links = sorted(protocols.flatMap((row) => row.socials)).slice(0, MOST_LINKS);
  const categories = categoriesOf(protocols);
  return {
    schema: 'assay.canonical/1',
    assetId: `project:${domain}`,
    chain: null,
    address: null,
    name,
    symbol: sourced(null, [], now),
    website: sourced(site.url, sorted([...listed, page.read ? SITE : null]), now),
    categories: sourced(categories, categories.length > 0 ? listed : [], now),
    links: sourced(links, links.length > 0 ? listed : [], now),
    keys: { ...keysOf(null, gathered), defillamaSlug: largest?.slug ?? null },
  };
}

function sourced<Value>(value: Value, sources: readonly string[], since: string): Sourced<Value> {
  return { value, sources, since };
}

/** Id part of a coin on an unsupported chain: its website's domain, otherwise its first registry id. */
function projectNameOf(website: TiedWebsite | null, candidate: Candidate): string {
  return website?.domain ?? candidate.key.replace(/[^a-z0-9.-]/gi, '-').toLowerCase();
}

/**
 * The word that most lineage groups use, as spelled by the first registry among them; in a tie, the word of the first
 * registry. Curated registries take precedence over market indexes. A registry of projects names the project, not the
 * token, so it counts only when no other source has a name.
 */
function agreed(
  records: readonly TokenRecord[],
  wordOf: (record: TokenRecord) => string | null,
  fold: (word: string) => string,
): { readonly value: string; readonly sources: readonly string[] } | null {
  const said = records.flatMap((record) => {
    const word = text(wordOf(record), 120);
    return word === null ? [] : [{ record, word, key: fold(word) }];
  });
  const tiers = [
    said.filter(({ record }) => record.curated && !record.ofProject),
    said.filter(({ record }) => !record.curated),
    said,
  ];
  const deciding = tiers.find((rows) => rows.length > 0) ?? [];
  const familiesOf = (key: string) =>
    new Set(deciding.filter((row) => row.key === key).map((row) => row.record.family)).size;
  // Records are in the order of the registries, and the sort is stable.
  const [best] = [...deciding].sort((a, b) => familiesOf(b.key) - familiesOf(a.key));
  if (best === undefined) return null;
  return {
    value: best.word,
    sources: sourcesOf(deciding.filter((row) => row.key === best.key).map((row) => row.record)),
  };
}

function sourcesOf(records: readonly { readonly source: string }[]): readonly string[] {
  return sorted(records.map((record) => record.source));
}

function categoriesOf(rows: readonly { readonly categories: readonly string[] }[]): readonly string[] {
  return sorted(rows.flatMap((row) => row.categories).map((word) => word.toLowerCase())).slice(0, MOST_CATEGORIES);
}
