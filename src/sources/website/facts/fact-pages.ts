import { registrableDomain } from '../../read.ts';
import { readBlocks } from './blocks.ts';

/** Pages where facts stand, most telling first. English words, and the usual ones of some other languages. */
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

/** The home page and the pages of the same registrable domain that are worth reading for facts, at most `most`, in a stable order. */
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
  // The first page for each question, then others that would answer one too.
  for (const pattern of WORTH_READING) {
    const first = links.find(({ url, words }) => !chosen.has(url) && pattern.test(words));
    if (first !== undefined) chosen.add(first.url);
  }
  for (const { url, words } of links) if (WORTH_READING.some((pattern) => pattern.test(words))) chosen.add(url);
  return [...chosen].slice(0, most);
}

function sameSite(href: string, base: string, domain: string | null): string | null {
  try {
    const url = new URL(href, base);
    const isSame = domain === null ? url.host === new URL(base).host : registrableDomain(url.href) === domain;
    if (!isSame || !/^https?:$/.test(url.protocol) || BINARY.test(url.pathname) || url.href.length > 400) return null;
    return withoutFragment(url.href);
  } catch {
    return null;
  }
}

function withoutFragment(url: string): string {
  return url.split('#')[0] ?? url;
}
