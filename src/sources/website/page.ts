import { Parser } from 'htmlparser2';
import Type from 'typebox';
import { CHAINS, isTradedQuote } from '../../chains/index.ts';
import type { Observation } from '../../domain/index.ts';
import { explorerAddress } from '../explorers.ts';
import { githubRepo, registrableDomain, social } from '../links.ts';
import { text } from '../read.ts';
import { handlesOf, listOf, part, placed, sorted } from '../token-records.ts';

/** Content of one page of a project's site. All of it is untrusted outside text. */
export interface Page {
  readonly title: string | null;
  readonly links: readonly PageLink[];
  readonly addresses: readonly PageAddress[];
  readonly socials: readonly { readonly kind: string; readonly handle: string }[];
  readonly repos: readonly string[];
  /** LinkedIn profiles, which prove nothing. */
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

/** Kinds of links by their text and path; the first match counts. */
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

/** Addresses from explorer links first, which name the chain, then from links to DEXs, then from the text. */
function addressesOn(urls: readonly string[], words: string): readonly PageAddress[] {
  const found = new Map<string, PageAddress>();
  const add = (row: PageAddress) => {
    if (found.size < MOST_ADDRESSES && !found.has(row.address)) found.set(row.address, row);
  };
  for (const url of urls) {
    const named = explorerAddress(url);
    if (named) add({ ...named, via: 'explorer' });
  }
  for (const url of urls) for (const row of tradedBy(url)) add(row);
  for (const row of addressesIn(words, 'text')) add(row);
  return [...found.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** The tokens in a link to a DEX, without the input token and common quote tokens, which are not the project's. */
function tradedBy(link: string): readonly PageAddress[] {
  const url = URL.parse(link);
  if (url === null || !DEX_HOSTS.test(url.hostname)) return [];
  const name = url.searchParams.get('chain')?.toLowerCase() ?? '';
  const chain = CHAINS.find((row) => row.name === name || row.aliases.includes(name))?.name ?? null;
  url.searchParams.delete('inputCurrency');
  return addressesIn(url.href, 'dex')
    .filter(({ address }) => !CHAINS.some((row) => isTradedQuote(row.name, address)))
    .map((row) => ({ ...row, chain: row.chain ?? chain }));
}

/**
 * Number of characters on either side of a bare base58 word that are searched for its meaning. Other chains and services use the same
 * format, so the word counts as a Solana address only if the text around it names Solana, or calls it a contract without naming another chain.
 */
const BESIDE = 120;
const SOLANA = /solana|\bspl\b/i;
const CONTRACT = /\b[Cc]ontract\b|\bmint\b|\bCA\b/;
const OTHER_CHAIN =
  /\bwaves\b|\bnear\b|\bton\b|\bsui\b|\baptos\b|cardano|algorand|stellar|polkadot|\btezos\b|\beos\b|monero/i;

function isCalledMint(words: string, at: number): boolean {
  const beside = words.slice(Math.max(0, at - BESIDE), at + BESIDE);
  return SOLANA.test(beside) || (CONTRACT.test(beside) && !OTHER_CHAIN.test(beside));
}

function addressesIn(words: string, via: PageAddress['via']): readonly PageAddress[] {
  const hex = [...words.matchAll(/(?<![0-9a-zA-Z])0x[0-9a-fA-F]{40}(?![0-9a-zA-Z])/g)].map((match) => match[0]);
  const mints = [...words.matchAll(/(?<![0-9a-zA-Z])[1-9A-HJ-NP-Za-km-z]{43,44}(?![0-9a-zA-Z])/g)]
    .filter((match) => via !== 'text' || isCalledMint(words, match.index))
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

export function resolve(href: string, base: string): string | null {
  const url = URL.parse(href, base);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null;
}

function pathOf(link: string): string {
  const url = URL.parse(link);
  return url === null ? '' : `${url.hostname}${url.pathname}`;
}

function unique<Row>(rows: readonly Row[], key: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()];
}

/** At most `most` pages of the same registrable domain to read next, the most useful first. */
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

/** The parts of a page that are used, in reading order. */
export interface HtmlParts {
  readonly title: string;
  /** `og:site_name` (Open Graph protocol, section 3); empty when the page states none. */
  readonly siteName: string;
  readonly anchors: readonly { readonly href: string; readonly label: string }[];
  /** Text outside scripts and styles, with a space between elements. */
  readonly words: string;
}

const MOST_HTML = 1_500_000;
const MOST_ANCHORS = 400;
const MOST_WORDS = 200_000;
const LONGEST_HREF = 2_048;
const LONGEST_LABEL = 200;
/** Maximum nesting. Real pages are not nested this deeply; a malicious one costs minutes (measured with 300,000 open elements). */
export const DEEPEST = 512;
const UNSEEN = new Set(['script', 'style', 'noscript', 'template']);
/** Elements that have no end tag. */
export const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** Stops reading a page that is nested too deeply. */
export class TooDeep extends Error {}

/**
 * Reads a page as a stream of tags without building a tree, so the time is linear in its size. Texts of different elements are
 * separated, so that an address does not run into the button beside it. Reading stops at implausible nesting.
 */
export function readHtml(html: string): HtmlParts {
  const anchors: { href: string; label: string }[] = [];
  const texts: string[] = [];
  let title = '';
  let siteName = '';
  let length = 0;
  let unseen = 0;
  let depth = 0;
  let inTitle = false;
  let anchor: { href: string; label: string } | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!VOID.has(name)) depth += 1;
      if (depth > DEEPEST) throw new TooDeep();
      if (UNSEEN.has(name)) unseen += 1;
      inTitle = name === 'title' && title === '';
      if (name === 'meta' && siteName === '' && attributes.property?.toLowerCase() === 'og:site_name')
        siteName = (attributes.content ?? '').slice(0, 1_000);
      const { href } = attributes;
      if (name !== 'a' || href === undefined || href.length > LONGEST_HREF || anchors.length >= MOST_ANCHORS) return;
      anchor = { href, label: '' };
      anchors.push(anchor);
    },
    ontext(data) {
      if (unseen > 0) return;
      if (inTitle) {
        title = (title + data).slice(0, 1_000);
        return;
      }
      const words = data.replace(/\s+/g, ' ').trim();
      if (words === '' || length > MOST_WORDS) return;
      texts.push(words);
      length += words.length + 1;
      if (anchor !== null && anchor.label.length < LONGEST_LABEL)
        anchor.label = `${anchor.label} ${words}`.slice(0, LONGEST_LABEL);
    },
    onclosetag(name) {
      if (!VOID.has(name)) depth = Math.max(0, depth - 1);
      if (UNSEEN.has(name)) unseen = Math.max(0, unseen - 1);
      if (name === 'title') inTitle = false;
      if (name === 'a') anchor = null;
    },
  });
  try {
    parser.end(html.slice(0, MOST_HTML));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return { title, siteName, anchors, words: texts.join(' ').slice(0, MOST_WORDS) };
}

