import type { SiteFact } from '../../../domain/index.ts';
import { registrableDomain } from '../../links.ts';
import { type FactPage, factPage, readBlocks } from './fact-page.ts';
import { legalOn, peopleOn } from './people.ts';
import { conductOn, documentsOn, productOn, testnetOn } from './product.ts';
import { backingOn, tokenomicsOn } from './tokenomics.ts';

const READERS: readonly ((page: FactPage) => readonly (SiteFact | null)[])[] = [
  peopleOn,
  productOn,
  testnetOn,
  backingOn,
  tokenomicsOn,
  legalOn,
  conductOn,
  documentsOn,
];
const MOST_FACTS = 100;
/** Maximum number of facts of one kind, for pages that repeat themselves. */
const MOST_OF_A_KIND = 40;

/**
 * The facts that a page states, each with its sentence. Pure. Patterns are English; a page in another language gives fewer facts,
 * not wrong ones. Instructions on a page are never followed.
 */
export function readFacts(html: string, url: string, project: string): readonly SiteFact[] {
  const page = factPage(html, url, project);
  const found = new Map<string, SiteFact>();
  const counts = new Map<string, number>();
  for (const fact of READERS.flatMap((read) => read(page))) {
    if (fact === null) continue;
    const key = `${fact.kind} ${fact.name ?? ''} ${fact.value ?? ''} ${fact.detail ?? ''}`.toLowerCase();
    const known = found.get(key);
    // The same fact with a link, by which it can be checked, replaces the one without.
    if (known !== undefined && (known.link !== null || fact.link === null)) continue;
    const count = counts.get(fact.kind) ?? 0;
    if (known === undefined && count >= MOST_OF_A_KIND) continue;
    if (known === undefined) counts.set(fact.kind, count + 1);
    found.set(key, fact);
  }
  return [...found.values()].slice(0, MOST_FACTS);
}

/** Patterns of links to pages with facts, the most informative first, in English and some other languages. */
const WORTH_READING: readonly RegExp[] = [
  /\bteam\b|\babout\b|founders?|who we are|über uns|equipo|équipe|команда|团队|チーム/iu,
  /tokenomics|token (?:distribution|economics|allocation)|distribution|allocation|代币|токен/iu,
  /audits?\b|security/i,
  /white ?paper|lite ?paper|白皮书/iu,
  /\bdocs?\b|documentation|developers?|文档/iu,
  /backers?|investors?|funding|\braise|press|\bnews\b/i,
  /terms|legal|imprint|impressum|disclosure/i,
  /test ?net|product|\bapp\b|mainnet|roadmap/i,
  /privacy/i,
  /pre-?sale|\bsale\b|\bbuy\b|\btoken\b/i,
];
const BINARY = /\.(?:pdf|png|jpe?g|gif|svg|webp|zip|gz|mp4|dmg|exe|apk)$/i;

/** The home page and the pages of the same registrable domain that are likely to have facts, at most `most`, in a stable order. */
export function factPages(html: string, base: string, most: number): readonly string[] {
  const domain = registrableDomain(base);
  const links = readBlocks(html)
    .blocks.flatMap((block) => block.anchors)
    .flatMap(({ href, label }) => {
      const url = sameSite(href, base, domain);
      return url === null
        ? []
        : [{ url, words: `${label} ${url.replace(/^https?:\/\/[^/]+/, '')} ${new URL(url).hostname.split('.')[0]}` }];
    });
  const chosen = new Set([withoutFragment(base)]);
  // The first page for each pattern, then the other matching pages.
  for (const pattern of WORTH_READING) {
    const first = links.find(({ url, words }) => !chosen.has(url) && pattern.test(words));
    if (first !== undefined) chosen.add(first.url);
  }
  for (const { url, words } of links) if (WORTH_READING.some((pattern) => pattern.test(words))) chosen.add(url);
  return [...chosen].slice(0, most);
}

function sameSite(href: string, base: string, domain: string | null): string | null {
  const url = URL.parse(href, base);
  if (url === null || !/^https?:$/.test(url.protocol) || BINARY.test(url.pathname) || url.href.length > 400)
    return null;
  const isSame = domain === null ? url.host === URL.parse(base)?.host : registrableDomain(url.href) === domain;
  return isSame ? withoutFragment(url.href) : null;
}

function withoutFragment(url: string): string {
  return url.split('#')[0] ?? url;
}
