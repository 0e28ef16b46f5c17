import { githubRepo, registrableDomain, social, text } from '../read.ts';
import { readHtml } from './html.ts';

/** What one page of a project's site says. Everything in it is outside text. */
export interface Page {
  readonly title: string | null;
  readonly links: readonly PageLink[];
  readonly addresses: readonly PageAddress[];
  readonly socials: readonly { readonly kind: string; readonly handle: string }[];
  readonly repos: readonly string[];
  /** Profiles on LinkedIn, which prove nothing. */
  readonly profiles: readonly string[];
  readonly pseudonyms: number;
  readonly words: string;
}

export interface PageLink {
  readonly kind: string;
  readonly url: string;
}

export interface PageAddress {
  readonly chain: string | null;
  readonly address: string;
  readonly via: 'text' | 'explorer' | 'dex';
}

const MOST_ADDRESSES = 20;

/** Kinds of links by their text and path; the first that fits counts. Tables of words, English first. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['audit', /\baudits?\b|security[- ]review/i],
  ['bounty', /bug[- ]?bounty|immunefi\.com|hackenproof\.com/i],
  ['whitepaper', /white[- ]?paper|lite[- ]?paper/i],
  ['tokenomics', /tokenomics|token[- ]economics|\bvesting\b/i],
  ['governance', /governance|snapshot\.(org|box)|tally\.xyz|realms\.today|\bdao\b|\bvote\b/i],
  ['team', /\bteam\b|about[- ]us|\bfounders?\b|\/about\b/i],
  ['reserves', /reserves?|attestation|proof[- ]of[- ]reserve|transparency/i],
  ['docs', /\bdocs?\b|documentation|gitbook|developers?\b/i],
  ['legal', /terms|privacy|legal|imprint|impressum/i],
];

const EXPLORERS: readonly (readonly [RegExp, string | null])[] = [
  [/^https?:\/\/(?:www\.)?solscan\.io\/(?:token|account)\/([1-9A-HJ-NP-Za-km-z]{32,44})/, 'solana'],
  [
    /^https?:\/\/(?:explorer\.solana\.com|solana\.fm|xray\.helius\.xyz)\/(?:address|token)\/([1-9A-HJ-NP-Za-km-z]{32,44})/,
    'solana',
  ],
  [/^https?:\/\/etherscan\.io\/(?:token|address)\/(0x[0-9a-fA-F]{40})/, 'ethereum'],
  [/^https?:\/\/basescan\.org\/(?:token|address)\/(0x[0-9a-fA-F]{40})/, 'base'],
  [/^https?:\/\/bscscan\.com\/(?:token|address)\/(0x[0-9a-fA-F]{40})/, 'bsc'],
  [/^https?:\/\/arbiscan\.io\/(?:token|address)\/(0x[0-9a-fA-F]{40})/, 'arbitrum'],
  [/^https?:\/\/polygonscan\.com\/(?:token|address)\/(0x[0-9a-fA-F]{40})/, 'polygon'],
  [/^https?:\/\/optimistic\.etherscan\.io\/(?:token|address)\/(0x[0-9a-fA-F]{40})/, 'optimism'],
  [/^https?:\/\/(?:snowtrace\.io|snowscan\.xyz)\/(?:token|address)\/(0x[0-9a-fA-F]{40})/, 'avalanche'],
];
const DEX_HOSTS =
  /(^|\.)(jup\.ag|raydium\.io|pump\.fun|birdeye\.so|meteora\.ag|orca\.so|dexscreener\.com|uniswap\.org|pancakeswap\.finance|sushi\.com|aerodrome\.finance|dextools\.io|1inch\.io)$/;

/** Reads a page. Never throws; scripts are not run, nothing is fetched. `base` resolves relative links. */
export function readPage(html: string, base: string): Page {
  const { title, anchors: raw, words } = readHtml(html);
  const anchors = raw.flatMap(({ label, href }) => {
    const url = resolve(href, base);
    return url === null ? [] : [{ label, url }];
  });
  const links = anchors.flatMap(({ label, url }) => {
    const kind =
      social(url)?.kind ??
      (githubRepo(url) ? 'github' : KINDS.find(([, pattern]) => pattern.test(label) || pattern.test(pathOf(url)))?.[0]);
    return kind ? [{ kind, url: url.slice(0, 400) }] : [];
  });
  return {
    title: text(title, 200),
    links: unique(links, (row) => `${row.kind} ${row.url}`).slice(0, 80),
    addresses: addressesOn(
      anchors.map(({ url }) => url),
      words,
    ),
    socials: unique(
      anchors.map(({ url }) => social(url)).filter((row) => row !== null),
      (row) => `${row.kind} ${row.handle}`,
    ).slice(0, 20),
    repos: [...new Set(anchors.map(({ url }) => githubRepo(url)).filter((row) => row !== null))].slice(0, 10),
    profiles: [
      ...new Set(anchors.map(({ url }) => url.slice(0, 400)).filter((url) => url.includes('linkedin.com/in/'))),
    ].slice(0, 10),
    pseudonyms: (words.match(/\b(0x[a-z][a-z0-9]{2,15}|[a-z0-9-]{3,20}\.eth)\b/g) ?? []).length,
    words,
  };
}