/** The content of a host's landing page that identity needs. */
export interface SitePage {
  readonly read: boolean;
  /** True if the site does not exist, refuses connections or has no such page; false if it was only slow, which proves nothing. */
  readonly dead: boolean;
  /** True if it redirects to a domain of another owner or to a shared platform, so that it has no content of its own. */
  readonly leadsElsewhere: boolean;
  readonly title: string | null;
  /** The site's own name (`og:site_name`). */
  readonly siteName: string | null;
  /** Printed or linked token addresses as `chain:address`; one entry per EVM chain when the page does not name it. */
  readonly places: readonly string[];
  readonly socials: readonly string[];
  readonly repos: readonly string[];
}

export const UNREAD: SitePage = {
  read: false,
  dead: false,
  leadsElsewhere: false,
  title: null,
  siteName: null,
  places: [],
  socials: [],
  repos: [],
};

const Link = Type.Object({ url: Type.String() });
const Place = Type.Object({ chain: Type.Optional(Type.Unknown()), address: Type.Unknown() });
const Profile = Type.Object({ kind: Type.Unknown(), handle: Type.Unknown() });

/** The content of a reply of `home`, from its text and its observations. */
export function readLanding(reply: unknown, observations: readonly Observation[]): SitePage {
  const of = (quantity: Observation['quantity']) => observations.filter((row) => row.quantity === quantity);
  // An own page always has a list of links, even an empty one.
  if (of('site_links').length === 0) return { ...UNREAD, leadsElsewhere: true };
  const rowsOf = (quantity: Observation['quantity'], most?: number) =>
    of(quantity).flatMap((row) => listOf(row.value, most));
  const repos = rowsOf('site_links', 200).map((row) => githubRepo(part(Link, row)?.url));
  return {
    read: true,
    dead: false,
    leadsElsewhere: false,
    title: text(of('site_title')[0]?.value, 200),
    siteName: typeof reply === 'string' ? text(readHtml(reply).siteName, 200) : null,
    places: sorted(rowsOf('site_contract_addresses').flatMap(placesOf)),
    socials: handlesOf(rowsOf('registry_socials').flatMap((row) => part(Profile, row) ?? [])),
    repos: [...new Set(repos.filter((repo): repo is string => repo?.includes('/') === true))].slice(0, 5),
  };
}

/** One entry per chain when the page does not name one. */
function placesOf(row: unknown): readonly (string | null)[] {
  const { chain: name, address } = part(Place, row) ?? {};
  const chain = CHAINS.find((known) => known.name === name);
  return chain ? [placed(chain, address)] : CHAINS.map((known) => placed(known, address));
}
