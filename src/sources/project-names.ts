import type { Json } from '../domain/index.ts';
import { registrableDomain } from './read.ts';
import type { Facts, Params } from './source.ts';

/**
 * What somebody else's page must name to speak of this project: its domain, or the address of its token. A name alone proves
 * nothing: anybody may give a token the name of an audited project.
 */
export interface ProjectNames {
  readonly domain: string | null;
  /** EVM addresses in lower case, mints as they are. */
  readonly addresses: readonly string[];
}

const MOST_ADDRESSES = 8;

/** As parameters of a request, so that an archived reply gives the same ties again; null when there is nothing to look for. */
export function namesOf({ registrableDomain: domain, address, keys }: Facts): Params | null {
  const all = [address, ...keys.deployments.map((row) => row.address)].filter(
    (row): row is string => row !== null && row !== 'native' && row.length >= 32,
  );
  const addresses = [...new Set(all.map(plainAddress))].sort().slice(0, MOST_ADDRESSES);
  return domain === null && addresses.length === 0 ? null : { domain, addresses };
}

/** The names that a request carried. */
export function namesIn(params: Params): ProjectNames {
  const { domain, addresses } = params;
  return {
    domain: typeof domain === 'string' ? domain : null,
    addresses: Array.isArray(addresses) ? addresses.filter((row): row is string => typeof row === 'string') : [],
  };
}

/**
 * Which of the names a text carries, in words; null for none. `asked`: the address the text was fetched from. A name that stands
 * in it proves nothing: a search page prints what it was asked for.
 */
export function namedIn(text: string, names: ProjectNames, asked = ''): string | null {
  const [where, within] = [decoded(asked).toLowerCase(), text.toLowerCase()];
  const { domain } = names;
  if (domain !== null && !where.includes(domain) && domainPattern(domain).test(within)) return `names ${domain}`;
  const address = names.addresses.find(
    (row) =>
      !where.includes(row.toLowerCase()) &&
      (row.startsWith('0x') ? wholeWord(row).test(within) : wholeWord(row).test(text)),
  );
  return address === undefined ? null : `names the contract ${address}`;
}

/** True when an address on the web lies on the project's domain. */
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

/** The domain or a name under it, and not the beginning or the end of another one. */
function domainPattern(domain: string): RegExp {
  return new RegExp(`(?<![a-z0-9-])${domain.replaceAll(/[^a-z0-9-]/g, '\\$&')}(?![a-z0-9-]|\\.[a-z0-9])`);
}

function wholeWord(address: string): RegExp {
  return new RegExp(`(?<![0-9a-zA-Z])${address.replaceAll(/[^0-9a-zA-Z]/g, '')}(?![0-9a-zA-Z])`);
}
