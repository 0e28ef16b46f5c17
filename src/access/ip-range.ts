import ipaddr from 'ipaddr.js';

/** True when the text is an IP address or a CIDR range. */
export function isIpRange(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

/** True when the address lies in one of the ranges; an empty list allows every address. IPv4 inside IPv6 counts as IPv4. */
export function isAllowedFrom(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const from = ipaddr.process(address);
  return ranges.some((range) => {
    if (!isIpRange(range)) return false;
    const [network, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : single(range);
    return from.kind() === network.kind() && from.match([network, bits] as [ipaddr.IPv4, number]);
  });
}

function single(range: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(range);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
