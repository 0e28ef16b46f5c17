import type { Json } from '../domain/index.ts';
import { githubRepo, registrableDomain } from './links.ts';
import type { Facts, Params } from './source.ts';

/**
 * What another party's page must name to be about this project: its domain, or the address of its token. The project's name alone
 * proves nothing, because anyone can give a token the name of an audited project.
 */
export interface ProjectNames {
  readonly domain: string | null;
  /** EVM addresses in lower case, mints as they are. */
  readonly addresses: readonly string[];
}

const MOST_ADDRESSES = 8;

/** The names as parameters of a request, so that an archived reply gives the same ties again; null when there is nothing to look for. */
export function namesOf({ registrableDomain: domain, address, keys }: Facts): Params | null {
  const all = [address, ...keys.deployments.map((row) => row.address)].filter(
    (row): row is string => row !== null && row !== 'native' && row.length >= 32,
  );
  const addresses = [...new Set(all.map(plainAddress))].sort().slice(0, MOST_ADDRESSES);
  return domain === null && addresses.length === 0 ? null : { domain, addresses };
}

/** The names in the parameters of a request. */
export function namesIn(params: Params): ProjectNames {
  const { domain, addresses } = params;
  return {
    domain: typeof domain === 'string' ? domain : null,
    addresses: Array.isArray(addresses) ? addresses.filter((row): row is string => typeof row === 'string') : [],
  };
}

/**
 * States which of the names a text contains; null for none. `requested`: the address from which the text was fetched. A name that
 * occurs in this address proves nothing, because a search page prints its query.
 */
export function namedIn(text: string, names: ProjectNames, requested = ''): string | null {
  const [where, within] = [decoded(requested).toLowerCase(), text.toLowerCase()];
  const { domain } = names;
  if (domain !== null && !where.includes(domain) && domainPattern(domain).test(within)) return `names ${domain}`;
  const address = names.addresses.find(
    (row) =>
      !where.includes(row.toLowerCase()) &&
      (row.startsWith('0x') ? wholeWord(row).test(within) : wholeWord(row).test(text)),
  );
  return address === undefined ? null : `names the contract ${address}`;
}

