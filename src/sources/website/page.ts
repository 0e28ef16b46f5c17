import { load } from 'cheerio';
import { githubRepo, registrableDomain, social, text } from '../read.ts';

/** What one page of a project's site says. Everything in it is outside text. */
export interface Page {
  readonly title: string | null;
  readonly links: readonly PageLink[];
  readonly addresses: readonly PageAddress[];
  readonly socials: readonly { readonly kind: string; readonly handle: string }[];
  readonly repos: readonly string[];
  readonly people: number;
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

const MOST_LINKS = 400;
const MOST_ADDRESSES = 20;
const MOST_TEXT = 200_000;

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
const DEXES: readonly RegExp[] = [
  /(?:jup\.ag|raydium\.io|pump\.fun|birdeye\.so|meteora\.ag|orca\.so).*?\b([1-9A-HJ-NP-Za-km-z]{43,44})\b/,
  /(?:uniswap\.org|pancakeswap\.finance|sushi\.com|aerodrome\.finance|dextools\.io|1inch\.io).*?(0x[0-9a-fA-F]{40})/,
];

/** Reads a page. Never throws; scripts are not run, nothing is fetched. `base` resolves relative links. */
export function readPage(html: string, base: string): Page {
  const $ = load(html.slice(0, 1_500_000));
  const title = text($('title').first().text(), 200);
  const anchors = $('a[href]')
    .toArray()
    .slice(0, MOST_LINKS)
    .map((element) => ({ label: $(element).text().slice(0, 200), url: resolve($(element).attr('href'), base) }))
    .flatMap(({ label, url }) => (url ? [{ label, url }] : []));
  $('script,style,noscript,template').remove();
  const words = wordsOf($).slice(0, MOST_TEXT);
  const addresses = new Map<string, PageAddress>();
  const add = (found: PageAddress) => {
    const known = addresses.get(found.address);
    if (addresses.size < MOST_ADDRESSES && (!known || (known.chain === null && found.chain !== null)))
      addresses.set(found.address, found);
  };
  for (const { url } of anchors) {
    for (const [pattern, chain] of EXPLORERS) {
      const match = pattern.exec(url);
      if (match?.[1]) add({ chain, address: canonical(match[1]), via: 'explorer' });
    }
    for (const pattern of DEXES) {
      const match = pattern.exec(url);
      if (match?.[1])
        add({ chain: match[1].startsWith('0x') ? null : 'solana', address: canonical(match[1]), via: 'dex' });
    }
  }
  for (const match of words.matchAll(/\b0x[0-9a-fA-F]{40}\b/g))
    add({ chain: null, address: canonical(match[0]), via: 'text' });
  for (const match of words.matchAll(/\b[1-9A-HJ-NP-Za-km-z]{43,44}\b/g))
    if (/[0-9]/.test(match[0]) && /[a-z]/.test(match[0]) && /[A-Z]/.test(match[0]))
      add({ chain: 'solana', address: match[0], via: 'text' });
  const links = anchors.flatMap(({ label, url }) => {
    const kind =
      social(url)?.kind ??
      (githubRepo(url) ? 'github' : KINDS.find(([, pattern]) => pattern.test(label) || pattern.test(pathOf(url)))?.[0]);
    return kind ? [{ kind, url: url.slice(0, 400) }] : [];
  });
  return {
    title,
    links: unique(links, (row) => `${row.kind} ${row.url}`).slice(0, 80),
    addresses: [...addresses.values()].sort((a, b) => (a.address < b.address ? -1 : 1)),
    socials: unique(
      anchors.map(({ url }) => social(url)).filter((row) => row !== null),
      (row) => `${row.kind} ${row.handle}`,
    ).slice(0, 20),
    repos: [...new Set(anchors.map(({ url }) => githubRepo(url)).filter((row) => row !== null))].slice(0, 10),
    people: people($),
    pseudonyms: (words.match(/\b(0x[a-z][a-z0-9]{2,15}|[a-z0-9-]{3,20}\.eth)\b/g) ?? []).length,
    words,
  };
}

/** All text of the body in reading order, with a blank between elements: an address must not run into the button beside it. */
function wordsOf($: ReturnType<typeof load>): string {
  const texts: string[] = [];
  let length = 0;
  const open = $('body').toArray().reverse() as Array<{ type: string; data?: string; children?: unknown[] }>;
  for (let node = open.pop(); node !== undefined && length <= MOST_TEXT; node = open.pop()) {
    const words = node.type === 'text' ? (node.data ?? '').replace(/\s+/g, ' ').trim() : '';
    if (words !== '') texts.push(words);
    length += words.length + 1;
    for (const child of [...(node.children ?? [])].reverse()) open.push(child as (typeof open)[number]);
  }
  return texts.join(' ');
}

/** People named with a profile that can be looked up: that is what makes a name verifiable. */
function people($: ReturnType<typeof load>): number {
  const profiles = $('a[href*="linkedin.com/in/"]')
    .toArray()
    .map((element) => $(element).attr('href') ?? '');
  return new Set(profiles).size;
}

function canonical(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address;
}

function resolve(href: string | undefined, base: string): string | null {
  try {
    const url = new URL(href ?? '', base);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
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