/** Addresses in explorer links first (they name the chain), then in links to DEXs, then in the text. */
function addressesOn(urls: readonly string[], words: string): readonly PageAddress[] {
  const found = new Map<string, PageAddress>();
  const add = (row: PageAddress) => {
    if (found.size < MOST_ADDRESSES && !found.has(row.address)) found.set(row.address, row);
  };
  for (const url of urls)
    for (const [pattern, chain] of EXPLORERS) {
      const match = pattern.exec(url);
      if (match?.[1]) add({ chain, address: canonical(match[1]), via: 'explorer' });
    }
  for (const url of urls) if (DEX_HOSTS.test(hostOf(url))) for (const row of addressesIn(url, 'dex')) add(row);
  for (const row of addressesIn(words, 'text')) add(row);
  return [...found.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** Characters on either side of a bare word in which the page may say that it is an address on Solana; other chains write addresses alike. */
const BESIDE = 120;

function addressesIn(words: string, via: PageAddress['via']): readonly PageAddress[] {
  const hex = [...words.matchAll(/(?<![0-9a-zA-Z])0x[0-9a-fA-F]{40}(?![0-9a-zA-Z])/g)].map((match) => match[0]);
  const mints = [...words.matchAll(/(?<![0-9a-zA-Z])[1-9A-HJ-NP-Za-km-z]{43,44}(?![0-9a-zA-Z])/g)]
    .filter(
      (match) =>
        via !== 'text' || /solana|\bspl\b/i.test(words.slice(Math.max(0, match.index - BESIDE), match.index + BESIDE)),
    )
    .map((match) => match[0])
    .filter((word) => /[0-9]/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word));
  return [
    ...hex.map((address) => ({ chain: null, address: canonical(address), via })),
    ...mints.map((address) => ({ chain: 'solana', address, via })),
  ];
}

function canonical(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address;
}

function resolve(href: string, base: string): string | null {
  try {
    const url = new URL(href, base);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return '';
  }
}

function pathOf(url: string): string {
  try {
    const { hostname, pathname } = new URL(url);
    return `${hostname}${pathname}`;
  } catch {
    return '';
  }
}

function unique<Row>(rows: readonly Row[], key: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()];
}

/** Pages of the same registrable domain worth reading next, at most `most`, in a stable order of usefulness. */
export function followUps(page: Page, domain: string | null, most: number): readonly string[] {
  const useful = ['team', 'audit', 'tokenomics', 'reserves', 'docs'];
  const own = page.links.filter(
    (link) =>
      useful.includes(link.kind) &&
      domain !== null &&
      registrableDomain(link.url) === domain &&
      !/\.(pdf|png|jpe?g|zip)$/i.test(link.url),
  );
  return useful
    .flatMap((kind) => own.filter((link) => link.kind === kind).slice(0, 1))
    .map((link) => link.url.split('#')[0] ?? link.url)
    .slice(0, most);
}