/** True if the URL is on the project's domain. */
export function isOwnDomain(url: Json | undefined, { domain }: ProjectNames): boolean {
  return domain !== null && registrableDomain(url) === domain;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function plainAddress(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address;
}

/** Matches the domain or a name under it, but not as part of another domain. */
function domainPattern(domain: string): RegExp {
  return new RegExp(`(?<![a-z0-9-])${domain.replaceAll(/[^a-z0-9-]/g, '\\$&')}(?![a-z0-9-]|\\.[a-z0-9])`);
}

function wholeWord(address: string): RegExp {
  return new RegExp(`(?<![0-9a-zA-Z])${address.replaceAll(/[^0-9a-zA-Z]/g, '')}(?![0-9a-zA-Z])`);
}

/** Hosts of audit firms: a link counts as an audit only when it leads to one of them, or to a report in the firm's repository. */
export const AUDITORS: Readonly<Record<string, string>> = {
  'certik.com': 'CertiK',
  'hacken.io': 'Hacken',
  'openzeppelin.com': 'OpenZeppelin',
  'trailofbits.com': 'Trail of Bits',
  'halborn.com': 'Halborn',
  'quantstamp.com': 'Quantstamp',
  'consensys.io': 'Consensys Diligence',
  'consensys.net': 'Consensys Diligence',
  'peckshield.com': 'PeckShield',
  'slowmist.com': 'SlowMist',
  'ottersec.io': 'OtterSec',
  'osec.io': 'OtterSec',
  'neodyme.io': 'Neodyme',
  'zellic.io': 'Zellic',
  'spearbit.com': 'Spearbit',
  'cantina.xyz': 'Cantina',
  'sherlock.xyz': 'Sherlock',
  'code4rena.com': 'Code4rena',
  'chainsecurity.com': 'ChainSecurity',
  'sigmaprime.io': 'Sigma Prime',
  'kudelskisecurity.com': 'Kudelski Security',
  'omniscia.io': 'Omniscia',
  'dedaub.com': 'Dedaub',
  'mixbytes.io': 'MixBytes',
  'statemind.io': 'Statemind',
  'ackee.xyz': 'Ackee',
  'runtimeverification.com': 'Runtime Verification',
  'solidproof.io': 'SolidProof',
  'cyfrin.io': 'Cyfrin',
};

/** Repositories in which firms publish their reports, lower-case. */
const PUBLICATIONS: Readonly<Record<string, string>> = {
  'trailofbits/publications': 'Trail of Bits',
  'spearbit/portfolio': 'Spearbit',
  'zellic/publications': 'Zellic',
  'peckshield/publications': 'PeckShield',
  'mixbytes/audits_public': 'MixBytes',
  'solidproof/projects': 'SolidProof',
  'slowmist/knowledge-base': 'SlowMist',
  'halbornsecurity/publicreports': 'Halborn',
  'sigp/public-audits': 'Sigma Prime',
  'ackee-blockchain/public-audit-reports': 'Ackee',
  'runtimeverification/publications': 'Runtime Verification',
  'statemindio/public-audits': 'Statemind',
  'cyfrin/cyfrin-audit-reports': 'Cyfrin',
};

/** Platforms that run bounty programmes. */
export const BOUNTY_PLATFORMS: Readonly<Record<string, string>> = {
  'immunefi.com': 'Immunefi',
  'hackenproof.com': 'HackenProof',
  'cantina.xyz': 'Cantina',
  'code4rena.com': 'Code4rena',
  'sherlock.xyz': 'Sherlock',
  'hackerone.com': 'HackerOne',
};

/** Subdomains whose pages the firm itself writes, without forums, profile pages and leaderboards. */
const OWN_HOSTS: ReadonlySet<string> = new Set([
  '',
  'www',
  'blog',
  'audit',
  'audits',
  'report',
  'reports',
  'diligence',
]);
const REPORT_PATH = /audit|report|case-?stud|blog|security|publication|review|contest|competition|project|assessment/i;
const BOUNTY_PATH = /bount|program/i;
/** Writable by anyone with an account. */
const OTHERS_PATH = /\/(?:@|u\/|user|users\/|profile|forum|community|comment|discuss|search|tag\/)/i;

/** The audit firm to whose host or repository a link leads; null for any other link. */
export function auditorOf(url: string): string | null {
  const domain = registrableDomain(url);
  if (domain !== null) return AUDITORS[domain] ?? null;
  return PUBLICATIONS[githubRepo(url)?.toLowerCase() ?? ''] ?? null;
}

/** A page of another party that the project links, in the form in which it may be requested. */
export interface TiePage {
  readonly kind: 'audit' | 'bounty';
  /** The firm or the platform. */
  readonly subject: string;
  /** Without query and fragment, so that a link's query cannot change what the page shows. */
  readonly url: string;
}

/**
 * The page of a firm or a platform to which a link leads. Null for pages that the firm does not write: forums, profiles, search
 * pages, issues of a repository. A file on GitHub is read from the head of the default branch, because GitHub shows commits of any
 * fork under the firm's name.
 */
export function tiePageOf(kind: TiePage['kind'], link: string): TiePage | null {
  const url = plainUrl(link);
  if (url === null) return null;
  const file = publishedFile(url);
  if (file !== null) return kind === 'audit' ? { kind, ...file } : null;
  const domain = registrableDomain(url.hostname);
  const subject = domain === null ? undefined : (kind === 'audit' ? AUDITORS : BOUNTY_PLATFORMS)[domain];
  if (domain === null || subject === undefined) return null;
  const under = url.hostname.toLowerCase().slice(0, -domain.length).replace(/\.$/, '');
  const isOwn = OWN_HOSTS.has(under) && !OTHERS_PATH.test(url.pathname);
  const where = `${under} ${url.pathname}`;
  if (!isOwn || !(kind === 'audit' ? REPORT_PATH : BOUNTY_PATH).test(where)) return null;
  if (domain.startsWith('consensys.') && under !== 'diligence') return null;
  return { kind, subject, url: url.href };
}

function plainUrl(link: string): URL | null {
  const url = URL.parse(link);
  if (url?.protocol !== 'https:' || link.length > 400 || url.port !== '' || url.username !== '') return null;
  url.search = '';
  url.hash = '';
  return url;
}

/** Converts `github.com/<firm>/<publications>/blob/<any>/<path>` to the raw file at the head of the default branch. */
function publishedFile(url: URL): { readonly subject: string; readonly url: string } | null {
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const onGithub = url.hostname === 'github.com' && (parts[2] === 'blob' || parts[2] === 'raw');
  const path = onGithub ? parts.slice(4) : url.hostname === 'raw.githubusercontent.com' ? parts.slice(3) : [];
  const repo = `${parts[0]}/${parts[1]}`;
  const subject = PUBLICATIONS[repo.toLowerCase()];
  if (subject === undefined || path.length === 0 || path.includes('..')) return null;
  return { subject, url: `https://raw.githubusercontent.com/${repo}/HEAD/${path.join('/')}` };
}

/** Pages that the site or a registry links, as facts from which the source `third_parties` plans. `key`: where the links were found. */
export function learnTiePages(ends: readonly (TiePage | null)[], key: string): Record<string, Json> {
  const rows = ends.filter((row) => row !== null).map((row) => ({ ...row }));
  return rows.length === 0 ? {} : { [`third_parties.${key}`]: rows.slice(0, 20) };
}
