import { assetId } from '../chains/index.ts';
import type { CanonicalRecord, Identification, Sourced, TokenRecord } from '../domain/index.ts';
import { tellerOf } from '../domain/index.ts';
import { sorted, text } from '../sources/index.ts';
import { type Home, keysOf } from './asset-of.ts';
import type { Candidate } from './candidates.ts';
import type { Gathered } from './gather.ts';
import { plainName } from './names.ts';
import { siteNameOf } from './site-name.ts';
import type { TiedWebsite } from './website.ts';

/** An identification with the record it rests on. */
export type Identified = Identification & { readonly canonical: CanonicalRecord };

const SITE = tellerOf('site');
const MOST_CATEGORIES = 40;
const MOST_LINKS = 20;

/**
 * The canonical record of a token, from its registry records, on-chain metadata and tied website: the same whatever words led to
 * the token. Name and symbol are those of most independent registries; without a registry, those of the market indexes, which
 * read them from the chain. `now`: RFC 3339.
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
  return {
    schema: 'assay.canonical/1',
    assetId: home === null ? `project:${projectNameOf(website, candidate)}` : assetId(home.chain, home.address),
    chain: home?.chain.name ?? null,
    address: home?.address ?? null,
    name: sourced(name?.value ?? symbol?.value ?? candidate.key, name?.sources ?? symbol?.sources ?? [], now),
    symbol: sourced(symbol?.value ?? null, symbol?.sources ?? [], now),
    website: sourced(website?.url ?? null, website?.sources ?? [], now),
    categories: sourced(categoriesOf(filed), sourcesOf(filed), now),
    links: sourced(sorted(listed.flatMap((record) => record.socials)).slice(0, MOST_LINKS), sourcesOf(listed), now),
    keys: keysOf(candidate, gathered),
  };
}

/**
 * The canonical record of a project that has no token. Its name: that of the largest project that a registry lists with the domain, else the one
 * the landing page gives, else the domain.
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

/** A coin on no chain of ours is known by its website's domain, else by its first registry id. */
function projectNameOf(website: TiedWebsite | null, candidate: Candidate): string {
  return website?.domain ?? candidate.key.replace(/[^a-z0-9.-]/gi, '-').toLowerCase();
}

/**
 * The word that most lineage groups use, in the spelling of the first registry among them; equal: the first registry's.
 * Curated registries before market indexes. A registry of projects names the project, not the token: it is heard where no other names it.
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
  const heard = tiers.find((rows) => rows.length > 0) ?? [];
  const familiesOf = (key: string) =>
    new Set(heard.filter((row) => row.key === key).map((row) => row.record.family)).size;
  // Records come in the order of the registries, and the sort is stable.
  const [best] = [...heard].sort((a, b) => familiesOf(b.key) - familiesOf(a.key));
  if (best === undefined) return null;
  return { value: best.word, sources: sourcesOf(heard.filter((row) => row.key === best.key).map((row) => row.record)) };
}

function sourcesOf(records: readonly { readonly source: string }[]): readonly string[] {
  return sorted(records.map((record) => record.source));
}

function categoriesOf(rows: readonly { readonly categories: readonly string[] }[]): readonly string[] {
  return sorted(rows.flatMap((row) => row.categories).map((word) => word.toLowerCase())).slice(0, MOST_CATEGORIES);
}
