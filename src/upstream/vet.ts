import { Fault } from './fault.ts';
import { isLiteral, isPublicAddress } from './guard.ts';
import type { Resolver, TrustClass } from './types.ts';

/** Where a connection may go: the vetted addresses and nothing else. */
export interface Destination {
  readonly addresses: readonly { readonly address: string; readonly family: 4 | 6 }[];
  readonly port: number;
  /** Certificate authority to trust instead of the public ones; null: the public ones. */
  readonly ca: string | null;
}

/**
 * Turns a host into addresses that may be connected to. One private address among many public ones refuses the whole
 * name: it is a misconfiguration or an attack. Throws `Fault` (`refused_address`, `unreachable`).
 */
export async function vet(host: string, port: number, trust: TrustClass, resolver: Resolver): Promise<Destination> {
  const name = host.replace(/^\[|\]$/g, '');
  if (isLiteral(name)) {
    if (trust === 'outside') throw new Fault('refused_address', 'the host is an IP address; a name is needed');
    return { addresses: [{ address: name, family: name.includes(':') ? 6 : 4 }], port, ca: null };
  }
  const vouched = resolver.vouch(name, port);
  if (vouched)
    return {
      addresses: [{ address: vouched.address, family: vouched.family }],
      port: vouched.port,
      ca: vouched.ca,
    };
  const addresses = await resolve(name, resolver);
  if (addresses.length === 0) throw new Fault('unreachable', 'the host name does not exist');
  if (trust === 'outside' && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new Fault('refused_address', 'the host name leads to an address that is not public');
  return { addresses, port, ca: null };
}

/** A name with hundreds of addresses is not worth trying all. */
const MOST_ADDRESSES = 16;

async function resolve(name: string, resolver: Resolver): Promise<Destination['addresses']> {
  try {
    const found = await resolver.resolve(name);
    if (found.length > MOST_ADDRESSES) throw new Fault('refused_address', 'the host name has too many addresses');
    return found;
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('unreachable', 'the host name could not be resolved');
  }
}
