import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Trusted senders of `X-Forwarded-For`: none (`false`), a number of proxies in front of this service, or proxies at
 * these addresses (canonical ranges).
 */
export type TrustedProxies = false | number | readonly string[];

/**
 * Converts an entry of an allow-list to its canonical form: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. Clears bits
 * beyond the prefix; converts an IPv4 address inside IPv6 (`::ffff:192.0.2.7`) to IPv4. Null for text that parsers
 * interpret differently or that is no range: octal (`010.0.0.1`), hexadecimal and shortened IPv4, zone ids, a prefix
 * longer than the address or with a leading zero, an IPv4-mapped range wider than all of IPv4.
 */
export function canonicalIpRange(text: string): string | null {
  const read = readRange(text);
  if (read === null) return null;
  const [network, bits] = read;
  return bits === lengthOf(network) ? network.toString() : `${network.toString()}/${bits}`;
}

/**
 * True if the address is in one of the ranges; an empty list allows every address. An IPv4 address inside IPv6 counts
 * as IPv4. A range that cannot be parsed (`canonicalIpRange`) allows no address; an address that cannot be parsed is
 * never allowed.
 */
export function isAllowedFrom(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  const from = readAddress(address.replace(/%.*$/s, ''));
  if (from === null) return false;
  return ranges.some((range) => {
    const read = readRange(range);
    return read !== null && read[0].kind() === from.kind() && from.match(read as [ipaddr.IPv4, number]);
  });
}

/** Parses an address in strict notation; IPv4 inside IPv6 becomes IPv4. Null for anything else. */
export function readAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return null;
  // The last 32 bits may be written as IPv4; the same strict rules apply to them.
  const embedded = text.slice(text.lastIndexOf(':') + 1);
  if (embedded.includes('.') && !ipaddr.IPv4.isValidFourPartDecimal(embedded)) return null;
  return ipaddr.process(text);
}

function readRange(text: string): readonly [Address, number] | null {
  const [head = '', prefix, ...rest] = text.split('/');
  const address = readAddress(head);
  if (address === null || rest.length > 0) return null;
  if (prefix === undefined) return [address, lengthOf(address)];
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix)) return null;
  const mapped = head.includes(':') && address.kind() === 'ipv4' ? 96 : 0;
  const bits = Number(prefix) - mapped;
  if (bits < 0 || bits > lengthOf(address)) return null;
  return [networkOf(address, bits), bits];
}

function networkOf(address: Address, bits: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return ipaddr.fromByteArray(bytes);
}

function lengthOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}
