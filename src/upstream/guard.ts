import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { getDomain } from 'tldts';
import { ok, type Result } from '../domain/index.ts';
import type { TrustClass } from './types.ts';

/** Ports allowed in an outside address. */
export const WEB_PORTS: readonly number[] = [80, 443];

/**
 * Checks an address chosen by a caller, a token's metadata or a redirect, before any request. Pure: checks the name as
 * written; `isPublicAddress` checks what it resolves to. Refuses IP literals in every notation, including public ones,
 * because a project's website has a name. WHATWG URL parsing converts decimal, octal, hex, short, percent-encoded and
 * full-width forms to the canonical one (https://url.spec.whatwg.org/#concept-host-parser).
 */
export function judgeUrl(text: string, allowedPorts: readonly number[] = WEB_PORTS): Result<URL, { detail: string }> {
  if (text.length > LONGEST_URL) return refuse(`the address is longer than ${LONGEST_URL} characters`);
  // Parsers treat these characters differently, which can be used to bypass a check.
  if (hasAmbiguousCharacter(text)) return refuse('the address holds spaces, control characters or backslashes');
  if (!/^https?:\/\/[^/]/i.test(text)) return refuse('the address must start with http:// or https://');
  if (!URL.canParse(text)) return refuse('the address could not be read');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@'))
    return refuse('the address must not hold a user name or password');
  const port = portOf(url);
  if (!allowedPorts.includes(port)) return refuse(`port ${port} is not allowed`);
  const host = judgeHost(url.hostname);
  return host.ok ? ok(url) : host;
}

/** Checks a host name in the form produced by the URL parser. */
export function judgeHost(hostname: string): Result<string, { detail: string }> {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (isLiteral(host)) return refuse('the host is an IP address; a name is needed');
  if (host.length === 0 || host.length > 253 || host.split('.').some((label) => label === '' || label.length > 63))
    return refuse('the host is not a valid name');
  if (!/^[a-z0-9._-]+$/.test(host)) return refuse('the host is not a valid name');
  const labels = host.split('.');
  if (labels.length < 2) return refuse('the host has no domain; it would name a machine of our own network');
  // A top-level domain consists of letters, or begins with xn-- (RFC 3696, 2): one with only digits or with an
  // underscore is invalid.
  if (!/^[a-z0-9-]*[a-z][a-z0-9-]*$/.test(labels.at(-1) ?? '')) return refuse('the host has no top-level domain');
  const reserved = NOT_PUBLIC_SUFFIXES.find((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  return reserved === undefined ? ok(host) : refuse(`names under .${reserved} are not on the public internet`);
}

/** The port of a URL, or the default of its scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** True for an IP address in canonical form, with or without brackets. */
export function isLiteral(host: string): boolean {
  return host.startsWith('[') || isIP(host) !== 0 || (MAYBE_LITERAL.test(host) && ipaddr.isValid(host));
}

/** Text that does not match is no address in any notation; this avoids the parser's throw and catch. */
const MAYBE_LITERAL = /:|^[0-9a-fx.]+$/i;

/**
 * True only for globally reachable unicast addresses that do not embed another address. Ranges: the IANA
 * special-purpose registries (RFC 6890) as implemented in ipaddr.js. IPv6 addresses must be in 2000::/3, the only
 * allocated space.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString() !== AZURE_WIRE_SERVER;
  const [first = 0, , , , fourth = 0, fifth = 0] = parsed.parts;
  if (first >> 13 !== 1) return false;
  // ISATAP interface identifiers carry an IPv4 address (RFC 5214).
  return !(fifth === 0x5efe && (fourth === 0 || fourth === 0x200));
}

const LONGEST_URL = 2_048;

/** A public address that returns credentials inside Azure (Microsoft Learn, "What is IP address 168.63.129.16"). */
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Names of RFC 6761, 6762, 7686 and 8375, ICANN's .internal, names used by home routers and offices, and the services
 * of a cluster.
 */
const NOT_PUBLIC_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'onion',
  'test',
  'invalid',
  'alt',
  'arpa',
  'svc',
  'cluster',
];

function hasAmbiguousCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= 0x20 || code === 0x5c || (code >= 0x7f && code <= 0xa0)) return true;
  }
  return false;
}

function authorityOf(text: string): string {
  return text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? '';
}

function refuse(detail: string): { readonly ok: false; readonly detail: string } {
  return { ok: false, detail };
}

/** One step of a request: its address, and how the address is checked. */
export interface Hop {
  readonly url: URL;
  readonly trust: TrustClass;
}

/**
 * Checks the target of a redirect. Class `outside`: each hop is checked like the first one, and https never leads to
 * http. Class `operator`: the target must be within the registrable domain of the configured base. Any origin other
 * than the base's own is checked like an outside address, so that a base cannot lead into the internal network.
 */
export function judgeRedirect(
  first: Hop,
  from: URL,
  location: string,
  allowedPorts: readonly number[],
): Result<Hop, { detail: string }> {
  if (location.length > 4_096 || !URL.canParse(location, from.href))
    return { ok: false, detail: 'the host redirected to an address that could not be read' };
  const to = new URL(location, from);
  to.hash = '';
  if (first.trust === 'operator' && to.origin === first.url.origin && to.username === '' && to.password === '')
    return ok({ url: to, trust: 'operator' });
  if (from.protocol === 'https:' && to.protocol !== 'https:')
    return { ok: false, detail: 'the host redirected from https to an address without it' };
  const judged = judgeUrl(to.href, allowedPorts);
  if (!judged.ok) return { ok: false, detail: `the host redirected to a refused address: ${judged.detail}` };
  if (first.trust === 'operator' && !sameSite(first.url, to))
    return { ok: false, detail: 'the host redirected to another domain' };
  return ok({ url: to, trust: 'outside' });
}

function sameSite(a: URL, b: URL): boolean {
  const domain = getDomain(a.hostname, { allowPrivateDomains: true });
  return domain !== null && domain === getDomain(b.hostname, { allowPrivateDomains: true });
}

/**
 * Why a project's URL is refused before any request; null when it is allowed. Only web ports, no IP addresses, no
 * private names.
 */
export function judgeProjectUrl(url: string): string | null {
  const judged = judgeUrl(url);
  if (!judged.ok) return judged.detail;
  return isLiteral(judged.value.hostname) ? 'expected a domain name, got an IP address' : null;
}
